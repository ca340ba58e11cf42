"""The geom types as plain numbers for kernels, and what is asked of a shape by its type.

Sizes: plane (x, y half extents,
0 = infinite), sphere (radius), capsule and cylinder (radius, half length), ellipsoid (radii), box (half extents).
"""
from __future__ import annotations

from physics import enums
from physics.kernels.decorators import helper

PLANE = enums.GEOM_PLANE
HFIELD = enums.GEOM_HFIELD
SPHERE = enums.GEOM_SPHERE
CAPSULE = enums.GEOM_CAPSULE
ELLIPSOID = enums.GEOM_ELLIPSOID
CYLINDER = enums.GEOM_CYLINDER
BOX = enums.GEOM_BOX
MESH = enums.GEOM_MESH
SDF = enums.GEOM_SDF


@helper
def half_extents(kind, size):
    """Half lengths of a shape along its axes, from its size as three numbers; of a mesh, the half lengths of its inertia box."""
    if kind == SPHERE:
        return size[0], size[0], size[0]
    if kind == CAPSULE:
        return size[0], size[0], size[0] + size[1]
    if kind == CYLINDER:
        return size[0], size[0], size[1]
    return size
