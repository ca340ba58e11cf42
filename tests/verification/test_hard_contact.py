"""Rigid contact: exact friction, no overlap, no creep, against closed forms."""
import numpy as np
import pytest

import physics
from physics.engine.collide.collision import collision
from physics.enums import Engine

BOX = """<mujoco><option timestep="{h}" gravity="{g}"/><worldbody><geom type="plane" size="9 9 .1" friction="{mu}"/>
<body pos="0 0 {z}"><freejoint/><geom type="box" size="{size}" mass="{mass}" friction="{mu}"/></body></worldbody></mujoco>"""


def box(h=0.01, mu=0.5, z=0.1, mass=1.0, size=".1 .1 .1", g="0 0 -9.81"):
    m = physics.load_string(BOX.format(h=h, mu=mu, z=z, mass=mass, size=size, g=g))
    m.opt.engine = Engine.HARD
    return m, physics.Data(m)


def deepest(m, d):
    """Deepest overlap, by the official collision test at the present pose [m]."""
    e = physics.Data(m)
    e.qpos[:] = d.qpos
    physics.kinematics(m, e)
    collision(m, e)
    while e.make_room():
        collision(m, e)
    return -min(0.0, e.contact.dist.min(initial=0.0))


@pytest.mark.parametrize("h", [0.001, 0.01, 0.02])
def test_a_sliding_box_stops_where_the_sum_of_its_steps_says(h):
    v0, mu = 3.0, 0.3
    m, d = box(h, mu, size=".3 .3 .1", mass=2)
    d.qvel[0] = v0
    n = round(1.3 / h)
    physics.step(m, d, n)
    distance = sum(max(0.0, v0 - mu * 9.81 * h * (k + 1)) * h for k in range(n))
    assert d.qpos[0] == pytest.approx(distance, abs=1e-6)
    assert abs(d.qpos[1]) < 1e-8 and d.hard_nfailed == d.hard_ncoarse == 0


def test_oblique_sliding_does_not_drift():
    """Figure 5 of the paper: the cone is no pyramid."""
    m, d = box(0.01, 0.25, z=0.5, size=".25 .25 .25")
    v = np.array([4.0, 0.8])
    d.qvel[:2] = v
    physics.step(m, d, 400)
    along, across = v / np.linalg.norm(v), np.array([-v[1], v[0]]) / np.linalg.norm(v)
    yaw = 2 * np.arctan2(d.qpos[6], d.qpos[3])
    assert abs(across @ d.qpos[:2]) < 1e-6 and abs(np.degrees(yaw)) < 1e-5
    assert along @ d.qpos[:2] == pytest.approx(3.4346, abs=1e-3)


def test_a_box_rests_on_a_slope():
    tilt = np.radians(20)
    m, d = box(0.01, 1.0, g=f"{9.81 * np.sin(tilt)} 0 {-9.81 * np.cos(tilt)}")
    physics.step(m, d, 100)
    before = d.qpos[:3].copy()
    physics.step(m, d, 300)
    assert np.abs(d.qpos[:3] - before).max() / 3 < 1e-5
    assert abs(d.qpos[2] - 0.1) < 1e-6


@pytest.mark.parametrize("mu", [0.4, 0.6])
def test_a_tall_box_tips_or_slides(mu):
    """Pushed at half its height a box of half width a and half height c tips from mu = a / c on; below it slides."""
    a, c = 0.1, 0.2
    m, d = box(0.005, mu, z=c, size=f"{a} {a} {c}")
    d.xfrc_applied[1, 0] = 1.02 * 9.81 * min(mu, a / c)
    physics.step(m, d, 100)
    pitch = 2 * np.arctan2(d.qpos[5], d.qpos[3])
    if mu > a / c:
        assert pitch > 0.005
    else:
        assert abs(pitch) < 1e-6 and d.qpos[0] == pytest.approx(0.5 * 0.02 * mu * 9.81 * 0.5 ** 2, rel=0.05)


