"""Passive forces: springs, dampers, fluid, gravity compensation."""
