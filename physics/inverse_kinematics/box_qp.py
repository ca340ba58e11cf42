"""Box-constrained least squares at the rate of a control loop: the kernel of physics/engine/linalg/box_qp.py on arrays that are kept.

    min over x   |J x - r|^2 + sum_i damping_i (x_i - rest_i)^2     subject to   lo <= x <= hi

box_least_squares.py solves the same by NumPy, with a guess of the active set, for the poses of IKSolver.
"""
from __future__ import annotations

import numpy as np

from physics.engine.linalg.box_qp import box_qp
from physics.model.kernel_buffers import KernelBuffers

STEPS = 60      # Newton steps at most; five to ten are usual


class BoxQP:
    """Problems of n variables, one after the other: fill `hessian` (n, n), `gradient`, `lo`, `hi` (n), then `solve`. One thread at a time.

    more: arrays that other kernels are lent beside (physics/fields/buffer_fields.py); buffers: all of them, for those kernels."""

    def __init__(self, n: int, **more: np.ndarray):
        self.n = n
        self.hessian, self.gradient = np.zeros((n, n)), np.zeros(n)
        self.lo, self.hi, self.x = np.zeros(n), np.zeros(n), np.zeros(n)
        room = {f"qp_{name}": np.zeros(n) for name in ("push", "step", "way")}
        self.buffers = KernelBuffers(qp_hessian=self.hessian.reshape(-1), qp_gradient=self.gradient, qp_lo=self.lo, qp_hi=self.hi, qp_x=self.x,
                                      qp_factor=np.zeros(n * n), qp_free=np.zeros(n, np.int32), **room, **more)
        self.steps = 0

    def solve(self) -> np.ndarray:
        """The minimum (n), valid until the next call; it begins at the last one. steps: how many Newton steps it took. Raises ValueError where the matrix is not positive definite
        or a lower bound is above the upper one."""
        if not (self.lo <= self.hi).all():
            raise ValueError("a lower bound is above its upper bound")
        self.steps = box_qp.briefly(self.buffers, self.n, STEPS) if self.n else 0
        if self.steps < 0 or not np.isfinite(self.x).all():
            self.x[:] = 0.0
            raise ValueError("the matrix is not positive definite")
        return self.x

    def least_squares(self, jacobian: np.ndarray, residual: np.ndarray, damping: np.ndarray, rest: np.ndarray | None = None) -> np.ndarray:
        """jacobian J (m, n), residual r (m), damping (n) > 0, rest (n), None: 0; within lo..hi as they are."""
        np.matmul(jacobian.T, jacobian, out=self.hessian)
        np.matmul(residual, jacobian, out=self.gradient)
        self.hessian.flat[::self.n + 1] += damping
        if rest is not None:
            self.gradient += damping * rest
        return self.solve()
