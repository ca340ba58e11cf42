"""Tendons in the colour of the force along them: red pulls together, blue pushes apart, grey is slack.

The force is the sum of springs, dampers, actuators, limits, dry friction and couplings. Armature and the damping that
actuators lend are left out: what they do is felt along the joints only.
"""
from __future__ import annotations

import numpy as np

from app.bridge.options import NGROUP, QUANTITY_SCALES, VisOptions
from app.bridge.quantities.canvas import QuantityCanvas
from app.bridge.quantities.marks import mixed
from physics.enums import (
    CNSTR_EQUALITY,
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_TENDON,
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_SPRING,
    EQ_TENDON,
    TRN_TENDON,
)
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes

SLACK, PULLS, PUSHES = (0.75, 0.75, 0.75, 1.0), (1.0, 0.1, 0.05, 1.0), (0.1, 0.3, 1.0, 1.0)


def _polynomial(stiff, poly, x) -> np.ndarray:
    return x * (stiff + x * (poly[:, 0] + x * poly[:, 1]))


def _passive(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Pull of springs and dampers (ntendon,) [N]."""
    out, length, speed = np.zeros(m.ntendon), snapshot.ten_length, snapshot.ten_velocity
    if not m.opt_disableflags & DSBL_SPRING:
        stretch = length - np.clip(length, m.tendon_lengthspring[:, 0], m.tendon_lengthspring[:, 1])
        out += _polynomial(m.tendon_stiffness, m.tendon_stiffnesspoly, stretch)
    if not m.opt_disableflags & DSBL_DAMPER:
        out += np.sign(speed) * _polynomial(m.tendon_damping, m.tendon_dampingpoly, np.abs(speed))
    return out


def _constrained(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Pull of limits, dry friction and couplings (ntendon,) [N]: what their rows push longer, with the sign turned."""
    out, kind, number, force = np.zeros(m.ntendon), snapshot.efc_type, snapshot.efc_id, snapshot.efc_force
    rows = np.flatnonzero(kind == CNSTR_LIMIT_TENDON)
    t = number[rows]
    above, below = snapshot.ten_length[t] - m.tendon_range[t, 0], m.tendon_range[t, 1] - snapshot.ten_length[t]
    at_low = np.abs(snapshot.efc_pos[rows] - above) <= np.abs(snapshot.efc_pos[rows] - below)
    np.add.at(out, t, np.where(at_low, -force[rows], force[rows]))
    rows = np.flatnonzero(kind == CNSTR_FRICTION_TENDON)
    np.add.at(out, number[rows], -force[rows])
    rows = np.flatnonzero(kind == CNSTR_EQUALITY)
    rows = rows[m.eq_type[number[rows]] == EQ_TENDON]
    ids = number[rows]
    np.add.at(out, m.eq_obj1id[ids], -force[rows])
    second = m.eq_obj2id[ids] >= 0
    ids, two, f = ids[second], m.eq_obj2id[ids[second]], force[rows[second]]
    x = snapshot.ten_length[two] - m.tendon_length0[two]
    np.add.at(out, two, f * sum(k * m.eq_data[ids, k] * x ** (k - 1) for k in range(1, 5)))
    return out


def tensions(m: Model, snapshot: Snapshot) -> np.ndarray:
    """What pulls each tendon together (ntendon,) [N], below zero where it is pushed apart."""
    out = _passive(m, snapshot) + _constrained(m, snapshot)
    if not m.opt_disableflags & DSBL_ACTUATION:
        ids = np.flatnonzero(m.actuator_trntype == TRN_TENDON)
        output = m.actuator_outadr[ids]
        np.add.at(out, m.actuator_trnid[ids, 0], -m.actuator_gear[output, 0] * snapshot.actuator_force[output])
    return out


def tension_colours(tension, full: float) -> np.ndarray:
    """Colours (n, 4) of tensions (n,) [N]."""
    share = np.clip(tension / full, -1, 1)
    return np.where(share[:, None] >= 0, mixed(SLACK, PULLS, share), mixed(SLACK, PUSHES, -share))


def add_tensions(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """Recolour what the layer of tendons has drawn."""
    if not m.ntendon:
        return
    g = draw.out.geoms
    rows = np.flatnonzero(g.view("objtype") == shapes.OBJ_TENDON)
    pull = tensions(m, snapshot)
    g.rgba[rows] = tension_colours(pull, draw.scale("tension").full)[g.objid[rows]]
    g.amount[rows], g.quantity[rows] = pull[g.objid[rows]], QUANTITY_SCALES.index("tension")
    g.matid[rows] = -1


def tension_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """Both ends of the colours."""
    if not m.ntendon:
        draw.legend("Tendon tension", SLACK, note="no tendons here")
        return
    if not options.flags["tendon"] or not np.asarray(options.tendongroup)[np.clip(m.tendon_group, 0, NGROUP - 1)].any():
        draw.legend("Tendon tension", SLACK, note="the groups of its tendons are hidden" if options.flags["tendon"] else "tendons are hidden")
        return
    draw.legend("Tendon pulls", PULLS, "tension")
    if m.tendon_stiffness.any() or m.tendon_damping.any() or m.nactuator:
        draw.legend("Tendon pushes", PUSHES, "tension")
