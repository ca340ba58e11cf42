"""Small vectors, quaternions (w, x, y, z) and frames as plain tuples: quicker than arrays for single elements.

The thresholds and the order of operations are those of the official compiler, so that constants agree to rounding.
Source: MuJoCo documentation, Computation chapter (conventions); Diebel, "Representing Attitude" (2006).
"""
from __future__ import annotations

import math

EPS = 1e-14  # below this squared length a vector has no direction
SAME = 1e-6  # frames closer than this count as one
LEAVE = 4e-15  # products of inertia up to this part of the largest moment are rounding, as the official compiler has it
LEVEL = 1e-12  # moments nearer together than this part of the largest are not put in order
UNIT = (1.0, 0.0, 0.0, 0.0)
ZERO3 = (0.0, 0.0, 0.0)
HALF = 0.707106781186548  # half a square root of two, as the sorting turns use it


def unit(v) -> tuple[tuple, float]:
    """The vector at unit length, and its length; unchanged where it is 0 or already 1 to rounding."""
    if len(v) == 3:
        x, y, z = v
        n = x * x + y * y + z * z
    else:
        n = sum([x * x for x in v])
    if n < EPS:
        return tuple(v), 0.0
    n = math.sqrt(n)
    return (tuple(v) if abs(n - 1.0) <= EPS else tuple([x / n for x in v])), n


def multiply(a, b) -> tuple:
    """Hamilton's product as it comes, of any lengths: the turn b followed by a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def mul(a, b) -> tuple:
    """The same at unit length."""
    return UNIT if a == UNIT == b else unit(multiply(a, b))[0]


def conj(q) -> tuple:
    """The inverse turn."""
    return q[0], -q[1], -q[2], -q[3]


def matrix(q) -> tuple:
    """Rotation matrix, nine numbers by rows."""
    w, x, y, z = q
    if x == 0.0 and y == 0.0 and z == 0.0 and w == 1.0:
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    return (
        ww + xx - yy - zz, 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), ww - xx + yy - zz, 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), ww - xx - yy + zz,
    )


def apply(m, v) -> tuple:
    """Matrix times vector."""
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


def product(a, b) -> tuple:
    """Matrix product."""
    return tuple(
        a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j] for i in range(3) for j in range(3)
    )


def transpose(m) -> tuple:
    """Transposed matrix."""
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]


def rotate(q, v) -> tuple:
    """Vector turned by a unit quaternion."""
    if q[1] == 0.0 and q[2] == 0.0 and q[3] == 0.0 and q[0] == 1.0:
        return tuple(v)
    return apply(matrix(q), v)


def compose(pos, quat, childpos, childquat) -> tuple[tuple, tuple]:
    """A child's frame, given in its parent's, in the frame the parent's is given in."""
    x, y, z = apply(matrix(quat), childpos)
    return (pos[0] + x, pos[1] + y, pos[2] + z), mul(quat, childquat)


def invert(pos, quat) -> tuple[tuple, tuple]:
    """The inverse frame."""
    back = conj(quat)
    x, y, z = apply(matrix(back), pos)
    return (-x, -y, -z), back


def from_z(v) -> tuple:
    """The smallest turn that takes z to a direction of unit length."""
    axis, s = unit((-v[1], v[0], 0.0))
    if s < 1e-10:
        axis = (1.0, 0.0, 0.0)
    angle = math.atan2(s, v[2])
    c, s = math.cos(angle / 2), math.sin(angle / 2)
    return c, axis[0] * s, axis[1] * s, axis[2] * s


def null_pos(p) -> bool:
    """Whether a position is the origin, to the tolerance of frames."""
    if p is ZERO3:
        return True
    x, y, z = p
    return abs(x) < SAME and abs(y) < SAME and abs(z) < SAME


def same_pos(a, b) -> bool:
    """Whether two positions coincide."""
    return all([abs(x - y) < SAME for x, y in zip(a, b)])


def same_quat(a, b) -> bool:
    """Whether two unit quaternions are one turn."""
    return same_pos(a, b) or all([abs(x + y) < SAME for x, y in zip(a, b)])


def null_quat(q) -> bool:
    """Whether a unit quaternion is no turn."""
    return q is UNIT or same_quat(q, UNIT)


def frame_relation(pos, quat, body=None) -> int:
    """A SameFrame: how a frame in a body lies against the body's frame and, when given, its inertial frame."""
    if null_quat(quat):
        return 1 if null_pos(pos) else 3
    if body is not None and same_quat(quat, body.iquat):
        return 2 if same_pos(pos, body.ipos) else 4
    return 0


def principal(full, leave: float = LEAVE, level: float = LEVEL) -> tuple[tuple, tuple]:
    """Quaternion of the principal axes and moments in falling order of a symmetric matrix (xx, yy, zz, xy, xz, yz).

    leave, level: off-diagonal entries, and differences of moments, up to this part of the largest given entry are left as they are.

    Cyclic Jacobi turns are accumulated as a quaternion; each exchange of two moments is a quarter turn about the third
    axis, so that signs and order of the axes are those of the official compiler. Source: Golub and Van Loan, 8.5.
    """
    xx, yy, zz, xy, xz, yz = full
    mat = (xx, xy, xz, xy, yy, yz, xz, yz, zz)
    quat = UNIT
    largest = max(map(abs, full))
    for _ in range(500):
        axes = matrix(quat)
        d = product(product(transpose(axes), mat), axes)
        size = abs(d[1]), abs(d[2]), abs(d[5])
        if size[0] > size[1] and size[0] > size[2]:
            row, col, axis = 0, 1, 2
        elif size[1] > size[2]:
            row, col, axis = 0, 2, 1
        else:
            row, col, axis = 1, 2, 0
        if abs(d[3 * row + col]) <= leave * largest:
            break
        turn = _jacobi_turn(d[4 * row], d[4 * col], d[3 * row + col], axis)
        quat = mul(quat, turn)
    return _sorted([d[0], d[4], d[8]], quat, level * largest)


def _jacobi_turn(p: float, q: float, off: float, axis: int) -> tuple:
    """The turn that clears an off-diagonal entry."""
    tau = (q - p) / (2 * off)
    t = 1.0 / (tau + math.sqrt(1 + tau * tau)) if tau >= 0 else -1.0 / (-tau + math.sqrt(1 + tau * tau))
    half = t / (1 + math.sqrt(1 + t * t))  # tangent of half the angle, without cancellation
    c = 1.0 / math.sqrt(1 + half * half)
    turn = [c, 0.0, 0.0, 0.0]
    turn[axis + 1] = half * c if axis == 1 else -half * c
    return tuple(turn)


def _sorted(moments: list[float], quat, level: float) -> tuple[tuple, tuple]:
    for first in (0, 1, 0):
        if moments[first] + level < moments[first + 1]:
            moments[first], moments[first + 1] = moments[first + 1], moments[first]
            turn = [HALF, 0.0, 0.0, 0.0]
            turn[(first + 2) % 3 + 1] = HALF
            quat = mul(quat, turn)
    return quat, tuple(moments)
