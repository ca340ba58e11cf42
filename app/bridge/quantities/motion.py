"""How bodies move, and with how much momentum."""
from __future__ import annotations

import numpy as np

from app.bridge.options import VisOptions
from app.bridge.quantities.canvas import QuantityCanvas
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes

LINEAR, ANGULAR = (0.3, 1.0, 0.9, 1.0), (1.0, 0.6, 0.2, 1.0)
MOMENTUM, SPIN, WHOLE, WHOLE_SPIN = (0.45, 0.6, 1.0, 1.0), (0.85, 0.5, 1.0, 1.0), (0.2, 0.35, 1.0, 1.0), (0.65, 0.2, 0.95, 1.0)
WIDE = 1.8   # arrows of trees, in arrows of bodies


def velocities(m: Model, snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """Linear velocities of the bodies' centres of mass and angular ones (nbody, 3 each) in world axes [m/s, rad/s]."""
    turn, move = snapshot.cvel[:, :3], snapshot.cvel[:, 3:]
    return move + np.cross(turn, snapshot.xipos - snapshot.subtree_com[m.body_rootid]), turn


def momenta(m: Model, snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """Linear momenta, and angular ones about the own centres of mass (nbody, 3 each) [kg m/s, kg m²/s]."""
    move, turn = velocities(m, snapshot)
    axes = snapshot.ximat.reshape(-1, 3, 3)
    local = np.einsum("nji,nj->ni", axes, turn)
    return m.body_mass[:, None] * move, np.einsum("nij,nj->ni", axes, m.body_inertia * local)


def tree_momenta(m: Model, snapshot: Snapshot, linear, angular) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Roots of trees of several bodies (n,), and their momenta, the angular one about the tree's centre of mass (n, 3 each)."""
    root = m.body_rootid
    arm = snapshot.xipos - snapshot.subtree_com[root]
    whole, spin = np.zeros((m.nbody, 3)), np.zeros((m.nbody, 3))
    np.add.at(whole, root, linear)
    np.add.at(spin, root, angular + np.cross(arm, linear))
    heads = np.flatnonzero(np.bincount(root, minlength=m.nbody) > 1)
    heads = heads[heads > 0]
    return heads, whole[heads], spin[heads]


def _bodies(m: Model) -> np.ndarray:
    return np.flatnonzero((m.body_weldid != 0) & (m.body_mass > 0))


def _what(ids) -> dict:
    return {"objtype": shapes.OBJ_BODY, "objid": ids, "bodyid": ids}


def add_linear_velocities(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """Arrows at the centres of mass."""
    ids = _bodies(m)
    draw.arrows("speed", snapshot.xipos[ids], velocities(m, snapshot)[0][ids], LINEAR, **_what(ids))


def add_angular_velocities(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """Arcs about the axes of turning, around the centres of mass."""
    ids = _bodies(m)
    draw.spins("turning speed", snapshot.xipos[ids], snapshot.cvel[ids, :3], ANGULAR, ring=2, **_what(ids))


def add_momenta(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """Of bodies, and thicker of whole trees at their centres of mass."""
    linear, angular = momenta(m, snapshot)
    ids = _bodies(m)
    draw.arrows("momentum", snapshot.xipos[ids], linear[ids], MOMENTUM, **_what(ids))
    draw.spins("angular momentum", snapshot.xipos[ids], angular[ids], SPIN, ring=1, **_what(ids))
    heads, whole, spin = tree_momenta(m, snapshot, linear, angular)
    draw.arrows("momentum", snapshot.subtree_com[heads], whole, WHOLE, WIDE, **_what(heads))
    draw.spins("angular momentum", snapshot.subtree_com[heads], spin, WHOLE_SPIN, WIDE, 3, **_what(heads))


def linear_velocity_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """Its scale."""
    draw.legend("Velocity of bodies", LINEAR, "speed")


def angular_velocity_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """Its scale."""
    draw.legend("Angular velocity", ANGULAR, "turning speed")


def momentum_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """Scales of both; trees where there are some of several bodies."""
    draw.legend("Momentum of bodies", MOMENTUM, "momentum")
    draw.legend("Angular, of bodies", SPIN, "angular momentum")
    if (np.bincount(m.body_rootid, minlength=m.nbody)[1:] > 1).any():
        draw.legend("Momentum of trees", WHOLE, "momentum")
        draw.legend("Angular, of trees", WHOLE_SPIN, "angular momentum")
