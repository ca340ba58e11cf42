"""Distances, angles, mass and inertia against the official engine, closed forms and brute force."""
import mujoco
import numpy as np
import pytest

import physics
from physics.query.measure import angle, angle_between, carried, direction, distance, geoms_of, mass_properties, nearest_points
from physics.query.point_distance import point_geom
from tests.oracle.corpus import entry

SCENE = """<mujoco>
  <asset><hfield name="hills" nrow="3" ncol="3" size="2 2 .5 .1" elevation="0 .1 0 .2 1 .3 0 .1 0"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <geom name="wall" type="plane" size="5 5 .1" pos="6 0 0" euler="0 -90 0"/>
    <geom name="hills" type="hfield" hfield="hills" pos="0 20 0"/>
    <body name="drop" pos="0 20 2"><freejoint/><geom name="drop" size=".1"/></body>
    <body name="table" pos="0 0 1"><geom name="top" type="box" size=".5 .3 .02"/><geom name="leg" type="cylinder" size=".03 .4" pos="0 0 -.5"/></body>
    <body name="arm" pos="1 0 1.5">
      <joint name="lift" type="hinge" axis="0 1 0"/><geom name="rod" type="capsule" size=".05 .2" euler="20 30 0"/><site name="wrist" pos=".1 .2 .3"/>
      <body name="hand" pos=".3 .1 0"><joint name="turn" axis="1 0 0"/><geom name="palm" type="ellipsoid" size=".1 .05 .07"/><site name="tip" pos=".1 0 0"/>
        <body name="finger" pos=".2 0 0"><geom name="nail" size=".02" mass=".1"/></body></body>
    </body>
  </worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def pair(text):
    m = physics.load_string(text)
    d = physics.Data(m)
    mm = mujoco.MjModel.from_xml_string(text)
    md = mujoco.MjData(mm)
    return m, d, mm, md


def take(m, d, mm, md, qpos):
    d.qpos[:] = md.qpos[:] = qpos
    physics.forward(m, d)
    mujoco.mj_forward(mm, md)


@pytest.fixture(scope="module")
def scene():
    m, d, mm, md = pair(SCENE)
    qpos = np.array(mm.qpos0)
    qpos[-2:] = 0.4, -0.7
    take(m, d, mm, md, qpos)
    return m, d, mm, md


def official(mm, md, first, second):
    best = np.inf
    for i in first:
        for j in second:
            kinds = {mm.geom_type[i], mm.geom_type[j]}
            if i != j and not kinds <= {0, 1}:
                best = min(best, mujoco.mj_geomDistance(mm, md, i, j, 50.0, np.zeros(6)))
    return best


@pytest.mark.parametrize("one, two", [
    (("geom", "top"), ("geom", "palm")), (("body", "table"), ("body", "arm")), (("body", "table"), ("subtree", "arm")), (("subtree", "arm"), ("geom", "floor")),
    (("subtree", "arm"), ("body", "world")), (("geom", "rod"), ("geom", "wall")),
])
def test_nearest_points_of_things_are_the_least_of_the_official_pairs(scene, one, two):
    m, d, mm, md = scene
    found = nearest_points(m, d, one, two)
    back = nearest_points(m, d, two, one)
    assert found.dist == pytest.approx(official(mm, md, geoms_of(m, one), geoms_of(m, two)), abs=1e-6) == back.dist
    assert np.linalg.norm(found.fromto[3:] - found.fromto[:3]) == pytest.approx(abs(found.dist), abs=1e-7)
    assert np.allclose(back.fromto, np.r_[found.fromto[3:], found.fromto[:3]], atol=1e-3)
    assert found.geoms[0] in geoms_of(m, one) and found.geoms[1] in geoms_of(m, two)


def test_on_a_corpus_robot_too():
    where = entry("ufactory_xarm7").path
    m, mm = physics.load(where), mujoco.MjModel.from_xml_path(str(where))
    d, md = physics.Data(m), mujoco.MjData(mm)
    take(m, d, mm, md, np.array(mm.qpos0))
    last = m.nbody - 1
    found = nearest_points(m, d, ("body", 2), ("subtree", last - 1))
    assert found.dist == pytest.approx(official(mm, md, geoms_of(m, ("body", 2)), geoms_of(m, ("subtree", last - 1))), abs=1e-5)


def test_a_height_field_is_looked_at_step_by_step(scene):
    m, d, mm, md = scene
    assert nearest_points(m, d, ("geom", "drop"), ("geom", "hills")).dist == pytest.approx(official(mm, md, geoms_of(m, ("geom", "drop")), geoms_of(m, ("geom", "hills"))), abs=1e-6)


def test_what_no_routine_knows_is_named(scene):
    m, d, *_ = scene
    found = nearest_points(m, d, ("geom", "floor"), ("geom", "wall"))
    assert found.dist == np.inf and found.geoms == (-1, -1) and found.unknown == ((m.id("geom", "floor"), m.id("geom", "wall")),)
    for wrong, error in (((("geom", "top"), ("geom", "top")), ValueError), ((("body", "table"), ("geom", "nothing")), KeyError), ((("joint", "lift"), ("geom", "top")), KeyError)):
        with pytest.raises(error):
            nearest_points(m, d, *wrong)


def test_sites_are_points(scene):
    m, d, *_ = scene
    both = nearest_points(m, d, ("site", "wrist"), ("site", "tip"))
    assert both.dist == pytest.approx(distance(d.site_xpos[0], d.site_xpos[1])) and np.allclose(both.fromto, np.r_[d.site_xpos[0], d.site_xpos[1]])
    floor = nearest_points(m, d, ("geom", "floor"), ("site", "tip"))
    assert floor.dist == pytest.approx(d.site_xpos[1, 2]) and np.allclose(floor.fromto, np.r_[d.site_xpos[1, :2], 0, d.site_xpos[1]]) and floor.geoms == (0, -1)
    assert nearest_points(m, d, ("site", "tip"), ("geom", "hills")).unknown == ((-1, m.id("geom", "hills")),)


SHAPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "plane")


@pytest.mark.parametrize("kind", SHAPES)
def test_the_distance_of_a_point_is_that_of_a_tiny_sphere(kind):
    r = np.random.default_rng(SHAPES.index(kind))
    shape = 'type="mesh" mesh="m"' if kind == "mesh" else f'type="{kind}" size="{".3 .2 .4" if kind != "plane" else "3 3 .1"}"'
    text = f"""<mujoco><asset><mesh name="m" vertex="0 0 0  .5 0 0  0 .6 0  0 0 .7  .4 .4 .5"/></asset><worldbody>
      <body pos=".1 .2 .3" euler="20 30 40"><joint/><geom name="g" {shape} mass="1"/></body><body name="p" mocap="true"><geom name="p" size="1e-7" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""
    text = text.replace('<joint/><geom name="g" type="plane"', '<geom name="g" type="plane"')
    m, d, mm, md = pair(text)
    apart = 0
    for _ in range(60):
        p = np.array([0.1, 0.2, 0.3]) + 0.6 * r.normal(size=3)
        d.mocap_pos[0] = md.mocap_pos[0] = p
        take(m, d, mm, md, mm.qpos0)
        dist, near = point_geom(m, d, p, 0)
        wanted = mujoco.mj_geomDistance(mm, md, 0, 1, 20.0, np.zeros(6))
        assert np.linalg.norm(near - p) == pytest.approx(abs(dist), abs=1e-9)
        if wanted > 1e-4:
            assert dist == pytest.approx(wanted, abs=2e-6)
            apart += 1
        elif kind != "mesh":
            assert dist == pytest.approx(wanted, abs=1e-3) or dist > wanted    # the engine's depth inside is along one direction
    assert apart > 15


