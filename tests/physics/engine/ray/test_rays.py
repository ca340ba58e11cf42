"""Rays meet each geom type where the official rays do, and where geometry says."""
import mujoco
import numpy as np
import pytest

import physics
from physics.model.data import Data
from physics.query import raycast
from tests.physics.engine.oracle_model import model_from

WORLD = """<mujoco><asset><hfield name="h" nrow="7" ncol="5" size="1 1.5 .6 .3" elevation="%s"/>
<mesh name="hull" vertex="0 0 0 1 0 0 0 1 0 0 0 1 .3 .4 -.2" scale=".5 .6 .7"/><mesh name="ball" builtin="sphere" params="3" scale=".4 .3 .5"/></asset>
<worldbody><body pos=".1 .2 .3" euler="20 30 40"><geom %s pos=".05 0 .1" euler="10 5 20"/></body></worldbody></mujoco>"""
SHAPES = ('type="plane" size="1 .5 .1"', 'type="plane" size="0 0 .1"', 'size=".5"', 'type="capsule" size=".3 .5"', 'type="ellipsoid" size=".3 .5 .2"',
          'type="cylinder" size=".3 .5"', 'type="box" size=".3 .5 .2"', 'type="mesh" mesh="hull"', 'type="mesh" mesh="ball"', 'type="hfield" hfield="h"')
COUNT = 2000


@pytest.fixture(scope="module", autouse=True)
def all_kernels():
    """A batch of rays is no part of a step."""
    physics.ensure_kernels()


def pair(text):
    mj = mujoco.MjModel.from_xml_string(text)
    mjd = mujoco.MjData(mj)
    mujoco.mj_forward(mj, mjd)
    m = model_from(mj)
    d = Data(m)
    physics.forward(m, d)
    return mj, mjd, m, d


def official(mj, mjd, points, vectors, groups=None, static=1, without=-1):
    dist, geom, normal = np.zeros(len(points)), np.zeros(len(points), int), np.zeros((len(points), 3))
    for k in range(len(points)):
        g, n = np.zeros(1, np.int32), np.zeros(3)
        dist[k] = mujoco.mj_ray(mj, mjd, points[k], vectors[k], groups, static, without, g, n)
        geom[k], normal[k] = g[0], n
    return dist, geom, normal


@pytest.mark.parametrize("shape", SHAPES)
def test_random_rays_agree(shape):
    rng = np.random.default_rng(3)
    mj, mjd, m, d = pair(WORLD % (" ".join(f"{x:.3f}" for x in rng.random(35)), shape))
    points, vectors = 0.6 * rng.normal(size=(COUNT, 3)), rng.normal(size=(COUNT, 3))
    theirs = official(mj, mjd, points, vectors)
    ours = raycast.rays(m, d, points, vectors)
    assert (theirs[1] >= 0).sum() > 40 and (theirs[1] < 0).sum() > 40
    assert np.array_equal(ours[1], theirs[1])
    hit = theirs[1] >= 0
    assert np.allclose(ours[0][hit], theirs[0][hit], rtol=1e-9, atol=1e-12) and (ours[0][~hit] == -1).all()
    assert np.allclose(ours[2], theirs[2], atol=1e-9)


def test_parallel_rays_and_rays_within_planes_agree():
    """Directions along the axes, with exact zeros, from points on and beside the surfaces."""
    grid = np.array([[x, y, z] for x in (-0.5, -0.3, 0, 0.2) for y in (-0.5, 0, 0.4) for z in (-1, -0.2, 0, 0.5)])
    axes = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 1, 1]], float)
    points, vectors = np.repeat(grid, len(axes), 0), np.tile(axes, (len(grid), 1))
    for shape in SHAPES[2:7]:
        mj, mjd, m, d = pair(f"<mujoco><worldbody><geom {shape}/></worldbody></mujoco>")
        theirs, ours = official(mj, mjd, points, vectors), raycast.rays(m, d, points, vectors)
        assert np.array_equal(ours[1], theirs[1]), shape
        assert np.allclose(ours[0], theirs[0], atol=1e-12), shape


