"""What the rules ask of geoms by their type."""
from __future__ import annotations

import numpy as np

from physics.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_HFIELD, GEOM_MESH, GEOM_PLANE, GEOM_SPHERE
from physics.model.model import Model

USED = ((GEOM_SPHERE, 1), (GEOM_CAPSULE, 1), (GEOM_CYLINDER, 2), (GEOM_ELLIPSOID, 3), (GEOM_BOX, 3))     # type: numbers of geom_size that are half sizes


def half_sizes(m: Model) -> np.ndarray:
    """Smallest half size of each geom [m]: how deep its thinnest part is; infinite for planes and height fields, the box's for meshes."""
    out = np.array(m.geom_aabb[:, 3:].min(axis=1)) if m.ngeom else np.zeros(0)
    for kind, n in USED:
        rows = m.geom_type == kind
        out[rows] = m.geom_size[rows, :n].min(axis=1)
    out[(m.geom_type == GEOM_PLANE) | (m.geom_type == GEOM_HFIELD) | (out <= 0.0)] = np.inf
    return out


def is_mesh(m: Model, g: int) -> bool:
    """Whether a geom collides as the hull of a mesh."""
    return bool(m.geom_type[g] == GEOM_MESH)


def is_hfield(m: Model, g: int) -> bool:
    """Whether a geom is a height field."""
    return bool(m.geom_type[g] == GEOM_HFIELD)
