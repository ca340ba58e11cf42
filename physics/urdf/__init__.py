"""URDF files: a robot's links and joints as the MJCF tree that means the same."""
