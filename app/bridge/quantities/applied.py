"""Forces from outside: what the user applies to bodies and joints, what the mouse does, weight that is taken off, what the medium does."""
from __future__ import annotations

import numpy as np

from app.bridge.options import VisOptions
from app.bridge.quantities.canvas import QuantityCanvas
from app.bridge.quantities.joint_forces import add_along_joints
from physics.enums import DSBL_DAMPER, DSBL_GRAVITY, DSBL_SPRING
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes

ON_BODY, ON_JOINT, MOUSE, LIFT = (1.0, 0.9, 0.25, 1.0), (0.9, 0.6, 0.1, 1.0), (1.0, 0.45, 0.65, 1.0), (0.75, 1.0, 0.35, 1.0)
FLUID = (0.25, 0.6, 1.0, 1.0)
MEDIUM = ("medium force", "medium torque")   # its scales


def _on_bodies(snapshot: Snapshot, ids, wrench, rgba, draw: QuantityCanvas, kinds: tuple[str, str] = ("force", "torque")) -> None:
    what = {"objtype": shapes.OBJ_BODY, "objid": ids, "bodyid": ids}
    draw.arrows(kinds[0], snapshot.xipos[ids], wrench[:, :3], rgba, **what)
    draw.spins(kinds[1], snapshot.xipos[ids], wrench[:, 3:], rgba, ring=1, **what)


def add_external(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """xfrc_applied at centres of mass, qfrc_applied along joints, the mouse's pull."""
    ids = np.flatnonzero(snapshot.xfrc_applied.any(axis=1))
    _on_bodies(snapshot, ids, snapshot.xfrc_applied[ids], ON_BODY, draw)
    held = snapshot.perturb
    if held.bodyid > 0 and held.active:
        _on_bodies(snapshot, np.array([held.bodyid]), held.force[None], MOUSE, draw)
    if snapshot.qfrc_applied.any():
        add_along_joints(m, snapshot, options, snapshot.qfrc_applied, ON_JOINT, draw, 2)


def external_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """Who applies what."""
    draw.legend("Applied to bodies", ON_BODY, "force", "torque")
    draw.legend("Applied along joints", ON_JOINT, "torque", "force")
    draw.legend("The mouse", MOUSE, "force", "torque")


def lifts(m: Model) -> np.ndarray:
    """Forces (nbody, 3) against weight [N]; none where the options switch them off."""
    both = DSBL_SPRING | DSBL_DAMPER
    if m.opt_disableflags & DSBL_GRAVITY or m.opt_disableflags & both == both:
        return np.zeros((m.nbody, 3))
    return -(m.body_gravcomp * m.body_mass)[:, None] * m.opt_gravity


def add_lifts(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """Arrows at the centres of mass."""
    force = lifts(m)
    ids = np.flatnonzero(force.any(axis=1) & (m.body_weldid != 0))
    draw.arrows("force", snapshot.xipos[ids], force[ids], LIFT, objtype=shapes.OBJ_BODY, objid=ids, bodyid=ids)


def lift_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """Its scale; a word where the model takes no weight off."""
    if m.body_gravcomp.any():
        draw.legend("Gravity compensation", LIFT, "force")
    else:
        draw.legend("Gravity compensation", LIFT, note="no body has any")


def fluid_wrenches(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Force, and torque about the own centre of mass, of the medium on each body (nbody, 6) [N, N m]."""
    torque, force = snapshot.fluid_wrench[:, :3], snapshot.fluid_wrench[:, 3:]
    arm = snapshot.xipos - snapshot.subtree_com[m.body_rootid]
    return np.concatenate([force, torque - np.cross(arm, force)], axis=1)


def add_fluid(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """What the medium does to bodies, by either model of it."""
    ids = np.flatnonzero(snapshot.fluid_wrench.any(axis=1))
    if len(ids):
        _on_bodies(snapshot, ids, fluid_wrenches(m, snapshot)[ids], FLUID, draw, MEDIUM)


def fluid_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """Its scale; a word where there is no medium."""
    if m.opt_density or m.opt_viscosity:
        draw.legend("Medium, on bodies", FLUID, *MEDIUM)
    else:
        draw.legend("Medium", FLUID, note="no density or viscosity here")
