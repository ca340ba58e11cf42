"""Where a tendon bends around a sphere or cylinder: the arc on its surface, in place of the straight line through it.

A tendon reaches the surface at `start` and leaves it at `end`, both tangent points. It lies on a great circle of a sphere,
on a helix of a cylinder (its z axis); of the two ways round it takes the one that goes on as it came.
"""
from __future__ import annotations

import numpy as np

from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes

TINY = 1e-12


def _frames(m: Model, snapshot: Snapshot, geom, start, end) -> tuple[np.ndarray, np.ndarray]:
    """Centres (n, 3) and unit axes (n, 3) that the arcs turn about: of a cylinder its own, of a sphere the normal of the great circle."""
    centre = snapshot.geom_xpos[geom]
    axis = snapshot.geom_xmat[geom].reshape(-1, 3, 3)[:, :, 2].copy()
    ball = m.geom_type[geom] == shapes.SPHERE
    normal = np.cross(start - centre, end - centre)[ball]
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    axis[ball] = np.where(size > TINY, normal / np.maximum(size, TINY), axis[ball])
    return centre, axis


def arcs(m: Model, snapshot: Snapshot, geom, before, start, end) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Polylines on the surfaces of geoms (n,): piece starts (k, 3), piece ends (k, 3), and which arc each piece is of (k,).

    before: the tendon's point before `start` (n, 3). Twice as fine as visual/quality numslices asks for around a full turn, as officially.
    """
    centre, axis = _frames(m, snapshot, geom, start, end)
    a, b = start - centre, end - centre
    rise_a, rise_b = (np.einsum("ni,ni->n", p, axis) for p in (a, b))
    x = a - rise_a[:, None] * axis
    y = np.cross(axis, x)
    out = b - rise_b[:, None] * axis
    angle = np.arctan2(np.einsum("ni,ni->n", out, y), np.einsum("ni,ni->n", out, x))
    came = np.einsum("ni,ni->n", start - before, y)
    angle = np.where(came * angle < -TINY, angle - np.copysign(2 * np.pi, angle), angle)
    pieces = np.maximum(1, np.floor(np.abs(angle) * m.vis.quality.numslices / np.pi + 0.5)).astype(int)
    arc = np.repeat(np.arange(len(geom)), pieces)
    step = np.arange(len(arc)) - np.repeat(np.cumsum(pieces) - pieces, pieces)

    def point(part):
        share = (part / pieces[arc])[:, None]
        turn = share * angle[arc][:, None]
        rise = (1 - share) * rise_a[arc][:, None] + share * rise_b[arc][:, None]
        return centre[arc] + np.cos(turn) * x[arc] + np.sin(turn) * y[arc] + rise * axis[arc]

    return point(step), point(step + 1), arc
