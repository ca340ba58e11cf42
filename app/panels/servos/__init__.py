"""The panel in which servos are tuned: what gains do to a joint, which give a wanted bandwidth and damping, and where they are written."""
