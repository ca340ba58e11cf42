"""The vertices of GJK's simplex: rows of ccd_vert that ccd_simplex names, with barycentric coordinates in ccd_barycentric."""
from __future__ import annotations

from physics.kernels.decorators import EXACT, helper


@helper(fastmath=EXACT)
def minkowski_vertex(d, k):
    """Point of the Minkowski difference in row k of ccd_vert."""
    return d.ccd_vert[k, 0], d.ccd_vert[k, 1], d.ccd_vert[k, 2]


@helper(fastmath=EXACT)
def interpolate_rows(d, n, column):
    """Point of the simplex by its barycentric coordinates, from a column of ccd_vert on: 0 the difference, 3 shape 0, 6 shape 1."""
    x = (0.0, 0.0, 0.0)
    for i in range(n):
        k = d.ccd_simplex[i]
        t = d.ccd_barycentric[i]
        x = (x[0] + t * d.ccd_vert[k, column], x[1] + t * d.ccd_vert[k, column + 1], x[2] + t * d.ccd_vert[k, column + 2])
    return x


@helper
def simplex_size(d):
    """number of vertices of the simplex"""
    n = 0
    for i in range(4):
        if d.ccd_simplex[i] >= 0:
            n += 1
    return n
