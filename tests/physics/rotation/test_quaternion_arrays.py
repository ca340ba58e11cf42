"""Quaternions in arrays turn as the tuples do, and kernels' exact operations are those of the tuples to the bit."""
import numpy as np

from physics.engine.linalg import quat_exact
from physics.rotation import quaternion
from physics.rotation.quaternion_arrays import conjugate, cross, rotate


def some(n: int = 50) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    q = rng.normal(size=(n, 4))
    q[0] = 1, 0, 0, 0
    return q / np.linalg.norm(q, axis=1, keepdims=True), rng.normal(size=(n, 3))


def test_vectors_are_turned_as_by_tuples_and_back():
    q, v = some()
    turned = rotate(q, v)
    assert np.allclose(turned, [quaternion.rotate(tuple(a), tuple(b)) for a, b in zip(q.tolist(), v.tolist())], rtol=0, atol=1e-14)
    assert np.allclose(rotate(conjugate(q), turned), v, rtol=0, atol=1e-14)
    assert np.array_equal(rotate(q[3], v[3]), turned[3]) and np.array_equal(rotate(q[:, None], v)[4, 4], turned[4])
    assert np.array_equal(cross(v, turned), np.cross(v, turned))


def test_kernels_have_the_bits_of_the_tuples():
    q, _ = some()
    for a, b in zip(map(tuple, q.tolist()), map(tuple, q[::-1].tolist())):
        assert quat_exact.to_mat_exact(a) == quaternion.matrix(a)
        assert quat_exact.mul_unit(a, b) == quaternion.mul(a, b)
    assert quat_exact.EPS == quaternion.EPS
