"""Signed containment distances of objects in sites: against points all over the object, and against the official search, which may stop too early."""
import itertools

import mujoco
import numpy as np
import pytest

import physics
from physics.engine.sensor.site_distance import from_ellipsoid
from tests.physics.engine.oracle_model import pair_from

SIZES = {"sphere": (0.3,), "capsule": (0.15, 0.3), "box": (0.3, 0.2, 0.4), "cylinder": (0.25, 0.3), "ellipsoid": (0.3, 0.2, 0.4)}
SCENE = """<mujoco><asset><mesh name="rock" vertex="{rock}"/></asset><worldbody><site name="s" type="{site}" size="{size}" quat="{turn}"/>
<body name="b" pos="{pos}" quat="{quat}"><freejoint/><geom name="g" type="{kind}" {shape} contype="0" conaffinity="0" mass="1"/><site name="o" {marker} pos=".1 0 0"/>
<body name="c" pos=".2 0 .1"><joint/><geom name="h" type="box" size=".1 .05 .02" contype="0" conaffinity="0"/></body></body></worldbody>
<sensor><insidesite objtype="geom" objname="g" site="s" enclosed="true"/><insidesite objtype="body" objname="b" site="s" enclosed="true"/>
<insidesite objtype="xbody" objname="b" site="s" enclosed="true"/><insidesite objtype="site" objname="o" site="s" enclosed="true"/></sensor></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def words(values) -> str:
    return " ".join(map(str, np.ravel(values)))


def away(kind, size, p):
    """Signed distance of points from a shape."""
    x = np.abs(p)
    if kind == "sphere":
        return np.linalg.norm(p, axis=1) - size[0]
    if kind == "capsule":
        return np.hypot(np.hypot(p[:, 0], p[:, 1]), np.maximum(x[:, 2] - size[1], 0)) - size[0]
    if kind == "ellipsoid":
        return ellipsoid_distance(size, x)
    q = x - size if kind == "box" else np.stack([np.hypot(p[:, 0], p[:, 1]) - size[0], x[:, 2] - size[1]], 1)
    return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(1), 0)


def ellipsoid_distance(a, p):
    """By bisection: x = a^2 p / (t + a^2) is on the ellipsoid for the largest root t."""
    a = np.array(a)
    low, high = np.full(len(p), -a.min()**2 + 1e-13), np.full(len(p), 10.0)
    for _ in range(80):
        t = 0.5 * (low + high)
        out = ((a * p / (t[:, None] + a**2))**2).sum(1) > 1
        low, high = np.where(out, t, low), np.where(out, high, t)
    n = p / (t[:, None] + a**2)
    n /= np.linalg.norm(n, axis=1)[:, None]
    return (n * p).sum(1) - np.linalg.norm(a * n, axis=1)


def surface(kind, size, rock, rng, n=20000):
    """Points of an object: all corners, or many of a round one."""
    u = rng.normal(size=(n, 3))
    u /= np.linalg.norm(u, axis=1)[:, None]
    if kind == "sphere":
        return size[0] * u
    if kind == "ellipsoid":
        return size * u
    if kind == "cylinder":
        rim = u[:, :2] / np.linalg.norm(u[:, :2], axis=1)[:, None] * size[0]
        return np.c_[rim, np.sign(u[:, 2]) * size[1]]
    if kind == "capsule":
        return size[0] * u + np.sign(u[:, 2:]) * [0, 0, size[1]]
    return rock if kind == "mesh" else np.array(list(itertools.product(*[(-a, a) for a in size])))


def scene(kind, site, seed):
    rng = np.random.default_rng(seed)
    rock, size = 0.2 * rng.normal(size=(12, 3)), np.multiply(SIZES.get(kind, (1,)), rng.choice([0.1, 0.5, 1.5]))
    shape = 'mesh="rock"' if kind == "mesh" else f'size="{words(size)}"'
    marker = f'type="{"sphere" if kind == "mesh" else kind}" size="{words(size * 0.5)}"'
    text = SCENE.format(rock=words(rock), site=site, size=words(SIZES[site]), turn=words(rng.normal(size=4)), pos=words(0.2 * rng.normal(size=3)),
                        quat=words(rng.normal(size=4)), kind=kind, shape=shape, marker=marker)
    mj, mjd, m, d = pair_from(text)
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    mesh = mj.mesh_vert if kind == "mesh" else None
    points = surface(kind, size, mesh, rng) @ mjd.geom("g").xmat.reshape(3, 3).T + mjd.geom("g").xpos
    return mjd.sensordata.copy(), d.sensordata.copy(), away(site, SIZES[site], (points - mjd.site("s").xpos) @ mjd.site("s").xmat.reshape(3, 3)).max()


@pytest.mark.parametrize("site", SIZES)
@pytest.mark.parametrize("kind", ["sphere", "capsule", "box", "mesh", "cylinder", "ellipsoid"])
def test_the_farthest_point_is_found(kind, site):
    same = 0
    for seed in range(8):
        official, ours, sampled = scene(kind, site, seed)
        assert sampled - 1e-12 <= ours[0] <= sampled + (1e-12 if kind in ("box", "mesh") else 2e-3)
        assert (ours >= official - 1e-9).all()   # a search can only fall short
        same += int(np.isclose(ours, official, rtol=0, atol=1e-6).sum())
        assert ours[1] == ours[0] <= ours[2]
    assert same >= 16


def test_points_on_planes_of_symmetry_have_their_distance():
    rng = np.random.default_rng(0)
    for size in ((0.3, 0.2, 0.4), (0.1, 0.1, 0.5), (0.4, 0.4, 0.4), (1.0, 0.01, 0.3)):
        points = np.abs(rng.normal(size=(200, 3))) * size * rng.choice([0.1, 0.7, 3], (200, 1))
        points[:100] *= rng.integers(0, 2, (100, 3))
        around = np.maximum(points, 1e-7)   # where the sum has its root
        ours = [from_ellipsoid(size, tuple(p)) for p in points]
        assert np.allclose([r for r, *_n in ours], ellipsoid_distance(size, around), atol=3e-7)
        assert np.allclose([np.linalg.norm(n) for _r, *n in ours], 1)


def test_what_is_not_known_is_refused_by_name():
    m = physics.load_string("""<mujoco><asset><mesh name="rock" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><site name="s" type="mesh" mesh="rock"/>
<body><joint/><geom name="g" size=".1"/></body></worldbody><sensor><insidesite name="e" objtype="geom" objname="g" site="s" enclosed="true"/></sensor></mujoco>""")
    with pytest.raises(physics.ViewOnlyError, match="the containment distance of a sphere in a mesh is not there yet"):
        physics.forward(m, physics.Data(m))


@pytest.mark.nojit
def test_enclosure_under_the_interpreter():
    for kind, site in (("box", "capsule"), ("cylinder", "ellipsoid")):
        official, ours, _sampled = scene(kind, site, 1)
        assert np.allclose(ours, official, atol=1e-6)
