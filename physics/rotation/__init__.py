"""Rotations in plain Python: quaternions as tuples, and MJCF's notations of an orientation."""
