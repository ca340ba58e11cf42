"""Joints under their actuators: what gains do, in closed form, simulated and in the engine, and which give a wanted bandwidth and damping."""
