"""Derivatives of a step, and of inverse dynamics, by finite differences; those of a step exactly where they have a closed form.

Positions are perturbed along their tangents (integrate_pos) and compared there (differentiate_pos), so that a state of nq + nv
+ na numbers has 2 nv + na directions: positions, velocities, activations. The perturbed steps repeat only the stages that the
perturbation can change. The Data is left as it was.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from physics.derivatives.analytic import Transition, closed_form, compose_positions, unknown
from physics.engine import forward as stages
from physics.enums import ENBL_SLEEP, INT_RK4, STAGE_NONE, STAGE_POS, STAGE_VEL, Engine
from physics.hard.gradients import NoWholeStep, gradients
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import MOVING
from physics.query.configuration import differentiate_pos, integrate_pos
from physics.simulate.step import call, check_pair, check_runs, check_soft, inverse, step


class InverseDerivatives(NamedTuple):
    """Derivatives (nv, nv) of qfrc_inverse by position, velocity and acceleration: row = force, column = direction."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray


def transition(m: Model, d: Data, eps: float = 1e-6, centered: bool = False, sensors: bool = True) -> Transition:
    """Derivatives of one step from the present state and of its sensor values: A, B, C, D, in closed form where there is one, else by finite differences.

    A (2 nv + na, 2 nv + na) of the next state by the state, B (2 nv + na, nu) by the controls, C and D of the sensor values by both.
    Arguments and errors as of `transition_fd`.
    """
    return transition_fd(m, d, eps, centered, True, sensors)


def transition_fd(m: Model, d: Data, eps: float = 1e-6, centered: bool = False, exact: bool = True, sensors: bool = True) -> Transition:
    """Derivatives of one step from the present state and of its sensor values: in closed form where there is one, else by finite differences of step eps.

    exact: False for finite differences alone, as the official function; `transition_analytic` tells what has a closed form. Of the hard engine A and B are
    implicit derivatives at opt_hard_kappa (physics.hard.gradients), but where the step is halved.
    sensors: False for A and B alone, with C and D empty: directions in which these are known then need no perturbation.
    centered: two perturbations for each direction, an error of eps squared instead of eps. A control at the edge of its range is perturbed
    inwards only; one whose range is narrower than eps counts as without effect (0).
    Raises ValueError for models with delays, for eps <= 0, and where a step diverges; ViewOnlyError as `step`.
    """
    _check_transition(m, d, eps)
    if exact and m.opt_engine == Engine.HARD and not (sensors and m.nsensordata):
        try:
            implicit = gradients(m, d)
            return Transition(implicit.A, implicit.B, np.zeros((0, len(implicit.A))), np.zeros((0, m.nu)))
        except NoWholeStep:   # halved: by finite differences
            pass
    with _Kept(d):
        return _FiniteDifferences(m, d, eps, centered).transition(exact, sensors)


def transition_analytic(m: Model, d: Data) -> Transition:
    """What is known of `transition_fd` in closed form at the present state; NaN elsewhere (physics/derivatives/analytic.py says why)."""
    check_soft(m, "transition_analytic")
    _check_transition(m, d, 1e-6)
    with _Kept(d):
        return _FiniteDifferences(m, d, 1e-6, False).closed_form()


def inverse_fd(m: Model, d: Data, eps: float = 1e-6, actuation: bool = False) -> InverseDerivatives:
    """Derivatives of the force that inverse dynamics finds for d.qacc, by forward differences of step eps.

    actuation: of that force less the actuators'. Raises as `inverse` and as `transition_fd`.
    """
    _check(m, d, eps)
    with _Kept(d):
        return _inverse_fd(m, d, eps, actuation)


def _check_transition(m: Model, d: Data, eps: float) -> None:
    _check(m, d, eps)
    if m.nhistory:
        raise ValueError("derivatives of a step: delays of controls and sensors are not supported")


def _check(m: Model, d: Data, eps: float) -> None:
    check_pair(m, d)
    check_runs(m, d)
    if m.opt_enableflags & ENBL_SLEEP:
        raise ValueError("derivatives are not those of trees that may fall asleep meanwhile: clear the enable flag 'sleep'")
    if not eps > 0:
        raise ValueError(f"perturbations of size {eps}")


class _Kept:
    """Puts all of a Data back at the end."""

    def __init__(self, d: Data):
        self.d, self.before = d, d.copy()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.d.copy_from(self.before)


