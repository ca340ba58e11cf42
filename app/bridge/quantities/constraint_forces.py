"""Forces of equality constraints at what they hold, and of limits at their joints.

Source: MuJoCo documentation, chapter Computation, "Equality" and "Limit".
"""
from __future__ import annotations

import numpy as np

from app.bridge.layers.equality import anchors
from app.bridge.options import VisOptions
from app.bridge.quantities.canvas import QuantityCanvas
from app.bridge.quantities.joint_forces import HIDDEN, add_along_joints, visible_joints
from physics.enums import CNSTR_LIMIT_JOINT, EQ_CONNECT, EQ_DISTANCE, EQ_JOINT, EQ_TENDON, EQ_WELD, OBJ_SITE, JointType
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import rotation, shapes

SEGMENT = 2.0   # pixels
FORCE = "constraint force"   # its scale
EQUALITY, LIMIT = (0.8, 0.45, 1.0, 1.0), (1.0, 0.35, 0.15, 1.0)


def held_bodies(m: Model, ids, obj) -> np.ndarray:
    """Bodies (n,) of the objects of connects and welds: themselves, or those of sites."""
    body = obj.copy()
    by_site = m.eq_objtype[ids] == OBJ_SITE
    body[by_site] = m.site_bodyid[obj[by_site]]
    return body


def _orientations(m: Model, snapshot: Snapshot, ids, which: int) -> np.ndarray:
    """World quaternions (n, 4) of the first (0) or second (1) object of welds, of the first turned by relpose."""
    obj = (m.eq_obj1id, m.eq_obj2id)[which][ids]
    by_site = m.eq_objtype[ids] == OBJ_SITE
    own = np.tile((1.0, 0.0, 0.0, 0.0), (len(ids), 1))
    own[by_site] = m.site_quat[obj[by_site]]
    if which == 0:
        own[~by_site] = m.eq_data[ids[~by_site], 6:10]
    return rotation.multiply(snapshot.xquat[held_bodies(m, ids, obj)], own)


