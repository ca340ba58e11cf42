"""Contacts of planes and meshes are the official ones on random hulls: number, order, distances, points and frames."""
import mujoco
import numpy as np
import pytest

from physics.model.data import Data
from tests.naive.collide import plane_mesh_points
from tests.physics.engine.collide import oracle_scene, poses

SCENE = """<mujoco><asset><mesh name="a" vertex="{}"/></asset><worldbody><geom type="plane" size="0 0 1" margin="{}" gap="{}"/>
  <body><freejoint/><geom type="mesh" mesh="a"/></body></worldbody></mujoco>"""
BARE = """<mujoco><asset><mesh name="a" builtin="sphere" params="2"/></asset><worldbody><geom type="plane" size="0 0 1"/>
  <body><freejoint/><geom type="mesh" mesh="a" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def cloud(r):
    """Points any way, a box's corners, the rims of a prism, or many points in few planes."""
    kind = r.integers(4)
    p = r.normal(size=(r.integers(4, 60), 3))
    if kind == 1:
        p = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
    elif kind == 2:
        a = np.arange(k := r.integers(3, 12)) * 2 * np.pi / k
        p = np.concatenate([np.stack([np.cos(a), np.sin(a), np.full(k, z)], 1) for z in (-1, 1)])
    elif kind == 3:
        p = np.sign(p) * np.abs(p)**0.3
        p[:len(p) // 2, 2] = p[0, 2]
    return p * r.uniform(0.05, 0.4, 3)


def hull(r, margin=0.0, gap=0.0):
    return mujoco.MjModel.from_xml_string(SCENE.format(" ".join(f"{x:.9g}" for x in cloud(r).reshape(-1)), margin, gap))


def on_a_face(r, mm):
    """Quaternion that lays a face of the hull nearly or quite on the plane."""
    n = mm.mesh_polynormal[r.integers(mm.nmeshpoly)]
    axis = np.cross(n, [0, 0, -1])
    angle = np.arctan2(np.linalg.norm(axis), -n[2]) + r.choice([0, 0, 1e-7, 1e-3, 0.01])
    q = np.zeros(4)
    mujoco.mju_axisAngle2Quat(q, axis / max(np.linalg.norm(axis), 1e-9), angle)
    return q


def pose(r, mm, md):
    q = on_a_face(r, mm) if mm.nmeshpoly and r.random() < 0.4 else poses.orientation(r, int(r.integers(6)))
    md.qpos[:] = [*r.normal(size=2), r.uniform(-0.2, 0.5), *q]
    mujoco.mj_kinematics(mm, md)


def compare(models, each, seed):
    r = np.random.default_rng(seed)
    counts = np.zeros(5, int)
    for k in range(models):
        mm = hull(r, *((0.0, 0.0), (0.01, 0.0), (0.1, 0.02), (0.5, 1.0))[k % 4])
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        for _ in range(each):
            pose(r, mm, md)
            assert oracle_scene.mismatch(m, d, mm, md, 1e-12) == "", (k, md.qpos.tolist())
            counts[md.ncon] += 1
    return counts


def test_random_hulls_give_the_official_contacts():
    counts = compare(models=160, each=25, seed=1)
    assert counts.sum() == 4000 and counts.min() > 100


# the underside of a robot's trunk: the second vertex lies inside the line from the first to the third, but lower by a hundredth of a millimetre,
# so that the hull has it, and its face, merged from triangles that are parallel within rounding, is slightly concave
OUTLINE = np.array([[-.13339, .08937], [.09116, .0891], [.13972, .094], [.13992, .05767], [.13992, -.03254], [.13961, -.09257], [-.1401, -.0908]])


def test_a_slightly_concave_face_gives_points_on_all_sides():
    z = np.full(7, -0.05) - 1e-5 * np.array([2, 1, 0, 0, 0, 0, 0])
    corners = np.concatenate([np.c_[OUTLINE, z], np.c_[0.9 * OUTLINE, np.full(7, 0.05)]])
    mm = mujoco.MjModel.from_xml_string(SCENE.format(" ".join(f"{x:.9g}" for x in corners.reshape(-1)), 0.0, 0.0))
    md = mujoco.MjData(mm)
    md.qpos[2] = 0.04
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    assert oracle_scene.mismatch(m, d, mm, md, 1e-12) == ""
    assert d.ncon == 4 and {tuple(s) for s in np.sign(d.contact_pos[:4, :2]).tolist()} == {(-1, -1), (-1, 1), (1, -1), (1, 1)}


def test_a_mesh_without_a_hull_touches_with_one_vertex():
    mm = mujoco.MjModel.from_xml_string(BARE)
    for field in ("geom_contype", "geom_conaffinity", "body_contype", "body_conaffinity"):
        getattr(mm, field)[1] = 1
    assert mm.mesh_graphadr[0] == -1
    md = mujoco.MjData(mm)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    r = np.random.default_rng(2)
    for _ in range(20):
        pose(r, mm, md)
        md.geom_xpos[1, 2] = 0.9
        assert oracle_scene.mismatch(m, d, mm, md, 1e-12) == "" and d.ncon == 1


def test_points_are_those_of_the_definition():
    """Independent of the official engine: the lowest of all vertices, then corners of one face, on the hull, nearest to the plane first."""
    r = np.random.default_rng(3)
    for _ in range(40):
        mm = hull(r, 0.05)
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        for _ in range(5):
            md.qpos[:] = [0, 0, r.uniform(-0.2, 0.4), *poses.orientation(r, 0)]
            mujoco.mj_kinematics(mm, md)
            oracle_scene.place(m, d, md)
            oracle_scene.detect(m, d)
            dist, pos = plane_mesh_points(m, d, 0, 1, 0.05)
            assert d.ncon == len(dist)
            assert np.allclose(d.contact_dist[:d.ncon], dist, atol=1e-12) and np.allclose(d.contact_pos[:d.ncon], pos, atol=1e-12)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_a_lost_mesh_ends(value):
    mm = hull(np.random.default_rng(4))
    m = oracle_scene.model_like(mm)
    d = Data(m)
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    oracle_scene.place(m, d, md)
    d.geom_xmat[1] = value
    oracle_scene.detect(m, d)
    assert d.ncon <= 4


@pytest.mark.nojit
def test_routine_runs_under_the_interpreter():
    assert compare(models=4, each=4, seed=5).sum() == 16
