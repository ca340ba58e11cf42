"""Forces along joints: arrows on slides and free bodies, arcs about hinges and balls. And which of them act at a moment."""
from __future__ import annotations

import numpy as np

from app.bridge.options import NGROUP, VisOptions
from app.bridge.quantities.canvas import QuantityCanvas
from app.bridge.quantities.marks import split
from physics.enums import CNSTR_FRICTION_DOF, JointType
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes

ACTUATOR, PASSIVE, DRY = (0.2, 0.75, 1.0, 1.0), (0.35, 0.9, 0.4, 1.0), (0.95, 0.75, 0.2, 1.0)
HIDDEN = "the groups of its joints are hidden"


def visible_joints(m: Model, options: VisOptions) -> np.ndarray:
    """Whether each joint's group is drawn (njnt,)."""
    return np.asarray(options.jointgroup)[np.clip(m.jnt_group, 0, NGROUP - 1)]


def places(m: Model, snapshot: Snapshot, ids) -> np.ndarray:
    """Where joints are (n, 3): their anchors, of slides moved along."""
    at = snapshot.xanchor[ids].copy()
    slide = m.jnt_type[ids] == JointType.SLIDE
    adr = m.jnt_qposadr[ids[slide]]
    at[slide] += (snapshot.qpos[adr] - m.qpos0[adr])[:, None] * snapshot.xaxis[ids[slide]]
    return at


def to_world(m: Model, snapshot: Snapshot, qfrc) -> tuple[np.ndarray, np.ndarray]:
    """Forces and torques (njnt, 3 each) in world axes of a generalized force (nv,): on a free body or ball whole, else along the axis."""
    force, torque = np.zeros((m.njnt, 3)), np.zeros((m.njnt, 3))
    kind, adr = m.jnt_type, m.jnt_dofadr
    for wanted, out in ((JointType.SLIDE, force), (JointType.HINGE, torque)):
        ids = np.flatnonzero(kind == wanted)
        out[ids] = qfrc[adr[ids], None] * snapshot.xaxis[ids]
    turn = snapshot.xmat.reshape(-1, 3, 3)[m.jnt_bodyid]
    for wanted, skip in ((JointType.BALL, 0), (JointType.FREE, 3)):
        ids = np.flatnonzero(kind == wanted)
        torque[ids] = np.einsum("nij,nj->ni", turn[ids], qfrc[adr[ids, None] + skip + np.arange(3)])
    force[ids] = qfrc[adr[ids, None] + np.arange(3)]
    return force, torque


def to_child(m: Model, snapshot: Snapshot) -> np.ndarray:
    """From each joint to its body's centre of mass (njnt, 3)."""
    return snapshot.xipos[m.jnt_bodyid] - snapshot.xanchor


def add_along_joints(m: Model, snapshot: Snapshot, options: VisOptions, qfrc, rgba, draw: QuantityCanvas, ring: int = 0, kind: str = "force") -> None:
    """Draw a generalized force (nv,) at visible joints. ring: how far out its arcs lie, so that several stand side by side.

    kind: scale of its arrows."""
    force, torque = to_world(m, snapshot, qfrc)
    ids = np.flatnonzero(visible_joints(m, options) & ((force != 0) | (torque != 0)).any(axis=1))
    if not len(ids):
        return
    at = places(m, snapshot, ids)
    what = {"objtype": shapes.OBJ_JOINT, "objid": ids, "bodyid": m.jnt_bodyid[ids]}
    axis, size = split(torque[ids])
    own = np.einsum("ni,ni->n", axis, snapshot.xaxis[ids]) < 0   # arcs about the joint's own axis: the sign shows as the sense
    draw.arrows(kind, at, force[ids], rgba, **what)
    axis = np.where(own[:, None], -axis, axis)
    beside = np.cross(axis, to_child(m, snapshot)[ids])   # where the body does not hide them
    draw.arcs("torque", at, axis, np.where(own, -size, size), rgba, ring=ring, towards=beside, **what)


def dry_friction(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Generalized force of the dofs' dry friction (nv,)."""
    out = np.zeros(m.nv)
    rows = np.flatnonzero(snapshot.efc_type == CNSTR_FRICTION_DOF)
    out[snapshot.efc_id[rows]] = snapshot.efc_force[rows]
    return out


def add_joint_torques(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """What actuators, springs with dampers, and dry friction do at joints."""
    if not m.njnt:
        return
    if m.nactuator:
        add_along_joints(m, snapshot, options, snapshot.qfrc_actuator, ACTUATOR, draw)
    add_along_joints(m, snapshot, options, snapshot.qfrc_spring + snapshot.qfrc_damper, PASSIVE, draw, 1)
    if m.dof_frictionloss.any():
        add_along_joints(m, snapshot, options, dry_friction(m, snapshot), DRY, draw, 2)


def joint_torque_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """Colours of the parts that the model has."""
    kind = m.jnt_type[visible_joints(m, options)]
    turns, slides = np.isin(kind, (JointType.HINGE, JointType.BALL)).any(), np.isin(kind, (JointType.SLIDE, JointType.FREE)).any()
    kinds = [kind for kind, has in (("torque", turns), ("force", slides)) if has]
    if not len(kind):
        draw.legend("Joint torque", PASSIVE, note=HIDDEN if m.njnt else "no joints here")
        return
    if m.nactuator:
        draw.legend("Actuators at joints", ACTUATOR, *kinds)
    draw.legend("Springs and dampers", PASSIVE, *kinds)
    if m.dof_frictionloss.any():
        draw.legend("Dry friction", DRY, *kinds)
