"""The joint-space inertia matrix, articulated-body recursion, recursive Newton-Euler, energy."""
