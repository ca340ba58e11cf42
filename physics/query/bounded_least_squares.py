"""Least squares with bounds on the unknowns, of the least norm where many solutions fit equally well."""
from __future__ import annotations

import numpy as np

MOST_ROUNDS = 4     # times the number of unknowns
TOLERANCE = 1e-10   # of a gradient, beside the largest


def bounded_least_squares(a: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """x (n) with low <= x <= high that makes |a x - b| least; a (rows, n), b (rows). Bounds may be infinite.

    An active set of unknowns at their bounds: the others are solved for; where that leads beyond a bound one goes as far as it allows and the unknown is held
    there; one is released where the gradient leads inside. Source: Stark and Parker, "Bounded-variable least-squares: an algorithm and applications",
    Computational Statistics 10 (1995).
    """
    n = a.shape[1]
    x = np.clip(np.zeros(n), low, high)
    held = np.zeros(n, int)     # -1: at low, 1: at high
    for _ in range(MOST_ROUNDS * n + 1):
        free = held == 0
        wanted = x.copy()
        wanted[free] = np.linalg.lstsq(a[:, free], b - a[:, ~free] @ x[~free], rcond=None)[0]
        step, hit = _room(x, wanted, low, high, free)
        if step < 1:    # to the nearest bound
            x += step * (wanted - x)
            held[hit] = 1 if wanted[hit] > x[hit] else -1
            x[hit] = high[hit] if held[hit] > 0 else low[hit]
            continue
        x = wanted
        gradient = a.T @ (a @ x - b)
        inward = held * gradient    # positive where leaving the bound makes the sum less
        k = int(np.argmax(inward)) if n else 0
        if not n or inward[k] <= TOLERANCE * (1 + np.abs(a).max() * np.abs(b).max(initial=0.0)):
            break
        held[k] = 0
    return x


def _room(x, wanted, low, high, free) -> tuple[float, int]:
    """The part of the way from x to `wanted` that stays within the bounds, and the unknown that ends it."""
    way = wanted - x
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(way > 0, (high - x) / way, np.where(way < 0, (low - x) / way, np.inf))
    room[~free] = np.inf
    if not len(room):
        return 1.0, -1
    hit = int(np.argmin(room))
    return max(0.0, float(room[hit])), hit
