"""Four doubles at a time, for the few hot inner loops. Under the interpreter these run on small arrays; lower_primitives.py gives
each its machine code (LLVM splits it where registers hold two). Sums, differences and products are written with + - *, so helpers that
take numbers take fours too.

Write the tail of a 4-wide loop as an if-chain: a tail loop is vectorised again and is slower than none.
"""
from __future__ import annotations

import numpy as np

from physics.kernels.guard import GuardArray


def vld(p, k):
    """p[k:k+4]."""
    return np.array([p[k], p[k + 1], p[k + 2], p[k + 3]])


def vst(p, k, v):
    """p[k:k+4] = v."""
    for i in range(4):
        p[k + i] = v[i]


def vbc(x):
    """x in all four places."""
    return np.full(4, x)


def vset(a, b, c, e):
    """Four numbers as one."""
    return np.array([a, b, c, e])


def vturn(a, b, c, e):
    """The four columns of the matrix whose rows are a, b, c, e."""
    return tuple(np.array([a, b, c, e]).T)


def vfma(a, b, c):
    """a b + c."""
    return a * b + c


def vmul(a, b):
    """a b."""
    return a * b


def vle(a, b):
    """Which of the four places have a <= b, as the bits of a number; no bit where either is no number."""
    return sum(1 << k for k in range(4) if a[k] <= b[k])


def vsum(a):
    """Sum of the four, as (a0 + a2) + (a1 + a3)."""
    return float((a[0] + a[2]) + (a[1] + a[3]))


def stack(n):
    """n doubles on the stack (n a literal), not initialised, gone when the kernel returns."""
    return np.full(n, np.nan).view(GuardArray)
