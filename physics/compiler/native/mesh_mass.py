"""Where a mesh's mass lies, and its points and normals in the principal axes: what mesh_inertia.py and mesh_process.py do with whole arrays.

Triangles are measured a block at a time, so that the divisions go through vector registers; sums run in the order of the triangles, as the
last bit of theirs can turn the axes of a symmetric mesh.
"""
from __future__ import annotations

import math

import numpy as np

from physics.compiler.native.principal import principal
from physics.engine.linalg.quat_exact import to_mat_exact
from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, st3
from physics.kernels.simd import stack

BLOCK = 64          # triangles measured at a time; the room for them is 23 times as long
SHELL, LEGACY, SOLID = 0, 1, 2   # where the mass is: in the triangles, in pyramids that all count above 0, in pyramids
ROUGH = 1e-7        # products and differences of moments up to this part of the largest are left: measured on the official compiler
SHORT = float(np.float32(MINVAL))  # a normal below this has no direction
NORMAL, AREA, CENTRE, TERM = 9 * BLOCK, 12 * BLOCK, 13 * BLOCK, 16 * BLOCK   # places in the room of a block; corners come first


@helper(fastmath=EXACT)
def _measure(a, face, first, n, points, place, room):
    """Corners of n triangles from `first` on as seen from a place, their unit normals, areas and centres; tiny triangles have no area."""
    at = a.tri_point
    x, y, z = place
    for k in range(n):
        one, two, three = ld3(face, first + k)
        room[k], room[BLOCK + k], room[2 * BLOCK + k] = at[one] - x, at[points + one] - y, at[2 * points + one] - z
        room[3 * BLOCK + k], room[4 * BLOCK + k], room[5 * BLOCK + k] = at[two] - x, at[points + two] - y, at[2 * points + two] - z
        room[6 * BLOCK + k], room[7 * BLOCK + k], room[8 * BLOCK + k] = at[three] - x, at[points + three] - y, at[2 * points + three] - z
    for k in range(n):
        px, py, pz = room[k], room[BLOCK + k], room[2 * BLOCK + k]
        qx, qy, qz = room[3 * BLOCK + k], room[4 * BLOCK + k], room[5 * BLOCK + k]
        rx, ry, rz = room[6 * BLOCK + k], room[7 * BLOCK + k], room[8 * BLOCK + k]
        ux, uy, uz, vx, vy, vz = qx - px, qy - py, qz - pz, rx - px, ry - py, rz - pz
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        small = length < MINVAL
        by = 1.0 if small else length
        room[NORMAL + k], room[NORMAL + BLOCK + k], room[NORMAL + 2 * BLOCK + k] = nx / by, ny / by, nz / by
        room[AREA + k] = 0.0 if small else 0.5 * length
        room[CENTRE + k], room[CENTRE + BLOCK + k], room[CENTRE + 2 * BLOCK + k] = (px + qx + rx) / 3.0, (py + qy + ry) / 3.0, (pz + qz + rz) / 3.0


@helper(fastmath=EXACT)
def _size(room, k, place, kind):
    """What a triangle counts for: its area, or the volume of the pyramid from a place to it."""
    x, y, z = place
    area = room[AREA + k]
    cx, cy, cz = room[CENTRE + k] - x, room[CENTRE + BLOCK + k] - y, room[CENTRE + 2 * BLOCK + k] - z
    volume = (cx * room[NORMAL + k] + cy * room[NORMAL + BLOCK + k] + cz * room[NORMAL + 2 * BLOCK + k]) * area / 3.0
    return area if kind == SHELL else abs(volume) if kind == LEGACY else volume


@helper(fastmath=EXACT)
def _surface(a, count, points, room):
    """Surface, and the centre of the triangles weighted by area."""
    s, x, y, z = -0.0, -0.0, -0.0, -0.0   # a sum that starts with minus zero is its first term
    for first in range(0, count, BLOCK):
        n = min(BLOCK, count - first)
        _measure(a, a.tri_face, first, n, points, (0.0, 0.0, 0.0), room)
        for k in range(n):
            area = room[AREA + k]
            s += area
            x += area * room[CENTRE + k]
            y += area * room[CENTRE + BLOCK + k]
            z += area * room[CENTRE + 2 * BLOCK + k]
    return s, x / s, y / s, z / s


