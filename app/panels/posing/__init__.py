"""Panels for posing: keyframes."""
