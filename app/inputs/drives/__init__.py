"""From a target to commands for the physics thread: a kind of drive a file."""
