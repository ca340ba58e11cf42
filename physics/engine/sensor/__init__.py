"""Sensors: what each type measures, and the three moments of a step at which they are read."""
