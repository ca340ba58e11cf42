"""Tendons: lengths, Jacobians, wrapping around spheres and cylinders."""
