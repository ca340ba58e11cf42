"""Arrows along +z from 0 to 1 with shaft radius 1; the head takes the last third (a sixth at each end of a double arrow)."""
import numpy as np

from render.geometry.rings import disc, join, revolve

HEAD_RADIUS = 1.75


def _cone(slices, base, tip, radius):
    """Cone from z = base (closed) to z = tip."""
    normal = np.array((1 / radius, 1 / (tip - base))) / np.hypot(1 / radius, 1 / (tip - base))
    rows = [(0, tip, *normal, 0, 0), (radius, base, *normal, 1, 0)]
    side = revolve(rows if tip > base else rows[::-1], slices)
    return join(side, disc(slices, base, tip < base, radius))


def _shaft(slices, bottom, top):
    side = revolve([(1, top, 1, 0, 0, 0), (1, bottom, 1, 0, 1, 0)], slices)
    return join(side, disc(slices, bottom, False), disc(slices, top, True))


def arrow(slices: int = 16, head: float = HEAD_RADIUS):
    """One head; head=1 gives a plain pointed end."""
    return join(_shaft(slices, 0, 2 / 3), _cone(slices, 2 / 3, 1, head))


def double_arrow(slices: int = 16):
    """A head at both ends."""
    return join(_shaft(slices, 1 / 6, 5 / 6), _cone(slices, 5 / 6, 1, HEAD_RADIUS), _cone(slices, 1 / 6, 0, HEAD_RADIUS))
