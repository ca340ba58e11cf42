"""The quadratic problem of one Gauss-Newton step, with bounds: projected Newton method (Bertsekas 1982; Tassa, Mansard, Todorov 2014)."""
from __future__ import annotations

import numpy as np

_ROUNDS, _HALVINGS = 100, 40
_SMALL = 1e-12      # of the gradient's first length: solved
_ARMIJO = 0.1       # of the reduction that the slope promises


def box_newton(hess: np.ndarray, grad: np.ndarray, room: tuple[np.ndarray, np.ndarray] | None) -> np.ndarray | None:
    """The dx (n, 1) that minimises 1/2 dx' hess dx + grad' dx within room = (lower, upper); None where hess has no Cholesky factor.

    Components at a bound that the gradient pushes against are held there; a Newton step of the others is cut by the box and shortened until the objective falls.
    """
    if not (np.isfinite(hess).all() and np.isfinite(grad).all()):
        return None
    if room is None:
        return _solved(hess, -grad)
    lower, upper = room
    x = np.clip(np.zeros_like(grad), lower, upper)
    held_before, small = None, _SMALL * max(np.linalg.norm(grad), np.finfo(float).tiny)
    for _ in range(_ROUNDS):
        slope = hess @ x + grad
        held = ((x <= lower) & (slope > 0) | (x >= upper) & (slope < 0))[:, 0]
        free = ~held
        if not free.any() or np.linalg.norm(slope[free]) <= small and held_before is not None:
            return x
        newton = _solved(hess[np.ix_(free, free)], -slope[free])
        if newton is None:
            return None
        direction = np.zeros_like(x)
        direction[free] = newton
        moved = _shortened(hess, grad, x, direction, slope, lower, upper)
        if moved is None or np.array_equal(moved, x):
            return x
        x, held_before = moved, held
    return x


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """matrix^-1 right for a positive definite matrix, else None."""
    try:
        factor = np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return None
    return np.linalg.solve(factor.T, np.linalg.solve(factor, right))


def _shortened(hess, grad, x, direction, slope, lower, upper) -> np.ndarray | None:
    """The first of x + t direction (t = 1, 1/2, ...), cut by the box, at which the objective has fallen enough; None where none has."""
    def value(at: np.ndarray) -> float:
        return float((0.5 * at.T @ hess @ at + grad.T @ at).item())

    before, t = value(x), 1.0
    for _ in range(_HALVINGS):
        moved = np.clip(x + t * direction, lower, upper)
        promised = float((slope.T @ (moved - x)).item())
        if promised < 0 and value(moved) - before <= _ARMIJO * promised:
            return moved
        t *= 0.5
    return None
