"""Derivatives of sensor values that are known in closed form, for analytic.py."""
from __future__ import annotations

import numpy as np

from physics.derivatives.analytic_forces import has_fixed_arm, is_fixed_tendon, moment_rows, tendon_rows
from physics.engine.kinematics.joints import dof_count, is_ball
from physics.enums import (
    DSBL_ACTUATION,
    DSBL_SENSOR,
    SENS_ACTUATORPOS,
    SENS_ACTUATORVEL,
    SENS_BALLANGVEL,
    SENS_BALLQUAT,
    SENS_CLOCK,
    SENS_JOINTPOS,
    SENS_JOINTVEL,
    SENS_PLUGIN,
    SENS_TENDONPOS,
    SENS_TENDONVEL,
    SENS_USER,
    STAGE_POS,
    STAGE_VEL,
    TRN_SLIDERCRANK,
    TRN_TENDON,
)
from physics.model.data import Data
from physics.model.model import Model

_POSITIONS = (SENS_JOINTPOS, SENS_BALLQUAT, SENS_TENDONPOS, SENS_ACTUATORPOS)
_VELOCITIES = (SENS_JOINTVEL, SENS_BALLANGVEL, SENS_TENDONVEL, SENS_ACTUATORVEL)


def sensor_rows(m: Model, d: Data) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of sensordata by the 2 nv + na directions of the state and by the controls, NaN where they are not known."""
    by_state = np.full((m.nsensordata, 2 * m.nv + m.na), np.nan)
    by_control = np.full((m.nsensordata, m.nu), np.nan)
    if m.opt_disableflags & DSBL_SENSOR:
        by_state[:], by_control[:] = 0.0, 0.0
        return by_state, by_control
    for i in range(m.nsensor):
        kind, rows = m.sensor_type[i], slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i])
        if kind in (SENS_USER, SENS_PLUGIN):
            continue
        if kind == SENS_CLOCK:
            by_state[rows], by_control[rows] = 0.0, 0.0
        elif m.sensor_needstage[i] in (STAGE_POS, STAGE_VEL):
            by_control[rows], by_state[rows, 2 * m.nv:] = 0.0, 0.0
            if m.sensor_needstage[i] == STAGE_POS:
                by_state[rows, m.nv:2 * m.nv] = 0.0
            if m.sensor_cutoff[i] == 0.0:
                _fill(m, d, i, by_state[rows])
    return by_state, by_control


def _fill(m: Model, d: Data, i: int, rows: np.ndarray) -> None:
    """Write what is known of sensor i's rows (values, state's directions)."""
    kind, k, nv = m.sensor_type[i], m.sensor_objid[i], m.nv
    if kind in _POSITIONS:
        found = _lengths(m, d, kind, k)
        if found is not None:
            rows[:, :nv] = found
    elif kind in _VELOCITIES:
        found, constant = _speeds(m, d, kind, k)
        rows[:, nv:2 * nv] = found
        if constant:
            rows[:, :nv] = 0.0


def _joint_rows(m: Model, j: int) -> np.ndarray:
    k, n = m.jnt_dofadr[j], dof_count(m.jnt_type[j])
    return np.eye(m.nv)[k:k + n]


def _quaternion_rows(m: Model, d: Data, j: int) -> np.ndarray:
    """q (0, w) / 2 for each axis w."""
    a = m.jnt_qposadr[j]
    w, x, y, z = d.qpos[a:a + 4] / np.linalg.norm(d.qpos[a:a + 4])
    out = np.zeros((4, m.nv))
    k = m.jnt_dofadr[j]
    out[:, k:k + 3] = 0.5 * np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])
    return out


def _lengths(m: Model, d: Data, kind: int, k: int) -> np.ndarray | None:
    """Derivative of a position sensor's values by position."""
    if kind == SENS_JOINTPOS:
        return _joint_rows(m, k)
    if kind == SENS_BALLQUAT:
        return _quaternion_rows(m, d, k) if is_ball(m, k) else None
    if kind == SENS_TENDONPOS:
        return tendon_rows(m, d)[k]
    if has_fixed_arm(m, k) or m.actuator_trntype[k] in (TRN_TENDON, TRN_SLIDERCRANK):
        return moment_rows(m, d)[m.actuator_outadr[k]]
    return None


def _speeds(m: Model, d: Data, kind: int, k: int) -> tuple[np.ndarray, bool]:
    """Derivative of a velocity sensor's values by velocity, and whether it is constant."""
    if kind in (SENS_JOINTVEL, SENS_BALLANGVEL):
        return _joint_rows(m, k), True
    if kind == SENS_TENDONVEL:
        return tendon_rows(m, d)[k], is_fixed_tendon(m, k)
    out = m.actuator_outadr[k]
    rows = moment_rows(m, d)[out:out + m.actuator_outnum[k]]
    if m.opt_disableflags & DSBL_ACTUATION:
        return 0.0 * rows, True
    return rows, has_fixed_arm(m, k)
