"""Rays against height fields: a box below, two triangles per cell on top, and the four walls between them.

     ____/\\_       the surface: cells between neighbouring heights, each cut from its lower left to its upper right corner
    |       |      walls: below the line between two heights of the border
    |_______|      the box below height 0

Only cells along the ray's way through the box around the surface are looked at.

Source: MuJoCo documentation, XML reference, asset/hfield; chapter Computation, "Collision", height fields.
"""
from __future__ import annotations

from math import ceil, floor

from physics.engine.ray.box import face_normal, nearest_of, six_faces
from physics.engine.ray.quadric import MISS
from physics.engine.ray.triangle import across, meet_triangle, normal_of
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import st3


@helper(fastmath=EXACT)
def height(m, h, r, c):
    """Height of a height field at row r and column c."""
    return m.hfield_data[m.hfield_adr[h] + r * m.hfield_ncol[h] + c] * m.hfield_size[h, 2]


@helper(fastmath=EXACT)
def knot(m, h, r, c):
    """Point of a height field at row r and column c."""
    x = 2.0 * m.hfield_size[h, 0] / (m.hfield_ncol[h] - 1) * c - m.hfield_size[h, 0]
    y = 2.0 * m.hfield_size[h, 1] / (m.hfield_nrow[h] - 1) * r - m.hfield_size[h, 1]
    return x, y, height(m, h, r, c)


@helper(fastmath=EXACT)
def cells(a, b, half, count):
    """(first, last + 1) cell that a way from a to b along an axis may touch, one more on either side."""
    scale = 0.5 * (count - 1) / half
    low = (min(a, b) + half) * scale
    high = (max(a, b) + half) * scale
    return max(0, int(floor(low)) - 1), min(count - 1, int(ceil(high)) + 1)


@kernel("m d i f f f f f f f f f", ret="f", fastmath=EXACT)
def meet_surface(m, d, h, px, py, pz, vx, vy, vz, near, far, best):
    """The least of `best` and where the ray, within [near, far], meets a triangle of height field h; its normal goes to ray_local."""
    p = (px, py, pz)
    v = (vx, vy, vz)
    u, w = across(v)
    c0, c1 = cells(px + near * vx, px + far * vx, m.hfield_size[h, 0], m.hfield_ncol[h])
    r0, r1 = cells(py + near * vy, py + far * vy, m.hfield_size[h, 1], m.hfield_nrow[h])
    for r in range(r0, r1):
        for c in range(c0, c1):
            here = knot(m, h, r, c)
            over = knot(m, h, r + 1, c + 1)
            for k in range(2):
                if k == 0:
                    one = knot(m, h, r, c + 1)
                    two = over
                else:
                    one = over
                    two = knot(m, h, r + 1, c)
                x = meet_triangle(here, one, two, p, v, u, w)
                if x >= 0.0 and (x < best or best < 0.0):
                    best = x
                    st3(d.ray_local, 0, normal_of(here, one, two))
    return best


@helper(fastmath=EXACT)
def under_border(m, h, k, p, v, x):
    """Whether the point at x of the ray, on wall k (-x, x, -y, y), lies below the surface's border."""
    if k < 2:
        half = m.hfield_size[h, 1]
        count = m.hfield_nrow[h]
        along = p[1] + x * v[1]
    else:
        half = m.hfield_size[h, 0]
        count = m.hfield_ncol[h]
        along = p[0] + x * v[0]
    t = (along + half) * (0.5 * (count - 1) / half)
    i = int(max(0.0, min(count - 2.0, floor(t))))
    if k == 0:
        z0, z1 = height(m, h, i, 0), height(m, h, i + 1, 0)
    elif k == 1:
        z0, z1 = height(m, h, i, m.hfield_ncol[h] - 1), height(m, h, i + 1, m.hfield_ncol[h] - 1)
    elif k == 2:
        z0, z1 = height(m, h, 0, i), height(m, h, 0, i + 1)
    else:
        z0, z1 = height(m, h, m.hfield_nrow[h] - 1, i), height(m, h, m.hfield_nrow[h] - 1, i + 1)
    return p[2] + x * v[2] < z0 * (i + 1 - t) + z1 * (t - i)


@kernel("m d i f f f f f f", ret="f", fastmath=EXACT)
def meet_hfield(m, d, g, px, py, pz, vx, vy, vz):
    """x at which a ray, in the frame of height field geom g, first meets it; its unit normal goes to ray_local."""
    h = m.geom_dataid[g]
    p = (px, py, pz)
    v = (vx, vy, vz)
    top = 0.5 * m.hfield_size[h, 2]
    base = 0.5 * m.hfield_size[h, 3]
    best, k = nearest_of(six_faces((m.hfield_size[h, 0], m.hfield_size[h, 1], base), (px, py, pz + base), v))
    st3(d.ray_local, 0, face_normal(k))
    walls = six_faces((m.hfield_size[h, 0], m.hfield_size[h, 1], top), (px, py, pz - top), v)
    far, k = nearest_of(walls)
    if far < 0.0:
        return best
    # a way through the box has two ends, a way out of it one
    first = far
    near = 0.0
    for j in range(6):
        if walls[j] > far:
            near = first
            far = walls[j]
    best = meet_surface(m, d, h, px, py, pz, vx, vy, vz, near, far, best)
    for j in range(4):
        x = walls[j]
        if x >= 0.0 and (x < best or best < 0.0) and under_border(m, h, j, p, v, x):
            best = x
            st3(d.ray_local, 0, face_normal(j))
    return max(best, MISS)
