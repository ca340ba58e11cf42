"""What actuators can do at joints, and what the medium does at a speed: magnitudes that scales go by."""
from __future__ import annotations

from math import pi, sqrt

import numpy as np

from physics.enums import BIAS_AFFINE, BIAS_NONE, GAIN_FIXED, TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON, WRAP_JOINT, JointType
from physics.model.model import Model

CORRECTED = 0.3   # of a servo's range: how far it may be off
KNOWN = 0.5   # of the actuators that turn joints: from this part on theirs is the usual torque


def joint_torque(m: Model) -> float:
    """Largest torque [N m] of the actuators that turn joints, the median of those that have one; 0 where too few are known.

    An actuator has one where its force has a range, or follows a control that has one by a fixed gain. Of servos a part of that counts: what it
    takes to correct them.
    """
    ids, joint, gear = _on_turning_joints(m)
    if not len(ids):
        return 0.0
    control = m.actuator_ctrladr[ids]
    bias = m.actuator_biastype[ids]
    plain = (m.actuator_ctrlnum[ids] == 1) & (m.actuator_gaintype[ids] == GAIN_FIXED) & np.isin(bias, (BIAS_NONE, BIAS_AFFINE))
    plain[plain] = m.actuator_ctrllimited[control[plain]] != 0
    force = np.full(len(ids), np.inf)
    force[plain] = np.abs(m.actuator_gainprm[ids[plain], 0]) * np.abs(m.actuator_ctrlrange[control[plain]]).max(axis=1)
    force[bias == BIAS_AFFINE] *= CORRECTED
    limited = m.actuator_forcelimited[ids] != 0
    force[limited] = np.minimum(force[limited], np.abs(m.actuator_forcerange[ids[limited]]).max(axis=1))
    torque = gear * force
    held = m.jnt_actfrclimited[joint] != 0
    torque[held] = np.minimum(torque[held], np.abs(m.jnt_actfrcrange[joint[held]]).max(axis=1))
    known = torque[np.isfinite(torque) & (torque > 0)]
    return float(np.median(known)) if len(known) >= KNOWN * len(ids) else 0.0


def _on_turning_joints(m: Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Actuators, the hinge or ball that each acts on, and the torque there per force (n, each); of tendons of joints their first."""
    kind, target = m.actuator_trntype, m.actuator_trnid[:, 0].copy()
    gear = np.linalg.norm(m.actuator_gear[m.actuator_outadr, :3], axis=1) if m.nactuator else np.zeros(0)
    direct = np.isin(kind, (TRN_JOINT, TRN_JOINTINPARENT))
    pulled = np.flatnonzero(kind == TRN_TENDON)
    first = m.tendon_adr[target[pulled]]
    fixed = m.wrap_type[first] == WRAP_JOINT
    pulled, first = pulled[fixed], first[fixed]
    gear[pulled] = np.abs(m.actuator_gear[m.actuator_outadr[pulled], 0] * m.wrap_prm[first])
    target[pulled], direct[pulled] = m.wrap_objid[first], True
    ids = np.flatnonzero(direct)
    ids = ids[np.isin(m.jnt_type[target[ids]], (JointType.HINGE, JointType.BALL))]
    return ids, target[ids], gear[ids]


def drag(m: Model, size: float, speed: float) -> float:
    """Force [N] of the medium on a body of this radius [m] at this speed [m/s], about: inertial and viscous."""
    return 0.5 * max(m.opt_density, 0.0) * size**2 * speed**2 + 6 * pi * max(m.opt_viscosity, 0.0) * size * speed


def drifting_speed(m: Model, size: float, force: float) -> float:
    """Speed [m/s] at which the medium holds a force [N]; infinite without a medium."""
    forth, back = drag(m, size, 1.0), drag(m, size, -1.0)
    linear, square = (forth - back) / 2, (forth + back) / 2
    if square > 0:
        return (-linear + sqrt(linear**2 + 4 * square * force)) / (2 * square)
    return force / linear if linear > 0 else float("inf")
