"""Rays: where a half-line first meets a geom."""