@helper(fastmath=EXACT)
def _volume(a, face, count, points, middle, kind, room):
    """Volume (surface of a shell) and centre of mass."""
    mx, my, mz = middle
    s, x, y, z, fx, fy, fz = -0.0, -0.0, -0.0, -0.0, mx / 4.0, my / 4.0, mz / 4.0
    for first in range(0, count, BLOCK):
        n = min(BLOCK, count - first)
        _measure(a, face, first, n, points, (0.0, 0.0, 0.0), room)
        for k in range(n):
            room[TERM + k] = _size(room, k, middle, kind)
        for k in range(n):
            size = room[TERM + k]
            s += size
            x += size * (room[CENTRE + k] * 3.0 / 4.0 + fx)
            y += size * (room[CENTRE + BLOCK + k] * 3.0 / 4.0 + fy)
            z += size * (room[CENTRE + 2 * BLOCK + k] * 3.0 / 4.0 + fz)
    return s, x / s, y / s, z / s


@helper(fastmath=EXACT)
def _product(room, k, part, i, j):
    """A triangle's part of a second moment along axes i and j."""
    d, e, f = room[i * BLOCK + k], room[(3 + i) * BLOCK + k], room[(6 + i) * BLOCK + k]
    dd, ee, ff = room[j * BLOCK + k], room[(3 + j) * BLOCK + k], room[(6 + j) * BLOCK + k]
    return part * (2.0 * (d * dd + e * ee + f * ff) + d * ee + dd * e + d * ff + dd * f + e * ff + ee * f)


@helper(fastmath=EXACT)
def _moments(a, face, count, points, centre, kind, room):
    """Volume (surface of a shell) and moments (xx, yy, zz, xy, xz, yz) about the centre at unit density."""
    s, xx, yy, zz, xy, xz, yz = -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0
    for first in range(0, count, BLOCK):
        n = min(BLOCK, count - first)
        _measure(a, face, first, n, points, centre, room)
        for k in range(n):
            size = _size(room, k, (0.0, 0.0, 0.0), kind)
            part = size / (12.0 if kind == SHELL else 20.0)
            room[TERM + k] = size
            room[TERM + BLOCK + k] = _product(room, k, part, 0, 0)
            room[TERM + 2 * BLOCK + k] = _product(room, k, part, 1, 1)
            room[TERM + 3 * BLOCK + k] = _product(room, k, part, 2, 2)
            room[TERM + 4 * BLOCK + k] = _product(room, k, part, 0, 1)
            room[TERM + 5 * BLOCK + k] = _product(room, k, part, 0, 2)
            room[TERM + 6 * BLOCK + k] = _product(room, k, part, 1, 2)
        for k in range(n):
            s += room[TERM + k]
            xx += room[TERM + BLOCK + k]
            yy += room[TERM + 2 * BLOCK + k]
            zz += room[TERM + 3 * BLOCK + k]
            xy += room[TERM + 4 * BLOCK + k]
            xz += room[TERM + 5 * BLOCK + k]
            yz += room[TERM + 6 * BLOCK + k]
    return s, (yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)


@helper(fastmath=EXACT)
def _half(square, volume):
    """Half a side of the box with the same moments."""
    return 0.5 * math.sqrt(6.0 * square / volume)


@helper(fastmath=EXACT)
def _weigh(a, face, count, surface, points, kind):
    """Write the frame: centre of mass, volume, axes, box. Whether the mesh has surface, volume and moments of a body."""
    room, frame = stack(23 * 64), a.mesh_frame
    whole, mx, my, mz = _surface(a, surface, points, room)
    if not whole >= MINVAL:
        return False
    whole, x, y, z = _volume(a, face, count, points, (mx, my, mz), kind, room)
    if whole < MINVAL and kind != SHELL:
        return False
    volume, full = _moments(a, face, count, points, (x, y, z), kind, room)
    qw, qx, qy, qz, p, q, r = principal(full, ROUGH, ROUGH)
    if not abs(x) + abs(y) + abs(z) + abs(volume) + abs(p) < math.inf:
        return False
    if r <= 0.0 or q + r < p * (1.0 - 1e-6) - 1e-9:
        return False
    frame[0], frame[1], frame[2], frame[3] = x, y, z, volume
    frame[4], frame[5], frame[6], frame[7] = qw, qx, qy, qz
    frame[8], frame[9], frame[10] = _half(q + r - p, volume), _half(p + r - q, volume), _half(p + q - r, volume)
    return True


