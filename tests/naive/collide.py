"""Collision written the plain way: loops over everything, definitions instead of algorithms."""
from __future__ import annotations

import itertools

import numpy as np

DSBL_FILTERPARENT = 1024


def may_touch(m, g1: int, g2: int) -> bool:
    """The documented selection rules, one after the other, for one pair of geoms."""
    b1, b2 = int(m.geom_bodyid[g1]), int(m.geom_bodyid[g2])
    if b1 == b2:
        return False
    w1, w2 = int(m.body_weldid[b1]), int(m.body_weldid[b2])
    if w1 == w2:
        return False
    if m.body_dofnum[w1] == 0 and m.body_dofnum[w2] == 0:
        return False
    parents = (int(m.body_weldid[m.body_parentid[w1]]), int(m.body_weldid[m.body_parentid[w2]]))
    if not m.opt_disableflags & DSBL_FILTERPARENT and w1 and w2 and (w1 == parents[1] or w2 == parents[0]):
        return False
    if (min(b1, b2) << 16) + max(b1, b2) in set(map(int, m.exclude_signature)):
        return False
    return bool(m.geom_contype[g1] & m.geom_conaffinity[g2] or m.geom_contype[g2] & m.geom_conaffinity[g1])


def pairs_in_order(m) -> list[tuple[int, int]]:
    """All geom pairs that may touch: by lower body, higher body, then ids of the geom of smaller type and of the other."""
    found = []
    for g1, g2 in itertools.combinations(range(m.ngeom), 2):
        low, high = (g1, g2) if m.geom_bodyid[g1] <= m.geom_bodyid[g2] else (g2, g1)
        if may_touch(m, low, high) and not (m.geom_type[low] == m.geom_type[high] == 0):
            by_type = (high, low) if m.geom_type[low] > m.geom_type[high] else (low, high)
            found.append((int(m.geom_bodyid[low]), int(m.geom_bodyid[high]), by_type, low, high))
    return [(low, high) for _b1, _b2, _by_type, low, high in sorted(found)]


def in_reach(m, d, g1: int, g2: int) -> bool:
    """Bounding spheres, or sphere and half space, closer than margin + gap."""
    reach = m.geom_margin[g1] + m.geom_margin[g2] + m.geom_gap[g1] + m.geom_gap[g2]
    if m.geom_type[g2] == 0:
        g1, g2 = g2, g1
    e = d.geom_xpos[g2] - d.geom_xpos[g1]
    if m.geom_type[g1] == 0:
        return e @ d.geom_xmat[g1].reshape(3, 3)[:, 2] <= m.geom_rbound[g2] + reach
    return np.linalg.norm(e) <= m.geom_rbound[g1] + m.geom_rbound[g2] + reach


def box_separation(pos1, R1, size1, pos2, R2, size2) -> float:
    """Largest distance between the projections of all corners on the fifteen axes; negative when the boxes overlap."""
    signs = np.array(list(itertools.product((-1, 1), repeat=3)), float)
    corners1, corners2 = pos1 + (signs * size1) @ R1.T, pos2 + (signs * size2) @ R2.T
    axes = [*R1.T, *R2.T, *(np.cross(a, b) for a in R1.T for b in R2.T)]
    best = -np.inf
    for axis in axes:
        length = np.linalg.norm(axis)
        if length > 1e-8:
            p1, p2 = corners1 @ axis / length, corners2 @ axis / length
            best = max(best, p1.min() - p2.max(), p2.min() - p1.max())
    return best


def plane_mesh_points(m, d, plane: int, g: int, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """(distances, points) of a plane and a mesh with a hull: its lowest vertex first, then its flattest face there around, a quad of it where it has
    more than four corners; only what is in reach and, but for the first, not above the geom's centre."""
    mesh = int(m.geom_dataid[g])
    n, R = d.geom_xmat[plane].reshape(3, 3)[:, 2], d.geom_xmat[g].reshape(3, 3)
    first = m.mesh_vertadr[mesh]
    vert = m.mesh_vert[first:first + m.mesh_vertnum[mesh]].astype(float) @ R.T + d.geom_xpos[g]
    height = (vert - d.geom_xpos[plane]) @ n
    low = int(height.argmin())
    faces = [(m.mesh_polynormal[p] @ R.T @ n, m.mesh_polyvert[m.mesh_polyvertadr[p]:][:m.mesh_polyvertnum[p]].tolist())
             for p in range(m.mesh_polyadr[mesh], m.mesh_polyadr[mesh] + m.mesh_polynum[mesh])]
    face = min((f for f in faces if low in f[1]), key=lambda f: f[0])[1]
    face = face[face.index(low):] + face[:face.index(low)]
    if len(face) > 4:
        face = [face[k] for k in (0, *_quad(vert[face]))]
    keep = [v for v in face if height[v] <= reach and (v == low or (vert[v] - d.geom_xpos[g]) @ n <= 0)]
    if height[low] > reach:
        keep = []
    return height[keep], vert[keep] - 0.5 * height[keep][:, None] * n


def _quad(p) -> tuple[int, int, int]:
    """Corners of a polygon that make a quad with corner 0 which no single step of the climb makes larger."""
    def area(b, c, d):
        return np.linalg.norm(np.cross(p[c] - p[0], p[d] - p[b]))

    at = [1, 2, 3]
    while at[2] + 1 < len(p) and area(at[0], at[1], at[2] + 1) > area(*at):
        at[2] += 1
        for k in (1, 0):
            while at[k] + 1 < len(p) and area(*at[:k], at[k] + 1, *at[k + 1:]) > area(*at):
                at[k] += 1
    return tuple(at)


def prisms_of(m, g: int):
    """Yield the prisms of a height field in their order, as six corners in its frame, three below, three above."""
    h = int(m.geom_dataid[g])
    rows, columns = int(m.hfield_nrow[h]), int(m.hfield_ncol[h])
    x, y, top, base = m.hfield_size[h]
    data = m.hfield_data[m.hfield_adr[h]:][:rows * columns].reshape(rows, columns).astype(float) * top
    grid = np.stack([*np.meshgrid(np.linspace(-x, x, columns), np.linspace(-y, y, rows)), data], 2)
    for r, c in itertools.product(range(rows - 1), range(columns - 1)):
        strip = [grid[r + 1, c], grid[r, c], grid[r + 1, c + 1], grid[r, c + 1]]
        for k in range(2):
            corners = np.array(strip[k:k + 3])
            yield np.vstack([corners * (1, 1, 0) - (0, 0, base), corners])


def room_along(m, d, points, g: int, n) -> float:
    """Room between the hull of some points and a convex geom along the unit vector n, negative where they overlap there."""
    R, size = d.geom_xmat[g].reshape(3, 3), m.geom_size[g]
    u = R.T @ n
    kind = int(m.geom_type[g])
    if kind == 7:
        vert = m.mesh_vert[m.mesh_vertadr[m.geom_dataid[g]]:][:m.mesh_vertnum[m.geom_dataid[g]]]
        reach = -(vert @ u).min()
    else:
        reach = {2: lambda: size[0], 3: lambda: size[0] + size[1] * abs(u[2]), 4: lambda: np.linalg.norm(size * u),
                 5: lambda: size[0] * np.hypot(u[0], u[1]) + size[1] * abs(u[2]), 6: lambda: np.abs(size * u).sum()}[kind]()
    return float(n @ d.geom_xpos[g] - reach - (points @ n).max())
