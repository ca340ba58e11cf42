"""A policy in a process of its own, which sees states and sends what it wants: started, watched and ended."""
