"""Quaternions (w, x, y, z) in the official compiler's order of operations, no operation left out or fused: for kernels whose results must be those of
physics/rotation/quaternion.py to the bit. quat.py has the same operations in the order that is quickest in a step.
"""
from __future__ import annotations

import math

from physics.kernels.decorators import EXACT, helper

EPS = 1e-14   # that of physics/rotation/quaternion.py


@helper(fastmath=EXACT)
def to_mat_exact(q):
    """Rotation matrix of a unit quaternion, nine numbers by rows; the unit matrix exactly for no turn."""
    w, x, y, z = q
    if (x == 0.0) & (y == 0.0) & (z == 0.0) & (w == 1.0):
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    return (
        ww + xx - yy - zz, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), ww - xx + yy - zz, 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), ww - xx - yy + zz,
    )


@helper(fastmath=EXACT)
def mul_unit(a, b):
    """Hamilton's product at unit length; as it comes where its squared length is below EPS or its length 1 to EPS."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    w = aw * bw - ax * bx - ay * by - az * bz
    x = aw * bx + ax * bw + ay * bz - az * by
    y = aw * by - ax * bz + ay * bw + az * bx
    z = aw * bz + ax * by - ay * bx + az * bw
    square = w * w + x * x + y * y + z * z
    length = math.sqrt(square)
    size = 1.0 if (square < EPS) | (abs(length - 1.0) <= EPS) else length
    return w / size, x / size, y / size, z / size
