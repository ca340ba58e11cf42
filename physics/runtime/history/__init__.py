"""The past of a run: an entry per step, its branches, and the inputs that were held."""
