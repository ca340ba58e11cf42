"""Values by name become the rows that a text with them compiles to, and what cannot be is told."""
import numpy as np
import pytest

import physics
from physics.enums import ENBL_OVERRIDE, Cone
from physics.model.changes.field_changes import differences, image_of
from physics.tuning.model_values import changes_of, find_value, names_offered, read_number
from physics.tuning.parameter_set import parameter_set

TEXT = """<mujoco><option timestep="0.002" impratio="1" cone="pyramidal" noslip_iterations="0"/><worldbody>
  <geom name="floor" type="plane" size="1 1 .1" solref=".02 1" friction="1 .005 .0001"/>
  <body name="a"><joint name="hinge" solreflimit=".02 1" damping="0" frictionloss="0"/><geom name="fin.ger" size=".1" condim="3" priority="0"/></body>
  <body name="b" pos="0 0 1"><freejoint name="free"/><geom size=".1" solref=".02 1" friction="1 .005 .0001"/></body>
</worldbody><contact><pair name="p" geom1="floor" geom2="fin.ger" solref=".02 1" condim="3"/></contact>
<actuator><position name="servo" joint="hinge" kp="10" kv="1"/><velocity name="speed" joint="hinge" kv="2"/><motor name="motor" joint="hinge"/></actuator></mujoco>"""


@pytest.fixture
def model():
    return physics.load_string(TEXT)


@pytest.mark.parametrize("values,before,after", [
    ({"geom.floor.solref": (-1000, -20)}, 'name="floor" type="plane" size="1 1 .1" solref=".02 1"', 'name="floor" type="plane" size="1 1 .1" solref="-1000 -20"'),
    ({"geom.floor.solref[0]": 0.05}, 'size="1 1 .1" solref=".02 1"', 'size="1 1 .1" solref=".05 1"'),
    ({"geom.2.friction[0]": 0.3, "geom.2.friction[2]": 0.001}, 'size=".1" solref=".02 1" friction="1 .005 .0001"', 'size=".1" solref=".02 1" friction=".3 .005 .001"'),
    ({"geom.fin.ger.condim": 6, "geom.fin.ger.priority": 2}, 'condim="3" priority="0"', 'condim="6" priority="2"'),
    ({"pair.p.condim": 1, "pair.p.solref[0]": 0.5}, 'solref=".02 1" condim="3"/>', 'solref=".5 1" condim="1"/>'),
    ({"joint.hinge.solreflimit[1]": 2.0, "joint.hinge.damping": 0.5, "joint.hinge.frictionloss": 0.1}, 'solreflimit=".02 1" damping="0" frictionloss="0"',
     'solreflimit=".02 2" damping=".5" frictionloss=".1"'),
    ({"jnt.hinge.solref[1]": 2.0}, 'solreflimit=".02 1"', 'solreflimit=".02 2"'),
    ({"opt.impratio": 5, "option.cone": "elliptic", "opt.noslip_iterations": 3}, 'impratio="1" cone="pyramidal" noslip_iterations="0"',
     'impratio="5" cone="elliptic" noslip_iterations="3"'),
    ({"actuator.servo.kp": 25, "actuator.servo.kv": 3}, 'kp="10" kv="1"', 'kp="25" kv="3"'),
    ({"actuator.speed.kv": 7}, 'name="speed" joint="hinge" kv="2"', 'name="speed" joint="hinge" kv="7"'),
])
def test_a_model_with_values_is_that_of_the_text_with_them(model, values, before, after):
    assert TEXT.count(before) == 1
    twin = physics.load_string(TEXT.replace(before, after))
    assert differences(image_of(parameter_set(model, "x", values).beside(model)), twin) == ()


def test_all_elements_of_a_kind_and_the_values_now(model):
    (change,) = changes_of(model, [(find_value(model, "geom.*.friction[0]"), 0.2)])
    assert change.name == "geom_friction" and change.rows.tolist() == [0, 1, 2] and change.values[:, 0].tolist() == [0.2] * 3 and (change.values[:, 1] == 0.005).all()
    assert find_value(model, "actuator.servo.kp").now(model).tolist() == [10.0] and find_value(model, "opt.gravity").now(model).tolist() == [0, 0, -9.81]
    assert find_value(model, "geom.floor.friction[1]").now(model).tolist() == [0.005]
    assert {"opt.impratio", "geom.floor.solref", "actuator.servo.gainprm"} <= set(names_offered(model)) and not any("key" in name for name in names_offered(model))


def test_the_override_turns_itself_on(model):
    m = parameter_set(model, "x", {"opt.o_solref[0]": 0.5}).beside(model)
    assert m.opt_o_solref.tolist() == [0.5, model.opt_o_solref[1]] and m.opt_enableflags & ENBL_OVERRIDE and not model.opt_enableflags & ENBL_OVERRIDE


@pytest.mark.parametrize("text,said", [
    ("geom.flor.solref[0]", "there is no geom 'flor'; did you mean 'floor'"), ("gem.floor.solref[0]", "did you mean 'geom'"),
    ("geom.floor", "write opt.NAME, or KIND.NAME.ATTRIBUTE"),
    ("geom.floor.solreff", "did you mean 'solref'"), ("geom.floor.size[0]", "size of a geom cannot be set"), ("geom.floor.solref[2]", "it has 2 numbers"),
    ("geom.9.solref", "no geom '9'"),
    ("opt.impratoi", "did you mean 'impratio'"), ("opt.disableflags", "there is no option 'disableflags'"), ("opt.timestep[0]", "single number"), ("", "write opt.NAME"),
    ("actuator.motor.kp", "no position servo"), ("actuator.speed.kp", "no position servo"), ("actuator.servo.kp[0]", "single number"),
    ("actuator.*.kv", "motor is no position or velocity"),
    ("sensor.*.noise", "has no sensor"), ("mesh.x.scale", "no mesh 'x'"),
])
def test_what_there_is_not_is_told(model, text, said):
    with pytest.raises(ValueError, match="(?s)" + said.replace("(", r"\(")):
        find_value(model, text)


@pytest.mark.parametrize("values,said", [
    ({"geom.floor.solref[0]": -1000}, "solref of geom floor would be (-1000, 1)"), ({"opt.o_solref[0]": -1}, "solref of opt_o_solref would be"),
    ({"geom.floor.friction[0]": -1}, "of 0 or more, not -1"),
    ({"geom.floor.condim": 2.5}, "whole number"), ({"geom.floor.condim": 7}, "from 1 to 6, not 7"), ({"opt.timestep": 0}, "above 0, not 0"),
    ({"opt.timestep": float("nan")}, "no finite number"),
    ({"geom.floor.solref": 3}, "has 2 numbers, 1 is given; write geom.floor.solref[0]"), ({"opt.impratio": (1, 2)}, "has 1 number, 2 are given"),
    ({"opt.cone": "eliptic"}, "did you mean 'elliptic'"),
])
def test_what_a_value_cannot_be_is_told(model, values, said):
    with pytest.raises(ValueError) as told:
        parameter_set(model, "x", values)
    assert said in str(told.value)


def test_what_the_engine_cannot_take_is_told(model):
    for values, said in (({"geom.floor.condim": 2}, "condim 2"), ({"opt.cone": 7}, "opt_cone"), ({"opt.solver": 9}, "solver 9")):
        with pytest.raises(ValueError, match=said):
            parameter_set(model, "x", values).beside(model)
    assert read_number(find_value(model, "opt.cone"), "Elliptic") == Cone.ELLIPTIC and np.isclose(read_number(find_value(model, "opt.impratio"), "1e1"), 10)