SEEN = """<mujoco><asset><material name="glass" rgba="1 1 1 0"/><material name="red" rgba="1 0 0 1"/></asset><worldbody>
<geom name="static" size=".1" pos="1 0 0" group="1"/><geom size=".1" pos="1.5 0 0" rgba="1 1 1 0"/><geom size=".1" pos="2 0 0" material="glass"/>
<body pos="3 0 0"><freejoint/><geom name="a" size=".1" group="2"/><geom name="clear" size=".1" pos=".5 0 0" material="red" rgba="1 1 1 0"/></body>
<body pos="5 0 0"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom name="b" size=".1" group="9"/></body></worldbody></mujoco>"""


@pytest.mark.nojit
def test_what_rays_see():
    m = physics.load_string(SEEN)
    d = physics.Data(m)
    physics.forward(m, d)

    def first(**how):
        hit = raycast.ray(m, d, (0, 0, 0), (2, 0, 0), **how)
        return hit.dist * 2, m.names["geom"][hit.geom] if hit.geom >= 0 else ""

    assert first() == (pytest.approx(0.9), "static")
    assert first(flg_static=False) == (pytest.approx(2.9), "a")
    assert first(flg_static=False, bodyexclude=1) == (pytest.approx(4.9), "b")
    assert first(geomgroup=(1, 0, 1, 1, 1, 1)) == (pytest.approx(2.9), "a")
    assert first(geomgroup=(1, 0, 0, 1, 1, 1), bodyexclude=1) == (pytest.approx(4.9), "b")
    assert first(geomgroup=(0, 0, 0, 0, 0, 0)) == (-2.0, "")
    assert raycast.ray(m, d, (2.5, 0, 0), (1, 0, 0)).normal.tolist() == [-1, 0, 0]
    assert raycast.ray_geom(m, d, m.id("geom", "b"), (0, 0, 0), (1, 0, 0)).dist == pytest.approx(4.9)


def test_a_ray_from_inside_meets_the_far_side():
    m = physics.load_string('<mujoco><worldbody><geom type="box" size="1 2 3"/></worldbody></mujoco>')
    d = physics.Data(m)
    physics.forward(m, d)
    dist, _, normal = raycast.rays(m, d, (0.5, 0, 0), [(1, 0, 0), (0, -1, 0), (0, 0, 2), (0, 0, 0)])
    assert dist.tolist() == [0.5, 2.0, 1.5, -1.0]
    assert normal.tolist() == [[1, 0, 0], [0, -1, 0], [0, 0, 1], [0, 0, 0]]


def test_height_field_from_all_sides():
    m = physics.load_string("""<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 .5" elevation="0 0 1 1"/></asset>
                               <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.forward(m, d)
    dist, _, normal = raycast.rays(m, d, [(0, 0, 3), (0, 3, 0.5), (0, -3, -0.2), (3, 0, 0.2), (3, 0, 0.8), (0, 0, -2)],
                                [(0, 0, -1), (0, -1, 0), (0, 1, 0), (-1, 0, 0), (-1, 0, 0), (0, 0, 1)])
    slope = (0, np.sqrt(0.2), np.sqrt(0.8))   # the first row of heights is the far one
    assert np.allclose(dist, (2.5, 3, 2, 2, -1, 1.5))
    assert np.allclose(normal, [slope, slope, (0, -1, 0), (1, 0, 0), (0, 0, 0), (0, 0, -1)])


def test_wrong_input_is_refused():
    m = physics.load_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    d = physics.Data(m)
    for point, vector in (((0, 0), (1, 0, 0)), ((0, 0, np.nan), (1, 0, 0)), ((0, 0, 0), (0, 0, 0)), ((0, 0, 0), (np.inf, 0, 0))):
        with pytest.raises(ValueError):
            raycast.ray(m, d, point, vector)
    with pytest.raises(ValueError):
        raycast.ray(m, d, (0, 0, 0), (1, 0, 0), geomgroup=(1, 1))
    with pytest.raises(IndexError):
        raycast.ray_geom(m, d, 1, (0, 0, 0), (1, 0, 0))


@pytest.mark.nojit
def test_meshes_and_height_fields_are_met():
    rng = np.random.default_rng(3)
    for shape in ('type="mesh" mesh="hull"', 'type="hfield" hfield="h"'):
        mj, mjd, m, d = pair(WORLD % (" ".join(f"{x:.3f}" for x in rng.random(35)), shape))
        points, vectors = 0.6 * rng.normal(size=(12, 3)), rng.normal(size=(12, 3))
        assert np.allclose(raycast.rays(m, d, points, vectors)[0], official(mj, mjd, points, vectors)[0], atol=1e-9)
