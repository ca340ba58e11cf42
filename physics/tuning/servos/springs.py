"""Stiffness and damping of a mechanism by degrees of freedom: springs, dampers and servos, as slopes of their forces where it is now.

Source: MuJoCo documentation, chapter Computation, "Passive forces", "Actuation model".
"""
from __future__ import annotations

import numpy as np

from physics.engine.actuator.transmission import dof_damping, tendon_damping
from physics.engine.kinematics.joints import poly_slope, spring_of
from physics.engine.passive.passive import tendon_stretch
from physics.enums import DSBL_ACTUATION, DSBL_DAMPER, DSBL_SPRING
from physics.model.data import Data
from physics.model.model import Model
from physics.query.hold_torque import moment_matrix
from physics.tuning.servos.axis import TURNING
from physics.tuning.servos.law import gains

__all__ = ["passive_springs", "servo_springs"]


def passive_springs(m: Model, w: Data, dofs: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(K, C) (nv, nv) of springs and dampers, slopes at this position and at rest; springs of ball and free joints by their stiffness. dofs (n): rows and columns of these alone, (n, n)."""
    off, dofs = m.opt_disableflags, np.arange(m.nv) if dofs is None else dofs
    k, c = np.zeros(len(dofs)), np.zeros(len(dofs))
    for row, dof in enumerate(dofs.tolist()):
        j = int(m.dof_jntid[dof])
        at = int(m.jnt_qposadr[j])
        way = float(w.qpos[at] - m.qpos_spring[at]) if m.jnt_type[j] in TURNING else 0.0
        k[row], c[row] = poly_slope(*spring_of(m, j), way), dof_damping(m, dof)[0]
    stiffness = np.zeros((len(dofs), len(dofs))) if off & DSBL_SPRING else np.diag(k)
    damping = np.zeros((len(dofs), len(dofs))) if off & DSBL_DAMPER else np.diag(c)
    for t in range(m.ntendon):
        part = slice(int(m.ten_J_rowadr[t]), int(m.ten_J_rowadr[t] + m.ten_J_rownnz[t]))
        whole = np.zeros(m.nv)
        whole[m.ten_J_colind[part]] = w.ten_J[part]
        row = whole[dofs]
        stretch = float(tendon_stretch(m, w, t))
        if stretch and not off & DSBL_SPRING:
            stiffness += poly_slope(m.tendon_stiffness[t], *m.tendon_stiffnesspoly[t], stretch) * np.outer(row, row)
        if not off & DSBL_DAMPER:
            damping += tendon_damping(m, t)[0] * np.outer(row, row)
    return stiffness, damping


def servo_springs(m: Model, d: Data, dofs: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(K, C) (nv, nv) of the actuators: moment' kp moment, moment' kv moment. Those that are no linear servos, are off, or at the end of their force range hold nothing.
    dofs (n): rows and columns of these alone, (n, n)."""
    dofs = np.arange(m.nv) if dofs is None else dofs
    stiffness, damping = np.zeros((len(dofs), len(dofs))), np.zeros((len(dofs), len(dofs)))
    if m.opt_disableflags & DSBL_ACTUATION or not m.nactuator:
        return stiffness, damping
    moments = moment_matrix(m, d)[:, dofs]
    for i in range(m.nactuator):
        try:
            kp, kv = gains(m, d, i)
        except ValueError:
            continue
        force, group = float(d.actuator_force[m.actuator_outadr[i]]), int(m.actuator_group[i])
        low, high = m.actuator_forcerange[i]
        if m.actuator_forcelimited[i] and not low < force < high or 0 <= group < 31 and int(m.opt_disableactuator) >> group & 1:
            continue
        row = moments[m.actuator_outadr[i]]
        stiffness += kp * np.outer(row, row)
        damping += kv * np.outer(row, row)
    return stiffness, damping
