"""Damped least squares within a box: the step of inverse kinematics.

    min over x   |r - J x|^2 + sum_i damping_i (x_i - rest_i)^2     subject to   lo <= x <= hi

Further bounds on linear functions of x, low <= R x <= high, are kept as squares (R x - bound)^2 of those that x would break.

With rest = 0 this is a Levenberg-Marquardt step; with the way to a rest pose it moves there as far as r and J leave a choice. A dof with more damping moves less.

Source: Nakamura and Hanafusa, "Inverse kinematic solutions with singularity robustness", 1986; Wampler, "Manipulator inverse kinematic solutions based on vector
formulations and damped least-squares methods", 1986; the box: Hintermueller, Ito and Kunisch, "The primal-dual active set strategy as a semismooth Newton method", 2003;
Bertsekas, "Projected Newton methods for optimization problems with simple constraints", 1982.
"""
from __future__ import annotations

import numpy as np

CHANGES, STEPS = 8, 20      # of the active set, and projected Newton steps, at most
SHORTEST = 1e-6     # share of a projected Newton step


def box_least_squares(jacobian: np.ndarray, residual: np.ndarray, damping: np.ndarray, lo: np.ndarray, hi: np.ndarray, rest: np.ndarray | None = None,
                      guess: np.ndarray | None = None) -> np.ndarray:
    """The step x (n); jacobian (m, n), residual r (m), damping, lo, hi, rest (n), damping > 0, lo <= hi. Bounds may be infinite. guess: as that of box_quadratic."""
    hessian = jacobian.T @ jacobian
    gradient = jacobian.T @ residual
    if rest is not None:
        gradient += damping * rest
    hessian.flat[::len(hessian) + 1] += damping
    return box_quadratic(hessian, gradient, lo, hi, guess)


def ranged_least_squares(jacobian: np.ndarray, residual: np.ndarray, damping: np.ndarray, lo: np.ndarray, hi: np.ndarray, rows: np.ndarray, low: np.ndarray,
                         high: np.ndarray, rest: np.ndarray | None = None, guess: np.ndarray | None = None) -> np.ndarray:
    """As box_least_squares, where rows x (k) should stay within low..high (k). Which of them hold x back is guessed from the last x until the guess repeats."""
    side = np.zeros(len(rows), np.int8)
    for _ in range(CHANGES):
        held = side != 0
        x = box_least_squares(np.concatenate([jacobian, rows[held]]), np.concatenate([residual, np.where(side > 0, high, low)[held]]), damping, lo, hi, rest, guess)
        value = rows @ x    # of one that holds x back the squares leave a little on the outer side
        new = (value > high).astype(np.int8) - (value < low).astype(np.int8)
        if (new == side).all():
            break
        side = new
    return x


def box_quadratic(hessian: np.ndarray, gradient: np.ndarray, lo: np.ndarray, hi: np.ndarray, guess: np.ndarray | None = None) -> np.ndarray:
    """x that minimises x' H x / 2 - gradient' x with lo <= x <= hi; H (n, n) symmetric and positive definite.

    Which bounds are active is guessed from the last x and its multipliers until the guess repeats. Where it never does (it may circle) projected Newton steps,
    each of which is better than the one before, take over.
    guess (n): -1 where the lower bound is expected to be active, 1 the upper, else 0; the outcome is written into it. None: none is expected.
    """
    active = np.zeros(len(gradient), np.int8) if guess is None else guess
    active[lo == hi] = 1
    active[(active < 0) & np.isinf(lo) | (active > 0) & np.isinf(hi)] = 0
    x = np.zeros(len(gradient))
    for _ in range(CHANGES):
        free = np.flatnonzero(active == 0)
        x[:] = np.where(active < 0, lo, np.where(active > 0, hi, 0.0))
        if len(free) == len(x):
            x[:] = np.linalg.solve(hessian, gradient)
        elif len(free):
            rows = hessian[free]
            x[free] = np.linalg.solve(rows[:, free], gradient[free] - rows @ x)
        push = gradient - hessian @ x    # what x would gain; at an active bound it points out of the box
        new = ((x > hi) | (active > 0) & (push > 0)).astype(np.int8) - ((x < lo) | (active < 0) & (push < 0)).astype(np.int8)
        new[lo == hi] = 1
        if (new == active).all():
            return x
        active[:] = new
    return _projected_newton(hessian, gradient, lo, hi)


def _projected_newton(hessian: np.ndarray, gradient: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    """As box_quadratic: steps on the dofs that are not pushed against a bound, projected onto the box and halved until they gain something."""
    x = np.clip(np.zeros(len(gradient)), lo, hi)
    push = gradient - hessian @ x
    for _ in range(STEPS):
        free = np.flatnonzero(~((x <= lo) & (push < 0) | (x >= hi) & (push > 0)))
        if not len(free):
            break
        step = np.zeros(len(x))
        while True:     # what stands at a bound and would be carried out of it is held, so that a short enough step always gains
            part = np.linalg.solve(hessian[np.ix_(free, free)], push[free])
            stays = ((x[free] <= lo[free]) & (part < 0)) | ((x[free] >= hi[free]) & (part > 0))
            if not stays.any():
                break
            free = free[~stays]
        step[free] = part
        share, gain = 1.0, 0.0
        while share > SHORTEST and gain <= 0:
            new = np.clip(x + share * step, lo, hi)
            way = new - x
            gain = float(push @ way - 0.5 * way @ (hessian @ way))
            share *= 0.5
        if gain <= 0:
            break
        x, push = new, gradient - hessian @ new
    return x
