"""Surfaces at a distance around shapes: points of a shape with the directions in which it grows there.

A point moved along its direction by a length lies that far off the shape: edges become parts of cylinders, corners parts of balls.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

STEP = np.radians(30.0)     # of rounded edges per piece, at most
FLAT = np.radians(1.0)      # between triangles that count as one face
SIDES, RINGS = 24, 10       # of round shapes
MOST_FACES = 400            # of a convex mesh


class Net(NamedTuple):
    """Corners of triangles (n, 3, 3) on the shape [m], and the unit directions (n, 3, 3) in which they move; counter-clockwise from outside."""

    point: np.ndarray
    normal: np.ndarray

    def grown(self, length: float) -> np.ndarray:
        """Corners (n, 3, 3) of the surface so far off."""
        return self.point + length * self.normal


def _turned_out(point, normal) -> Net:
    """With every triangle facing outwards; those without size even when grown are dropped."""
    point, normal = np.asarray(point, float).reshape(-1, 3, 3), np.asarray(normal, float).reshape(-1, 3, 3)
    far = point + max(float(np.abs(point).max(initial=0.0)), 1e-9) * normal
    across = np.cross(far[:, 1] - far[:, 0], far[:, 2] - far[:, 0])
    inwards = np.einsum("ni,ni->n", across, normal.sum(axis=1)) < 0
    point[inwards], normal[inwards] = point[inwards][:, ::-1], normal[inwards][:, ::-1]
    keep = np.einsum("ni,ni->n", across, across) > 0
    return Net(point[keep], normal[keep])


def _patches(point, normal, turns: bool) -> Net:
    """Of a grid of points and directions (rows, columns, 3); turns: the last column is followed by the first."""
    after = np.roll if turns else (lambda x, by, axis: x[:, 1:])
    rows = point[:-1], point[1:], normal[:-1], normal[1:]
    now = [x if turns else x[:, :-1] for x in rows]
    a, b, na, nb = (x.reshape(-1, 3) for x in now)
    d, c, nd, nc = (after(x, -1, 1).reshape(-1, 3) for x in rows)
    return _turned_out(np.stack([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]), np.stack([np.stack([na, nb, nc], 1), np.stack([na, nc, nd], 1)]))


def cylinder_net(radius: float, half: float) -> Net:
    """A cylinder along z, its rims rounded."""
    bend = np.linspace(0, np.pi / 2, 1 + round(np.pi / 2 / STEP))
    side = np.concatenate([[-np.pi / 2], bend - np.pi / 2, bend, [np.pi / 2]])     # elevation of the directions along the profile
    r = np.concatenate([[0.0], np.full(2 * len(bend), radius), [0.0]])
    z = np.concatenate([np.full(1 + len(bend), -half), np.full(len(bend) + 1, half)])
    angle = np.arange(SIDES) * 2 * np.pi / SIDES
    x, y = np.cos(angle), np.sin(angle)
    point = np.stack([r[:, None] * x, r[:, None] * y, np.broadcast_to(z[:, None], (len(z), SIDES))], axis=-1)
    level = np.cos(side)[:, None]
    return _patches(point, np.stack([level * x, level * y, np.broadcast_to(np.sin(side)[:, None], point.shape[:2])], axis=-1), turns=True)


def ellipsoid_net(radii) -> Net:
    """An ellipsoid; where it is grown it is none any more."""
    up, angle = np.linspace(-np.pi / 2, np.pi / 2, RINGS + 1)[:, None], np.arange(SIDES) * 2 * np.pi / SIDES
    ball = np.stack([np.cos(up) * np.cos(angle), np.cos(up) * np.sin(angle), np.broadcast_to(np.sin(up), (RINGS + 1, SIDES))], axis=-1)
    radii = np.maximum(np.asarray(radii, float), 1e-12)
    return _patches(ball * radii, _unit(ball / radii), turns=True)


def box_net(half) -> Net:
    """A box, its edges and corners rounded."""
    corner = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    quads = [[k for k in range(8) if corner[k, axis] == side] for axis in range(3) for side in (-1.0, 1.0)]
    face = np.array([triple for a, b, c, d in quads for triple in ((a, b, c), (b, c, d))])
    return convex_net(corner * np.asarray(half, float), face)


def convex_net(vert: np.ndarray, face: np.ndarray) -> Net | None:
    """A convex solid of vertices (n, 3) and triangles (m, 3) in any sense of turning; None for one of too many faces."""
    if not 4 <= len(face) <= MOST_FACES:
        return None
    middle, own = vert.mean(axis=0), vert[face]
    normal = np.cross(own[:, 1] - own[:, 0], own[:, 2] - own[:, 0])
    keep = np.linalg.norm(normal, axis=1) > 1e-12 * float(np.ptp(vert, axis=0).max()) ** 2
    face, own, normal = face[keep], own[keep], _unit(normal[keep])
    normal *= np.where(np.einsum("ni,ni->n", normal, own.mean(axis=1) - middle) < 0, -1.0, 1.0)[:, None]
    points, normals = [own], [np.repeat(normal[:, None], 3, axis=1)]
    around: dict[int, list[np.ndarray]] = {}
    for (a, b), (f, g) in _edges(face):
        bend = _arc(normal[f], normal[g])
        for end in (a, b):
            around.setdefault(end, []).extend(bend)
        if len(bend) > 1:
            ends = np.broadcast_to(vert[[a, b]][:, None], (2, len(bend), 3))
            strip = _patches(ends, np.broadcast_to(bend, (2, len(bend), 3)), turns=False)
            points.append(strip.point)
            normals.append(strip.normal)
    for corner, directions in around.items():
        cap = _cap(np.array(directions))
        points.append(np.broadcast_to(vert[corner], cap.shape))
        normals.append(cap)
    return _turned_out(np.concatenate(points), np.concatenate(normals))


def _unit(v) -> np.ndarray:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-300)


def _edges(face) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Of each edge between two triangles: its vertices, and the triangles."""
    first: dict[tuple[int, int], int] = {}
    out = []
    for k, (a, b, c) in enumerate(face.tolist()):
        for edge in ((a, b), (b, c), (c, a)):
            edge = min(edge), max(edge)
            if edge in first:
                out.append((edge, (first[edge], k)))
            first[edge] = k
    return out


