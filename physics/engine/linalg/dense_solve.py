"""Direct solution of a small dense system that need not be symmetric.

Source: Golub and Van Loan, "Matrix Computations", 4th edition, 3.4 (Gaussian elimination with partial pivoting).
"""
from __future__ import annotations

from physics.enums import MINVAL
from physics.kernels.decorators import helper


@helper
def solve_dense(a, b, n):
    """b: (n,) becomes A^-1 b; a: (n n,) by rows is overwritten. Returns whether A could be inverted."""
    for k in range(n):
        # largest entry of the column comes to the diagonal
        p = k
        for i in range(k + 1, n):
            if abs(a[i * n + k]) > abs(a[p * n + k]):
                p = i
        if not (abs(a[p * n + k]) >= MINVAL):
            return False
        if p != k:
            for c in range(k, n):
                t = a[k * n + c]
                a[k * n + c] = a[p * n + c]
                a[p * n + c] = t
            t = b[k]
            b[k] = b[p]
            b[p] = t
        # eliminate column k below the diagonal
        inv = 1.0 / a[k * n + k]
        for i in range(k + 1, n):
            f = a[i * n + k] * inv
            for c in range(k + 1, n):
                a[i * n + c] -= f * a[k * n + c]
            b[i] -= f * b[k]
    # back substitution
    for k in range(n - 1, -1, -1):
        s = b[k]
        for c in range(k + 1, n):
            s -= a[k * n + c] * b[c]
        b[k] = s / a[k * n + k]
    return True
