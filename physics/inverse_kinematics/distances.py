"""Distances of pairs of geoms and how fast joints change them: what keeps an arm away from a table, and from itself."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from physics.engine.kinematics import jacobians
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.query.geom_distance import geom_distance

MOST = 12       # pairs that are looked at in one step, the nearest by their bounding spheres
FLAT = 1e-9     # length of a segment without a direction [m]


class DistanceRows(NamedTuple):
    """dist (k) [m], negative inside each other; jacobian (k, n): metres per unit of each dof."""

    dist: np.ndarray
    jacobian: np.ndarray


class Distances:
    """pairs: of geoms by name or index; dofs (n): columns; reach [m]: those that are farther apart have no row. Poses and com_pos are those of the Data."""

    def __init__(self, m: Model, d: Data, pairs: Sequence[tuple], dofs: np.ndarray, reach: float):
        self._m, self._d, self._dofs, self._reach = m, d, dofs, reach
        self.pairs = np.array([[index_of(m, "geom", one), index_of(m, "geom", other)] for one, other in pairs]).reshape(-1, 2)
        radius = np.where(m.geom_rbound > 0, m.geom_rbound, np.inf)      # a plane has none: it is always near
        self._radius = radius[self.pairs].sum(axis=1)

    def rows(self) -> DistanceRows:
        """Of the pairs that are near at the Data's pose."""
        m, d = self._m, self._d
        ways = np.linalg.norm(d.geom_xpos[self.pairs[:, 0]] - d.geom_xpos[self.pairs[:, 1]], axis=1) - self._radius
        dists, rows = [], []
        for k in np.argsort(ways)[:MOST].tolist():
            if ways[k] > self._reach:
                break
            one, other = self.pairs[k].tolist()
            found = geom_distance(m, d, one, other, self._reach)
            if found.dist < self._reach and (row := self._row(one, other, found)) is not None:
                dists.append(found.dist)
                rows.append(row)
        return DistanceRows(np.array(dists), np.array(rows).reshape(len(rows), len(self._dofs)))

    def _row(self, one: int, other: int, found) -> np.ndarray | None:
        """d dist / dq = n' (J_2 - J_1) at the nearest points, n the unit vector from the first to the second, the other way inside each other; None where there is no direction."""
        begin, end = found.fromto[:3], found.fromto[3:]
        way = end - begin
        length = float(np.linalg.norm(way))
        if length < FLAT:
            return None
        normal = way / length * (1.0 if found.dist >= 0 else -1.0)
        return normal @ (self._jacobian(other, end) - self._jacobian(one, begin))

    def _jacobian(self, geom: int, point: np.ndarray) -> np.ndarray:
        jacobians.jac.briefly(self._m, self._d, int(self._m.geom_bodyid[geom]), float(point[0]), float(point[1]), float(point[2]))
        return self._d.jac_lin[:, self._dofs].copy()


def pairs_of(m: Model, moved: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs that can collide, one of whose geoms stands on a body that the joints `moved` move: what avoidance looks at where nothing is named. Those of bodies that hang directly on each other are left out, as they always touch."""
    bodies = np.zeros(m.nbody, bool)
    bodies[m.jnt_bodyid[list(moved)]] = True
    for body in range(1, m.nbody):
        bodies[body] |= bodies[m.body_parentid[body]]
    weld, parent = m.body_weldid[m.geom_bodyid], m.body_weldid[m.body_parentid[m.body_weldid[m.geom_bodyid]]]
    moved_geoms = bodies[m.geom_bodyid]
    found = []
    for one in np.flatnonzero(moved_geoms).tolist():
        matches = ((m.geom_contype[one] & m.geom_conaffinity) | (m.geom_contype & m.geom_conaffinity[one])) != 0
        neighbours = (weld == weld[one]) | (parent == weld[one]) | (weld == parent[one])
        once = ~moved_geoms | (np.arange(m.ngeom) > one)
        found += [(min(one, other), max(one, other)) for other in np.flatnonzero(matches & ~neighbours & once).tolist()]
    return found
