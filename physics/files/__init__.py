"""Files on the disk: written whole or not at all. Nothing of ours is imported here, so every package may use it."""
