"""Changes of parameters: what of a Model they change, found on what is kept of its compile."""
