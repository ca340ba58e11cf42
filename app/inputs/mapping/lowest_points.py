"""The lowest points of geoms: support points of their shapes, downwards."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.enums import GeomType
from physics.model.data import Data
from physics.model.model import Model

TINY = 1e-12
LEVEL = 0.99        # cosine of the tilt of a plane that is ground


def lowest_point(m: Model, d: Data, geom: int) -> np.ndarray:
    """Of a geom's surface (3) [m]; of shapes that are not in SUPPORTS that of the box of their size."""
    turn = d.geom_xmat[geom].reshape(3, 3)
    support = SUPPORTS.get(GeomType(int(m.geom_type[geom])), _box)
    return d.geom_xpos[geom] + turn @ support(m, geom, -turn[2])


def ground_height(m: Model, d: Data) -> float | None:
    """Of the highest level plane that does not move [m]; None where there is none."""
    heights = [float(d.geom_xpos[g, 2]) for g in range(m.ngeom) if int(m.geom_type[g]) in FLAT and m.body_weldid[m.geom_bodyid[g]] == 0 and d.geom_xmat[g].reshape(3, 3)[2, 2] > LEVEL]
    return max(heights, default=None)


# each: of a geom, in its frame, the point farthest along a unit vector `down`

def _sphere(m: Model, geom: int, down: np.ndarray) -> np.ndarray:
    return m.geom_size[geom, 0] * down


def _capsule(m: Model, geom: int, down: np.ndarray) -> np.ndarray:
    radius, half = m.geom_size[geom, :2]
    return radius * down + (0.0, 0.0, np.copysign(half, down[2]))


def _cylinder(m: Model, geom: int, down: np.ndarray) -> np.ndarray:
    radius, half = m.geom_size[geom, :2]
    across = np.array([down[0], down[1], 0.0])
    return radius * across / max(float(np.linalg.norm(across)), TINY) + (0.0, 0.0, np.copysign(half, down[2]))


def _ellipsoid(m: Model, geom: int, down: np.ndarray) -> np.ndarray:
    size = m.geom_size[geom]
    return size * size * down / max(float(np.linalg.norm(size * down)), TINY)


def _box(m: Model, geom: int, down: np.ndarray) -> np.ndarray:
    return np.copysign(m.geom_size[geom], down)


def _mesh(m: Model, geom: int, down: np.ndarray) -> np.ndarray:
    mesh = int(m.geom_dataid[geom])
    vert = m.mesh_vert[m.mesh_vertadr[mesh]:m.mesh_vertadr[mesh] + m.mesh_vertnum[mesh]]
    return vert[int((vert @ down).argmax())]


FLAT = frozenset((int(GeomType.PLANE),))
SUPPORTS: Mapping[GeomType, Callable[[Model, int, np.ndarray], np.ndarray]] = MappingProxyType({
    GeomType.SPHERE: _sphere, GeomType.CAPSULE: _capsule, GeomType.CYLINDER: _cylinder, GeomType.ELLIPSOID: _ellipsoid, GeomType.MESH: _mesh})
