"""Our quaternions by pyrr's functions: what the order of components, the product and the matrices mean, beside the official functions."""
import mujoco
import numpy as np
import pytest
from pyrr import matrix44, quaternion

from render.scene import rotation
from render.scene.camera import View, projection_matrix, view_matrix

RNG = np.random.default_rng(3)
QUATS = RNG.normal(size=(50, 4))
QUATS /= np.linalg.norm(QUATS, axis=1, keepdims=True)
VECTORS = RNG.normal(size=(50, 3))


def official(function, size, *arguments):
    out = np.zeros(size)
    function(out, *arguments)
    return out


def test_products_vectors_and_matrices_are_the_official_ones():
    for k, (q, v) in enumerate(zip(QUATS, VECTORS)):
        p = QUATS[k - 1]
        mat = official(mujoco.mju_quat2Mat, 9, q)
        np.testing.assert_allclose(rotation.multiply(p, q), official(mujoco.mju_mulQuat, 4, p, q), atol=1e-14)
        np.testing.assert_allclose(rotation.rotate(q, v), official(mujoco.mju_rotVecQuat, 3, v, q), atol=1e-14)
        np.testing.assert_allclose(rotation.conjugate(q), official(mujoco.mju_negQuat, 4, q), atol=0)
        np.testing.assert_allclose(rotation.matrix(q).ravel(), mat, atol=1e-14)
        np.testing.assert_allclose(rotation.from_matrix(mat), q if q[0] >= 0 else -q, atol=1e-12)
        axis = v / np.linalg.norm(v)
        np.testing.assert_allclose(rotation.from_axis_angle(axis, 0.3 + k), official(mujoco.mju_axisAngle2Quat, 4, axis, 0.3 + k), atol=1e-14)
        assert rotation.angle_of(rotation.from_axis_angle(axis, 3.0)) == pytest.approx(3.0)


@pytest.mark.parametrize("mat", [np.eye(3), np.diag([1, -1, -1]), np.diag([-1, 1, -1]), np.diag([-1, -1, 1])])
def test_half_turns_have_a_quaternion(mat):
    q = rotation.from_matrix(mat)
    np.testing.assert_allclose(rotation.matrix(q), mat, atol=1e-14)


def test_many_at_once_are_as_one_at_a_time():
    for name, arguments in (("multiply", (QUATS, QUATS[::-1])), ("rotate", (QUATS, VECTORS)), ("matrix", (QUATS,)), ("angle_of", (QUATS,))):
        function = getattr(rotation, name)
        np.testing.assert_allclose(function(*arguments), [function(*row) for row in zip(*arguments)], atol=1e-14)
    np.testing.assert_allclose(rotation.rotate(QUATS[0], VECTORS), [rotation.rotate(QUATS[0], v) for v in VECTORS], atol=1e-14)
    assert rotation.multiply(np.zeros((0, 4)), np.zeros((0, 4))).shape == (0, 4) and rotation.matrix(np.zeros((0, 4))).shape == (0, 3, 3)


def test_what_pyrr_means():
    """Its conventions, on which the above rests: (x, y, z, w), Hamilton's product, matrices that act on rows."""
    np.testing.assert_allclose(quaternion.create_from_axis_rotation(np.array([1.0, 0, 0]), np.pi / 2), [np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    np.testing.assert_allclose(quaternion.cross(np.array([1.0, 0, 0, 0]), np.array([0, 1.0, 0, 0])), [0, 0, 1, 0])   # i j = k
    np.testing.assert_allclose(matrix44.create_from_translation(np.array([1.0, 2, 3]))[3], [1, 2, 3, 1])
    down = matrix44.create_look_at((0.0, 0, 5), (0.0, 0, 0), (0.0, 1, 0))
    np.testing.assert_allclose(np.array([1.0, 2, 0, 1]) @ down, [1, 2, -5, 1])


@pytest.mark.parametrize("far_away", [0.0, 1e7])
def test_the_view_keeps_its_digits_far_from_the_origin(far_away):
    view = View((far_away, 0.0, 0.0), (0.6, 0.0, -0.8), (0.8, 0.0, 0.6), 0.1, -0.1, 0.2, 50.0)
    matrix = view_matrix(view)
    np.testing.assert_allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(matrix @ (far_away + 0.6, 0, -0.8, 1), [0, 0, -1, 1], atol=1e-8 if far_away else 1e-15)


def test_the_frustum_becomes_the_cube():
    for orthographic in (False, True):
        view = View((0.0, 0, 0), (0.0, 0, -1), (0.0, 1, 0), 0.3, -0.1, 0.2, 50.0, center=0.05, halfwidth=0.4, orthographic=orthographic)
        matrix, (left, right, bottom, top) = projection_matrix(view, 1.5), view.edges(1.5)
        for depth, z in ((0.2, -1), (50.0, 1)):
            grow = 1 if orthographic else depth / 0.2
            for x, sx in ((left, -1), (right, 1)):
                for y, sy in ((bottom, -1), (top, 1)):
                    clip = matrix @ (x * grow, y * grow, -depth, 1)
                    np.testing.assert_allclose(clip[:3] / clip[3], (sx, sy, z), atol=1e-12)
