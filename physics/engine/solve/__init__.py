"""Constraint forces and the accelerations that result: the Newton solver."""
