"""What physics computes, drawn to scale: forces, torques, velocities, momenta, limits, trails, margins.

Beyond the official viewers. Straight quantities are arrows, turning ones arcs about their axis, each kind to a scale that suits
the model (scales.py); every switch that is on adds rows to Scene.legend that state it.
"""
