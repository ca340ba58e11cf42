"""Panels that take a step apart: its stages, its solver's iterations."""
