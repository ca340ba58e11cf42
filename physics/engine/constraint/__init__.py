"""Constraint rows: what limits, friction and contacts ask of the accelerations."""