def held_rows(snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """Equality constraints that have rows at present, and the first row of each (n, each)."""
    return np.unique(snapshot.efc_id[:snapshot.ne], return_index=True)


def pose_forces(m: Model, snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of connects and welds at work: ids (n,), anchors of both objects (n, 3 each), force and torque on the first object (n, 3 each) [N, N m]."""
    ids, row = held_rows(snapshot)
    pose = np.isin(m.eq_type[ids], (EQ_CONNECT, EQ_WELD))
    ids, row = ids[pose], row[pose]
    first, second = anchors(m, snapshot, ids)
    force = snapshot.efc_force[row[:, None] + np.arange(3)]
    torque = np.zeros((len(ids), 3))
    weld = m.eq_type[ids] == EQ_WELD
    if weld.any():
        # residual: s/2 vec(conj(q2) q1), which turns with w of object 1 by s/2 vec(conj(q2) w q1): its force f acts back as s/2 vec(q2 f conj(q1))
        f = np.concatenate([np.zeros((weld.sum(), 1)), snapshot.efc_force[row[weld, None] + 3 + np.arange(3)]], axis=1)
        q1, q2 = (_orientations(m, snapshot, ids[weld], k) for k in (0, 1))
        back = q1 * (1, -1, -1, -1)
        torque[weld] = 0.5 * m.eq_data[ids[weld], 10:11] * rotation.multiply(rotation.multiply(q2, f), back)[:, 1:]
    return ids, first, second, force, torque


def distance_forces(m: Model, snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of constraints that keep geoms at a distance: ids (n,), nearest points of both (n, 3 each), force on the second (n, 3) [N]."""
    ids, row = held_rows(snapshot)
    some = m.eq_type[ids] == EQ_DISTANCE
    ids, row = ids[some], row[some]
    first, second = snapshot.eq_segment[ids, :3], snapshot.eq_segment[ids, 3:]
    apart = snapshot.efc_pos[row] + m.eq_data[ids, 0]   # below zero inside each other, where the segment points back
    normal = (second - first) / np.where(np.abs(apart) > 1e-12, apart, np.inf)[:, None]
    return ids, first, second, snapshot.efc_force[row, None] * normal


def _add_distance_forces(m: Model, snapshot: Snapshot, draw: QuantityCanvas) -> None:
    ids, first, second, force = distance_forces(m, snapshot)
    if not len(ids):
        return
    for geom, at, sign in ((m.eq_obj1id[ids], first, -1.0), (m.eq_obj2id[ids], second, 1.0)):
        body = m.geom_bodyid[geom]
        moves = m.body_weldid[body] != 0
        draw.arrows(FORCE, at[moves], sign * force[moves], EQUALITY, objtype=shapes.OBJ_EQUALITY, objid=ids[moves], bodyid=body[moves])
    draw.out.lines.put(first, second, EQUALITY, SEGMENT, objtype=shapes.OBJ_EQUALITY, objid=ids)


def coupling_forces(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Generalized force (nv,) of the constraints that couple joints."""
    out = np.zeros(m.nv)
    ids, row = held_rows(snapshot)
    joint = m.eq_type[ids] == EQ_JOINT
    ids, force = ids[joint], snapshot.efc_force[row[joint]]
    np.add.at(out, m.jnt_dofadr[m.eq_obj1id[ids]], force)
    two = m.eq_obj2id[ids]
    ids, force, two = ids[two >= 0], force[two >= 0], two[two >= 0]
    adr = m.jnt_qposadr[two]
    x = snapshot.qpos[adr] - m.qpos0[adr]
    slope = sum(k * m.eq_data[ids, k] * x ** (k - 1) for k in range(1, 5))
    np.add.at(out, m.jnt_dofadr[two], -slope * force)
    return out


def limit_forces(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Generalized force (nv,) of the joints' limits."""
    out = np.zeros(m.nv)
    rows = np.flatnonzero(snapshot.efc_type == CNSTR_LIMIT_JOINT)
    joint, force = snapshot.efc_id[rows], snapshot.efc_force[rows]
    ball = m.jnt_type[joint] == JointType.BALL
    one, f = joint[~ball], force[~ball]
    # a row at the lower end pushes up, one at the upper end down; which it is the row's own distance tells
    above = snapshot.qpos[m.jnt_qposadr[one]] - m.jnt_range[one, 0]
    below = m.jnt_range[one, 1] - snapshot.qpos[m.jnt_qposadr[one]]
    dist = snapshot.efc_pos[rows[~ball]]
    np.add.at(out, m.jnt_dofadr[one], np.where(np.abs(dist - above) <= np.abs(dist - below), f, -f))
    j, f = joint[ball], force[ball]
    q = snapshot.qpos[m.jnt_qposadr[j][:, None] + np.arange(4)]
    size = np.maximum(np.linalg.norm(q[:, 1:], axis=1, keepdims=True), 1e-15)
    axis = np.where(q[:, :1] < 0, -1.0, 1.0) * q[:, 1:] / size
    out[m.jnt_dofadr[j][:, None] + np.arange(3)] -= f[:, None] * axis
    return out


def add_constraint_forces(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """Connects and welds push at the anchors of what moves, couplings and limits along joints."""
    if m.neq and snapshot.ne:
        _add_distance_forces(m, snapshot, draw)
        ids, first, second, force, torque = pose_forces(m, snapshot)
        for obj, at, sign in ((m.eq_obj1id, first, 1.0), (m.eq_obj2id, second, -1.0)):
            body = held_bodies(m, ids, obj[ids])
            moves = m.body_weldid[body] != 0
            what = {"objtype": shapes.OBJ_EQUALITY, "objid": ids[moves], "bodyid": body[moves]}
            draw.arrows(FORCE, at[moves], sign * force[moves], EQUALITY, **what)
            draw.spins("torque", at[moves], sign * torque[moves], EQUALITY, **what)
        if m.njnt:
            add_along_joints(m, snapshot, options, coupling_forces(m, snapshot), EQUALITY, draw, 1, FORCE)
    if snapshot.nl and m.njnt:
        add_along_joints(m, snapshot, options, limit_forces(m, snapshot), LIMIT, draw, 3, FORCE)


def constraint_force_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """Both colours, as far as the model can show them."""
    seen, kinds = visible_joints(m, options), set(np.unique(m.eq_type).tolist())
    limited = (m.jnt_limited != 0) & seen
    coupled = m.eq_type == EQ_JOINT
    shown = bool(kinds & {EQ_CONNECT, EQ_WELD, EQ_DISTANCE}) or bool(seen[m.eq_obj1id[coupled]].any())
    if shown:
        draw.legend("Equality constraints", EQUALITY, FORCE, "torque")
    if limited.any():
        draw.legend("Limits of joints", LIMIT, "torque", FORCE)
    if not shown and not limited.any():
        hidden = bool(coupled.any() or m.jnt_limited.any())
        note = HIDDEN if hidden else "those of tendons are shown as their tension" if EQ_TENDON in kinds else "nothing here can have any"
        draw.legend("Constraint forces", EQUALITY, note=note)
