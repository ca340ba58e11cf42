"""Rays against boxes, in the box's frame.

Source: C. Ericson, "Real-Time Collision Detection", section 5.3.3 (slabs).
"""
from __future__ import annotations

from physics.engine.collide.vectors import dot3
from physics.engine.ray.quadric import MISS, meets_ball
from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper

FAR = 1e300


@helper(fastmath=EXACT)
def face_at(p, v, r, i, j, k, up):
    """Where the ray crosses the face up * r[i] of the axis i, within the ranges of the axes j and k; MISS where it does not."""
    if abs(v[i]) <= MINVAL:
        return MISS
    x = (up * r[i] - p[i]) / v[i]
    if x < 0.0 or abs(p[j] + x * v[j]) > r[j] or abs(p[k] + x * v[k]) > r[k]:
        return MISS
    return x


@helper(fastmath=EXACT)
def six_faces(r, p, v):
    """Where the ray crosses each face of a box with half sides r: -x, x, -y, y, -z, z."""
    if not meets_ball(dot3(r, r), p, v):
        return MISS, MISS, MISS, MISS, MISS, MISS
    return (face_at(p, v, r, 0, 1, 2, -1.0), face_at(p, v, r, 0, 1, 2, 1.0),
            face_at(p, v, r, 1, 0, 2, -1.0), face_at(p, v, r, 1, 0, 2, 1.0),
            face_at(p, v, r, 2, 0, 1, -1.0), face_at(p, v, r, 2, 0, 1, 1.0))


@helper(fastmath=EXACT)
def nearest_of(x):
    """(least of six numbers that is not negative, its place), (MISS, -1) where all are."""
    best = MISS
    which = -1
    for k in range(6):
        if x[k] >= 0.0 and (x[k] < best or best < 0.0):
            best = x[k]
            which = k
    return best, which


@helper(fastmath=EXACT)
def face_normal(k):
    """Outer normal of face k of a box, in the order of six_faces."""
    up = 1.0
    if k % 2 == 0:
        up = -1.0
    if k < 2:
        return up, 0.0, 0.0
    if k < 4:
        return 0.0, up, 0.0
    return 0.0, 0.0, up


@helper(fastmath=EXACT)
def meet_box(r, p, v):
    """(x, normal) of a box with half sides r, from outside or inside."""
    x, k = nearest_of(six_faces(r, p, v))
    return x, face_normal(k)


@helper(fastmath=EXACT)
def slab(low, high, p, v, near, far):
    """The part of [near, far] in which p + x v lies between low and high; empty (1, 0) where it never does."""
    if v == 0.0:
        if p < low or p > high:
            return 1.0, 0.0
        return near, far
    a = (low - p) / v
    b = (high - p) / v
    return max(near, min(a, b)), min(far, max(a, b))


@helper(fastmath=EXACT)
def passes(c, h, p, v, best):
    """Whether the ray enters the box of centre c and half sides h, before best where that is not negative."""
    far = FAR
    if best >= 0.0:
        far = best
    near = 0.0
    near, far = slab(c[0] - h[0], c[0] + h[0], p[0], v[0], near, far)
    near, far = slab(c[1] - h[1], c[1] + h[1], p[1], v[1], near, far)
    near, far = slab(c[2] - h[2], c[2] + h[2], p[2], v[2], near, far)
    return near <= far
