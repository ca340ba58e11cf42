"""Limits of joints and dry friction of dofs under the hard engine, against closed forms."""
import numpy as np
import pytest

import physics
from physics.enums import Engine

HINGE = """<mujoco><option timestep="{h}" gravity="0 0 {g}"/><worldbody><body><joint name="j" axis="0 1 0" {more}/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>
<geom size=".01" mass="0" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""
BALL = """<mujoco><option timestep="{h}"/><worldbody><body pos="0 0 1"><joint type="ball" range="0 {range}" limited="true"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>{child}</body></worldbody></mujoco>"""


def model(text):
    m = physics.load_string(text)
    m.opt.engine = Engine.HARD
    return m, physics.Data(m)


def test_a_limit_stops_the_joint_without_rebound():
    m, d = model(HINGE.format(h=0.01, g=0, more='range="-20 20" limited="true"'))
    d.qvel[0], d.qfrc_applied[0] = 3.0, 1.0
    physics.step(m, d, 40)
    assert d.qpos[0] == pytest.approx(np.radians(20), abs=1e-7) and abs(d.qvel[0]) < 1e-5


def test_a_limit_out_of_reach_is_taken_in_where_an_impulse_reaches_it():
    """From rest nothing leads that far in a step but what is applied: the limit gets its rows when it has been overstepped."""
    m, d = model(HINGE.format(h=0.01, g=0, more='range="-20 20" limited="true"'))
    d.qfrc_applied[0] = 500.0
    physics.step(m, d)
    assert d.hard_looked == 1 and d.qpos[0] == pytest.approx(np.radians(20), abs=1e-7)
    # the momentum of a turn by q in a step is I sin(q) / h
    assert d.efc_force[:d.nefc].max() == pytest.approx(500.0 - 0.1 * np.sin(np.radians(20)) / 0.01 ** 2, rel=1e-4)


def test_a_joint_outside_its_range_comes_back_without_speed():
    m, d = model(HINGE.format(h=0.01, g=0, more='range="-20 20" limited="true"'))
    d.qpos[0] = np.radians(20) + 0.012
    for left in (0.007, 0.002, 0.0):
        physics.step(m, d)
        assert d.qpos[0] - np.radians(20) == pytest.approx(left, abs=1e-5) and abs(d.qvel[0]) < 1e-3


@pytest.mark.parametrize("child", ["", '<body pos=".3 0 0"><joint axis="0 1 0"/><geom size=".03"/></body>'])
def test_the_angle_of_a_ball_ends_at_its_limit(child):
    m, d = model(BALL.format(h=0.005, range=40, child=child))
    d.qvel[:3] = [0.3, 0.5, 0.2]
    angles = []
    for _ in range(400):
        physics.step(m, d)
        w = min(1.0, abs(d.qpos[0]))
        angles.append(2 * np.arccos(w))
    assert max(angles) < np.radians(40) + 1e-7 and max(angles) > np.radians(40) - 1e-6
    assert d.hard_nfailed == d.hard_ncoarse == 0


@pytest.mark.parametrize("h", [0.002, 0.02])
def test_dry_friction_slows_by_its_torque_and_then_holds(h):
    """I dv = -f dt until the joint stands."""
    m, d = model(HINGE.format(h=h, g=0, more='frictionloss=".2"'))
    d.qvel[0] = 1.0
    n = round(0.3 / h)
    physics.step(m, d, n)
    assert d.qvel[0] == pytest.approx(1.0 - 0.2 / 0.1 * n * h, abs=2e-4)
    physics.step(m, d, n)
    assert abs(d.qvel[0]) < 1e-5
    d.qfrc_applied[0] = 0.19
    before = d.qpos[0]
    physics.step(m, d, n)
    assert abs(d.qpos[0] - before) < 1e-4
    assert d.efc_force[0] == pytest.approx(-0.19, abs=1e-4) and d.qfrc_constraint[0] == pytest.approx(-0.19, abs=1e-4)


def test_dry_friction_gives_way_above_its_torque():
    m, d = model(HINGE.format(h=0.01, g=0, more='frictionloss=".2"'))
    d.qfrc_applied[0] = 0.3
    physics.step(m, d, 50)
    assert d.qvel[0] == pytest.approx(0.1 / 0.1 * 0.5, abs=1e-4)
