"""Principal axes of an inertia: the turns of physics/rotation/quaternion.py: principal, in compiled code."""
from __future__ import annotations

import math

from physics.engine.linalg.quat_exact import mul_unit, to_mat_exact
from physics.kernels.decorators import EXACT, helper
from physics.rotation.quaternion import HALF


@helper(fastmath=EXACT)
def _turned(full, quat):
    """A symmetric matrix (xx, yy, zz, xy, xz, yz) in turned axes: the diagonal, then xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = full
    a, b, c, d, e, f, g, h, i = to_mat_exact(quat)
    # rows of the transposed axes times the matrix, in the order of the products in quaternion.py
    p, q, r = a * xx + d * xy + g * xz, a * xy + d * yy + g * yz, a * xz + d * yz + g * zz
    s, t, u = b * xx + e * xy + h * xz, b * xy + e * yy + h * yz, b * xz + e * yz + h * zz
    v, w, x = c * xx + f * xy + i * xz, c * xy + f * yy + i * yz, c * xz + f * yz + i * zz
    return p * a + q * d + r * g, s * b + t * e + u * h, v * c + w * f + x * i, p * b + q * e + r * h, p * c + q * f + r * i, s * c + t * f + u * i


@helper(fastmath=EXACT)
def _clearing(p, q, off, axis):
    """The turn about an axis that clears an off-diagonal entry."""
    tau = (q - p) / (2.0 * off)
    t = 1.0 / (tau + math.sqrt(1.0 + tau * tau)) if tau >= 0.0 else -1.0 / (-tau + math.sqrt(1.0 + tau * tau))
    half = t / (1.0 + math.sqrt(1.0 + t * t))
    c = 1.0 / math.sqrt(1.0 + half * half)
    s = half * c
    return c, -s if axis == 0 else 0.0, s if axis == 1 else 0.0, -s if axis == 2 else 0.0


@helper(fastmath=EXACT)
def principal(full, leave, level):
    """Quaternion of the principal axes and moments in falling order of (xx, yy, zz, xy, xz, yz): seven numbers. See rotation.principal."""
    quat, largest = (1.0, 0.0, 0.0, 0.0), abs(full[0])
    for k in range(1, 6):
        largest = abs(full[k]) if abs(full[k]) > largest else largest
    d0, d1, d2 = 0.0, 0.0, 0.0
    for _turn in range(500):
        d0, d1, d2, xy, xz, yz = _turned(full, quat)
        if (abs(xy) > abs(xz)) & (abs(xy) > abs(yz)):
            p, q, off, axis = d0, d1, xy, 2
        elif abs(xz) > abs(yz):
            p, q, off, axis = d0, d2, xz, 1
        else:
            p, q, off, axis = d1, d2, yz, 0
        if abs(off) <= leave * largest:
            break
        quat = mul_unit(quat, _clearing(p, q, off, axis))
    level *= largest
    for first in (0, 1, 0):
        if first == 0 and d0 + level < d1:
            d0, d1 = d1, d0
            quat = mul_unit(quat, (HALF, 0.0, 0.0, HALF))
        elif first == 1 and d1 + level < d2:
            d1, d2 = d2, d1
            quat = mul_unit(quat, (HALF, HALF, 0.0, 0.0))
    return quat[0], quat[1], quat[2], quat[3], d0, d1, d2
