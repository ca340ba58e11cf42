"""Rolling, spinning and driven contacts of the hard engine against closed forms."""
import numpy as np
import pytest

import physics
from physics.enums import ENBL_ENERGY, Engine

G = 9.81


def on_plane(geom, pos, plane="", h=0.01):
    m = physics.load_string(f"""<mujoco><option timestep="{h}"/><worldbody><geom type="plane" size="50 50 .1" {plane}/>
        <body pos="{pos}"><freejoint/><geom {geom}/></body></worldbody></mujoco>""")
    m.opt.engine = Engine.HARD
    return m, physics.Data(m)


def run(m, d, n):
    physics.step(m, d, n)
    assert d.hard_nfailed == d.hard_ncoarse == 0


def energy(m, d):
    """Kinetic and potential energy [J]."""
    physics.forward(m, d)
    return float(d.energy.sum())


def chord(w, h):
    """Speed of turning as the step has it: the rotation by w h as a difference quotient, 2 sin(w h / 2) / h."""
    return 2 * np.sin(w * h / 2) / h


@pytest.mark.parametrize("h", [0.002, 0.02])
def test_a_rolling_ball_loses_nothing(h):
    m, d = on_plane('size=".1" mass="2" friction=".5 0 0"', "0 0 .1", h=h)
    d.qvel[:] = [2, 0, 0, 0, 20, 0]
    run(m, d, 2)       # until it rolls as chords do
    v = d.qvel[0]
    run(m, d, 200)
    assert abs(v - 2) < 5e-3 and abs(d.qvel[0] - v) < 1e-6 and abs(v - .1 * chord(d.qvel[4], h)) < 1e-6 and abs(d.qpos[2] - .1) < 1e-8


def test_a_sliding_ball_comes_to_roll():
    """Friction slows it until v = r w: v = 5/7 v0, whatever the friction is."""
    m, d = on_plane('size=".1" mass="2" friction=".3 0 0"', "0 0 .1", 'friction=".3 0 0"', h=.002)
    d.qvel[0] = 2
    run(m, d, 300)
    assert abs(d.qvel[0] - 10 / 7) < 1e-4 and abs(d.qvel[0] - .1 * chord(d.qvel[4], .002)) < 1e-6


def test_torsional_friction_stops_a_spin_in_time():
    """The angular momentum of a ball is that of sin(w h) / h."""
    mu, mass, r, w0, h = .01, 2.0, .1, 10.0, .01
    setting = f'condim="4" friction=".5 {mu} 0"'
    m, d = on_plane(f'size="{r}" mass="{mass}" {setting}', "0 0 .1", setting, h)
    d.qvel[5] = w0
    slow = mu * mass * G / (.4 * mass * r * r)      # rad/s2
    n = int(.5 * w0 / slow / h)
    run(m, d, n)
    assert abs(np.sin(d.qvel[5] * h) / h - (np.sin(w0 * h) / h - slow * n * h)) < 1e-5
    run(m, d, n + 10)
    assert abs(d.qvel[5]) < 1e-5 and np.abs(d.qvel[:3]).max() < 1e-6


def test_rolling_friction_stops_a_ball():
    """Deceleration mu g / (7/5 r): the friction that keeps it from sliding takes a part of the cone, and less than a per cent here."""
    mu, r, v0 = .002, .1, 1.0
    setting = f'condim="6" friction="1 .005 {mu}"'
    m, d = on_plane(f'size="{r}" mass="2" {setting}', "0 0 .1", setting)
    d.qvel[:] = [v0, 0, 0, 0, v0 / r, 0]
    slow = mu * G / (1.4 * r)
    run(m, d, round(v0 / slow / m.opt.timestep) + 50)
    assert np.abs(d.qvel).max() < 1e-4 and abs(d.qpos[0] / (v0 * v0 / (2 * slow)) - 1) < .01


def test_a_belt_carries_a_box_along():
    mu = .4
    m, d = on_plane(f'type="box" size=".1 .1 .1" mass="2" friction="{mu}"', "0 0 .1", f'friction="{mu}" surfacevel="1 0 0 0 0 0"')
    run(m, d, 20)
    assert abs(d.qvel[0] - mu * G * .2) < 1e-5
    run(m, d, 60)
    assert abs(d.qvel[0] - 1) < 1e-6 and abs(d.qvel[1]) < 1e-8


@pytest.mark.parametrize("h", [0.002, 0.02])
def test_a_lying_cylinder_rolls_and_is_not_four_fixed_points(h):
    m, d = on_plane('type="cylinder" size=".1 .2" euler="90 0 0" mass="2" friction=".5 0 0"', "0 0 .1", h=h)
    d.qvel[0] = 2
    physics.forward(m, d)
    d.qvel[3:] = d.xmat[1].reshape(3, 3).T @ [0, 20, 0]
    run(m, d, 2)
    v = d.qvel[0]
    run(m, d, 200)
    assert abs(v - 2) < 5e-3 and abs(d.qvel[0] - v) < 1e-5 and abs(d.qpos[2] - .1) < 1e-8 and abs(d.qpos[1]) < 1e-5


def test_a_rocking_ellipsoid_gains_no_energy_and_does_not_sink():
    """Released on its side it rocks to and fro; its lowest point moves over its surface."""
    size = np.array([.1, .2, .15])
    m, d = on_plane('type="ellipsoid" size=".1 .2 .15" euler="40 0 0" mass="2" friction="1 0 0"', "0 0 .2", h=.002)
    m.opt.enableflags |= ENBL_ENERGY
    run(m, d, 100)
    before = energy(m, d)
    turns = 0.0
    last = d.qvel[3]
    for _ in range(1000):
        run(m, d, 1)
        physics.forward(m, d)
        R = d.geom_xmat[1].reshape(3, 3)
        low = d.xpos[1, 2] - np.linalg.norm(size * (R.T @ [0, 0, 1]))
        assert low > -1e-9
        turns += float(d.qvel[3] * last < 0)
        last = d.qvel[3] or last
    assert turns >= 2 and energy(m, d) < before + 5e-3      # it swings with the step: by .013 J at 10 ms
