"""Arrows of true length and arcs that wind up: how straight and turning quantities are drawn, all at once as arrays."""
from __future__ import annotations

import numpy as np

from app.bridge.layers.connect import connect
from render.scene import shapes
from render.scene.snapshot import Instances

STEP = np.radians(9.0)     # of an arc per piece
TURNS = 4.0                 # an arc ends after so many
GROWTH = 0.22               # of the radius per turn, so that turns lie beside each other
HEADED = 14.0               # length of the arrow at the end of a shaft, in radii of the shaft; a third of it is head
SLIM = 0.1                  # radius of a short arrow, at most this part of its length
HEAD = 9.0                  # length of an arc's last piece, which carries the head, in thicknesses
SHORTEST = 0.3              # arrows shorter than so many thicknesses, and arcs with a shorter way, are left out


def arrows(out: Instances, start, vector, radius: float, rgba, **columns) -> None:
    """Append arrows from `start` (n, 3) as long as `vector` (n, 3) [m]; those of next to no length are left out.

    The shape has its head in its last third: a long arrow is a shaft and a short arrow at its end. columns: one value or one per arrow.
    """
    start, vector = np.atleast_2d(start), np.atleast_2d(vector)
    length = np.linalg.norm(vector, axis=1)
    keep = np.flatnonzero(np.isfinite(length) & (length > SHORTEST * radius))
    if not len(keep):
        return
    columns = {name: np.broadcast_to(value, length.shape)[keep] for name, value in columns.items()}
    rgba = np.broadcast_to(rgba, (len(length), 4))[keep]
    start, vector, length = start[keep], vector[keep], length[keep]
    radii = np.minimum(radius, SLIM * length)
    long = length > HEADED * radius
    if long.any():
        end = vector[long] * (1 - 0.9 * HEADED * radius / length[long])[:, None]
        connect(out, shapes.CYLINDER, radius, start[long], start[long] + end, rgba[long], **{name: value[long] for name, value in columns.items()})
    tip = vector * np.minimum(1, HEADED * radius / length)[:, None]
    base = start + vector - tip
    connect(out, shapes.ARROW, radii, base, base + 2 * tip, rgba, **columns)   # such rows are half as long as what they connect


def across(axis: np.ndarray, towards: np.ndarray | None = None) -> np.ndarray:
    """Unit vectors (n, 3) square to the unit axes, as near as may be to `towards` (n, 3); any where that is along the axis or not given."""
    plain = np.where(np.abs(axis[:, 2:]) < 0.9, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    wanted = plain if towards is None else np.asarray(towards, float)

    def square(v):
        return v - np.einsum("ni,ni->n", v, axis)[:, None] * axis

    first = square(wanted)
    size = np.linalg.norm(first, axis=1, keepdims=True)
    weak = size[:, 0] <= 1e-6 * np.maximum(np.linalg.norm(wanted, axis=1), 1e-12)
    first[weak] = square(plain)[weak]
    return first / np.linalg.norm(first, axis=1, keepdims=True)


def split(vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Unit axes (n, 3) and sizes (n,) of vectors; z for those of no size."""
    size = np.linalg.norm(vector, axis=1)
    return np.where(size[:, None] > 0, vector / np.where(size > 0, size, 1.0)[:, None], (0.0, 0.0, 1.0)), size


def arcs(out: Instances, centre, axis, angle, radius, thick: float, rgba, towards=None, **columns) -> None:
    """Append arcs with a head, right-handed about unit axes (n, 3) by `angle` (n,) [rad], starting `towards` (n, 3).
    radius: one, or one per arc.

    Beyond a turn they wind outwards, so that they still tell the angle; after TURNS they stop. columns: one value or one per arc.
    """
    angle = np.nan_to_num(np.asarray(angle, float), posinf=0.0, neginf=0.0)
    radius = np.broadcast_to(np.asarray(radius, float), angle.shape)
    keep = np.flatnonzero(np.abs(angle) * radius > SHORTEST * thick)
    if not len(keep):
        return
    n = len(angle)
    rgba = np.broadcast_to(rgba, (n, 4))[keep]
    columns = {name: np.broadcast_to(value, (n,))[keep] for name, value in columns.items()}
    x = across(axis, towards)[keep]
    centre, axis, radius, angle = centre[keep], axis[keep], radius[keep], np.clip(angle[keep], -TURNS * 2 * np.pi, TURNS * 2 * np.pi)
    y = np.cross(axis, x)

    def at(which, turned):
        r = radius[which] * (1 + GROWTH * np.abs(turned) / (2 * np.pi))
        return centre[which] + (r * np.cos(turned))[:, None] * x[which] + (r * np.sin(turned))[:, None] * y[which]

    body = np.sign(angle) * np.maximum(np.abs(angle) - HEAD * thick / radius, 0.0)
    pieces = np.ceil(np.abs(body) / STEP).astype(int)
    which = np.repeat(np.arange(len(angle)), pieces)
    part = np.arange(len(which)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    share = body[which] / np.maximum(pieces[which], 1)
    connect(out, shapes.CAPSULE, thick, at(which, part * share), at(which, (part + 1) * share), rgba[which],
            **{name: value[which] for name, value in columns.items()})
    every = np.arange(len(angle))
    tip = at(every, angle)
    start = at(every, body)
    arrows(out, start, tip - start, thick, rgba, **columns)


def mixed(low, high, share) -> np.ndarray:
    """Colours (n, 4) between two (4,), by share (n,) of the second, 0 to 1."""
    share = np.clip(share, 0, 1)[:, None]
    return (1 - share) * np.asarray(low, float) + share * np.asarray(high, float)
