"""How far two geoms are apart, also where they are far apart or one is a height field."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.enums import GEOM_BOX, GEOM_HFIELD, GEOM_PLANE
from physics.model.data import Data
from physics.model.model import Model
from physics.query.geom_distance import Distance, geom_distance

FAR = 1e6       # m: distances are looked for up to this


@dataclass(frozen=True, slots=True)
class Gap:
    """dist [m]: signed distance, below 0 inside each other; at_least: only that it is not less is known; fromto (6): between the nearest points, zeros where they are
    not known. bounds [m]: by how much the bounding spheres (spheres), or one and the plane, are beyond reach; not above 0 where they tell nothing."""

    dist: float
    at_least: bool
    fromto: tuple[float, ...]
    bounds: float
    spheres: bool


def gap_between(m: Model, d: Data, geom1: int, geom2: int, reach: float) -> Gap:
    """The gap between two geoms whose types have a routine, at the poses that `forward` has computed last. reach: margin and gap of the two [m]."""
    bounds, spheres = _bounds(m, d, geom1, geom2, reach)
    most = max(float(np.linalg.norm(d.geom_xpos[geom1] - d.geom_xpos[geom2])) + float(m.geom_rbound[geom1] + m.geom_rbound[geom2]), abs(reach), 1e-6)
    if GEOM_HFIELD in m.geom_type[[geom1, geom2]]:
        # the routine lists the first prisms in reach up to a number, so those in reach are to be few: from near to far
        none, tried = 0.0, max(reach, 1e-3 * most)
        while tried < most:
            found = geom_distance(m, d, geom1, geom2, tried)
            if found.dist < tried:
                found = _nearest_prism(m, d, geom1, geom2, none, found)
                return Gap(float(found.dist), False, tuple(found.fromto.tolist()), bounds, spheres)
            none, tried = tried, 2.0 * tried
        return Gap(max(tried / 2.0, reach), True, (0.0,) * 6, bounds, spheres)
    most = min(1.01 * most, FAR)
    found = geom_distance(m, d, geom1, geom2, most)
    return Gap(float(found.dist), bool(found.dist >= most), tuple(found.fromto.tolist()), bounds, spheres)


def _nearest_prism(m: Model, d: Data, geom1: int, geom2: int, none: float, found: Distance) -> Distance:
    """The least distance to a height field's prisms, where `found` is one of them and nothing is nearer than `none` [m]; of several that overlap the deepest that is listed."""
    while found.dist > none:
        nearer = geom_distance(m, d, geom1, geom2, found.dist)
        if not nearer.dist < found.dist:
            return found
        found, middle = nearer, 0.5 * (none + nearer.dist)
        # bisection, as among thousands of prisms those listed may be but a little nearer each time
        nearer = geom_distance(m, d, geom1, geom2, middle)
        if nearer.dist < middle:
            found = nearer
        else:
            none = middle
    return found


def _bounds(m: Model, d: Data, geom1: int, geom2: int, reach: float) -> tuple[float, bool]:
    """(by how much bounds are beyond reach [m], whether both are spheres), as engine/collide/filter.py looks at them."""
    r1, r2 = float(m.geom_rbound[geom1]), float(m.geom_rbound[geom2])
    e = d.geom_xpos[geom2] - d.geom_xpos[geom1]
    if r1 > 0.0 and r2 > 0.0:
        return float(np.linalg.norm(e)) - (r1 + r2 + reach), True
    for plane, ball, along in ((geom1, r2, e), (geom2, r1, -e)):
        if m.geom_type[plane] == GEOM_PLANE and ball > 0.0:
            return float(along @ d.geom_xmat[plane].reshape(3, 3)[:, 2]) - (ball + reach), False
    return 0.0, True


def bounds_apart(m: Model, d, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """How far the bounding spheres of geoms are apart, or a plane and a sphere (n, k) [m]; infinite for a geom and itself, for two planes the largest number.
    d: a Data or Snapshot."""
    apart = np.sqrt(sum(np.square(d.geom_xpos[first, k][:, None] - d.geom_xpos[second, k][None]) for k in range(3)))
    planes = [m.geom_type[side] == GEOM_PLANE for side in (first, second)]
    normals = [d.geom_xmat[side].reshape(-1, 3, 3)[:, :, 2] for side in (first, second)]
    at = [d.geom_xpos[side] for side in (first, second)]
    apart[planes[0]] = normals[0][planes[0]] @ at[1].T - np.sum(normals[0] * at[0], 1)[planes[0], None]
    apart[:, planes[1]] = at[0] @ normals[1][planes[1]].T - np.sum(normals[1] * at[1], 1)[None, planes[1]]
    apart[np.ix_(*planes)] = np.finfo(float).max
    apart -= m.geom_rbound[first][:, None] + m.geom_rbound[second][None]
    apart[first[:, None] == second[None]] = np.inf
    return apart


def margin_decides(m: Model, geom1: int, geom2: int) -> bool:
    """Whether contacts are found wherever the distance is below margin and gap: not those of two boxes, whose routine finds no points of boxes apart along a diagonal."""
    return not m.geom_type[geom1] == m.geom_type[geom2] == GEOM_BOX
