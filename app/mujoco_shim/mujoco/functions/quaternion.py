"""mju_* and mjd_*: quaternions (w, x, y, z), rotations and poses. Each returns what goes out (calls.py).

Source: MuJoCo documentation, API reference, "Quaternions"; Sola, "Quaternion kinematics for the error-state Kalman filter", 2017.
"""
from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np

from ..errors import FatalError

MINVAL = 1e-15


def mul(a, b):
    """Hamilton's product."""
    aw, ax, ay, az = a.tolist()
    bw, bx, by, bz = b.tolist()
    return np.array((aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw))


def conjugate(q):
    """The inverse rotation of a unit quaternion."""
    return q * (1.0, -1.0, -1.0, -1.0)


def matrix(q):
    """The rotation matrix, by rows, of a unit quaternion."""
    w, x, y, z = q.tolist()
    return np.array((w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z))


def rotate(vec, q):
    """The vector turned by a unit quaternion: v + 2 w (u x v) + 2 u x (u x v)."""
    w, x, y, z = q.tolist()
    if x == 0.0 and y == 0.0 and z == 0.0:
        return vec
    a, b, c = vec.tolist()
    tx, ty, tz = w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a
    return np.array((a + 2 * (y * tz - z * ty), b + 2 * (z * tx - x * tz), c + 2 * (x * ty - y * tx)))


def axis_angle(axis, angle):
    """The rotation about a unit axis."""
    if angle == 0.0:
        return np.array((1.0, 0.0, 0.0, 0.0))
    return np.concatenate([[math.cos(angle / 2)], axis * math.sin(angle / 2)])


def velocity(q, dt):
    """The angular velocity that turns as q in the time dt, the short way round."""
    axis = q[1:]
    length = float(np.linalg.norm(axis))
    angle = 2 * math.atan2(length, float(q[0]))
    if angle > math.pi:
        angle -= 2 * math.pi
    unit = axis / length if length >= MINVAL else np.array((1.0, 0.0, 0.0))
    return unit * angle / dt


def difference(qa, qb):
    """The rotation vector, in the axes of qb, that turns qb into qa."""
    return velocity(mul(conjugate(qb), qa), 1.0)


def integrate(q, vel, scale):
    """q after turning with a velocity in its own axes."""
    length = float(np.linalg.norm(vel))
    axis = vel / length if length >= MINVAL else np.array((1.0, 0.0, 0.0))
    flat = q.reshape(-1)
    unit = flat / size if (size := float(np.linalg.norm(flat))) >= MINVAL else np.array((1.0, 0.0, 0.0, 0.0))
    return mul(unit, axis_angle(axis, length * scale)).reshape(q.shape)


def from_matrix(mat):
    """The unit quaternion of a rotation matrix: the largest component is found first. Source: Shepperd, Journal of Guidance and Control 1 (1978)."""
    m = mat.reshape(3, 3)
    if m[0, 0] + m[1, 1] + m[2, 2] > 0:
        w = 0.5 * math.sqrt(1 + m[0, 0] + m[1, 1] + m[2, 2])
        q = np.array((w, 0.25 * (m[2, 1] - m[1, 2]) / w, 0.25 * (m[0, 2] - m[2, 0]) / w, 0.25 * (m[1, 0] - m[0, 1]) / w))
    else:
        i = 0 if m[0, 0] > m[1, 1] and m[0, 0] > m[2, 2] else 1 if m[1, 1] > m[2, 2] else 2
        j, k = (i + 1) % 3, (i + 2) % 3
        s = 0.5 * math.sqrt(1 + m[i, i] - m[j, j] - m[k, k])
        q = np.zeros(4)
        q[0], q[1 + i], q[1 + j], q[1 + k] = 0.25 * (m[k, j] - m[j, k]) / s, s, 0.25 * (m[i, j] + m[j, i]) / s, 0.25 * (m[i, k] + m[k, i]) / s
    return q / np.linalg.norm(q)


def from_z_axis(vec):
    """The shortest rotation that turns the z axis along a vector."""
    length = float(np.linalg.norm(vec))
    if length < MINVAL:
        return np.array((1.0, 0.0, 0.0, 0.0))
    unit = vec / length
    axis = np.array((-unit[1], unit[0], 0.0))
    sine = float(np.linalg.norm(axis))
    if sine < 1e-10:
        return np.array((1.0, 0.0, 0.0, 0.0)) if unit[2] > 0 else np.array((0.0, 1.0, 0.0, 0.0))
    return axis_angle(axis / sine, math.atan2(sine, float(unit[2])))


