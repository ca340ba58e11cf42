"""Distance of convex shapes from nothing but how far each reaches along many directions.

Two shapes overlap by the least of h1(n) + h2(-n) over all unit vectors n, and are apart by minus that where it is negative.
"""
from __future__ import annotations

import numpy as np

SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(2, 8)


def reach_of(m, d, g: int):
    """How far geom g reaches along the rows of an array of directions, as a function."""
    kind, size = int(m.geom_type[g]), np.array(m.geom_size[g])
    R, p = np.array(d.geom_xmat[g]).reshape(3, 3), np.array(d.geom_xpos[g])
    corners = None
    if kind == MESH:
        mesh = m.geom_dataid[g]
        corners = np.asarray(m.mesh_vert[m.mesh_vertadr[mesh]:m.mesh_vertadr[mesh] + m.mesh_vertnum[mesh]], float)

    def reach(n):
        u = n @ R
        if kind == SPHERE:
            own = size[0] * np.linalg.norm(u, axis=1)
        elif kind == CAPSULE:
            own = size[0] * np.linalg.norm(u, axis=1) + size[1] * np.abs(u[:, 2])
        elif kind == ELLIPSOID:
            own = np.linalg.norm(u * size, axis=1)
        elif kind == CYLINDER:
            own = size[0] * np.hypot(u[:, 0], u[:, 1]) + size[1] * np.abs(u[:, 2])
        elif kind == BOX:
            own = np.abs(u) @ size
        else:
            own = (u @ corners.T).max(1)
        return own + n @ p

    return reach


def unit_rows(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v, axis=1)[:, None]


def distance(m, d, g1: int, g2: int, directions: int = 10000, rounds: int = 40) -> tuple[float, np.ndarray]:
    """Distance of two geoms, negative where they overlap, and the unit vector from the first to the second that decides.

    Samples directions, then again and again closer about the best ones.
    """
    one, two = reach_of(m, d, g1), reach_of(m, d, g2)
    r = np.random.default_rng(0)
    best = unit_rows(r.normal(size=(directions, 3)))
    spread = 0.05
    for _ in range(rounds):
        best = best[np.argsort(one(best) + two(-best))[:20]]
        around = best[:, None] + spread * r.normal(size=(len(best), 40, 3))
        best = np.vstack([best, unit_rows(around.reshape(-1, 3))])
        spread *= 0.6
    value = one(best) + two(-best)
    k = int(np.argmin(value))
    return -float(value[k]), best[k]
