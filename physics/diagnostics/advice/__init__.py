"""Advice while a model runs: what costs time, what the solver does not reach, contacts, actuators and constraints that are not as they should be. See advisor.py."""
