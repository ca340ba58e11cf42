"""Each field that may be written while a model runs: the Model then equals a fresh compile of a text that says so, and moves as that one does."""
import re

import numpy as np
import pytest

from physics import load_string
from physics.model.live_fields import LIVE_FIELDS, owner_of, row_of
from physics.runtime import commands as c
from tests.physics.runtime.models import do, simulation

POSE = " ".join(["1", ".2", "0 0 1 1 0 0 0"])
TEXT = f"""<mujoco>
  <size nuser_geom="2" nuser_jnt="1" nuser_site="1" nuser_tendon="1" nuser_actuator="1" nuser_sensor="1"/>
  <asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="material" texture="t"/></asset>
  <worldbody>
    <light name="light" pos="0 0 3"/>
    <site name="base"/><geom name="floor" type="plane" size="2 2 .1"/>
    <body pos="0 0 1"><joint name="joint" axis="0 1 0" range="-1 .1" limited="true" springref="10"/><geom name="arm" type="capsule" fromto="0 0 0 .4 0 0" size=".05"/>
      <site name="site" pos=".4 0 0"/>
      <body pos=".4 0 0"><joint name="other" axis="0 1 0"/><geom name="tip" type="capsule" fromto="0 0 0 .4 0 0" size=".05"/></body>
    </body>
    <body pos="0 1 .099"><freejoint name="free"/><geom name="geom" size=".1" friction="1 .1 .1" condim="6"/></body>
    <body pos="1 1 .25" mocap="true"><geom name="post" size=".1"/></body>
  </worldbody>
  <contact><pair name="pair" geom1="floor" geom2="tip"/></contact>
  <equality><joint name="equality" joint1="joint" joint2="other" polycoef="0 .5 0 0 0"/></equality>
  <tendon><spatial name="tendon" range=".1 1.2" limited="true" springlength=".5"><site site="base"/><site site="site"/></spatial></tendon>
  <actuator><general name="actuator" joint="other" dyntype="filter" dynprm=".5" gainprm="2" biastype="affine" biasprm="0 -1 0" ctrllimited="true" ctrlrange="-1 1"
    forcelimited="true" forcerange="-3 3" actlimited="true" actrange="-2 2"/></actuator>
  <sensor><jointpos name="sensor" joint="joint"/></sensor>
  <keyframe><key name="key" time="1" qpos="{POSE}" qvel="1 0 0 0 0 0 0 0" act=".5" ctrl=".25"/></keyframe>
</mujoco>"""
NAMES = {"": "statistic", "equality": "joint", "tendon": "spatial", "actuator": "general", "sensor": "jointpos"}   # tag of the element in the text


def numbers(value) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(value))


def said(name: str, value: np.ndarray) -> str:
    """The text in which the element has this attribute."""
    live = LIVE_FIELDS[name]
    word = numbers(value)
    if name.endswith("poly"):
        word = "0 " + word
    tag = NAMES.get(live.kind, live.kind)
    if not live.kind:
        return TEXT.replace("<asset>", f'<statistic {live.attribute}="{word}"/><asset>', 1)
    element = re.search(rf'<{tag}[^>]*name="{live.kind}"[^>]*>', TEXT).group()
    without = re.sub(rf'\s{live.attribute}="[^"]*"', "", element)
    return TEXT.replace(element, re.sub(r"(/?>)$", rf' {live.attribute}="{word}"\1', without))


def other_value(name: str, row: np.ndarray) -> np.ndarray:
    """A value that the field does not have, within what the compiler accepts."""
    live = LIVE_FIELDS[name]
    if name == "key_mpos":
        return row + 0.25
    if name.endswith("quat"):
        return np.array([0.6, 0.8, 0.0, 0.0])
    if name == "key_qpos":
        return row * [0.5, 0.5, 1, 1, 1, 1, 1, 1, 1]
    if "solref" in name:
        return np.array([0.05, 0.8])
    if "solimp" in name:
        return np.array([0.8, 0.9, 0.01, 0.4, 3.0])
    if name.endswith("range") and row.ndim and len(row) == 2:
        return np.array([-0.75, 0.625])
    return np.full_like(row, 0.375 if live.high == 1.0 else 0.125) + (0.0625 * np.arange(row.size).reshape(row.shape) if row.ndim else 0.0)


def field_of(m, name: str):
    """(index of the row that belongs to the element named after its kind, the row)."""
    live = LIVE_FIELDS[name]
    if not live.kind:
        return None, np.array(getattr(m, name), float)
    row = row_of(m, name, m.id(live.kind, live.kind), 0)
    assert owner_of(m, name, row) == (live.kind, m.id(live.kind, live.kind), 0)
    return row, np.array(getattr(m, name)[row], float)


@pytest.mark.parametrize("name", LIVE_FIELDS)
def test_a_field_set_while_it_runs_equals_a_fresh_compile_of_the_text_that_says_so(name):
    sim = simulation(load_string(TEXT))
    row, before = field_of(sim.model, name)
    value = other_value(name, before)
    assert not np.array_equal(value, before)
    assert not do(sim, c.SetField(name, value, row)), "refused"
    fresh = load_string(said(name, value))
    for field in sim.model.fields():
        assert np.array_equal(getattr(sim.model, field), getattr(fresh, field), equal_nan=True), field
    other = simulation(fresh)
    for one in (sim, other):
        do(one, c.LoadKey(0), c.Step(60))
    assert (sim.data.qpos == other.data.qpos).all() and (sim.data.qvel == other.data.qvel).all() and np.isfinite(sim.data.qpos).all()


def test_other_fields_are_refused_by_name_and_why():
    sim = simulation(load_string(TEXT))
    for name in ("body_mass", "geom_size", "geom_type", "qpos0", "actuator_gear", "dof_armature", "opt_timestep"):
        events = do(sim, c.SetField(name, 1.0, 0))
        assert [e.kind for e in events] == ["refused"] and name in events[0].text and "follow from it" in events[0].text
    assert "did you mean 'geom_friction'" in do(sim, c.SetField("geom_frictoin", 1.0, 0))[0].text
    assert "from 0" in do(sim, c.SetField("dof_frictionloss", -1.0, 0))[0].text
