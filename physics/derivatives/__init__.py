"""Derivatives of a step and of inverse dynamics: by finite differences, and analytic where they have a closed form."""
