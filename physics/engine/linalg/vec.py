"""Vectors of three and 3x3 matrices (row-major, nine numbers) as tuples of local scalars."""
from __future__ import annotations

from math import sqrt

from physics.enums import MINVAL
from physics.kernels.decorators import helper


@helper
def add3(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@helper
def sub3(a, b):
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@helper
def scl3(a, s):
    """s a."""
    return a[0] * s, a[1] * s, a[2] * s


@helper
def addscl3(a, b, s):
    """a + s b."""
    return a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s


@helper
def dot3(a, b):
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@helper
def cross3(a, b):
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@helper
def norm3(a):
    """|a|."""
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@helper
def unit3(a):
    """a / |a|, and (1, 0, 0) where a is shorter than MINVAL."""
    n = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    if n < MINVAL:
        return 1.0, 0.0, 0.0
    s = 1.0 / n
    return a[0] * s, a[1] * s, a[2] * s


@helper
def mat_vec3(r, v):
    """R v."""
    return (r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
            r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
            r[6] * v[0] + r[7] * v[1] + r[8] * v[2])


@helper
def mat_t_vec3(r, v):
    """R' v."""
    return (r[0] * v[0] + r[3] * v[1] + r[6] * v[2],
            r[1] * v[0] + r[4] * v[1] + r[7] * v[2],
            r[2] * v[0] + r[5] * v[1] + r[8] * v[2])


@helper
def mat_mat3(a, b):
    """A B."""
    return (a[0] * b[0] + a[1] * b[3] + a[2] * b[6], a[0] * b[1] + a[1] * b[4] + a[2] * b[7], a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
            a[3] * b[0] + a[4] * b[3] + a[5] * b[6], a[3] * b[1] + a[4] * b[4] + a[5] * b[7], a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
            a[6] * b[0] + a[7] * b[3] + a[8] * b[6], a[6] * b[1] + a[7] * b[4] + a[8] * b[7], a[6] * b[2] + a[7] * b[5] + a[8] * b[8])


@helper
def mat_t_mat3(a, b):
    """A' B."""
    return mat_mat3((a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]), b)


@helper
def skew3(v):
    """The matrix of v x."""
    return 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0


@helper
def outer3(a, b):
    """a b'."""
    return a[0] * b[0], a[0] * b[1], a[0] * b[2], a[1] * b[0], a[1] * b[1], a[1] * b[2], a[2] * b[0], a[2] * b[1], a[2] * b[2]


@helper
def diag3(v):
    """The diagonal matrix of v."""
    return v[0], 0.0, 0.0, 0.0, v[1], 0.0, 0.0, 0.0, v[2]


@helper
def addscl9(a, b, s):
    """A + s B."""
    return (a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s, a[3] + b[3] * s, a[4] + b[4] * s,
            a[5] + b[5] * s, a[6] + b[6] * s, a[7] + b[7] * s, a[8] + b[8] * s)


@helper
def scl9(a, s):
    """s A."""
    return a[0] * s, a[1] * s, a[2] * s, a[3] * s, a[4] * s, a[5] * s, a[6] * s, a[7] * s, a[8] * s


@helper
def columns3(a, v):
    """A with its columns scaled by v."""
    return a[0] * v[0], a[1] * v[1], a[2] * v[2], a[3] * v[0], a[4] * v[1], a[5] * v[2], a[6] * v[0], a[7] * v[1], a[8] * v[2]


@helper
def mat_mat_t3(a, b):
    """A B'."""
    return mat_mat3(a, (b[0], b[3], b[6], b[1], b[4], b[7], b[2], b[5], b[8]))
