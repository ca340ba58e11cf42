"""Derivatives of a step by the engine that moves the model: which module has them for which engine, in one table.

An engine without a row of its own, or whose module is not there, is differentiated by physics/derivatives, which perturbs whatever engine steps; a control that lasts
several steps by central differences of all of them.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.derivatives.finite_difference import transition_fd
from physics.model.data import Data
from physics.model.model import Model
from physics.optimise.tangent import State, Tangent
from physics.simulate.engines import engine_of
from physics.simulate.step import step

# name of an engine -> module with gradients(m, d, kappa, parameters): implicit derivatives A, B and, by parameters of the Model, P of one step
GRADIENTS = MappingProxyType({"hard": "physics.hard"})


EPS = 1e-6      # of central differences


class Linear(NamedTuple):
    """dx' = A dx + B du: A (nx, nx), B (nx, nu), with nx = 2 nv + na directions."""

    A: np.ndarray
    B: np.ndarray


def gradients_of(m: Model) -> Callable | None:
    """The function of the model's engine that gives implicit derivatives of a step, None where it has none."""
    module = GRADIENTS.get(engine_of(m).name)
    return getattr(import_module(module), "gradients", None) if module and find_spec(module) else None


def parameter_gradients_of(m: Model, fields: Sequence[str]) -> Callable | None:
    """As gradients_of, where these include derivatives by all of these fields of the Model (PARAMETERS of the engine's module)."""
    gradients = gradients_of(m)
    return gradients if gradients is not None and set(fields) <= set(import_module(GRADIENTS[engine_of(m).name]).PARAMETERS) else None


def linearise(m: Model, d: Data, nstep: int = 1, kappa: float | None = None) -> Linear:
    """Derivatives of nstep steps under one control, from the state of d by state and control; d ends where the steps end.

    kappa: how far an engine with implicit gradients smooths contacts (opt_hard_kappa of the hard engine where None); engines without ignore it.
    Raises as `transition_fd`, and ValueError where a step diverges.
    """
    gradients, n = gradients_of(m), 2 * m.nv + m.na
    a, b = np.eye(n), np.zeros((n, m.nu))
    for _ in range(nstep):
        if gradients is None:
            found = transition_fd(m, d, sensors=False)
        else:
            found = gradients(m, d) if kappa is None else gradients(m, d, kappa=kappa)
        # chain rule over the steps that one control lasts: x'' = A2 (A1 x + B1 u) + B2 u
        a, b = found.A @ a, found.A @ b + found.B
        if step(m, d, autoreset=False) != 1:
            raise ValueError(f"derivatives of a step: the step from time {d.time:g} s diverged")
    return Linear(a, b)


def linearise_knots(m: Model, d: Data, starts: Sequence[Start], controls: np.ndarray, nstep: int = 1, kappa: float | None = None) -> list[Linear]:
    """Derivatives at each knot of a trajectory, given by what moves there and its controls (N, nu); d: a Data of m to work on, with all else that acts. As `linearise`."""
    one_by_one = nstep == 1 or gradients_of(m) is not None
    differences = None if one_by_one else Differences(m, d, nstep)
    found = []
    for start, u in zip(starts, controls):
        start.put(d)
        d.ctrl[:] = u
        found.append(linearise(m, d, nstep, kappa) if one_by_one else differences.around(start, u))
    return found


class Start(NamedTuple):
    """From where a step goes on to the same bits, as long as what the user holds is the same: time, state, and the acceleration that the solver begins with."""

    time: float
    x: State
    warmstart: np.ndarray

    def put(self, d: Data) -> None:
        """Write it into a Data."""
        d.time = self.time
        d.qpos[:], d.qvel[:], d.act[:] = self.x
        d.qacc_warmstart[:] = self.warmstart


class Differences:
    """Central differences over all steps of one control, on a Data of their own or one with all else that acts. A control at the end of its range goes inwards alone."""

    def __init__(self, m: Model, d: Data, nstep: int):
        self._m, self._d, self._nstep, self._tangent = m, d, nstep, Tangent(m)
        limited = m.actuator_ctrllimited != 0
        self._low = np.where(limited, m.actuator_ctrlrange[:, 0], -np.inf)
        self._high = np.where(limited, m.actuator_ctrlrange[:, 1], np.inf)

    def around(self, start: Start, u: np.ndarray) -> Linear:
        """A and B there."""
        tangent, nx = self._tangent, self._tangent.nx
        a, b = np.zeros((nx, nx)), np.zeros((nx, len(u)))
        for i in range(nx):
            step = np.zeros(nx)
            step[i] = EPS
            ends = [self._end(start._replace(x=tangent.add(start.x, side)), u) for side in (step, -step)]
            a[:, i] = tangent.difference(ends[1], ends[0]) / (2 * EPS)
        for i in range(len(u)):
            high, low = (np.array(u) for _ in range(2))
            high[i], low[i] = min(u[i] + EPS, self._high[i]), max(u[i] - EPS, self._low[i])
            if high[i] > low[i]:
                b[:, i] = tangent.difference(self._end(start, low), self._end(start, high)) / (high[i] - low[i])
        return Linear(a, b)

    def _end(self, start: Start, u: np.ndarray) -> State:
        start.put(self._d)
        self._d.ctrl[:] = u
        if step(self._m, self._d, self._nstep, autoreset=False) != self._nstep:
            raise ValueError(f"derivatives of {self._nstep} steps: those from next to time {start.time:g} s diverged")
        return self._tangent.state(self._d)
