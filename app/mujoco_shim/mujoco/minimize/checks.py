"""Derivatives of residuals and norms by finite differences, and whether those that a user gives agree with them."""
from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

import numpy as np

_AGREED, _SYMMETRIC = 1e-4, 1e-6      # of the largest number


def jacobian_fd(residual: Callable[[np.ndarray], np.ndarray], x: np.ndarray, r: np.ndarray, eps: float, n_res: int, bounds=None) -> tuple[np.ndarray, int]:
    """(J (nr, n), n_res + n): one-sided differences of `residual` at x (n, 1), where it is r (nr, 1), all points in one call.

    With bounds each step goes to the side with more room, and not further than the bound; the step that the points really have is what is divided by.
    """
    n = x.size
    here = np.asarray(x, np.float64).reshape(n, 1)
    step = np.maximum(float(eps), np.spacing(np.abs(here)))
    moved = here + step
    if bounds is not None:
        lower, upper = (np.asarray(bound, np.float64).reshape(n, 1) for bound in bounds)
        up = upper - here >= here - lower
        moved = np.where(up, np.minimum(here + step, upper), np.maximum(here - step, lower))
    points = np.repeat(here, n, axis=1)
    np.fill_diagonal(points, moved[:, 0])
    found = np.asarray(residual(points), np.float64).reshape(-1, n)
    return (found - np.asarray(r, np.float64).reshape(-1, 1)) / (moved - here).T, n_res + n


def check_jacobian(residual: Callable[[np.ndarray], np.ndarray], x: np.ndarray, r: np.ndarray, jac: np.ndarray, eps: float, n_res: int, bounds=None,
                   output: TextIO | None = None, name: str = "Jacobian") -> int:
    """n_res, with the evaluations that this took. Raises ValueError where a user's Jacobian (nr, n) does not agree with differences, or one of both has what is no number."""
    _finite(jac, f"User-provided {name}")
    found, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    _finite(found, f"Finite-difference {name}")
    _agree(np.asarray(jac, np.float64), found, name, output)
    return n_res


def check_norm(r: np.ndarray, norm, eps: float, output: TextIO | None = None) -> None:
    """Raise ValueError where a norm's gradient or Hessian at r (nr, 1) does not agree with differences, or the Hessian is not symmetric and positive definite."""
    one = np.eye(r.size)

    def value(points: np.ndarray) -> np.ndarray:
        return np.array([[float(norm.value(point[:, None])) for point in points.T]])

    def slope(points: np.ndarray) -> np.ndarray:
        return np.concatenate([np.reshape(norm.grad_hess(point[:, None], one)[0], (-1, 1)) for point in points.T], axis=1)

    grad, hess = norm.grad_hess(r, one)
    grad, hess = np.asarray(grad, np.float64).reshape(1, -1), np.asarray(hess, np.float64)
    check_jacobian(value, r, value(r), grad, eps, 0, None, output, "norm gradient")
    _finite(hess, "User-provided norm Hessian")
    if np.abs(hess - hess.T).max() > _SYMMETRIC * max(1.0, np.abs(hess).max()):
        raise ValueError("User-provided norm Hessian is not symmetric")
    if np.linalg.eigvalsh(hess).min() < -_SYMMETRIC * max(1.0, np.abs(hess).max()):
        raise ValueError("User-provided norm Hessian is not positive definite")
    check_jacobian(slope, r, slope(r), hess, eps, 0, None, output, "norm Hessian")


def _finite(array, what: str) -> None:
    if not np.isfinite(array).all():
        raise ValueError(f"{what} must contain only finite numbers")


def _agree(given: np.ndarray, found: np.ndarray, name: str, output: TextIO | None) -> None:
    worst = float(np.abs(given - found).max(initial=0.0))
    if worst > _AGREED * max(1.0, float(np.abs(found).max(initial=0.0))):
        raise ValueError(f"User-provided {name} does not match finite differences: they differ by up to {worst:.2g}")
    if output is not None:
        print(f"User-provided {name} matches finite differences", file=output)
