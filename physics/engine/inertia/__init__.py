"""The joint-space inertia matrix, articulated-body algorithm, recursive Newton-Euler, energy."""
