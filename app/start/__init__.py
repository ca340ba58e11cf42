"""How a window opens: what the command line asks for."""
