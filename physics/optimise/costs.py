"""Costs of a trajectory as small objects, which are summed: each gives its value at a knot, and its expansion to second order.

    total = sum over knots k = 0 .. N - 1 of cost(k, x_k, u_k)  +  cost(N, x_N, None)

A cost says at which knots it counts: `at` is 'all', 'running' (0 .. N - 1), 'final' (N), or knot numbers.
"""
from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple, Protocol

import numpy as np

from physics.model.data import Data
from physics.model.model import Model
from physics.optimise.tangent import State, Tangent
from physics.simulate.step import forward

EPS = 1e-6      # of first differences of user functions
EPS2 = 1e-4     # of second differences
KNOTS = ("all", "running", "final")
At = str | Collection[int]


class Knot(NamedTuple):
    """Where a cost is asked: number k of `last`, state x, control u (nu), None at the last knot."""

    k: int
    last: int
    x: State
    u: np.ndarray | None


class Expansion(NamedTuple):
    """A cost to second order in dx (nx) and du (nu): gradients x, u; Hessians xx, uu; ux (nu, nx)."""

    x: np.ndarray
    u: np.ndarray
    xx: np.ndarray
    uu: np.ndarray
    ux: np.ndarray


class Cost(Protocol):
    """One term. `bind` is called once, before anything else, and gives the term with all sizes checked."""

    at: At

    def bind(self, m: Model) -> Cost:
        """The term for this Model."""

    def value(self, knot: Knot) -> float:
        """The cost at a knot."""

    def expand(self, knot: Knot) -> Expansion:
        """To second order there."""


def counts(at: At, k: int, last: int) -> bool:
    """Whether a term counts at knot k of 0 .. last. Raises ValueError for an unknown word."""
    if isinstance(at, str):
        if at not in KNOTS:
            raise ValueError(f"knots '{at}'; there are: {', '.join(KNOTS)}, or numbers of knots")
        return at == "all" or (at == "final") == (k == last)
    return k in at


def no_cost(nx: int, nu: int) -> Expansion:
    """An expansion of nothing, to be added to."""
    return Expansion(np.zeros(nx), np.zeros(nu), np.zeros((nx, nx)), np.zeros((nu, nu)), np.zeros((nu, nx)))


def weights_of(given, n: int, what: str) -> np.ndarray:
    """One number or n numbers, none negative. Raises ValueError."""
    try:
        found = np.broadcast_to(np.asarray(given, np.float64), (n,)).copy()
    except ValueError:
        raise ValueError(f"{what}: needs one weight or {n}, got {np.shape(given)}") from None
    if not np.isfinite(found).all() or (found < 0).any():
        raise ValueError(f"{what}: weights are 0 or more")
    return found


def state_weights(m: Model, qpos, qvel, act) -> np.ndarray:
    """Weights of the 2 nv + na directions of a state."""
    return np.concatenate([weights_of(qpos, m.nv, "qpos"), weights_of(qvel, m.nv, "qvel"), weights_of(act, m.na, "act")])


def targets_of(m: Model, target, last: int | None = None) -> tuple[State, ...]:
    """A target (None: the initial pose at rest, a State, or one for each knot) as a tuple. Raises ValueError for sizes that do not fit."""
    if target is None:
        target = State(m.qpos0.copy(), np.zeros(m.nv), np.zeros(m.na))
    every = (target,) if isinstance(target, State) else tuple(target)
    found = tuple(State(*(np.array(part, np.float64) for part in one)) for one in every)
    if not found or any([part.shape for part in one] != [(m.nq,), (m.nv,), (m.na,)] for one in found):
        raise ValueError(f"a target is a State of qpos ({m.nq}), qvel ({m.nv}), act ({m.na}), or one for each knot")
    return found


