"""Actuators: transmission, activation dynamics, force laws and their derivatives."""
