"""Strings once more, plainly: the taut path round a disc by trying both ways, and a path held inside it by trying every point."""
from __future__ import annotations

import numpy as np

from physics.enums import TENDON_FIXED, WRAP_CYLINDER, WRAP_PULLEY, WRAP_SITE
from tests.naive.smooth import matrix, poses


def angle(v):
    return np.arctan2(v[1], v[0])


def turned(v, by):
    return np.array([np.cos(by) * v[0] - np.sin(by) * v[1], np.sin(by) * v[0] + np.cos(by) * v[1]])


def way_round(a, b, r, sense):
    """(length of the arc, tangent points) of the taut string from a to b round a disc, counterclockwise for sense = 1; None where it does not lie on it."""
    p = turned(a, sense * np.arccos(r / np.linalg.norm(a))) / np.linalg.norm(a) * r
    q = turned(b, -sense * np.arccos(r / np.linalg.norm(b))) / np.linalg.norm(b) * r
    arc = sense * (angle(q) - angle(p)) % (2 * np.pi)
    return r * arc, p, q


def winding(a, side, b):
    """Angle that the line a - side - b sweeps about the origin, each part the short way."""
    def short(x):
        return (x + np.pi) % (2 * np.pi) - np.pi
    return short(angle(side) - angle(a)) + short(angle(b) - angle(side))


def held_inside(a, b, r):
    """The point of the circle with the shortest way from a over it to b, by trying finer and finer."""
    low, high = 0.0, 2 * np.pi
    for _ in range(12):
        t = np.linspace(low, high, 400)
        points = r * np.stack([np.cos(t), np.sin(t)], axis=1)
        best = t[np.argmin(np.linalg.norm(points - a, axis=1) + np.linalg.norm(points - b, axis=1))]
        width = (high - low) / 400
        low, high = best - 2 * width, best + 2 * width
    return r * np.array([np.cos(best), np.sin(best)])


def half_plane(a, b, r, side):
    """The rule before 4.0: straight where the point of the line that is nearest to the middle is clear of the disc and on the side's side;
    else that one of the two ways whose straight parts do not cross, and whose touching points lie more towards the side."""
    line = a + np.linspace(0, 1, 20001)[:, None] * (b - a)
    near = line[np.argmin(np.linalg.norm(line, axis=1))]
    if np.linalg.norm(near) > r and near @ side >= 0:
        return None
    ways = [way_round(a, b, r, s) for s in (1, -1)]
    ways = [way for way in ways if not cross(a, way[1], b, way[2])]
    towards = side / np.linalg.norm(side)
    return max(ways, key=lambda way: (way[1] + way[2]) @ towards / np.linalg.norm(way[1] + way[2]), default=None)


def cross(a, p, b, q):
    """Whether the segments a-p and b-q cross."""
    s, t = np.linalg.solve(np.stack([p - a, b - q], axis=1), b - a)
    return 0 <= s <= 1 and 0 <= t <= 1


def flat(a, b, r, side, inside, old=False):
    """(length on the disc, first, last point on it) in the plane, None where the string passes straight by."""
    if min(np.linalg.norm(a), np.linalg.norm(b)) < r:
        return None
    crosses = np.linalg.norm(a + np.linspace(0, 1, 20001)[:, None] * (b - a), axis=1).min() <= r
    if inside:
        x = held_inside(a, b, r)
        return None if crosses else (0.0, x, x)
    if side is not None and old:
        return half_plane(a, b, r, side)
    if side is not None:
        w = winding(a, side, b)
        if abs(w) <= np.arccos(r / np.linalg.norm(a)) + np.arccos(r / np.linalg.norm(b)):
            return None
        return way_round(a, b, r, np.sign(w))
    if not crosses:
        return None
    return min((way_round(a, b, r, s) for s in (1, -1)), key=lambda way: way[0])


def around(p0, p1, pos, rot, r, cylinder, side, old=False):
    """Length of the string from p0 to p1 past a sphere or cylinder."""
    a, b = rot.T @ (p0 - pos), rot.T @ (p1 - pos)
    s = None if side is None else rot.T @ (side - pos)
    if cylinder:
        x, y = np.eye(3)[:2]
    else:
        x = a / np.linalg.norm(a)
        y = b - (b @ x) * x
        y = y / np.linalg.norm(y)
    plane = np.stack([x, y])
    on = flat(plane @ a, plane @ b, r, None if s is None else plane @ s, s is not None and np.linalg.norm(plane @ s if old else s) < r, old)
    if on is None:
        return np.linalg.norm(p1 - p0)
    length, p, q = on
    flat_length = np.linalg.norm(plane @ a - p) + length + np.linalg.norm(plane @ b - q)
    return np.hypot(flat_length, b[2] - a[2]) if cylinder else flat_length


def lengths(m, qpos, mocap_pos, mocap_quat):
    """Lengths of all tendons."""
    place, _ = poses(m, qpos, mocap_pos, mocap_quat)
    site = [place[b][0] + place[b][1] @ p for b, p in zip(m.site_bodyid, m.site_pos)]
    found = [0.0] * m.ntendon
    for t in range(m.ntendon):
        if m.tendon_type[t] == TENDON_FIXED:
            found[t] = sum(m.wrap_prm[w] * qpos[m.jnt_qposadr[m.wrap_objid[w]]] for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]))
            continue
        divisor, last, geom = 1.0, None, None
        for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
            if m.wrap_type[w] == WRAP_PULLEY:
                divisor, last = m.wrap_prm[w], None
            elif m.wrap_type[w] != WRAP_SITE:
                geom = w
            else:
                here = site[m.wrap_objid[w]]
                if last is not None and geom is None:
                    found[t] += np.linalg.norm(here - last) / divisor
                elif last is not None:
                    g, side = m.wrap_objid[geom], int(m.wrap_prm[geom])
                    p, r = place[m.geom_bodyid[g]]
                    found[t] += around(last, here, p + r @ m.geom_pos[g], r @ matrix(m.geom_quat[g]), m.geom_size[g, 0],
                                       m.wrap_type[geom] == WRAP_CYLINDER, None if side < 0 else site[side], bool(m.flg_halfplane)) / divisor
                last, geom = here, None
    return np.array(found)
