"""Friction as it comes out on a copy: the slope at which a box slides is the cone's, within it it creeps, and the model is left as it was."""
from math import atan, pi, sqrt

import numpy as np
import pytest

import physics
from physics.model.elements import element
from physics.model.state_fields import State
from physics.tuning.friction import GivenUp, drift_test, expected_slope, slope_test
from physics.tuning.target import Form, Target

BOX = """<mujoco><option cone="{cone}" timestep="0.002" impratio="{impratio}"/><worldbody><geom name="floor" type="plane" size="50 50 1" friction=".01"/>
  <body pos="0 0 .0999"><freejoint/><geom name="box" type="box" size=".3 .3 .1" condim="{condim}" friction="{mu} .01 .001"/></body>
  <body pos="3 0 1"><freejoint/><geom name="far" size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def lying(cone="elliptic", mu=.5, condim=3, impratio=1, steps=200):
    m = physics.load_string(BOX.format(cone=cone, mu=mu, condim=condim, impratio=impratio))
    d = physics.Data(m)
    physics.step(m, d, steps)
    return m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "box")))


@pytest.mark.parametrize("mu", [.3, .8])
@pytest.mark.parametrize("cone,heading,held", [("elliptic", 0, 1), ("elliptic", pi / 4, 1), ("pyramidal", 0, 1), ("pyramidal", pi / 4, 1 / sqrt(2)), ("pyramidal", pi / 2, 1)])
def test_the_slope_at_which_a_box_slides_is_that_of_the_cone(cone, heading, held, mu):
    m, d, target = lying(cone, mu)
    found = slope_test(m, d, target, heading)
    print(f"{cone} {heading:.2f} mu {mu}: {found.text}")
    assert found.expected == pytest.approx(held * mu) == expected_slope(m, (mu, mu), heading)
    assert found.friction == pytest.approx(held * mu, rel=.04) and found.angle == pytest.approx(atan(found.friction))


def test_within_the_cone_it_creeps_at_one_speed():
    m, d, target = lying("elliptic")
    drift = drift_test(m, d, target, seconds=.3)
    print(drift.text)
    assert drift.angle == pytest.approx(atan(.25)) and drift.share == pytest.approx(.5, rel=.02) and drift.changes == 0 and drift.speed > 1e-5


def test_the_model_that_is_asked_about_is_left_alone_and_nobody_has_to_wait():
    m, d, target = lying("pyramidal")
    before, gravity = physics.get_state(m, d).copy(), m.opt_gravity.copy()
    assert drift_test(m, State.of(d), target, seconds=.1).speed == drift_test(m, d, target, seconds=.1).speed
    with pytest.raises(GivenUp):
        slope_test(m, d, target, stop=lambda: True)
    assert np.array_equal(physics.get_state(m, d), before) and np.array_equal(m.opt_gravity, gravity)


def test_without_friction_it_slides_at_once_and_apart_nothing_is_measured():
    m, d, target = lying("elliptic", condim=1)
    m.geom_condim[:] = 1
    found = slope_test(m, d, target)
    assert found.friction < .02 and found.expected == 0
    with pytest.raises(ValueError, match="touches nothing"):
        slope_test(m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "far"))))
    m.opt_gravity[:] = 0
    with pytest.raises(ValueError, match="gravity"):
        slope_test(m, d, target)
