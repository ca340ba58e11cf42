"""Modes of the whole mechanism under all its servos together: what tuning one joint at a time makes of the robot.

    M a + C v + K q = 0        C = dampers + moment' kv moment        K = springs + moment' kp moment

at a pose, without gravity's own stiffness, constraints and the time step. Each servo's gains were for the others held or free; here they move as they do.

Source: Tisseur and Meerbergen, "The quadratic eigenvalue problem", SIAM Review 43, 2001 (the first companion form).
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from physics.model.data import Data
from physics.model.model import Model
from physics.query.hold_torque import moment_matrix
from physics.query.mass_matrix import full_m
from physics.query.rest_state import at_rest
from physics.tuning.servos.axis import axis_of
from physics.tuning.servos.law import LINEAR_BIASES, LINEAR_GAINS, gains
from physics.tuning.servos.tune import Tuned
from physics.tuning.servos.springs import passive_springs

RIGID = 1e-6    # rad/s: a motion that nothing pulls back


@dataclass(frozen=True, slots=True)
class Mode:
    """frequency [rad/s] |s|, damping_ratio -Re s / |s| (1 for one that does not swing). shape (nv): the part of each degree of freedom, the largest 1; dof: which that is."""

    frequency: float
    damping_ratio: float
    dof: int
    shape: np.ndarray = field(compare=False)


def coupled_modes(m: Model, d: Data, tuned: Iterable[Tuned] = (), scratch: Data | None = None) -> list[Mode]:
    """The modes at the pose of d, which stays as it is, slowest first; of a pair that swings one. What nothing holds (a floating base) has none.

    tuned: gains that take the place of the model's. Actuators that are no linear servos count as nothing. Raises as `forward`.
    """
    w = at_rest(m, d, scratch)
    if not m.nv:
        return []
    stiffness, damping = passive_springs(m, w)
    moments, new = moment_matrix(m, w), {t.actuator: (t.law.kp, t.law.kv) for t in tuned}
    for i in range(m.nactuator):
        found = new[i] if i in new else _present(m, w, i)
        row = moments[m.actuator_outadr[i]]
        stiffness += found[0] * np.outer(row, row)
        damping += found[1] * np.outer(row, row)
    # first companion form: (q, v)' = [[0, 1], [-M^-1 K, -M^-1 C]] (q, v)
    n, mass = m.nv, full_m(m, w)
    companion = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(mass, stiffness), -np.linalg.solve(mass, damping)]])
    values, vectors = np.linalg.eig(companion)
    modes = []
    for s, vector in zip(values, vectors.T, strict=True):
        if s.imag < 0 or abs(s) < RIGID:
            continue
        size = np.abs(vector[:n])
        dof = int(size.argmax())
        modes.append(Mode(float(abs(s)), float(-s.real / abs(s)), dof, (vector[:n] / vector[dof]).real))
    return sorted(modes, key=lambda mode: mode.frequency)


def _present(m: Model, w: Data, i: int) -> tuple[float, float]:
    """(kp, kv) of an actuator of the Model, zeros for one that is no linear servo or is off."""
    if int(m.actuator_gaintype[i]) not in LINEAR_GAINS or int(m.actuator_biastype[i]) not in LINEAR_BIASES:
        return 0.0, 0.0
    try:
        axis_of(m, w, i)
    except ValueError:
        return 0.0, 0.0
    return gains(m, w, i)
