"""Positions and velocities of bodies, joints, geoms and points; Jacobians."""
