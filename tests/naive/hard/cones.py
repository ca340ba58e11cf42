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


def edge(y, dy, blur=0.0):
    """The largest a with y + a dy in the cone, infinity where there is none, for y inside.

    In the frame in which y is the identity the cone is where |rho_t| <= rho_0, and the step goes to e + a rho (42)-(46). blur: what is added
    to y' J y and y' J dy.
    """
    if len(y) == 1:
        return -y[0] / dy[0] if dy[0] < 0 else np.inf
    norm = np.linalg.norm(y[1:])
    square = (y[0] - norm) * (y[0] + norm) + blur
    size = np.sqrt(square)
    along = (y[0] * dy[0] - y[1:] @ dy[1:] + blur) / size
    across = dy[1:] - (along + dy[0]) / (y[0] + size) * y[1:]
    rate = (np.linalg.norm(across) - along) / size
    return 1 / rate if rate > 0 else np.inf
