"""The perturbation: the spring to the reference point with its force, the box being turned, the selected point."""
from __future__ import annotations

import numpy as np

from app.bridge.layers.connect import balls, boxes, connect
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.model.model import Model
from physics.runtime.commands import ROTATE, TRANSLATE
from physics.runtime.snapshot import Snapshot
from render.scene import rotation, shapes
from render.scene.snapshot import Scene

SMALLEST_FORCE = 1e-6   # N or N m: what is less is rounding


def body_point(snapshot: Snapshot, body: int, localpos) -> np.ndarray:
    """World position of a point given in the body's frame."""
    return snapshot.xpos[body] + snapshot.xmat[body].reshape(3, 3) @ np.asarray(localpos, float)


def body_box(m: Model, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Centre and half sizes, in the body's inertial frame, of the box around its geoms; a cube of mean size without any."""
    if not m.body_bvhnum[body]:
        return np.zeros(3), np.full(3, m.stat_meansize)
    box = m.bvh_aabb[m.body_bvhadr[body]]
    return box[:3], box[3:]


def pull_text(snapshot: Snapshot, body_mocapid) -> str:
    """Force and torque of the mouse; '' where there is none: nothing is held, time stands still, a mocap body."""
    held = snapshot.perturb
    if not held.active or not held.bodyid or body_mocapid[held.bodyid] >= 0:
        return ""
    sizes = ((held.newton, "N"), (held.newton_metre, "N m"))
    return "   ".join(f"{size:.3g} {unit}" for size, unit in sizes if size >= SMALLEST_FORCE)


def add_perturb(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """What the mouse holds, with force and torque beside the spring's end, which is where the pointer is."""
    m = visuals.model
    p = snapshot.perturb
    if not options.flags["perturb_object"] or p.bodyid <= 0 or not p.active:
        return
    text = pull_text(snapshot, m.body_mocapid)
    what = {"objtype": shapes.OBJ_PERTURB, "objid": p.bodyid, "bodyid": p.bodyid}
    if p.active & TRANSLATE:
        radius, rgba = m.stat_meansize * m.vis.scale.constraint, m.vis.rgba.constraint
        connect(out.geoms, shapes.CAPSULE, radius, body_point(snapshot, p.bodyid, p.localpos), p.refselpos, rgba, **what)
        balls(out.geoms, p.refselpos[None], 2 * radius, rgba, **what)
        if text:
            out.labels.put(tuple(p.refselpos), text, key=("perturbation", p.bodyid, "pull"))
    if p.active & ROTATE:
        centre, half = body_box(m, p.bodyid)
        middle = snapshot.xipos[p.bodyid] + snapshot.ximat[p.bodyid].reshape(3, 3) @ centre
        turned = rotation.matrix(p.refquat)
        boxes(out.lines, middle[None], turned[None], half, m.vis.rgba.inertia, **what)
        if text and not p.active & TRANSLATE:
            out.labels.put(tuple(middle + turned @ half), text, key=("perturbation", p.bodyid, "turn"))


def add_selection(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """A ball at the selected point."""
    m = visuals.model
    body = state.selection.bodyid
    if not options.flags["select_point"] or not 0 < body < m.nbody:
        return
    point = body_point(snapshot, body, state.selection.localpos)
    balls(out.geoms, point[None], m.stat_meansize * m.vis.scale.selectpoint, m.vis.rgba.selectpoint, objtype=shapes.OBJ_BODY, objid=body, bodyid=body)
    if options.label == "SelPoint":
        numbers = "{:.3f} {:.3f} {:.3f} (local {:.3f} {:.3f} {:.3f})".format(*point, *state.selection.localpos)
        out.labels.put(tuple(point), numbers, key=("body", body, "point"))
