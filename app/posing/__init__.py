"""Posing a model by inverse kinematics while it is paused, without Qt."""
