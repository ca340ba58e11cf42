"""Dry friction of a joint holds what rests and slides in an impact: the row of impacts, by the engine."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.model.elements import element
from physics.tuning.closed_forms import rest_depth
from physics.tuning.law import Parameters, Row
from physics.tuning.scalar import approach, impacts, surface_speed, trajectory
from physics.tuning.target import Form, Target, read

PARAMETERS = Parameters((-10000.0, -40.0), (0.5, 0.5, 0.001, 0.5, 2.0))
# a foot with a part on a slide that dry friction holds
FOOT = """<mujoco><option timestep="0.001"/><worldbody><geom type="plane" size="0 0 1" condim="1"/>
  <body pos="0 0 .0995"><joint type="slide" axis="0 0 1"/><geom name="foot" size=".1" mass="2" condim="1" priority="1" solref="-10000 -40" solimp=".5 .5 .001 .5 2"/>
  <body pos="0 0 .3" gravcomp="1"><joint type="slide" axis="0 0 1" frictionloss="15"/><geom size=".02" mass="10" contype="0" conaffinity="0"/></body></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture(scope="module")
def resting(kernels):
    m = physics.load_string(FOOT)
    d = physics.Data(m)
    physics.step(m, d, 3000)
    d.qvel[:] = 0.0
    physics.forward(m, d)
    return m, d, read(m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "foot"))), held=True)


def test_the_row_of_impacts_has_the_friction_sliding(resting):
    _m, _d, found = resting
    row, loose = found.row, found.row.of_impacts
    assert loose is not row and loose.of_impacts is loose
    assert 1.0 / row.inverse_mass > 6.0 and row.dry == 0.0, "the part sticks"
    assert 1.0 / loose.inverse_mass == pytest.approx(2.0) and loose.dry == pytest.approx(15.0 / 2.0)
    assert loose.load() * 2.0 == pytest.approx(-9.81 * 2.0, rel=1e-3) == pytest.approx(row.load() / row.inverse_mass, rel=1e-3), "the load is the same"
    assert rest_depth(row, found.parameters) == pytest.approx(-found.position, rel=1e-3) == pytest.approx(rest_depth(loose, found.parameters), rel=1e-3)


@pytest.mark.parametrize("speed", [0.3, 0.5])
def test_an_impact_is_that_of_the_foot_whose_part_slides(resting, speed):
    m, d, found = resting
    row, parameters, foot = found.row, found.parameters, m.id("geom", "foot")
    loose, rest = row.of_impacts, d.qpos.copy()
    r, u = (float(x) for x in approach(loose, np.array(speed), np.array(0.5)))
    zero = rest[0] + float(m.geom_size[foot, 0] - d.geom_xpos[foot, 2])
    e = 0.0
    kept = physics.get_state(m, d).copy()
    d.qpos[0] = zero + r
    d.qvel[:] = u, -u       # the foot moves, as when something pushes it, and its part stays
    for _ in range(1000):
        physics.step(m, d)
        if d.qpos[0] >= zero and d.qvel[0] > 0.0:
            e = float(surface_speed(loose, d.qpos[0] - zero, d.qvel[0])) / speed
            break
    physics.set_state(m, d, kept)
    physics.forward(m, d)
    predicted = float(impacts(row, parameters, (speed,), 1)[0].restitution[0])
    stuck = float(impacts(replace(row, loose=None), parameters, (speed,), 1)[0].restitution[0])
    print(f"{speed:g} m/s: predicted {predicted:.3f}, seen {e:.3f}, as if it stuck {stuck:.3f}")
    assert predicted == pytest.approx(e, abs=0.045) and abs(stuck - e) > 2.0 * abs(predicted - e)


@pytest.mark.parametrize("integrator", [0, 1])
def test_dry_friction_stops_a_motion_and_begins_none(integrator):
    row = Row(0.5, 1.0, 0.0, 1e-3, integrator, True, 0.0, dry=10.0)
    motion = trajectory(row, PARAMETERS, np.array([1.0, 1.0, 1.0]), np.array([0.5, -0.5, 0.0]), 0.1)
    assert np.abs(motion.velocity[-1]).max() < 1e-3 and motion.velocity[49, 0] > 0.0
    assert motion.distance[-1] - 1.0 == pytest.approx([0.0125, -0.0125, 0.0], rel=0.03)
    one = trajectory(row, PARAMETERS, 1.0, 0.5, 0.1)
    assert np.abs(one.distance[:, 0] - motion.distance[:, 0]).max() < 1e-15, "one start and several"
