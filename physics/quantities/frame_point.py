"""A point that stays on a body, geom, site or camera, as a vector in world axes: point(body("hand"), 0.1, 0, 0).

Its place is that of the element's frame, and its three coordinates in the frame by the columns of the rotation matrix.
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from physics.quantities import units
from physics.quantities.node import Memory, Node, Values

FORM = 'point(body("name"), x, y, z)'
FRAMES: Mapping[str, tuple[str, str]] = MappingProxyType({     # kind -> fields of the origin and of the rotation matrix
    "body": ("xpos", "xmat"), "geom": ("geom_xpos", "geom_xmat"), "site": ("site_xpos", "site_xmat"), "camera": ("cam_xpos", "cam_xmat"),
})


def point(origin: Node, matrix: Node, local: list[Node]) -> Node:
    """The point (3) [m, world]; origin (3), matrix (9), local: three numbers [m]. Raises ValueError where these are none."""
    if any(one.shape for one in local):
        raise ValueError("x, y and z are single numbers")

    def evaluate(values: Values, memory: Memory) -> np.ndarray:
        found, mat = origin.evaluate(values, memory), matrix.evaluate(values, memory).reshape(-1, 3, 3)
        for k, one in enumerate(local):
            found = found + mat[:, :, k] * one.evaluate(values, memory)[:, None]
        return found

    return Node((3,), units.read("m"), evaluate)
