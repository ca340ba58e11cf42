"""Shapes with corners: one contact as the official engine finds it when it may iterate to the end."""
import mujoco
import numpy as np
import pytest

from physics.model.data import Data
from tests.naive.convex import reach_of
from tests.physics.engine.collide import oracle_scene, poses
from tests.physics.engine.collide.convex.scenes import both, two_geoms

ROUNDING = 1e-6  # distances nearer to zero have a direction of rounding noise


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


@pytest.mark.parametrize("first,second", [
    ("box", "mesh8"), ("box", "mesh40"), ("mesh8", "mesh8"), ("mesh40", "mesh100"), ("sphere", "mesh20"), ("capsule", "mesh20"),
])
def test_distance_and_normal_are_the_official_ones(first, second):
    compared = 0
    for d, md, _mm in both(first, second, models=12, each=60, seed=3):
        assert d.ncon == md.ncon
        if md.ncon and abs(md.contact.dist[0]) > ROUNDING:
            compared += 1
            assert d.contact_dist[0] == pytest.approx(md.contact.dist[0], abs=1e-9)
            assert np.abs(d.contact_frame[0, :3] - md.contact.frame[0, :3]).max() < 1e-8
    assert compared > 300


@pytest.mark.parametrize("first,second", [
    ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "mesh20"),
    ("capsule", "mesh20"), ("ellipsoid", "box"), ("box", "mesh20"), ("cylinder", "mesh20"),
])
def test_below_zero_a_margin_counts_as_depth_between_convex_shapes(first, second):
    """Their overlap is then reported larger by it, but for the shell of a sphere or capsule; it must be deeper than that between plain shapes."""
    r = np.random.default_rng(7)
    compared = 0
    for margin in (-0.03, -0.1, -0.6):
        mm = two_geoms(first, second, r, margin)
        mm.opt.ccd_tolerance, mm.opt.ccd_iterations = 1e-12, 500
        md, m = mujoco.MjData(mm), oracle_scene.model_like(mm)
        d = Data(m)
        for _ in range(60):
            poses.randomize(r, mm, md, first)
            oracle_scene.place(m, d, md)
            oracle_scene.detect(m, d)
            mujoco.mj_collision(mm, md)
            if md.ncon == 0 or d.ncon == 0:   # the official boxes shrink by the margin, and part what overlaps by less
                assert md.ncon == 0 and (d.ncon == 0 or d.contact_dist[0] > 2 * margin - ROUNDING)
                continue
            compared += 1
            assert d.contact_dist[0] == pytest.approx(md.contact.dist[0], abs=1e-6)
    assert compared > 60


def test_below_zero_several_points_have_less_of_the_margin():
    """Of boxes, cylinders and meshes none, and what is then not deeper than it is no contact."""
    r = np.random.default_rng(7)
    several = 0
    mm = two_geoms("box", "mesh20", r, -0.03, flags='multiccd="enable"')
    md, m = mujoco.MjData(mm), oracle_scene.model_like(mm)
    d = Data(m)
    for _ in range(100):
        poses.randomize(r, mm, md, "box")
        oracle_scene.place(m, d, md)
        oracle_scene.detect(m, d)
        mujoco.mj_collision(mm, md)
        if md.ncon == d.ncon > 1:
            several += 1
            assert np.sort(d.contact_dist[:d.ncon]) == pytest.approx(np.sort(md.contact.dist), abs=1e-6)
    assert several > 20


def round_hulls(points: int, offset: float, room: int | None = None):
    """(our Data, official Data, official Model) of two hulls of points on balls of radius 0.2, `offset` between their centres."""
    r = np.random.default_rng(points)
    meshes = ""
    for name in "ab":
        v = r.normal(size=(points, 3))
        meshes += f'<mesh name="{name}" vertex="{" ".join(map(str, (0.2 * v / np.linalg.norm(v, axis=1)[:, None]).ravel()))}"/>'
    mm = mujoco.MjModel.from_xml_string(
        f'<mujoco><option ccd_iterations="5000" ccd_tolerance="1e-14"><flag multiccd="disable"/></option><asset>{meshes}</asset><worldbody>'
        f'<body><freejoint/><geom type="mesh" mesh="a"/></body><body pos="{offset} {offset / 3} 0"><freejoint/><geom type="mesh" mesh="b"/></body></worldbody></mujoco>')
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    m.nepa = room or m.nepa
    d = Data(m)
    oracle_scene.place(m, d, md)
    oracle_scene.detect(m, d)
    mujoco.mj_collision(mm, md)
    return d, md, mm


@pytest.mark.parametrize("points", [100, 200, 400, 800])
@pytest.mark.parametrize("offset", [0.0, 0.01, 0.05])
def test_round_hulls_in_each_other_are_as_deep_as_officially(points, offset):
    """Hundreds of faces of their difference are about equally near."""
    d, md, _mm = round_hulls(points, offset)
    assert d.contact_dist[0] == pytest.approx(md.contact.dist[0], abs=1e-12)
    assert np.abs(d.contact_frame[0, :3] - md.contact.frame[0, :3]).max() < 1e-8


def test_without_room_the_depth_still_fits_its_normal():
    d, md, mm = round_hulls(800, 0.0, room=96)
    n = d.contact_frame[:1, :3]
    assert d.contact_dist[0] == pytest.approx(-(reach_of(mm, md, 0)(n) + reach_of(mm, md, 1)(-n))[0], abs=1e-12)
    assert d.contact_dist[0] == pytest.approx(md.contact.dist[0], rel=0.05) and abs(d.contact_dist[0] - md.contact.dist[0]) > 1e-6
