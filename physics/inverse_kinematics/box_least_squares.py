"""Damped least squares within a box: the step of inverse kinematics.

    min over x   |r - J x|^2 + sum_i damping_i (x_i - rest_i)^2     subject to   lo <= x <= hi

With rest = 0 this is a Levenberg-Marquardt step; with the way to a rest pose it moves there as far as r and J leave a choice. A dof with more damping moves less.

Source: Nakamura and Hanafusa, "Inverse kinematic solutions with singularity robustness", 1986; Wampler, "Manipulator inverse kinematic solutions based on vector
formulations and damped least-squares methods", 1986; the box: Hintermueller, Ito and Kunisch, "The primal-dual active set strategy as a semismooth Newton method", 2003.
"""
from __future__ import annotations

import numpy as np

CHANGES = 20    # of the active set, at most


def box_least_squares(jacobian: np.ndarray, residual: np.ndarray, damping: np.ndarray, lo: np.ndarray, hi: np.ndarray, rest: np.ndarray | None = None) -> np.ndarray:
    """The step x (n); jacobian (m, n), residual r (m), damping, lo, hi, rest (n), damping > 0, lo <= hi. Bounds may be infinite."""
    hessian = jacobian.T @ jacobian
    gradient = jacobian.T @ residual
    if rest is not None:
        gradient += damping * rest
    np.einsum("ii->i", hessian)[...] += damping
    return box_quadratic(hessian, gradient, lo, hi)


def box_quadratic(hessian: np.ndarray, gradient: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    """x that minimises x' H x / 2 - gradient' x with lo <= x <= hi; H (n, n) symmetric and positive definite.

    Which bounds are active is guessed from the last x and its multipliers until the guess repeats; where it never does (it may circle), the last one is clipped.
    """
    x = np.linalg.solve(hessian, gradient)
    below, above = x < lo, x > hi
    for _ in range(CHANGES):
        active = below | above
        if not active.any():
            return x
        x = np.where(below, lo, hi)
        free = np.flatnonzero(~active)
        held = np.flatnonzero(active)
        if len(free):
            x[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free] - hessian[np.ix_(free, held)] @ x[held])
        push = gradient - hessian @ x    # what x would gain; at an active bound it points out of the box
        less = (x < lo) | (below & (push < 0))
        more = (x > hi) | (above & (push > 0))
        if (less == below).all() and (more == above).all():
            return x
        below, above = less, more
    return np.clip(x, lo, hi)
