"""Cone, impratio, noslip and condim as parameter sets: each slips as a model that has them from its text, and the figures are in the order in which they help."""
import numpy as np
import pytest

import physics
from physics.model.elements import element
from physics.tuning.friction import drift_test
from physics.tuning.friction_compare import compare_friction, friction_sets
from physics.tuning.target import Form, Target

BOX = """<mujoco><option cone="{cone}" timestep="0.002" {more}/><worldbody><geom name="floor" type="plane" size="50 50 1" friction=".01"/>
  <body pos="0 0 .0999"><freejoint/><geom name="box" type="box" size=".3 .3 .1" condim="{condim}" friction=".5 .01 .001"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def lying(cone="pyramidal", condim=3, more="", state=None):
    m = physics.load_string(BOX.format(cone=cone, condim=condim, more=more))
    d = physics.Data(m)
    if state is None:
        physics.step(m, d, 200)
    else:
        physics.set_state(m, d, state)
        physics.forward(m, d)
    return m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "box")))


def test_each_slips_as_a_model_that_is_written_so():
    m, d, target = lying()
    state = physics.get_state(m, d).copy()
    found = {one.set.label: one for one in compare_friction(m, d, target, friction_sets(m, d, target), seconds=0.2)}
    assert list(found) == ["as it is", "elliptic cone", "impratio 10", "elliptic cone, impratio 10", "noslip 10", "condim 4", "condim 6"]
    angle = found["as it is"].drift.angle
    texts = {"as it is": {}, "elliptic cone": {"cone": "elliptic"}, "impratio 10": {"more": 'impratio="10"'}, "elliptic cone, impratio 10": {"cone": "elliptic", "more": 'impratio="10"'},
             "noslip 10": {"more": 'noslip_iterations="10"'}, "condim 4": {"condim": 4}, "condim 6": {"condim": 6}}
    for label, text in texts.items():
        assert found[label].drift.speed == drift_test(*lying(**text, state=state), angle, seconds=0.2).speed, label
        assert found[label].share == pytest.approx(abs(found[label].drift.speed / found["as it is"].drift.speed))
    print({label: f"{1e3 * one.drift.speed:.4g} mm/s" for label, one in found.items()})
    assert 0 < found["elliptic cone, impratio 10"].drift.speed < 0.2 * found["elliptic cone"].drift.speed
    end = {label: abs(one.drift.slips[-1]) for label, one in found.items()}      # noslip takes a while to stop it in a pyramidal cone
    print({label: f"{1e3 * slip:.4g} mm/s at the end" for label, slip in end.items()})
    assert end["noslip 10"] < 0.1 * end["as it is"] and found["noslip 10"].share < 1
    assert [one.set.colour for one in found.values()] == list(range(7))
    assert np.array_equal(physics.get_state(m, d), state) and m.opt_cone == 0 and m.geom_condim.tolist() == [3, 3]


def test_apart_there_is_nothing_to_compare():
    m, d, target = lying()
    d.qpos[2] = 5.0
    physics.forward(m, d)
    with pytest.raises(ValueError, match="touches nothing"):
        friction_sets(m, d, target)
