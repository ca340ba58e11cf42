"""How a window opens: what the command line asks for, and the keyframe that a model starts at."""
