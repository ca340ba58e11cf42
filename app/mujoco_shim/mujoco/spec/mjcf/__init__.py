"""Specifications as MJCF: from a tree of elements and back, and as text."""
