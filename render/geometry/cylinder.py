"""Closed cylinder of radius 1 between z = -1 and 1."""
from render.geometry.rings import disc, join, revolve


def cylinder(slices: int = 28):
    """Side with v from the top (0) to the bottom (1), and two ends."""
    side = revolve([(1, 1, 1, 0, 0, 0), (1, -1, 1, 0, 1, 0)], slices)
    return join(disc(slices, -1, False), side, disc(slices, 1, True))