def euler(angles, seq):
    """The rotation of three angles about the axes of seq: small letters turn with the body, capitals are fixed. Raises FatalError for another seq."""
    if len(seq) != 3:
        raise FatalError("mju_euler2Quat: seq must contain exactly 3 characters")
    q = np.array((1.0, 0.0, 0.0, 0.0))
    for i, (angle, letter) in enumerate(zip(angles.tolist(), seq)):
        if letter.lower() not in "xyz":
            raise FatalError(f"mju_euler2Quat: seq[{i}] is '{letter}', should be one of x, y, z, X, Y, Z")
        axis = np.zeros(3)
        axis["xyz".index(letter.lower())] = 1.0
        turn = axis_angle(axis, angle)
        q = mul(q, turn) if letter.islower() else mul(turn, q)
    return q


def rate(q, vel):
    """The time derivative of a quaternion that turns with a velocity in world axes: (0, vel) q / 2."""
    return mul(np.concatenate([[0.0], vel]), q) / 2


# ------------------------------------------------ poses

def mul_pose(pos1, quat1, pos2, quat2):
    """The second pose given in the first."""
    q = mul(quat1, quat2)
    return pos1 + rotate(pos2, quat1), q / np.linalg.norm(q)


def neg_pose(pos, quat):
    """The inverse pose."""
    back = conjugate(quat)
    return -rotate(pos, back), back


def transform_spatial(vec, flg_force, newpos, oldpos, rotnew2old):
    """A twist or wrench (rotation first) about another point, in other axes (an empty rotation: the same)."""
    lever, first, second = newpos - oldpos, vec[:3], vec[3:]
    if flg_force:
        first = first - np.cross(lever, second)
    else:
        second = second - np.cross(lever, first)
    turn = rotnew2old.reshape(3, 3).T
    return np.concatenate([turn @ first, turn @ second])


# ------------------------------------------------ derivatives

def _skew(v):
    return np.array(((0.0, -v[2], v[1]), (v[2], 0.0, -v[0]), (-v[1], v[0], 0.0)))


def difference_jacobians(qa, qb):
    """Derivatives of `difference` by rotations of qa and of qb in their own axes: the inverse right and left Jacobians of SO(3), the latter negative. Source: Sola (2017), 4.1."""
    axis = difference(qa, qb)
    half = 0.5 * float(np.linalg.norm(axis))
    coefficient = (1.0 - (half / math.tan(half) if half > 6e-8 else 1.0)) / (4 * half * half) if half > 6e-8 else 1.0 / 12.0
    square = coefficient * _skew(axis) @ _skew(axis)
    by_a = np.eye(3) + 0.5 * _skew(axis) + square
    return by_a.reshape(-1), -by_a.T.reshape(-1)


def integration_jacobians(vel, scale):
    """Derivatives of `integrate` by the quaternion (in its axes), the scaled velocity, and the scale. Source: Sola (2017), 4.1: the right Jacobian of SO(3)."""
    turn = vel * scale
    angle = float(np.linalg.norm(turn))
    cross = _skew(turn)
    if angle > 1e-7:
        right = np.eye(3) - (1 - math.cos(angle)) / angle**2 * cross + (angle - math.sin(angle)) / angle**3 * cross @ cross
        back = np.eye(3) - math.sin(angle) / angle * cross + (1 - math.cos(angle)) / angle**2 * cross @ cross
    else:
        right, back = np.eye(3) - cross / 2, np.eye(3) - cross
    return back.reshape(-1), right.reshape(-1), right @ vel


def eigen3(mat):
    """Eigenvalues (falling), eigenvectors as columns, and the rotation that they are, of a symmetric matrix; how many rounds it took."""
    values, vectors = np.linalg.eigh(mat.reshape(3, 3))
    values, vectors = values[::-1], vectors[:, ::-1].copy()
    if np.linalg.det(vectors) < 0:
        vectors[:, 2] *= -1
    return 1, values, vectors.reshape(-1), from_matrix(vectors)


def mul_axis(quat, axis):
    """quat times the quaternion (0, axis)."""
    return mul(quat, np.concatenate([[0.0], axis]))


def transform(pos, quat, vec):
    """A point given in a pose, in the world."""
    return pos + rotate(vec, quat)


TABLE = MappingProxyType({
    "mju_mulQuat": mul, "mju_negQuat": conjugate, "mju_quat2Mat": matrix, "mju_rotVecQuat": rotate, "mju_axisAngle2Quat": axis_angle, "mju_quat2Vel": velocity,
    "mju_subQuat": difference, "mju_quatIntegrate": integrate, "mju_mat2Quat": from_matrix, "mju_quatZ2Vec": from_z_axis, "mju_euler2Quat": euler, "mju_derivQuat": rate,
    "mju_mulQuatAxis": mul_axis, "mju_mulPose": mul_pose, "mju_negPose": neg_pose,
    "mju_trnVecPose": transform, "mju_transformSpatial": transform_spatial, "mjd_subQuat": difference_jacobians,
    "mjd_quatIntegrate": integration_jacobians, "mju_eig3": eigen3,
})
