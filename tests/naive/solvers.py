"""The solvers' iterations once more, plainly: dense matrices and textbook formulas."""
from __future__ import annotations

import numpy as np

from tests.naive.constraint import full_m, gradient


def lowest(m, d, q, p):
    """The step along p at which the cost is least, by halving an interval around the zero of its slope."""
    low, high = 0.0, 1.0
    while p @ gradient(m, d, q + high * p) < 0:
        low, high = high, 2 * high
    for _ in range(200):
        mid = 0.5 * (low + high)
        low, high = (mid, high) if p @ gradient(m, d, q + mid * p) < 0 else (low, mid)
    return 0.5 * (low + high)


def conjugate_gradients(m, d, q, steps, polak_ribiere=False):
    """Accelerations after each of so many steps from q, preconditioned with M."""
    inverse = np.linalg.inv(full_m(m, d))
    g = gradient(m, d, q)
    p = -inverse @ g
    found = []
    for _ in range(steps):
        q = q + lowest(m, d, q, p) * p
        found.append(q)
        new = gradient(m, d, q)
        y = new - g
        if polak_ribiere:
            beta = max(0.0, new @ inverse @ y / (g @ inverse @ g))
        else:
            beta = (y @ inverse @ new - 2 * (y @ inverse @ y) * (p @ new) / (p @ y)) / (p @ y)
            beta = max(beta, -1 / (np.linalg.norm(p) * min(0.01, np.linalg.norm(new))))
        g, p = new, -inverse @ new + beta * p
    return found
