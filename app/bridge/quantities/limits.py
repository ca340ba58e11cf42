"""Ranges of joints with their present value: an arc about a hinge, a ruler along a slide, a cone around a ball's middle."""
from __future__ import annotations

import numpy as np

from app.bridge.layers.connect import balls, connect, triangles
from app.bridge.options import VisOptions
from app.bridge.quantities.canvas import FILL_GLOW, GLOW, QuantityCanvas
from app.bridge.quantities.joint_forces import places, to_child, visible_joints
from app.bridge.quantities.marks import across, mixed
from app.bridge.quantities.scales import in_words, nice
from physics.enums import JointType
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import rotation, shapes

RANGE, NEEDLE, NEAR = (0.35, 0.8, 0.9, 0.2), (1.0, 1.0, 0.6, 1.0), (1.0, 0.2, 0.1, 1.0)
STEP = np.radians(10.0)
MOST_PIECES = 72
CONE_SIDES = 24
TICKS = 10               # of a ruler, about
EDGE = 1.5               # pixels
BESIDE = 1.6             # distance of a ruler from its joint, in radii of arcs
INNER = 0.35             # inner radius of an arc, of the outer


def closeness(value, low, high) -> np.ndarray:
    """How far values are towards the nearer end of their range: 0 up to nine tenths of the half range, 1 at the end and beyond."""
    half = np.maximum((high - low) / 2, 1e-12)
    return np.clip(10 * (np.abs(value - (low + high) / 2) / half - 0.9), 0, 1)


def _what(m: Model, ids) -> dict:
    return {"objtype": shapes.OBJ_JOINT, "objid": ids, "bodyid": m.jnt_bodyid[ids]}


def _solid(m: Model, ids) -> dict:
    return _what(m, ids) | {"glow": GLOW}