@pytest.mark.parametrize("h", [0.002, 0.01, 0.05])
def test_a_stack_of_ten(h):
    bodies = "".join(f'<body pos="0 0 {0.1 + 0.2 * i}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1" friction=".7"/></body>' for i in range(10))
    m = physics.load_string(f'<mujoco><option timestep="{h}"/><worldbody><geom type="plane" size="5 5 .1"/>{bodies}</worldbody></mujoco>')
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    for _ in range(5):
        physics.step(m, d, max(1, round(0.1 / h)))
        assert deepest(m, d) < 1e-8
    assert d.qpos[-5] == pytest.approx(1.9, abs=1e-8)
    assert np.abs(d.qpos.reshape(-1, 7)[:, :2]).max() < 1e-8
    assert d.hard_nfailed == d.hard_ncoarse == d.hard_nhalved == 0


def test_two_bodies_keep_their_momentum_when_they_meet():
    m = physics.load_string("""<mujoco><option timestep=".01" gravity="0 0 0"/><worldbody>
    <body pos="-.3 0 0" euler="10 20 30"><freejoint/><geom type="box" size=".1 .12 .08" mass="1"/></body>
    <body pos=".3 .05 .02" euler="40 0 10"><freejoint/><geom type="box" size=".08 .1 .1" mass="2"/></body></worldbody></mujoco>""")
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    d.qvel[0], d.qvel[6] = 2.0, -1.0
    p0 = m.body_mass[1] * d.qvel[:3] + m.body_mass[2] * d.qvel[6:9]
    energy = np.inf
    touched = 0
    for _ in range(60):
        physics.step(m, d)
        touched += d.nefc > 0
        kinetic = 0.5 * sum(m.body_mass[b] * (d.qvel[6 * b - 6:6 * b - 3] ** 2).sum() + (m.body_inertia[b] * d.qvel[6 * b - 3:6 * b] ** 2).sum() for b in (1, 2))
        if d.nefc > 0:
            assert kinetic < energy + 1e-6
        energy = kinetic
    assert touched and np.abs(m.body_mass[1] * d.qvel[:3] + m.body_mass[2] * d.qvel[6:9] - p0).max() < 1e-6


def test_a_box_on_the_central_path_floats_by_the_closed_form():
    """At rest the gap of each of n points is n kappa / (m g)."""
    m, d = box(0.01, 0.5, z=0.11)
    m.opt.hard_kappa = 1e-3
    physics.step(m, d, 400)
    assert d.qpos[2] - 0.1 == pytest.approx(4 * 1e-3 / 9.81, rel=1e-4)


def test_what_is_posed_in_the_floor_comes_out_without_flying_up():
    m, d = box(0.002, 0.5, z=0.098)
    for k in range(1, 4):
        physics.step(m, d)
        assert d.qpos[2] == pytest.approx(min(0.1, 0.098 + 0.001 * k), abs=1e-6) and abs(d.qvel[2]) < 1e-4


@pytest.mark.parametrize("speed", [0.3, 2.0])
def test_a_platform_that_the_user_lifts_does_not_go_through_what_lies_on_it(speed):
    m = physics.load_string("""<mujoco><worldbody><body mocap="true"><geom type="box" size="1 1 .1"/></body>
        <body pos="0 0 .2"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>""")
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    h = m.opt.timestep
    for k in range(150):
        d.mocap_pos[0, 2] += speed * h
        physics.step(m, d)
        # from the second step on it is known how fast the platform is: the box is where that will be
        assert -1.01 * speed * h < d.qpos[2] - d.mocap_pos[0, 2] - 0.2 < speed * h + 1e-6 and (k < 2 or abs(d.qvel[2] - speed) < 1e-6)
    physics.step(m, d, 400)
    assert d.qpos[2] - d.mocap_pos[0, 2] == pytest.approx(0.2, abs=1e-6)     # all of it is ended
