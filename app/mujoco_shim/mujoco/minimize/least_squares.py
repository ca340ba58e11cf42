"""mujoco.minimize: nonlinear least squares within box bounds, by the Gauss-Newton method with a Levenberg-Marquardt regulariser.

    minimise  norm(r(x))  for  lower <= x <= upper,     step:  min 1/2 dx' (H + mu 1) dx + g' dx  within the box (projected Newton method),
    g = J' dnorm/dr,  H = J' d2norm/dr2 J,  J = dr/dx

Sources: Levenberg 1944, Marquardt 1963 (regulariser); Bertsekas 1982, Tassa, Mansard, Todorov 2014 (Newton steps with bounds).
"""
from __future__ import annotations

import abc
import enum
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TextIO

import numpy as np

from .checks import check_jacobian, check_norm, jacobian_fd
from .box_newton import box_newton

__all__ = ("IterLog", "Norm", "Quadratic", "Status", "Verbosity", "check_jacobian", "check_norm", "jacobian_fd", "least_squares")
_GOOD, _FAIR = 0.5, 0.1     # of the expected reduction: from here the regulariser is made smaller; below it is made larger
_TRIED = 1e-12              # of the expected reduction that a step must bring to be taken


class Verbosity(enum.Enum):
    """How much is printed."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the search ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_TEXTS = MappingProxyType({
    Status.FACTORIZATION_FAILED: "factorization failed.", Status.NO_IMPROVEMENT: "insufficient reduction.", Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.", Status.G_TOL: "norm(gradient) < tol.",
})


@dataclass(frozen=True)
class IterLog:
    """One iteration: the candidate it began at, its objective, by how much the objective fell, the regulariser; with Verbosity.FULLITER residual, Jacobian, gradient and step."""

    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


class Norm(abc.ABC):
    """How large a residual is."""

    @abc.abstractmethod
    def value(self, r: np.ndarray) -> np.float64:
        """The norm of r (nr, 1)."""

    @abc.abstractmethod
    def grad_hess(self, r: np.ndarray, proj: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient and Hessian of the norm at r, seen by x: proj' g (nx, 1) and proj' H proj (nx, nx), for proj (nr, nx)."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r: np.ndarray) -> np.float64:
        """1/2 r' r."""
        return 0.5 * np.vdot(r, r)

    def grad_hess(self, r: np.ndarray, proj: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """proj' r and proj' proj."""
        return proj.T @ r, proj.T @ proj


_QUADRATIC = Quadratic()


def least_squares(x0: np.ndarray, residual: Callable[[np.ndarray], np.ndarray], bounds: Sequence[np.ndarray] | None = None,
                  jacobian: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None, norm: Norm = _QUADRATIC, eps: float = np.finfo(np.float64).eps ** 0.5,
                  mu_min: float = 1e-6, mu_max: float = 1e8, mu_factor: float = 10.0 ** 0.1, xtol: float = 1e-8, gtol: float = 1e-8, max_iter: int = 100,
                  verbose: Verbosity | int = Verbosity.ITER, output: TextIO | None = None, iter_callback: Callable[[list[IterLog]], None] | None = None,
                  check_derivatives: bool = False, x_scale: float | np.ndarray | str | None = None) -> tuple[np.ndarray, list[IterLog]]:
    """The x that minimises norm(residual(x)), and what was found on the way: (x, trace).

    x0: (n). residual: (n, k) -> (nr, k), k points at once. bounds: lower, upper (n). jacobian: x, r -> (nr, n); else differences of `residual` by eps.
    mu_min, mu_max, mu_factor: of the regulariser. xtol, gtol: the search ends at steps and gradients (of what bounds leave free) shorter than that.
    output: where is printed (sys.stdout). iter_callback: called with the trace before each iteration. check_derivatives: Jacobian and norm against differences at x0.
    x_scale: D of the variables z = x / D that are searched in, positive (n) or one; 'jac': 1 / length of each column of the Jacobian, anew at each iteration.
    Raises ValueError for bounds or scales that do not fit, and for derivatives that are wrong.
    """
    search = _Search(x0, residual, bounds, jacobian, norm, float(eps), (mu_min, mu_max, mu_factor), x_scale)
    told = _Told(Verbosity(verbose), output or sys.stdout)
    trace: list[IterLog] = []
    status = Status.MAX_ITER
    for i in range(max_iter + 1):
        if iter_callback is not None and i:
            iter_callback(trace)
        if i == max_iter:
            break
        search.differentiate()
        if i == 0 and check_derivatives:
            search.check(told.file if told.level is not Verbosity.SILENT else None)
        length = search.free_gradient()
        if length < gtol:
            status = Status.G_TOL
            told.exact = length == 0
            break
        log = search.log(told.full)
        found = search.step()
        if found is None:
            status = Status.FACTORIZATION_FAILED if search.unfactored else Status.NO_IMPROVEMENT
            break
        done = IterLog(**log, reduction=np.float64(found.reduction), regularizer=np.float64(found.mu), step=found.dx if told.full else None)
        trace.append(done)
        told.iteration(i, done, length, found)
        if np.linalg.norm(found.dx) < xtol:
            status = Status.DX_TOL
            break
    trace.append(IterLog(**search.log(told.full), reduction=np.float64(0.0), regularizer=np.float64(search.mu)))
    told.end(status, trace, search)
    return search.x[:, 0].copy() if np.ndim(x0) == 1 else search.x.copy().reshape(np.shape(x0)), trace


@dataclass(frozen=True)
class _Step:
    """A step that was taken: dx (n, 1), by how much the objective fell, that over what was expected, the regulariser, how often was tried."""

    dx: np.ndarray
    reduction: float
    ratio: float
    mu: float
    tries: int


class _Search:
    """A point x (n, 1), residual r (nr, 1) and objective y there, and how to go on from it."""

    def __init__(self, x0, residual, bounds, jacobian, norm, eps, mus, x_scale):
        self.x = np.array(x0, np.float64).reshape(-1, 1)
        self.bounds = _bounds(bounds, len(self.x))
        if self.bounds is not None:
            self.x = np.clip(self.x, *self.bounds)
        self.residual, self.jacobian, self.norm, self.eps = residual, jacobian, norm, eps
        self.mu_min, self.mu_max, self.factor = mus
        self.mu, self.falls, self.n_res, self.unfactored = 0.0, 0, 1, False
        self.scale, self.scaled_by_jacobian = _scale(x_scale, len(self.x)), isinstance(x_scale, str)
        self.r = _column(residual(self.x))
        self.y = float(norm.value(self.r))
        self.jac = self.grad = self.hess = None

    def differentiate(self) -> None:
        """Jacobian, gradient and Hessian at x."""
        if self.jacobian is None:
            self.jac, self.n_res = jacobian_fd(self.residual, self.x, self.r, self.eps, self.n_res, self.bounds)
        else:
            self.jac = np.asarray(self.jacobian(self.x, self.r), np.float64).reshape(len(self.r), len(self.x))
        self.grad, self.hess = self.norm.grad_hess(self.r, self.jac)
        if self.scaled_by_jacobian:
            lengths = np.linalg.norm(self.jac, axis=0)[:, None]
            self.scale = 1.0 / np.where(lengths > 0, lengths, 1.0)

    def check(self, output: TextIO | None) -> None:
        """Raise ValueError where the user's Jacobian or norm do not agree with differences."""
        if self.jacobian is not None:
            self.n_res = check_jacobian(self.residual, self.x, self.r, self.jac, self.eps, self.n_res, self.bounds, output)
        if not isinstance(self.norm, Quadratic):
            check_norm(self.r, self.norm, self.eps, output)

    def free_gradient(self) -> float:
        """Length of the gradient without what pushes against bounds."""
        if self.bounds is None:
            return float(np.linalg.norm(self.grad))
        lower, upper = self.bounds
        held = (self.x <= lower) & (self.grad > 0) | (self.x >= upper) & (self.grad < 0)
        return float(np.linalg.norm(self.grad[~held]))

    def step(self) -> _Step | None:
        """Go on to a better point, with as large a regulariser as that takes. None where there is none."""
        scale, tries = self.scale, 0
        grad, hess = scale * self.grad, scale * self.hess * scale.T
        room = None if self.bounds is None else tuple((bound - self.x) / scale for bound in self.bounds)
        while True:
            tries += 1
            dz = box_newton(hess + self.mu * np.eye(len(grad)), grad, room)
            self.unfactored = dz is None
            if dz is not None:
                new = self._moved(dz, room)
                r = _column(self.residual(new))
                self.n_res += 1
                y = float(self.norm.value(r)) if np.isfinite(r).all() else np.inf
                expected = -float((grad.T @ dz + 0.5 * dz.T @ hess @ dz).item())
                reduction = self.y - y
                ratio = reduction / expected if expected > 0 else -1.0
                if np.isfinite(y) and reduction > 0 and ratio > _TRIED:
                    break
            self.falls = 0
            if self.mu >= self.mu_max:
                return None
            self._raise_mu()
        found = _Step(new - self.x, reduction, ratio, self.mu, tries)
        self.x, self.r, self.y = new, r, y
        self.jac = self.grad = self.hess = None
        if ratio > _GOOD:
            self.falls += 1
            self.mu /= self.factor ** (2 * self.falls)     # quicker with each good step, and then gone: Gauss-Newton steps at the end
            self.mu = self.mu if self.mu >= self.mu_min else 0.0
        elif ratio < _FAIR:
            self.falls = 0
            self._raise_mu()
        return found

    def _raise_mu(self) -> None:
        self.mu = min(self.mu_max, max(self.mu_min, self.mu * self.factor))

    def _moved(self, dz: np.ndarray, room) -> np.ndarray:
        """The point after a step; on a bound to the bit where the step ends there."""
        new = self.x + self.scale * dz
        if room is None:
            return new
        lower, upper = self.bounds
        return np.clip(np.where(dz <= room[0], lower, np.where(dz >= room[1], upper, new)), lower, upper)

    def log(self, full: bool) -> dict:
        """What an IterLog says of the present point."""
        more = {"residual": self.r.copy(), "jacobian": _copy(self.jac), "grad": _copy(self.grad)} if full else {}
        return {"candidate": self.x[:, 0].copy(), "objective": np.float64(self.y), **more}


class _Told:
    """What is printed, and where."""

    def __init__(self, level: Verbosity, file: TextIO):
        self.level, self.file, self.exact = level, file, False
        self.full = level is Verbosity.FULLITER

    def iteration(self, i: int, log: IterLog, length: float, found: _Step) -> None:
        """A line for an iteration."""
        if self.level.value >= Verbosity.ITER.value:
            height = np.log10(found.mu) if found.mu else -np.inf
            print(f"iter: {i:<3d}  y: {log.objective:<10.4g}  log10mu: {height:>4.1f}  ratio: {found.ratio:<8.3g}  dx: {np.linalg.norm(found.dx):<8.2g}  "
                  f"reduction: {found.reduction:<8.2g}  gradient: {length:<8.2g}", file=self.file)

    def end(self, status: Status, trace: list[IterLog], search: _Search) -> None:
        """Why the search ended, and what it took."""
        if self.level is Verbosity.SILENT:
            return
        exact = " exact minimum found." if self.exact else ""
        print(f"Terminated after {len(trace) - 1} iterations: {_TEXTS[status]}{exact} y: {trace[-1].objective:<.4g}, residual evaluations: {search.n_res}", file=self.file)


def _copy(array: np.ndarray | None) -> np.ndarray | None:
    return None if array is None else array.copy()


def _column(r) -> np.ndarray:
    return np.asarray(r, np.float64).reshape(-1, 1)


def _bounds(bounds, n: int) -> tuple[np.ndarray, np.ndarray] | None:
    """lower, upper as columns. Raises ValueError."""
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds: needs two arrays, lower and upper")
    lower, upper = (np.asarray(bound, np.float64).reshape(-1, 1) for bound in bounds)
    if lower.size != n or upper.size != n:
        raise ValueError(f"bounds: need {n} numbers each, got {lower.size} and {upper.size}")
    if np.isnan(lower).any() or np.isnan(upper).any() or (lower >= upper).any():
        raise ValueError("bounds: each lower one must be below the upper one")
    return lower, upper


def _scale(x_scale, n: int) -> np.ndarray:
    """D as a column. Raises ValueError."""
    if isinstance(x_scale, str):
        if x_scale != "jac":
            raise ValueError(f"x_scale: 'jac', a positive number or {n} of them, not {x_scale!r}")
        return np.ones((n, 1))
    scale = np.asarray(1.0 if x_scale is None else x_scale, np.float64)
    if scale.ndim and scale.shape != (n,):
        raise ValueError(f"x_scale: needs {n} numbers, got shape {scale.shape}")
    if not np.isfinite(scale).all() or (scale <= 0).any():
        raise ValueError("x_scale: numbers must be positive and finite")
    return np.broadcast_to(scale, (n,)).reshape(n, 1).copy()