@helper(fastmath=EXACT)
def _single(x):
    """A number rounded to single precision."""
    return float(np.float32(x))


@helper(fastmath=EXACT)
def _apply(m, x, y, z):
    """Matrix times vector."""
    return m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z


@helper(fastmath=EXACT)
def _scaled(x, y, z, scale):
    """A normal of scaled triangles, in single precision at unit length; one without direction points along z."""
    x, y, z = _single(x / scale[0]), _single(y / scale[1]), _single(z / scale[2])
    square = _single(_single(_single(x * x) + _single(y * y)) + _single(z * z))
    if not square > SHORT:
        return 0.0, 0.0, 1.0
    by = _single(1.0 / _single(math.sqrt(square)))
    return _single(x * by), _single(y * by), _single(z * by)


@helper(fastmath=EXACT)
def _place(a, points, m):
    """Write the points as seen in the frame of the mesh, and their box."""
    at, corner, vert, frame = a.tri_point, a.tri_corner, a.mesh_point, a.mesh_frame
    px, py, pz = frame[0], frame[1], frame[2]
    lx, ly, lz, hx, hy, hz = math.inf, math.inf, math.inf, -math.inf, -math.inf, -math.inf
    for k in range(points):
        x, y, z = _apply(m, at[k] - px, at[points + k] - py, at[2 * points + k] - pz)
        corner[k], corner[points + k], corner[2 * points + k] = x, y, z
        st3(vert, k, (x, y, z))
        lx, ly, lz = x if x < lx else lx, y if y < ly else ly, z if z < lz else lz
        hx, hy, hz = x if x > hx else hx, y if y > hy else hy, z if z > hz else hz
    frame[11], frame[12], frame[13] = lx + 0.0, ly + 0.0, lz + 0.0
    frame[14], frame[15], frame[16] = hx + 0.0, hy + 0.0, hz + 0.0


@helper(fastmath=EXACT)
def _turn_normals(a, normals, turned, m):
    """Write the unit normals as seen in the frame of the mesh."""
    plan, source, out = a.mesh_plan, a.mesh_shade, a.mesh_turned
    scale = plan[9], plan[10], plan[11]
    first = plan[0], plan[1], plan[2], plan[3], plan[4], plan[5], plan[6], plan[7], plan[8]
    for k in range(normals):
        x, y, z = ld3(source, k)
        if turned:
            x, y, z = _apply(first, x, y, z)
            x, y, z = _single(x), _single(y), _single(z)
        x, y, z = _scaled(x, y, z, scale)
        st3(out, k, _apply(m, x, y, z))


@kernel("a i i i i i i", ret="i", fastmath=EXACT)
def centre_mesh(a, triangles, hulls, points, normals, kind, turned):
    """Weigh a mesh and move it into its frame: 1, or 0 where it has no surface, volume or moments of a body.

    tri_face: its triangles; tri_hull: those of the hull if it is to be weighed instead (hulls > 0); tri_point: points after refpos, refquat and
    scale; mesh_shade: normals before these. mesh_plan: matrix of the turn back by refquat (used where turned), scale.
    Writes mesh_frame (pos 3, volume, quat 4, half sizes of the box with the same moments 3, least and greatest corner 6), tri_corner and mesh_point
    (the points in double and single precision) and mesh_turned.
    """
    if hulls:
        sound = _weigh(a, a.tri_hull, hulls, triangles, points, kind)
    else:
        sound = _weigh(a, a.tri_face, triangles, triangles, points, kind)
    if not sound:
        return 0
    frame = a.mesh_frame
    m = to_mat_exact((frame[4], -frame[5], -frame[6], -frame[7]))
    _place(a, points, m)
    _turn_normals(a, normals, turned, m)
    return 1
