"""States and their differences: a state of nq + nv + na numbers has 2 nv + na directions (positions, velocities, activations).

With d = x2 [-] x1 positions differ along their tangents, x2 = x1 [+] d. Where quaternions are, d changes with x2 by the inverse right Jacobian of the rotation.

Source: Sola, Deray and Atchuthan, "A micro Lie theory for state estimation in robotics", 2018, section II.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.model.data import Data
from physics.model.model import Model
from physics.query.configuration import differentiate_pos, integrate_pos

EPS = 1e-6      # of central differences along rotations [rad]


class State(NamedTuple):
    """What moves, at one time: qpos (nq), qvel (nv), act (na)."""

    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray


class Tangent:
    """Arithmetic of a Model's states."""

    def __init__(self, m: Model):
        self._m = m
        self.nx = 2 * m.nv + m.na
        # joints with one position number more than dofs hold a quaternion: their last three dofs turn
        widths = np.diff([*m.jnt_qposadr.tolist(), m.nq]), np.diff([*m.jnt_dofadr.tolist(), m.nv])
        ends = (m.jnt_dofadr + widths[1])[widths[0] > widths[1]] if m.njnt else np.zeros(0, int)
        self.turning = np.array([dof for end in ends.tolist() for dof in range(end - 3, end)], int)

    def state(self, d: Data) -> State:
        """A copy of the state of a Data."""
        return State(d.qpos.copy(), d.qvel.copy(), d.act.copy())

    def put(self, d: Data, x: State) -> None:
        """Write a state into a Data."""
        d.qpos[:], d.qvel[:], d.act[:] = x

    def difference(self, one: State, two: State) -> np.ndarray:
        """two [-] one, (nx)."""
        if len(self.turning):
            places = differentiate_pos(self._m, one.qpos, two.qpos)
        else:
            places = two.qpos - one.qpos
        return np.concatenate([places, two.qvel - one.qvel, two.act - one.act])

    def add(self, x: State, dx: np.ndarray) -> State:
        """x [+] dx."""
        nv = self._m.nv
        places = integrate_pos(self._m, x.qpos, dx[:nv]) if len(self.turning) else x.qpos + dx[:nv]
        return State(places, x.qvel + dx[nv:2 * nv], x.act + dx[2 * nv:])

    def difference_jacobian(self, one: State, two: State) -> np.ndarray:
        """How two [-] one changes with a motion of `two` along its tangent, (nx, nx): the identity but for rotations."""
        out = np.eye(self.nx)
        nv = self._m.nv
        for dof in self.turning.tolist():
            step = np.zeros(nv)
            step[dof] = EPS
            up = differentiate_pos(self._m, one.qpos, integrate_pos(self._m, two.qpos, step))
            down = differentiate_pos(self._m, one.qpos, integrate_pos(self._m, two.qpos, step, -1.0))
            out[:nv, dof] = (up - down) / (2 * EPS)
        return out
