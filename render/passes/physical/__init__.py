"""Passes of the physically based look."""
