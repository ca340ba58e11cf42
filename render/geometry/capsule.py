"""Capsule: an open cylinder between two half spheres; `cap` moves the ends apart."""
import numpy as np

from render.geometry.rings import join, revolve


def capsule(slices: int = 28, stacks: int = 16):
    """Unit radius; position * scale + cap * half gives any capsule. Each of the three parts has its own v from 0 to 1, as the classic look."""
    half = max(2, stacks // 2)
    k = np.arange(half + 1) / half
    el = np.pi / 2 * (1 - k)
    r, z = np.where(k == 0, 0, np.cos(el)), np.sin(el)
    top = revolve(np.stack([r, z, r, z, k, 0 * k + 1], -1), slices)
    el = -np.pi / 2 * k
    r, z = np.where(k == 1, 0, np.cos(el)), np.sin(el)
    bottom = revolve(np.stack([r, z, r, z, k, 0 * k - 1], -1), slices)
    side = revolve([(1, 0, 1, 0, 0, 1), (1, 0, 1, 0, 1, -1)], slices)
    return join(top, side, bottom)