class StateCost:
    """1/2 sum_i w_i d_i^2 with d = x [-] target (nx): a quadratic tracker. qpos, qvel, act: weights, one or one for each direction; target: None (qpos0 at rest),
    a State, or one for each knot (the last of them holds on)."""

    def __init__(self, qpos=0.0, qvel=0.0, act=0.0, target: State | tuple[State, ...] | None = None, at: At = "all"):
        self._given, self._target, self.at = (qpos, qvel, act), target, at

    def bind(self, m: Model) -> StateCost:
        """See Cost."""
        self._tangent, self._nu = Tangent(m), m.nu
        self._w, self._targets = state_weights(m, *self._given), targets_of(m, self._target)
        return self

    def _difference(self, knot: Knot) -> tuple[State, np.ndarray]:
        target = self._targets[min(knot.k, len(self._targets) - 1)]
        return target, self._tangent.difference(target, knot.x)

    def value(self, knot: Knot) -> float:
        """See Cost."""
        d = self._difference(knot)[1]
        return 0.5 * float(self._w @ (d * d))

    def expand(self, knot: Knot) -> Expansion:
        """Gauss-Newton: the curvature of rotations is left out."""
        target, d = self._difference(knot)
        e = no_cost(self._tangent.nx, self._nu)
        if len(self._tangent.turning):
            j = self._tangent.difference_jacobian(target, knot.x)
            return e._replace(x=j.T @ (self._w * d), xx=(j.T * self._w) @ j)
        return e._replace(x=self._w * d, xx=np.diag(self._w))


class ControlCost:
    """1/2 sum_i w_i (u_i - target_i)^2; weights one or nu, target None (0), nu numbers, or (N, nu) for each knot."""

    def __init__(self, weights, target=None, at: At = "running"):
        self._given, self._target, self.at = weights, target, at

    def bind(self, m: Model) -> ControlCost:
        """See Cost."""
        self._nx, self._w = 2 * m.nv + m.na, weights_of(self._given, m.nu, "controls")
        target = np.atleast_2d(np.zeros(m.nu) if self._target is None else np.asarray(self._target, np.float64))
        if target.ndim != 2 or target.shape[1] != m.nu:
            raise ValueError(f"a target of controls is {m.nu} numbers, or that many for each knot, not {target.shape}")
        self._targets = target
        return self

    def value(self, knot: Knot) -> float:
        """See Cost."""
        if knot.u is None:
            return 0.0
        d = knot.u - self._targets[min(knot.k, len(self._targets) - 1)]
        return 0.5 * float(self._w @ (d * d))

    def expand(self, knot: Knot) -> Expansion:
        """See Cost."""
        e = no_cost(self._nx, len(self._w))
        if knot.u is None:
            return e
        d = knot.u - self._targets[min(knot.k, len(self._targets) - 1)]
        return e._replace(u=self._w * d, uu=np.diag(self._w))


