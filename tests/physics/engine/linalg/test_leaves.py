"""The small mathematics against NumPy and SciPy, run as plain Python."""
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from physics.engine.linalg import quat, sparse, spatial, vec
from physics.engine.linalg.dense_solve import solve_dense

SEEDS = range(5)


def turn_of(q):
    return Rotation.from_quat([*q[1:], q[0]])


def random_quat(rng):
    q = rng.normal(size=4)
    return tuple(q / np.linalg.norm(q))


@pytest.mark.parametrize("seed", SEEDS)
def test_vectors_and_matrices(seed):
    rng = np.random.default_rng(seed)
    a, b, v = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)
    flat, other = tuple(a.ravel()), tuple(b.ravel())
    assert np.allclose(vec.mat_vec3(flat, v), a @ v)
    assert np.allclose(vec.mat_t_vec3(flat, v), a.T @ v)
    assert np.allclose(vec.mat_mat3(flat, other), (a @ b).ravel())
    assert np.allclose(vec.mat_t_mat3(flat, other), (a.T @ b).ravel())
    assert np.allclose(vec.mat_vec3(vec.skew3(v), b[0]), np.cross(v, b[0]))
    assert np.allclose(vec.cross3(a[0], a[1]), np.cross(a[0], a[1]))
    assert np.allclose(vec.unit3(v), v / np.linalg.norm(v))
    assert vec.unit3((0.0, 1e-16, 0.0)) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_quaternions(seed):
    rng = np.random.default_rng(seed)
    p, q, v = random_quat(rng), random_quat(rng), rng.normal(size=3)
    assert np.allclose(turn_of(quat.mul4(p, q)).as_matrix(), (turn_of(p) * turn_of(q)).as_matrix())
    assert np.allclose(quat.rotate(q, v), turn_of(q).apply(v))
    assert np.allclose(np.reshape(quat.to_mat(q), (3, 3)), turn_of(q).as_matrix())
    assert np.allclose(quat.to_rotvec(q), turn_of(q).as_rotvec())
    assert np.allclose(quat.sub_quat(p, q), (turn_of(q).inv() * turn_of(p)).as_rotvec())
    axis = v / np.linalg.norm(v)
    assert np.allclose(turn_of(quat.axis_angle(axis, 0.7)).as_rotvec(), 0.7 * axis)
    assert np.allclose(turn_of(quat.turn(tuple(3 * np.array(q)), v, 0.1)).as_matrix(), (turn_of(q) * Rotation.from_rotvec(0.1 * v)).as_matrix())
    assert quat.unit4((0.0, 0.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0) == quat.turn((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0)
    assert quat.to_rotvec((1.0, 0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_spatial_algebra(seed):
    rng = np.random.default_rng(seed)
    v, s, f = rng.normal(size=(3, 6))
    # duality: (v x s) . f + s . (v x* f) = 0
    assert np.dot(spatial.cross_motion(v, s), f) == pytest.approx(-np.dot(s, spatial.cross_force(v, f)), abs=1e-12)
    r, moments, offset, mass = turn_of(random_quat(rng)).as_matrix(), rng.uniform(0.1, 1, 3), rng.normal(size=3), 1.7
    inert = spatial.inertia10(moments, tuple(r.ravel()), offset, mass)
    c = np.cross(offset, np.eye(3)).T  # c w = offset x w
    full = np.block([[r @ np.diag(moments) @ r.T - mass * c @ c, mass * c], [-mass * c, mass * np.eye(3)]])
    assert np.allclose(spatial.mul_inertia(inert, v), full @ v)
    assert np.allclose(spatial.add10(inert, inert), 2 * np.array(inert))


def tree_rows(parent):
    """CSR rows (ancestors, then itself) of a tree given by parents."""
    rows = []
    for k, p in enumerate(parent):
        rows.append([*(rows[p] if p >= 0 else []), k])
    count = np.array([len(r) for r in rows])
    return count, np.cumsum(count) - count, np.concatenate(rows)


TREES = {"one": [-1], "tree": [-1, 0, 1, 0, 3, -1, 5], "chain": [*range(-1, 29)], "fork": [-1, *range(13), 5, *range(14, 30)]}


@pytest.mark.parametrize("parent", TREES.values(), ids=TREES)
def test_factor_solve_and_products(parent):
    rng = np.random.default_rng(len(parent))
    n = len(parent)
    count, adr, col = tree_rows(parent)
    runs: list[int] = []
    for k, above in enumerate(parent):
        runs.append(runs[above] + 1 if above == k - 1 >= 0 else 0)
    m = SimpleNamespace(M_rownnz=count, M_rowadr=adr, M_colind=col, M_rowrun=runs)
    mat = rng.normal(size=len(col))
    mat[adr + count - 1] = 40.0
    full = np.zeros((n, n))
    for i in range(n):
        for a in range(adr[i], adr[i] + count[i]):
            full[i, col[a]] = full[col[a], i] = mat[a]
    x, res = rng.normal(size=n), np.full(n, np.nan)
    sparse.mul_rows(res, x, mat, m, 0, n)
    assert np.allclose(res, full @ x, rtol=1e-13)
    factor, inverse = mat.copy(), np.full(n, np.nan)
    sparse.factor_rows(factor, inverse, m, 0, n)
    assert sparse.raised_pivot(inverse, 0, n) == -1
    sparse.solve_rows(res, factor, inverse, m, 0, n)
    assert np.allclose(res, x, rtol=1e-12)
    # s v v' for a v along one branch
    ind = col[adr[n - 1]:adr[n - 1] + count[n - 1]][::2]
    values = rng.normal(size=len(ind))
    dense = np.zeros(n)
    dense[ind] = values
    added = mat.copy()
    sparse.add_outer(added, count, adr, col, values, ind, len(ind), 0.3)
    for i in range(n):
        for a in range(adr[i], adr[i] + count[i]):
            assert added[a] == pytest.approx(full[i, col[a]] + 0.3 * dense[i] * dense[col[a]], abs=1e-13)


@pytest.mark.parametrize("n", [1, 2, 6])
def test_dense_solution(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(n, n)), rng.normal(size=n)
    a[0, 0] = 0.0 if n > 1 else 2.0  # elimination must change rows
    x = b.copy()
    assert solve_dense(a.ravel().copy(), x, n)
    assert np.allclose(x, np.linalg.solve(a, b))
    a[-1] = a[0] if n > 1 else 0.0
    assert not solve_dense(a.ravel().copy(), b.copy(), n)
