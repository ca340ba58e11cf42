"""The geom types as plain numbers for the collision kernels.

Sizes: plane (x, y half extents,
0 = infinite), sphere (radius), capsule and cylinder (radius, half length), ellipsoid (radii), box (half extents).
"""
from __future__ import annotations

from physics import enums

PLANE = enums.GEOM_PLANE
HFIELD = enums.GEOM_HFIELD
SPHERE = enums.GEOM_SPHERE
CAPSULE = enums.GEOM_CAPSULE
ELLIPSOID = enums.GEOM_ELLIPSOID
CYLINDER = enums.GEOM_CYLINDER
BOX = enums.GEOM_BOX
MESH = enums.GEOM_MESH
SDF = enums.GEOM_SDF
