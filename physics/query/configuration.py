"""Arithmetic of positions: their differences are velocities, and velocities lead from one to another.

qpos (nq) holds unit quaternions for balls and free joints, so that it is no vector; qvel (nv) is one.
"""
from __future__ import annotations

import math

import numpy as np

from physics.engine.kinematics.joints import joint_advance, joint_difference, joint_normalize
from physics.model.model import Model
from physics.simulate.arguments import vector


def differentiate_pos(m: Model, qpos1, qpos2, dt: float = 1.0) -> np.ndarray:
    """The velocity (nv) that leads from qpos1 to qpos2 (nq each) in the time dt [s]."""
    m.check_written()
    one, two = vector(qpos1, m.nq, "qpos1").tolist(), vector(qpos2, m.nq, "qpos2").tolist()
    if not math.isfinite(dt) or dt == 0.0:
        raise ValueError(f"a difference over the time {dt}")
    out = np.zeros(m.nv)
    for j in range(m.njnt):
        joint_difference(m, one, two, j, dt, out)
    return out


def integrate_pos(m: Model, qpos, qvel, dt: float = 1.0) -> np.ndarray:
    """The position (nq), as a new array, that the velocity qvel (nv) reaches from qpos in the time dt [s]."""
    m.check_written()
    new, speed = vector(qpos, m.nq, "qpos").tolist(), vector(qvel, m.nv, "qvel").tolist()
    for j in range(m.njnt):
        joint_advance(m, new, speed, j, dt)
    return np.array(new)


def normalize_quat(m: Model, qpos) -> np.ndarray:
    """qpos (nq), as a new array, with all quaternions of length 1; one of length 0 becomes (1, 0, 0, 0)."""
    m.check_written()
    new = vector(qpos, m.nq, "qpos").tolist()
    for j in range(m.njnt):
        joint_normalize(m, new, j)
    return np.array(new)
