"""3-vector arithmetic for contact routines, rounded step by step like the reference engine.

Contact routines branch on comparisons (which face separates more, which corner is nearer). Whether two nearly equal
numbers compare equal depends on their last bit, so these helpers and the contact kernels are compiled without fused
multiply-add, unlike the rest of the engine, and sum from left to right.
"""
from __future__ import annotations

from math import sqrt

from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper


@helper(fastmath=EXACT)
def add3(a, b):
    """a + b"""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@helper(fastmath=EXACT)
def sub3(a, b):
    """a - b"""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@helper(fastmath=EXACT)
def scl3(a, s):
    """a s"""
    return a[0] * s, a[1] * s, a[2] * s


@helper(fastmath=EXACT)
def addscl3(a, b, s):
    """a + b s"""
    return a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s


@helper(fastmath=EXACT)
def dot3(a, b):
    """a . b"""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@helper(fastmath=EXACT)
def cross3(a, b):
    """a x b"""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@helper(fastmath=EXACT)
def unit3(a):
    """(x, y, z, length): a divided by its length, or the x-axis when it has none"""
    n = sqrt(dot3(a, a))
    if n < MINVAL:
        return 1.0, 0.0, 0.0, n
    s = 1.0 / n
    return a[0] * s, a[1] * s, a[2] * s, n


@helper(fastmath=EXACT)
def to_world(R, v):
    """R v, R a row-major 9-tuple"""
    return (R[0] * v[0] + R[1] * v[1] + R[2] * v[2],
            R[3] * v[0] + R[4] * v[1] + R[5] * v[2],
            R[6] * v[0] + R[7] * v[1] + R[8] * v[2])


@helper(fastmath=EXACT)
def to_local(R, v):
    """R' v"""
    return (R[0] * v[0] + R[3] * v[1] + R[6] * v[2],
            R[1] * v[0] + R[4] * v[1] + R[7] * v[2],
            R[2] * v[0] + R[5] * v[1] + R[8] * v[2])


@helper(fastmath=EXACT)
def z_axis(R):
    """third column of R"""
    return R[2], R[5], R[8]


@helper(fastmath=EXACT)
def clip(x, lo, hi):
    """x limited to [lo, hi]"""
    if x < lo:
        return lo
    if x > hi:
        return hi
    return x
