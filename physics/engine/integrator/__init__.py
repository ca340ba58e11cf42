"""Integrators, and the derivatives of smooth forces that the implicit ones need."""
