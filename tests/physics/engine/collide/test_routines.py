"""Every contact routine gives the official contacts: number, order, distances, points and frames."""
import mujoco
import numpy as np
import pytest

from physics.engine.collide.pair_table import TABLE
from physics.model.data import Data
from tests.naive.collide import box_separation
from tests.physics.engine.collide import oracle_scene, poses

PAIRS = (
    ("plane", "sphere"), ("plane", "capsule"), ("plane", "ellipsoid"), ("plane", "cylinder"), ("plane", "box"),
    ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"), ("capsule", "capsule"),
    ("capsule", "box"), ("box", "box"),
)
CONVEX = (  # tested in convex/
    ("sphere", "ellipsoid"), ("capsule", "ellipsoid"), ("capsule", "cylinder"), ("ellipsoid", "ellipsoid"), ("ellipsoid", "cylinder"),
    ("ellipsoid", "box"), ("cylinder", "cylinder"), ("cylinder", "box"),
    ("sphere", "mesh"), ("capsule", "mesh"), ("ellipsoid", "mesh"), ("cylinder", "mesh"), ("box", "mesh"), ("mesh", "mesh"),
)
# Two capsules with a common point have a normal of rounding noise; below this distance of the axes they are not compared.
COMMON = 1e-4
ELSEWHERE = {("plane", "mesh"), *(("hfield", other) for other in ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"))}  # tested in files of their own


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def compare(first, second, models, each, seed):
    r = np.random.default_rng(seed)
    counts = {}
    for k in range(models):
        margin = 0.0 if k % 3 == 0 else r.uniform(0, 0.2)
        gap = 0.0 if k % 3 < 2 else r.uniform(0, 0.2)
        mm = poses.two_geoms(first, second, r, margin, gap)
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        for _ in range(each):
            poses.randomize(r, mm, md, first)
            wrong = oracle_scene.mismatch(m, d, mm, md)
            counts[md.ncon] = counts.get(md.ncon, 0) + 1
            if wrong and first == second == "capsule" and shares_a_point(mm, md):
                continue
            assert not wrong, f"{first}-{second} sizes {mm.geom_size.tolist()} qpos {md.qpos.tolist()}: {wrong}"
    return counts


def shares_a_point(mm, md):
    return min(md.contact.dist) + mm.geom_size[0, 0] + mm.geom_size[1, 0] < COMMON


def test_the_supported_pairs_are_tested():
    names = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
    assert {(names[a], names[b]) for a, b in TABLE} == set(PAIRS) | set(CONVEX) | ELSEWHERE


@pytest.mark.parametrize("first,second", PAIRS)
def test_routine_gives_the_official_contacts(first, second):
    counts = compare(first, second, models=12, each=100, seed=7)
    most = {TABLE[a, b].points for a, b in TABLE
            if mujoco.mjtGeom(a).name.endswith(first.upper()) and mujoco.mjtGeom(b).name.endswith(second.upper())}
    assert set(counts) <= set(range(most.pop() + 1)) and len(counts) > 1


@pytest.mark.parametrize("first,second", [("sphere", "box"), ("capsule", "box"), ("sphere", "capsule")])
def test_order_of_the_bodies_does_not_change_which_geom_comes_first(first, second):
    counts = compare(second, first, models=3, each=60, seed=3)
    assert sum(counts.values()) == 180


def test_nearly_parallel_capsules_keep_their_digits():
    r = np.random.default_rng(0)
    met = 0
    for _ in range(40):
        mm = poses.two_geoms("capsule", "capsule", r)
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        for exponent in np.linspace(-12, -1, 12):
            q, dq = orientation_pair(r, 10**exponent)
            md.qpos[:] = 0
            md.qpos[3:7], md.qpos[10:14] = q, dq
            md.qpos[7:10] = r.normal(size=3) * 0.2
            mujoco.mj_kinematics(mm, md)
            wrong = oracle_scene.mismatch(m, d, mm, md)
            met += md.ncon
            assert not wrong or shares_a_point(mm, md), (exponent, wrong)
    assert met > 200


def orientation_pair(r, angle):
    q = poses.orientation(r, 0)
    axis = r.normal(size=3)
    small, out = np.zeros(4), np.zeros(4)
    mujoco.mju_axisAngle2Quat(small, axis / np.linalg.norm(axis), angle)
    mujoco.mju_mulQuat(out, q, small)
    return q, out


def test_box_box_depth_is_the_largest_separation():
    """Independent of the official engine: the deepest point is as deep as the best of the fifteen axes, up to the
    preference of faces over edges that are at most 5 % better."""
    r = np.random.default_rng(11)
    met = 0
    for _ in range(20):
        mm = poses.two_geoms("box", "box", r)
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        for _ in range(20):
            poses.randomize(r, mm, md, "box")
            oracle_scene.place(m, d, md)
            oracle_scene.detect(m, d)
            R = md.geom_xmat.reshape(2, 3, 3)
            depth = box_separation(md.geom_xpos[0], R[0], mm.geom_size[0], md.geom_xpos[1], R[1], mm.geom_size[1])
            assert (d.ncon > 0) == (depth <= 1e-12) or abs(depth) < 1e-9
            if d.ncon:
                met += 1
                deepest = d.contact_dist[:d.ncon].min()
                assert depth - 0.06 * abs(depth) - 1e-6 <= deepest <= depth + 0.06 * abs(depth) + 1e-6
    assert met > 200


@pytest.mark.nojit
def test_routines_run_under_the_interpreter():
    for first, second in PAIRS:
        compare(first, second, models=1, each=6, seed=5)