def _arc(one, two) -> np.ndarray:
    """Unit vectors (n, 3) from one to another along the shorter way; only the first where they are nearly the same."""
    angle = float(np.arctan2(np.linalg.norm(np.cross(one, two)), one @ two))
    if not FLAT < angle < np.pi - FLAT:
        return one[None]
    t = np.linspace(0, 1, 1 + int(np.ceil(angle / STEP - 1e-9)))[:, None]
    return (np.sin((1 - t) * angle) * one + np.sin(t * angle) * two) / np.sin(angle)


def _cap(directions) -> np.ndarray:
    """Triangles (n, 3, 3) of unit vectors that fill the part of the ball among these directions, which lie around its edge."""
    centre = _unit(directions.mean(axis=0))
    x = _unit(np.cross(centre, np.eye(3)[np.argmin(np.abs(centre))]))
    y = np.cross(centre, x)
    rim = directions[np.argsort(np.arctan2(directions @ y, directions @ x), kind="stable")]
    rim = rim[np.linalg.norm(rim - np.roll(rim, 1, axis=0), axis=1) > 1e-6]
    if len(rim) < 3:
        return np.zeros((0, 3, 3))
    inner, top = _unit(rim + centre), np.broadcast_to(centre, rim.shape)
    after, inner_after = np.roll(rim, -1, axis=0), np.roll(inner, -1, axis=0)
    return np.concatenate([np.stack(part, axis=1) for part in ((top, inner, inner_after), (inner, rim, after), (inner, after, inner_after))])
