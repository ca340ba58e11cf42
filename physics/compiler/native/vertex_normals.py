"""Normals of vertices as means of the triangles around: what physics/compiler/mesh/mesh_normals.py sums in rounds, triangle by triangle."""
from __future__ import annotations

import math

import numpy as np

from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, st3
from physics.rotation.quaternion import EPS

SHORT = float(np.float32(MINVAL))  # a sum below this has no direction
SHARP = 0.8  # cosine of the angle from which on an edge stays sharp


@helper(fastmath=EXACT)
def _single(x):
    """A number rounded to single precision."""
    return float(np.float32(x))


@helper(fastmath=EXACT)
def _unit(x, y, z):
    """A vector at unit length and its length; one too short stays as it is, with length 0."""
    square = x * x + y * y + z * z
    length = math.sqrt(square)
    by = 1.0 if (square < EPS) | (abs(length - 1.0) <= EPS) else length
    return x / by, y / by, z / by, 0.0 if square < EPS else length


@helper(fastmath=EXACT)
def _add(sums, at, x, y, z):
    """Add to a sum in single precision, rounded every time."""
    sums[at, 0] = sums[at, 0] + x
    sums[at, 1] = sums[at, 1] + y
    sums[at, 2] = sums[at, 2] + z


@helper(fastmath=EXACT)
def _add_triangle(a, k, points):
    """Write a triangle's unit normal and length, and add it to its corners."""
    face, at, sums, normals = a.tri_face, a.tri_point, a.shade_sum, a.tri_normal
    one, two, three = ld3(face, k)
    px, py, pz = at[one], at[points + one], at[2 * points + one]
    ax, ay, az = at[two] - px, at[points + two] - py, at[2 * points + two] - pz
    bx, by, bz = at[three] - px, at[points + three] - py, at[2 * points + three] - pz
    x, y, z, length = _unit(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    normals[k, 0] = x
    normals[k, 1] = y
    normals[k, 2] = z
    normals[k, 3] = length
    x, y, z = x * length, y * length, z * length
    _add(sums, one, x, y, z)
    _add(sums, two, x, y, z)
    _add(sums, three, x, y, z)


@helper(fastmath=EXACT)
def _take_leaning(a, k):
    """Note what a triangle gave to the corners from whose mean it leans far."""
    face, means, leaning, normals = a.tri_face, a.shade_mean, a.shade_less, a.tri_normal
    x, y, z, length = normals[k, 0], normals[k, 1], normals[k, 2], normals[k, 3]
    for corner in range(3):
        at = face[k, corner]
        if x * means[at, 0] + y * means[at, 1] + z * means[at, 2] < SHARP:
            _add(leaning, at, x * length, y * length, z * length)
        else:
            _add(leaning, at, 0.0, 0.0, 0.0)   # not idle: a minus zero turns into zero, as in the twin


@helper(fastmath=EXACT)
def _finish(sums, at):
    """Bring a sum to unit length in single precision; one without direction points along z."""
    x, y, z = ld3(sums, at)
    square = _single(_single(x * x) + _single(y * y)) + _single(z * z)
    length = _single(math.sqrt(_single(square)))
    if length > SHORT:
        st3(sums, at, (x / length, y / length, z / length))
    else:
        st3(sums, at, (0.0, 0.0, 1.0))


@kernel("a i i i", fastmath=EXACT)
def vertex_normals(a, count, points, smooth):
    """Unit normals of `points` vertices into shade_sum, from `count` triangles.

    Unless smooth, triangles that lean far from the mean of a vertex do not count there. tri_normal, shade_mean and shade_less: room to work in.
    """
    sums, means, leaning = a.shade_sum, a.shade_mean, a.shade_less
    for at in range(points):
        st3(sums, at, (0.0, 0.0, 0.0))
    for k in range(count):
        _add_triangle(a, k, points)
    if not smooth:
        for at in range(points):
            x, y, z = ld3(sums, at)
            x, y, z, _length = _unit(x, y, z)
            st3(means, at, (x, y, z))
            st3(leaning, at, (0.0, 0.0, 0.0))
        for k in range(count):
            _take_leaning(a, k)
        for at in range(points):
            _add(sums, at, -leaning[at, 0], -leaning[at, 1], -leaning[at, 2])
    for at in range(points):
        _finish(sums, at)
