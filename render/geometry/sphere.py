"""Unit sphere; also every ellipsoid by its scale."""
import numpy as np

from render.geometry.rings import revolve


def sphere(slices: int = 28, stacks: int = 16):
    """Radius 1, v from the north pole (0) to the south pole (1)."""
    k = np.arange(stacks + 1) / stacks
    el = np.pi / 2 - np.pi * k
    r = np.where((k == 0) | (k == 1), 0, np.cos(el))
    z = np.sin(el)
    return revolve(np.stack([r, z, r, z, k, 0 * k], -1), slices)
