"""The backward pass of iLQR: from a linearised trajectory and its costs to second order, to feedforward k, feedback K and the expected change of cost.

    Q_x = l_x + A'V_x      Q_uu = l_uu + B'V_xx B + mu I      k = argmin 1/2 du'Q_uu du + Q_u'du  with low <= u + du <= high
    Q_u = l_u + B'V_x      Q_ux = l_ux + B'V_xx A             K = -Q_uu^-1 Q_ux in the controls that are at no bound, 0 in the others

Source: Li and Todorov, "Iterative linear quadratic regulator design for nonlinear biological movement systems", 2004; Tassa, Mansard and Todorov, "Control-limited
differential dynamic programming", 2014 (bounds within the pass).
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from physics.inverse_kinematics.box_least_squares import box_quadratic
from physics.optimise.costs import Expansion
from physics.optimise.engine_derivatives import Linear


class Gains(NamedTuple):
    """k (N, nu), K (N, nu, nx); a step of length alpha is expected to change the cost by alpha slope + alpha^2 curve / 2. gradient: largest step in a control that
    an unbounded direction still asks for."""

    k: np.ndarray
    K: np.ndarray
    slope: float
    curve: float
    gradient: float


def backward_pass(steps: Sequence[Linear], costs: Sequence[Expansion], controls: np.ndarray, low: np.ndarray, high: np.ndarray, mu: float) -> Gains | None:
    """Gains of N steps with N + 1 costs; controls (N, nu) within low, high (nu), which may be infinite; mu: added to Q_uu. None where Q_uu is not positive definite."""
    n, nu = controls.shape
    nx = len(costs[-1].x)
    k_all, gain, slope, curve = np.zeros((n, nu)), np.zeros((n, nu, nx)), 0.0, 0.0
    vx, vxx = costs[-1].x.copy(), costs[-1].xx.copy()
    for t in reversed(range(n)):
        a, b = steps[t]
        e = costs[t]
        # the cost to go to second order in state and control
        vb = vxx @ b
        qx, qu = e.x + a.T @ vx, e.u + b.T @ vx
        qxx, quu, qux = e.xx + a.T @ vxx @ a, e.uu + b.T @ vb, e.ux + vb.T @ a
        held = quu + mu * np.eye(nu)
        try:
            np.linalg.cholesky(held)
        except np.linalg.LinAlgError:
            return None
        # the step within the bounds, and the feedback of what no bound holds
        active = np.zeros(nu, np.int8)
        k = box_quadratic(held, -qu, low - controls[t], high - controls[t], active)
        free = np.flatnonzero((active == 0) & (low < high))
        feedback = gain[t]
        if len(free):
            feedback[free] = -np.linalg.solve(held[np.ix_(free, free)], qux[free])
        k_all[t] = k
        slope += float(k @ qu)
        curve += float(k @ quu @ k)
        # the cost to go under this step, with Q_uu as it is
        vx = qx + feedback.T @ (quu @ k + qu) + qux.T @ k
        vxx = qxx + feedback.T @ quu @ feedback + feedback.T @ qux + qux.T @ feedback
        vxx = 0.5 * (vxx + vxx.T)
    return Gains(k_all, gain, slope, curve, float(np.abs(k_all).max(initial=0.0)))
