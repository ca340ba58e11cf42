"""Second-order cones: their product, what undoes it, and how far a step may go. The orthant is the cone of dimension 1.

Source: Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", 2010, section 2.
"""
from __future__ import annotations

import numpy as np


def product(u, v):
    """u o v = (u . v, u0 v1 + v0 u1) (33)."""
    return np.array([u @ v, *(u[0] * v[1:] + v[0] * u[1:])])


def arrow(u):
    """The matrix of u o."""
    out = u[0] * np.eye(len(u), dtype=np.asarray(u).dtype)
    out[0, 1:] = u[1:]
    out[1:, 0] = u[1:]
    return out


def identity(n):
    """e of the cone of dimension n."""
    return np.eye(n)[0]


def edge(y, dy):
    """The largest a with y + a dy in the cone, infinity where there is none: the least positive root of (y + a dy)' J (y + a dy) = 0 or of its first component."""
    if len(y) == 1:
        return -y[0] / dy[0] if dy[0] < 0 else np.inf
    sign = np.array([1.0] + [-1.0] * (len(y) - 1))
    c, b, a = y @ (sign * y), 2 * y @ (sign * dy), dy @ (sign * dy)
    # numerically stable roots of a quadratic
    disc = b * b - 4 * a * c
    if disc < 0:
        return np.inf
    half = -0.5 * (b + np.copysign(np.sqrt(disc), b))
    roots = [r for r in (half / a if a else np.inf, c / half if half else np.inf) if r > 0]
    return min(roots, default=np.inf)
