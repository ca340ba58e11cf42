"""Stepping, and what belongs to it: stages, state vectors, rollouts, warnings, checked arguments."""