class _FiniteDifferences:
    """Steps from perturbed copies of one state."""

    def __init__(self, m: Model, d: Data, eps: float, centered: bool):
        self.m, self.d, self.eps, self.centered = m, d, eps, centered
        self.start = {name: getattr(d, name).copy() for name in MOVING}
        self.time = d.time
        self.composed = False
        self.next = self._step(STAGE_NONE)

    def _step(self, skip: int) -> tuple[np.ndarray, ...]:
        """(qpos, qvel and act, sensordata) after a step; the state is put back."""
        m, d = self.m, self.d
        if m.opt_engine == Engine.SOFT:
            done = call(stages.step_from, m, d, STAGE_NONE if m.opt_integrator == INT_RK4 else skip)
        else:
            done = step(m, d, autoreset=False)
        if not done:
            raise ValueError(f"derivatives of a step: the step from time {self.time:g} s diverged")
        after = d.qpos.copy(), np.concatenate([d.qvel, d.act]), d.sensordata.copy()
        d.time = self.time
        for name, value in self.start.items():
            getattr(d, name)[:] = value
        return after

    def _column(self, perturb: Callable[[float], None], skip: int, up: bool = True, down: bool = True) -> np.ndarray:
        """Derivative of state directions and sensor values along one perturbation; up, down: where it may go."""
        high = low = None
        if up:
            perturb(self.eps)
            high = self._step(skip)
        if down and (self.centered or not up):
            perturb(-self.eps)
            low = self._step(skip)
        if high is None and low is None:
            return np.zeros(2 * self.m.nv + self.m.na + self.m.nsensordata)
        h = 2 * self.eps if high and low else self.eps
        one, two = low or self.next, high or self.next
        places = np.zeros(self.m.nv) if self.composed else differentiate_pos(self.m, one[0], two[0], h)
        return np.concatenate([places, (two[1] - one[1]) / h, (two[2] - one[2]) / h])

    def closed_form(self) -> Transition:
        """What has a closed form; asked before the first perturbation."""
        if self.m.opt_integrator == INT_RK4:
            call(stages.forward_from, self.m, self.d, STAGE_NONE)   # the step has ended elsewhere
        return closed_form(self.m, self.d, self.next[1][:self.m.nv], self.eps)

    def transition(self, exact: bool, sensors: bool) -> Transition:
        m, d = self.m, self.d
        soft = m.opt_engine == Engine.SOFT
        found = self._analytic(soft) if exact else unknown(m)
        if not sensors:
            found = found._replace(C=found.C[:0], D=found.D[:0])
        self.composed = exact and soft and m.opt_integrator != INT_RK4   # positions follow from velocities
        n = 2 * m.nv + m.na
        for i in range(m.nu):
            self._fill(found.B[:, i], found.D[:, i], lambda e, i=i: _add(d.ctrl, i, e), STAGE_VEL, *self._room(i))
        for i in reversed(range(n)):   # positions last: the others take theirs as done
            perturb, skip = self._direction(i)
            self._fill(found.A[:, i], found.C[:, i], perturb, skip)
        if self.composed:
            compose_positions(m, found, self.next[1][:m.nv])
        return found

    def _analytic(self, soft: bool) -> Transition:
        """What is known without perturbed steps: the soft engine's closed forms, the hard engine's implicit derivatives of a step that was solved as a whole."""
        if soft:
            return self.closed_form()
        found = unknown(self.m)
        if self.m.opt_engine != Engine.HARD or self.d.hard_halved:
            return found
        implicit = gradients(self.m, self.d)
        return found._replace(A=implicit.A, B=implicit.B)

    def _direction(self, i: int) -> tuple[Callable[[float], None], int]:
        """The perturbation of direction i of the state, and the stage that it leaves alone."""
        nv, d = self.m.nv, self.d
        if i < nv:
            return lambda e: self._shift(i, e), STAGE_NONE
        if i < 2 * nv:
            return lambda e: _add(d.qvel, i - nv, e), STAGE_POS
        return lambda e: _add(d.act, i - 2 * nv, e), STAGE_VEL

    def _fill(self, state: np.ndarray, sensors: np.ndarray, perturb: Callable[[float], None], skip: int, *room: bool) -> None:
        """Fill what is NaN in one column by finite differences, if anything is."""
        if np.isfinite(state).all() and np.isfinite(sensors).all():
            return
        column = self._column(perturb, skip, *room)
        for values, found in ((state, column[:len(state)]), (sensors, column[len(state):len(state) + len(sensors)])):
            np.copyto(values, found, where=np.isnan(values))

    def _shift(self, i: int, e: float) -> None:
        direction = np.zeros(self.m.nv)
        direction[i] = 1.0
        self.d.qpos[:] = integrate_pos(self.m, self.d.qpos, direction, e)

    def _room(self, i: int) -> tuple[bool, bool]:
        """Whether control i may be perturbed up, and down."""
        if not self.m.actuator_ctrllimited[i]:
            return True, True
        u, (low, high) = self.start["ctrl"][i], self.m.actuator_ctrlrange[i]
        return low <= u and u + self.eps <= high, low <= u - self.eps and u <= high


def _add(values: np.ndarray, i: int, e: float) -> None:
    values[i] += e


def _inverse_fd(m: Model, d: Data, eps: float, actuation: bool) -> InverseDerivatives:
    def force(skip: int) -> np.ndarray:
        inverse(m, d, skip)
        if not actuation:
            return d.qfrc_inverse.copy()
        stages.fwd_actuation(m, d)
        if d.cb_error:
            d.raise_callback_error()
        return d.qfrc_inverse - d.qfrc_actuator

    middle = force(STAGE_NONE)
    columns = []
    for values, skip in ((d.qacc, STAGE_VEL), (d.qvel, STAGE_POS)):
        found = np.zeros((m.nv, m.nv))
        for i in range(m.nv):
            before = values[i]
            values[i] = before + eps
            found[:, i] = (force(skip) - middle) / eps
            values[i] = before
        columns.append(found)
    place, by_place = d.qpos.copy(), np.zeros((m.nv, m.nv))
    for i, direction in enumerate(np.eye(m.nv)):
        d.qpos[:] = integrate_pos(m, place, direction, eps)
        by_place[:, i] = (force(STAGE_NONE) - middle) / eps
        d.qpos[:] = place
    return InverseDerivatives(by_place, columns[1], columns[0])
