"""The mouse's hand: the spring to the reference point with its force, the box being turned, the selected point."""
from __future__ import annotations

import numpy as np

from app.bridge.connect import connect
from app.bridge.options import VisOptions
from physics.model import Model
from physics.runtime.commands import ROTATE, TRANSLATE
from render.scene import shapes
from render.scene.snapshot import Scene

CORNERS = tuple((x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0))
EDGES = tuple((a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1)


def body_point(snapshot, body: int, localpos) -> np.ndarray:
    """World position of a point given in the body's frame."""
    return snapshot.xpos[body] + snapshot.xmat[body].reshape(3, 3) @ np.asarray(localpos, float)


def rotation_matrix(q) -> np.ndarray:
    """(3, 3) of a unit quaternion."""
    w, v = q[0], np.asarray(q[1:], float)
    x, y, z = v
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * (w * skew + skew @ skew)


def body_box(m: Model, snapshot, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Centre and half sizes, in the body's inertial frame, of the box around its geoms; a cube of mean size without any."""
    ids = np.flatnonzero((m.geom_bodyid == body) & (m.geom_aabb[:, 3:] > 0).all(axis=1) & (m.geom_type != shapes.PLANE))
    if not len(ids):
        return np.zeros(3), np.full(3, m.stat_meansize)
    frame = snapshot.ximat[body].reshape(3, 3)
    local = m.geom_aabb[ids, None, :3] + np.array(CORNERS) * m.geom_aabb[ids, None, 3:]
    world = np.einsum("gij,gkj->gki", snapshot.geom_xmat[ids].reshape(-1, 3, 3), local) + snapshot.geom_xpos[ids, None]
    points = ((world - snapshot.xipos[body]) @ frame).reshape(-1, 3)
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2, (high - low) / 2


def add_perturb(m: Model, snapshot, options: VisOptions, out: Scene) -> None:
    """What the mouse holds, with the force in newton beside the spring's end."""
    p = snapshot.perturb
    if not options.flags["Perturb Object"] or p.bodyid <= 0 or not p.active:
        return
    if p.active & TRANSLATE:
        radius, rgba = m.stat_meansize * m.vis.scale.constraint, m.vis.rgba.constraint
        connect(out.geoms, shapes.CAPSULE, radius, body_point(snapshot, p.bodyid, p.localpos), p.refselpos, rgba, objid=p.bodyid)
        out.geoms.put(shapes.SPHERE, p.refselpos, 2 * radius, rgba, flags=shapes.DECOR, objid=p.bodyid)
        if p.newton > 0:
            out.labels.put(tuple(p.refselpos), f"{p.newton:.3g} N")
    if p.active & ROTATE:
        centre, half = body_box(m, snapshot, p.bodyid)
        frame = snapshot.ximat[p.bodyid].reshape(3, 3)
        corners = snapshot.xipos[p.bodyid] + frame @ centre + (np.array(CORNERS) * half) @ rotation_matrix(p.refquat).T
        rgba = m.vis.rgba.inertia
        for a, b in EDGES:
            out.lines.put(corners[a], corners[b], rgba, 1.5)
        if p.newton_metre > 0 and not p.active & TRANSLATE:
            out.labels.put(tuple(corners[-1]), f"{p.newton_metre:.3g} N m")


def add_selection(m: Model, snapshot, options: VisOptions, out: Scene) -> None:
    """A ball at the selected point."""
    body = options.selected
    if not options.flags["Select Point"] or not 0 < body < m.nbody:
        return
    point = body_point(snapshot, body, options.selectpoint)
    out.geoms.put(shapes.SPHERE, point, m.stat_meansize * m.vis.scale.selectpoint, m.vis.rgba.selectpoint, flags=shapes.DECOR, objid=body)
    if options.label == "SelPoint":
        numbers = "{:.3f} {:.3f} {:.3f} (local {:.3f} {:.3f} {:.3f})".format(*point, *options.selectpoint)
        out.labels.put(tuple(point), numbers)
