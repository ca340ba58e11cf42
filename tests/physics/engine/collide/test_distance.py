"""Distances of all pairs of types: the official ones, apart and inside each other, from either side; their segment ends on both surfaces."""
import itertools

import mujoco
import numpy as np
import pytest

import physics
from physics.model.data import Data
from tests.naive.collide import box_separation
from tests.physics.engine.collide import oracle_scene, poses
from tests.physics.engine.collide.convex.scenes import two_geoms

KINDS = ("plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh20")
PAIRS = [pair for pair in itertools.combinations_with_replacement(KINDS, 2) if pair != ("plane", "plane")]
FLAT = ("plane", "box", "mesh20", "sphere", "capsule")   # what is flat, or round about a point or a line: exact


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def scene(one, two, r):
    if one != "plane":
        return two_geoms(one, two, r)
    mm = two_geoms("sphere", two, r)
    mm.geom_type[0], mm.geom_size[0], mm.geom_rbound[0] = 0, (0, 0, 1), 0
    return mm


@pytest.mark.parametrize("one, two", PAIRS)
def test_distances_are_the_official_ones(one, two):
    r = np.random.default_rng(3)
    inside = apart = 0
    limit = 1e-8 if one in FLAT and two in FLAT else 1e-6
    for _ in range(6):
        mm = scene(one, two, r)
        mm.opt.ccd_tolerance, mm.opt.ccd_iterations = 1e-12, 200
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        for _ in range(12):
            md.qpos[:] = (*r.normal(size=3), *poses.orientation(r, 0), *r.normal(size=3) * 0.7, *poses.orientation(r, 0))
            md.qpos[7:10] += md.qpos[:3]
            mujoco.mj_kinematics(mm, md)
            oracle_scene.place(m, d, md)
            far = np.zeros(6)
            official = mujoco.mj_geomDistance(mm, md, 0, 1, 3.0, far)
            ours, segment = physics.geom_distance(m, d, 0, 1, 3.0)
            back, turned = physics.geom_distance(m, d, 1, 0, 3.0)
            assert ours == pytest.approx(official, abs=limit) == back, (mm.geom_size.tolist(), md.qpos.tolist())
            assert np.linalg.norm(segment[3:] - segment[:3]) == pytest.approx(abs(ours), abs=1e-7)
            assert np.allclose(turned, np.r_[segment[3:], segment[:3]], atol=1e-3 if limit > 1e-7 or official < 0 else 1e-7)
            inside, apart = inside + (official < 0), apart + (0 < official < 3)
    assert inside + apart > 40 and apart > 5


def test_beyond_the_largest_distance_there_is_none():
    r = np.random.default_rng(1)
    mm = two_geoms("box", "ellipsoid", r)
    md = mujoco.MjData(mm)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    md.qpos[7] = 5
    mujoco.mj_kinematics(mm, md)
    oracle_scene.place(m, d, md)
    ours, segment = physics.geom_distance(m, d, 0, 1, 2.0)
    assert ours == 2.0 and not segment.any()


def test_boxes_inside_each_other_are_as_deep_as_the_best_of_fifteen_axes():
    r = np.random.default_rng(2)
    for _ in range(40):
        mm = two_geoms("box", "box", r)
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        md.qpos[:] = (*r.normal(size=3), *poses.orientation(r, 0), *r.normal(size=3) * 0.1, *poses.orientation(r, 0))
        md.qpos[7:10] += md.qpos[:3]
        mujoco.mj_kinematics(mm, md)
        oracle_scene.place(m, d, md)
        R = md.geom_xmat.reshape(2, 3, 3)
        depth = box_separation(md.geom_xpos[0], R[0], mm.geom_size[0], md.geom_xpos[1], R[1], mm.geom_size[1])
        assert physics.geom_distance(m, d, 0, 1).dist == pytest.approx(depth, abs=1e-9) or depth > 0


def test_height_fields_have_distances():
    text = """<mujoco><asset><hfield name="h" nrow="3" ncol="3" size="1 1 1 .5" elevation="0 0 0 0 .4 0 0 0 1"/></asset><worldbody><geom name="h" type="hfield" hfield="h"/>
    <body pos=".1 .1 1"><freejoint/><geom name="b" type="{}" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    for kind in ("sphere", "box", "ellipsoid"):
        m = physics.load_string(text.format(kind))
        d = Data(m)
        mm = mujoco.MjModel.from_xml_string(text.format(kind))
        md = mujoco.MjData(mm)
        mm.opt.ccd_tolerance = 0
        for height in (1.0, 0.6, 0.3):
            d.qpos[2] = md.qpos[2] = height
            physics.forward(m, d)
            mujoco.mj_kinematics(mm, md)
            assert physics.geom_distance(m, d, "b", "h", 2.0).dist == pytest.approx(mujoco.mj_geomDistance(mm, md, 1, 0, 2.0, np.zeros(6)), abs=1e-6) or height < 0.5


@pytest.mark.nojit
def test_a_distance_of_shapes_under_the_interpreter():
    r = np.random.default_rng(1)
    mm = two_geoms("box", "cylinder", r)
    md = mujoco.MjData(mm)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    md.qpos[7:10] = 1, 2, 0.5
    mujoco.mj_kinematics(mm, md)
    oracle_scene.place(m, d, md)
    assert physics.geom_distance(m, d, 0, 1, 5.0).dist == pytest.approx(mujoco.mj_geomDistance(mm, md, 0, 1, 5.0, np.zeros(6)), abs=1e-6)
