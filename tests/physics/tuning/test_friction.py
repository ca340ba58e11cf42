"""Friction as it comes out on a copy: the slope at which a box slides is the cone's, creep is less with impratio and none with noslip, and the model is left as it was."""
from math import atan, pi, sqrt

import numpy as np
import pytest

import physics
from physics.model.elements import element
from physics.tuning.friction import compare_drift, drift_test, expected_slope, slope_test
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


def test_drift_is_less_with_impratio_and_noslip():
    m, d, target = lying("elliptic")
    found = compare_drift(m, d, target, ("as it is", "impratio 10", "noslip 10", "condim 6"))
    speeds = {name: drift.speed for name, drift in found.items()}
    print(", ".join(f"{name}: {drift.text}" for name, drift in found.items()))
    assert speeds["as it is"] > 1e-5 and speeds["impratio 10"] < .2 * speeds["as it is"] and speeds["noslip 10"] < 1e-3 * speeds["as it is"]
    assert found["as it is"].angle == pytest.approx(atan(.25)) == found["noslip 10"].angle
    assert found["as it is"].share == pytest.approx(.5, rel=.02) and found["as it is"].changes == 0


def test_the_model_that_is_asked_about_is_left_alone():
    m, d, target = lying("pyramidal")
    before, gravity, cone = physics.get_state(m, d).copy(), m.opt_gravity.copy(), m.opt_cone
    drift_test(m, d, target, options={"cone": 1, "condim": 6}, seconds=.1)
    assert np.array_equal(physics.get_state(m, d), before) and np.array_equal(m.opt_gravity, gravity) and m.opt_cone == cone and m.geom_condim[m.id("geom", "box")] == 3


def test_without_friction_it_slides_at_once_and_apart_nothing_is_measured():
    m, d, target = lying("elliptic", condim=1)
    m.geom_condim[:] = 1
    assert slope_test(m, d, target).friction < .02
    with pytest.raises(ValueError, match="touches nothing"):
        slope_test(m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "far"))))
    with pytest.raises(ValueError, match="condim"):
        drift_test(m, d, target, options={"condim": 5})
    m.opt_gravity[:] = 0
    with pytest.raises(ValueError, match="gravity"):
        slope_test(m, d, target)