def _spread(counts) -> tuple[np.ndarray, np.ndarray]:
    """Of counts (n,): which each piece belongs to, and its number there."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)


def _hinges(m: Model, snapshot: Snapshot, ids, draw: QuantityCanvas) -> None:
    value = snapshot.qpos[m.jnt_qposadr[ids]]
    low, high = m.jnt_range[ids].T
    axis, centre = snapshot.xaxis[ids], snapshot.xanchor[ids]
    x = across(axis, to_child(m, snapshot)[ids])
    y = np.cross(axis, x)

    def at(which, angle, radius):
        return centre[which] + (radius * outer[which])[:, None] * (np.cos(angle)[:, None] * x[which] + np.sin(angle)[:, None] * y[which])

    outer = 1.25 * draw.radii[m.jnt_bodyid[ids]]
    pieces = np.clip(np.ceil((high - low) / STEP), 1, MOST_PIECES).astype(int)
    which, part = _spread(pieces)
    turn = (high - low)[which] / pieces[which]
    first = (low - value)[which] + part * turn
    what = _what(m, ids[which])
    ends = [at(which, angle, r) for angle, r in ((first, INNER), (first, 1.0), (first + turn, 1.0), (first + turn, INNER))]
    for corners in ((0, 1, 2), (0, 2, 3)):
        triangles(draw.out.geoms, np.stack([ends[k] for k in corners], axis=1), RANGE, glow=FILL_GLOW, **what)
    near = closeness(value, low, high)
    rim = mixed((*RANGE[:3], 1.0), NEAR, near)
    draw.out.lines.put(ends[1], ends[2], rim[which], EDGE, **what)
    every = np.arange(len(ids))
    for edge in (low - value, high - value):
        draw.out.lines.put(at(every, edge, INNER), at(every, edge, 1.1), rim, EDGE, **_what(m, ids))
    connect(draw.out.geoms, shapes.CAPSULE, 0.7 * draw.thick, centre, at(every, np.zeros(len(ids)), 1.12), mixed(NEEDLE, NEAR, near), **_solid(m, ids))


def ruler_step(m: Model, ids) -> float:
    """Distance between the ticks of rulers [m]."""
    span = np.ptp(m.jnt_range[ids], axis=1)
    return nice(float(np.median(span)) / TICKS) if len(span) else 0.1


def _slides(m: Model, snapshot: Snapshot, ids, draw: QuantityCanvas) -> None:
    adr = m.jnt_qposadr[ids]
    value, zero = snapshot.qpos[adr], m.qpos0[adr]
    low, high = m.jnt_range[ids].T
    axis = snapshot.xaxis[ids]
    side = across(axis) * draw.radii[m.jnt_bodyid[ids], None]
    origin = snapshot.xanchor[ids] - zero[:, None] * axis + BESIDE * side

    def at(which, x, out):
        return origin[which] + x[:, None] * axis[which] + out * side[which]

    every, line = np.arange(len(ids)), (*RANGE[:3], 1.0)
    step = ruler_step(m, ids)
    connect(draw.out.geoms, shapes.CAPSULE, 0.4 * draw.thick, at(every, low, 0), at(every, high, 0), line, **_solid(m, ids))
    first = np.ceil(low / step - 1e-9).astype(int)
    count = np.clip(np.floor(high / step + 1e-9).astype(int) - first + 1, 0, 20 * TICKS)
    which, part = _spread(count)
    mark = (first[which] + part) * step
    long = np.where((first[which] + part) % 5 == 0, 0.4, 0.2)[:, None]
    draw.out.lines.put(at(which, mark, 0), at(which, mark, long), line, EDGE, **_what(m, ids[which]))
    for end in (low, high):
        draw.out.lines.put(at(every, end, -0.3), at(every, end, 0.5), line, 2 * EDGE, **_what(m, ids))
    rgba = mixed(NEEDLE, NEAR, closeness(value, low, high))
    balls(draw.out.geoms, at(every, value, 0), 1.6 * draw.thick, rgba, **_solid(m, ids))
    connect(draw.out.geoms, shapes.CAPSULE, 0.5 * draw.thick, places(m, snapshot, ids), at(every, value, 0), rgba, **_solid(m, ids))


def turned_back(q, v) -> np.ndarray:
    """Vectors (n, 3) turned by the inverses of quaternions (n, 4) of any length."""
    return rotation.rotate(rotation.conjugate(q / np.maximum(np.linalg.norm(q, axis=1, keepdims=True), 1e-12)), v)


def _balls(m: Model, snapshot: Snapshot, ids, draw: QuantityCanvas) -> None:
    """A cone as wide as the rotation may be, around where the body's centre of mass points when the joint is at rest."""
    q = snapshot.qpos[m.jnt_qposadr[ids][:, None] + np.arange(4)]
    body, most, centre = m.jnt_bodyid[ids], m.jnt_range[ids].max(axis=1), snapshot.xanchor[ids]
    local = m.body_ipos[body] - m.jnt_pos[ids]
    size = np.linalg.norm(local, axis=1, keepdims=True)
    local = np.where(size > 1e-9, local / np.maximum(size, 1e-9), (0.0, 0.0, 1.0))
    turn = snapshot.xmat[body].reshape(-1, 3, 3)
    now, rest = (np.einsum("nij,nj->ni", turn, v) for v in (local, turned_back(q, local)))
    x = across(rest)
    y = np.cross(rest, x)
    outer = 1.5 * draw.radii[body, None]
    around = np.arange(CONE_SIDES) * 2 * np.pi / CONE_SIDES
    spoke = np.cos(around)[None, :, None] * x[:, None] + np.sin(around)[None, :, None] * y[:, None]
    rim = centre[:, None] + outer[:, None] * (np.cos(most)[:, None, None] * rest[:, None] + np.sin(most)[:, None, None] * spoke)
    after, apex = np.roll(rim, -1, axis=1), np.broadcast_to(centre[:, None], rim.shape)
    what, near = _what(m, np.repeat(ids, CONE_SIDES)), closeness(rotation.angle_of(q), -most, most)
    triangles(draw.out.geoms, np.stack([apex, rim, after], axis=2).reshape(-1, 3, 3), RANGE, glow=FILL_GLOW, **what)
    draw.out.lines.put(rim.reshape(-1, 3), after.reshape(-1, 3), mixed((*RANGE[:3], 1.0), NEAR, near).repeat(CONE_SIDES, axis=0), EDGE, **what)
    connect(draw.out.geoms, shapes.CAPSULE, 0.7 * draw.thick, centre, centre + 1.1 * outer * now, mixed(NEEDLE, NEAR, near), **_solid(m, ids))


KINDS = ((JointType.HINGE, _hinges), (JointType.SLIDE, _slides), (JointType.BALL, _balls))


def _limited(m: Model, options: VisOptions, kind) -> np.ndarray:
    return np.flatnonzero(visible_joints(m, options) & (m.jnt_limited != 0) & (m.jnt_type == kind))


def add_joint_limits(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """Ranges of the limited joints of visible groups."""
    for kind, add in KINDS:
        ids = _limited(m, options, kind)
        if len(ids):
            add(m, snapshot, ids, draw)


def joint_limit_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """What the range is, and the ticks of rulers."""
    slides = _limited(m, options, JointType.SLIDE)
    any_ = any(len(_limited(m, options, kind)) for kind, _ in KINDS)
    ticks = f", ticks every {in_words(ruler_step(m, slides), 'm')}" if len(slides) else ""
    draw.legend("Range of a joint", (*RANGE[:3], 1.0), note=f"true size{ticks}" if any_ else "no joint here has limits")
    if any_:
        draw.legend("Its present value", NEEDLE, note="redder within 5 % of an end")
