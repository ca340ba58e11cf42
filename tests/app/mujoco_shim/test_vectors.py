"""mju_* and mjd_* give what the official ones give, for arguments made from their names and kinds."""
import mujoco
import numpy as np
import pytest

from app.mujoco_shim import mujoco as ours
from app.mujoco_shim.mujoco.functions.calls import SPECS, arguments_of

# called by tests of their own, or with a result that is drawn by lot
APART = frozenset(
    "mju_standardNormal mju_printMat mju_printMatSparse mju_euler2Quat mju_str2Type mju_type2Str mju_warningText mju_writeLog mju_threadpool mju_getXMLDependencies mju_boxQP "
    "mju_raySkin mju_sparse2dense mju_sym2dense mju_dense2sparse mju_band2Dense mju_dense2Band mju_bandMulMatVec mju_cholFactorBand mju_cholSolveBand mju_bandDiag mju_mat2Rot "
    "mju_eig3 mju_insertionSortInt mju_n2f mju_f2n mju_writeNumBytes mju_clip".split())
PLAIN = sorted(name for name in SPECS if name.startswith(("mju_", "mjd_quat", "mjd_sub")) and ours.is_here(name) and name not in APART)


def given(name: str, seed: int) -> list:
    """Arguments by kind: unit quaternions, symmetric 3x3 matrices, numbers below 1."""
    rng, found = np.random.default_rng(seed), []
    for argument, kind, default in arguments_of(name):
        kind = kind.removesuffix("?").removeprefix(">")
        if kind == "i":
            found.append(2 if argument != "index" else 7)
        elif kind == "f":
            found.append(float(rng.uniform(0.2, 0.9)))
        elif kind == "4":
            q = rng.standard_normal(4)
            found.append(q / np.linalg.norm(q))
        elif kind == "M":
            a = rng.standard_normal((3, 3))
            found.append(a @ a.T + np.eye(3))
        elif kind == "9":
            q = rng.standard_normal(4)
            r = np.zeros(9)
            mujoco.mju_quat2Mat(r, q / np.linalg.norm(q))
            found.append(r)
        else:
            n = int(kind) if kind.isdigit() else {"pyramid": 4, "mu": 2}.get(argument, 4 if name.startswith("mjd_subQuat") else 3)
            values = rng.uniform(0.1, 1, n)
            found.append(values / np.linalg.norm(values) if argument in ("axis", "qa", "qb") else values)
    return found


@pytest.mark.parametrize("name", PLAIN)
def test_results_are_the_official_ones(name):
    for seed in range(3):
        one, two = given(name, seed), given(name, seed)
        result, mine = getattr(mujoco, name)(*one), getattr(ours, name)(*two)
        assert (mine is None) == (result is None)
        if result is not None:
            np.testing.assert_allclose(mine, result, rtol=1e-9, atol=1e-10)
        for a, b in zip(one, two):
            np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-9, err_msg=name)


def test_there_are_many():
    assert len(PLAIN) >= 75


@pytest.mark.parametrize("x, low, high", [(1.5, 1.0, 2.0), (1.5, 2.0, 3.0), (1.5, 0.0, 1.0)])
def test_bounds(x, low, high):
    assert ours.mju_clip(x, low, high) == mujoco.mju_clip(x, low, high)


@pytest.mark.parametrize("seq", ["xyz", "XYZ", "zyx", "xYz"])
def test_euler_angles(seq):
    one, two, angles = np.zeros(4), np.zeros(4), np.array([0.3, -0.4, 1.2])
    mujoco.mju_euler2Quat(one, angles, seq)
    ours.mju_euler2Quat(two, angles, seq)
    np.testing.assert_allclose(two, one, atol=1e-12)
    with pytest.raises(ours.FatalError, match="exactly 3"):
        ours.mju_euler2Quat(two, angles, "xy")


def test_sparse_matrices():
    dense = np.array([[0, 1.0, 0], [2, 0, 3]])
    for mj in (mujoco, ours):
        values, nnz, adr, col = np.zeros(3), np.zeros(2, np.int32), np.zeros(2, np.int32), np.zeros(3, np.int32)
        assert mj.mju_dense2sparse(values, dense, nnz, adr, col) == 0
        assert values.tolist() == [1, 2, 3] and nnz.tolist() == [1, 2] and adr.tolist() == [0, 1] and col.tolist() == [1, 0, 2]
        back = np.ones((2, 3))
        mj.mju_sparse2dense(back, values, nnz, adr, col)
        np.testing.assert_array_equal(back, dense)


def test_banded_matrices():
    dense, n, band, rows = np.array([[1.0, 0, 0, 0.1], [0, 2, 0, 0.2], [0, 0, 3, 0.3], [0.1, 0.2, 0.3, 4]]), 4, 1, 1
    results = []
    for mj in (mujoco, ours):
        stored, back, product, solved = np.zeros(7), np.zeros((4, 4)), np.zeros(4), np.zeros(4)
        mj.mju_dense2Band(stored, dense, n, band, rows)
        mj.mju_band2Dense(back, stored, n, band, rows, 1)
        vec = np.array([[2.0], [2], [3], [4]])
        mj.mju_bandMulMatVec(product, stored, vec, n, band, rows, 1, 1)
        before = stored.copy()
        mj.mju_cholFactorBand(stored, n, band, rows, 0, 0)
        mj.mju_cholSolveBand(solved, stored, vec, n, band, rows)
        results.append((before, back, product, solved))
    for a, b in zip(*results):
        np.testing.assert_allclose(b, a, atol=1e-12)


@pytest.mark.parametrize("kind", ["mjGEOM_PLANE", "mjGEOM_SPHERE", "mjGEOM_BOX", "mjGEOM_CAPSULE", "mjGEOM_CYLINDER", "mjGEOM_ELLIPSOID"])
def test_rays_on_shapes(kind):
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, np.array([0.8, 0.6, 0, 0]))
    results = []
    for mj in (mujoco, ours):
        normal = np.zeros(3)
        results.append([mj.mju_rayGeom([0.1, 0.2, 0.3], turn, [0.5, 0.4, 0.3], [0, 0, 3], [0.01, 0.02, -1], getattr(mj.mjtGeom, kind), normal), *normal])
    np.testing.assert_allclose(results[1], results[0], atol=1e-9)
    face, vert = np.array([[0, 1, 2]], np.int32), np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
    corner = np.array([-1], np.int32)
    assert ours.mju_raySkin(1, 3, face, vert, [0.2, 0.2, 2], [0, 0, -1], corner) == pytest.approx(2) and corner[0] == 0


def test_quadratic_problems_in_boxes():
    h, g, low, high = np.diag([1.0, 2, 3]) + 0.3, np.array([1.0, -2, 0.1]), np.array([-0.5, -1, -1]), np.array([1, 0.3, 1.0])
    results = []
    for mj in (mujoco, ours):
        res, r, index = np.zeros(3), np.zeros((3, 10)), np.zeros(3, np.int32)
        results.append([mj.mju_boxQP(res, r, index, h, g, low, high), *res, index[0]])
    np.testing.assert_allclose(results[1], results[0], atol=1e-6)