def test_angles():
    assert angle([1, 0, 0], [0, 0, 0], [0, 2, 0]) == pytest.approx(np.pi / 2) and angle([1, 1, 1], [0, 1, 1], [-3, 1, 1]) == pytest.approx(np.pi)
    assert angle_between([1, 0, 0], [1, 1e-9, 0]) == pytest.approx(1e-9, rel=1e-6), "by the arc cosine this would be 0"
    with pytest.raises(ValueError, match="two directions"):
        angle([1, 0, 0], [1, 0, 0], [0, 0, 1])


def test_directions(scene):
    m, d, _mm, md = scene
    assert np.allclose(direction(m, d, "joint", "turn"), md.joint("turn").xaxis)
    assert np.allclose(direction(m, d, "site", "tip", "x"), md.site("tip").xmat.reshape(3, 3)[:, 0])
    assert np.allclose(direction(m, d, "geom", "wall"), [-1, 0, 0], atol=1e-12), "the normal of a plane"
    assert np.allclose(direction(m, d, "inertia", "arm", 1), md.body("arm").ximat.reshape(3, 3)[:, 1])
    with pytest.raises(ValueError, match="x, y or z"):
        direction(m, d, "site", "tip", "w")


# ------------------------------------------------------------------ mass

def test_a_subtree_has_the_official_mass_and_centre(scene):
    m, d, mm, md = scene
    for body in ("arm", "hand", "table", "world"):
        found = mass_properties(m, d, [body], subtree=True)
        b = mm.body(body).id
        assert found.mass == pytest.approx(mm.body_subtreemass[b]) and np.allclose(found.com, md.subtree_com[b])
    assert carried(m, "hand").tolist() == [m.id("body", "hand"), m.id("body", "finger")]


def test_the_inertia_gives_the_official_angular_momentum(scene):
    """With all of a tree turning as one rigid body about its centre, the angular momentum is I w."""
    m, d, mm, md = scene
    text = SCENE.replace('<joint name="lift" type="hinge" axis="0 1 0"/>', "<freejoint/>")
    m, d, mm, md = pair(text)
    qpos = np.array(mm.qpos0)
    qpos[-5:-1] = np.array([0.7, 0.1, -0.5, 0.3]) / np.linalg.norm([0.7, 0.1, -0.5, 0.3])
    qpos[-1] = 0.8
    take(m, d, mm, md, qpos)
    w = np.array([0.3, -1.2, 0.7])
    md.qvel[-4:-1] = md.body("arm").xmat.reshape(3, 3).T @ w
    mujoco.mj_forward(mm, md)
    mujoco.mj_subtreeVel(mm, md)
    found = mass_properties(m, d, ["arm"], subtree=True)
    assert np.allclose(found.inertia @ w, md.subtree_angmom[mm.body("arm").id], rtol=1e-9, atol=1e-12)
    assert np.allclose(found.axes @ np.diag(found.moments) @ found.axes.T, found.inertia) and np.linalg.det(found.axes) == pytest.approx(1)
    assert (np.diff(found.moments) >= 0).all()


def test_each_body_counts_once(scene):
    m, d, *_ = scene
    one = mass_properties(m, d, ["arm", "hand", "hand"], subtree=True)
    other = mass_properties(m, d, ["arm"], subtree=True)
    assert one.mass == other.mass and one.bodies == other.bodies and np.allclose(one.inertia, other.inertia)
    none = mass_properties(m, d, [])
    assert none.mass == 0 and not none.inertia.any()