class Posed:
    """A Data of its own on which user functions look at states: f(m, d, u)."""

    def __init__(self, m: Model, function: Callable, forwards: bool):
        self._m, self._d, self._function, self._forwards, self._tangent = m, Data(m), function, forwards, Tangent(m)

    def __call__(self, k: int, x: State, u: np.ndarray | None) -> np.ndarray:
        """f at a knot. The time is k control periods of one step; u None: the controls are 0."""
        m, d = self._m, self._d
        self._tangent.put(d, x)
        d.ctrl[:] = 0.0 if u is None else u
        if self._forwards:
            d.qacc_warmstart[:] = 0.0
            forward(m, d)
        return np.asarray(self._function(m, d, None if u is None else u.copy(), k), np.float64)

    def jacobians(self, k: int, x: State, u: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """By state and control, by central differences; a row for each number of f."""
        nx, nu = self._tangent.nx, self._m.nu
        columns = []
        for i in range(nx):
            step = np.zeros(nx)
            step[i] = EPS
            columns.append((self(k, self._tangent.add(x, step), u) - self(k, self._tangent.add(x, -step), u)) / (2 * EPS))
        by_x = np.stack(columns, axis=-1) if nx else np.zeros((0, 0))
        if u is None:
            return by_x, np.zeros((*by_x.shape[:-1], nu))
        controls = []
        for i in range(nu):
            step = np.zeros(nu)
            step[i] = EPS
            controls.append((self(k, x, u + step) - self(k, x, u - step)) / (2 * EPS))
        return by_x, np.stack(controls, axis=-1) if nu else np.zeros((*by_x.shape[:-1], 0))


class ResidualCost:
    """1/2 sum_i w_i r_i^2 with r = function(m, d, u, k): a Data in the knot's state, controls (None at the last knot), the knot's number. To second order by
    Gauss-Newton. forward: whether physics.forward has run on d, for functions of sites, sensors and contacts."""

    def __init__(self, function: Callable, weights=1.0, forward: bool = False, at: At = "all"):
        self._function, self._given, self._forward, self.at = function, weights, forward, at

    def bind(self, m: Model) -> ResidualCost:
        """See Cost."""
        self._m, self._posed = m, Posed(m, self._function, self._forward)
        return self

    def value(self, knot: Knot) -> float:
        """See Cost."""
        r = np.atleast_1d(self._posed(knot.k, knot.x, knot.u))
        return 0.5 * float(weights_of(self._given, len(r), "residual") @ (r * r))

    def expand(self, knot: Knot) -> Expansion:
        """See Cost."""
        r = np.atleast_1d(self._posed(knot.k, knot.x, knot.u))
        jx, ju = (np.reshape(j, (len(r), -1)) for j in self._posed.jacobians(knot.k, knot.x, knot.u))
        w = weights_of(self._given, len(r), "residual")
        return Expansion(jx.T @ (w * r), ju.T @ (w * r), (jx.T * w) @ jx, (ju.T * w) @ ju, (ju.T * w) @ jx)


class UserCost:
    """function(m, d, u, k), one number, to second order by differences: (nx + nu)^2 calls a knot; ResidualCost is cheaper where the cost is a sum of squares.
    Negative curvature is taken out. forward: as in ResidualCost."""

    def __init__(self, function: Callable, forward: bool = False, at: At = "all"):
        self._function, self._forward, self.at = function, forward, at

    def bind(self, m: Model) -> UserCost:
        """See Cost."""
        self._m, self._posed, self._tangent = m, Posed(m, self._function, self._forward), Tangent(m)
        return self

    def value(self, knot: Knot) -> float:
        """See Cost."""
        return float(self._posed(knot.k, knot.x, knot.u))

    def expand(self, knot: Knot) -> Expansion:
        """See Cost."""
        nx, nu = self._tangent.nx, self._m.nu
        n = nx + (0 if knot.u is None else nu)

        def f(dz: np.ndarray) -> float:
            u = None if knot.u is None else knot.u + dz[nx:]
            return float(self._posed(knot.k, self._tangent.add(knot.x, dz[:nx]), u))

        middle, steps = f(np.zeros(n)), EPS2 * np.eye(n)
        up, down = np.array([f(s) for s in steps]), np.array([f(-s) for s in steps])
        hessian = np.diag((up - 2 * middle + down) / EPS2 ** 2)
        for i in range(n):
            for j in range(i):
                mixed = (f(steps[i] + steps[j]) - f(steps[i] - steps[j]) - f(steps[j] - steps[i]) + f(-steps[i] - steps[j])) / (4 * EPS2 ** 2)
                hessian[i, j] = hessian[j, i] = mixed
        # the nearest positive semidefinite matrix: negative eigenvalues become 0
        values, axes = np.linalg.eigh(hessian)
        hessian = (axes * np.maximum(values, 0.0)) @ axes.T
        gradient, e = (up - down) / (2 * EPS2), no_cost(nx, nu)
        e.x[:], e.xx[:] = gradient[:nx], hessian[:nx, :nx]
        if knot.u is not None:
            e.u[:], e.uu[:], e.ux[:] = gradient[nx:], hessian[nx:, nx:], hessian[nx:, :nx]
        return e
