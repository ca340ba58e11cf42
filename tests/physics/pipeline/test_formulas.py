"""The formulas with numbers put in give what the engine has computed, for every kind of element, joint, row, actuator and sensor."""
from functools import cache

import numpy as np
import pytest

import physics
from physics.engine.step_order import STAGES
from physics.enums import CNSTR_EQUALITY, EQ_CONNECT, EQ_JOINT, EQ_TENDON, EQ_WELD
from physics.model.elements import Element, contact_element, element
from physics.pipeline.line import MOST_TERMS, dof_name, factor, n, summed
from physics.pipeline.numbers import NOT_TAKEN, NUMBERS, about, target_for, with_numbers
from physics.pipeline.target import target_of
from tests.physics.pipeline.walked_models import NAMES, model, states

LOOSE = {"qacc": 1e-3}      # of the largest force: how near the solver comes


def everything_selected(m, walk):
    """None, and a few of each kind of element; contacts of the step."""
    yield None
    for kind, count in (("body", m.nbody), ("joint", m.njnt), ("tendon", m.ntendon), ("actuator", m.nactuator), ("geom", m.ngeom), ("sensor", m.nsensor), ("site", m.nsite)):
        for k in range(count)[:: max(1, count // 4)]:
            yield element(m, kind, k)
    after = walk.after(6)
    for k in range(min(3, after.ncon)):
        yield contact_element(m, after, k)


def check(m, walk, number, lines, seen):
    for line in lines:
        assert line.text
        if line.computed is None:
            continue
        computed, stored = np.asarray(line.computed, float), np.asarray(line.stored, float)
        assert computed.shape == stored.shape, line
        size = max(1.0, np.abs(stored).max(initial=0.0))
        if line.field == "qacc":
            size = max(1.0, np.abs(walk.after(number).qfrc_smooth).max(), np.abs(walk.after(number).qfrc_constraint).max())
        assert np.abs(computed - stored).max(initial=0.0) <= LOOSE.get(line.field, 1e-9) * size, (STAGES[number].name, line)
        seen.add(number)


@cache
def checked(name: str) -> frozenset[int]:
    """Stages of which numbers were compared for a model, for elements of all kinds, dofs and rows."""
    m, seen = model(name), set()
    for d in list(states(m))[1:4:2]:
        walk = physics.walk(m, d)
        moments = [walk.after(number) for number in range(-1, len(STAGES))]
        selected = list(everything_selected(m, walk))
        for number, stage in enumerate(walk):
            if stage.ran:
                v, b = moments[number + 1], moments[number]
                dofs, rows = range(m.nv)[:: max(1, m.nv // 12)], range(v.nefc)[:: max(1, v.nefc // 16)]
                rows_there = number >= 6
                targets = {*(target_of(m, v, what, rows=rows_there) for what in selected), *(target_of(m, v, dof=dof, rows=rows_there) for dof in dofs)}
                targets |= {target_of(m, v, row=row) for row in rows if rows_there}
                for target in targets:
                    check(m, walk, number, NUMBERS[number](m, v, b, target), seen)
    return frozenset(seen)


@pytest.mark.parametrize("name", NAMES)
def test_formulas_give_what_the_fields_hold(name):
    assert len(checked(name)) >= 8


def test_every_stage_has_a_formula_that_is_compared():
    # the sensors that velocities and accelerations tell are compared where they show a single number
    m = physics.load_string("""<mujoco><option><flag energy="enable"/></option><worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
        <actuator><motor name="a" joint="j"/></actuator><sensor><jointpos joint="j"/><jointvel joint="j" cutoff=".1"/><actuatorfrc actuator="a"/></sensor></mujoco>""")
    d, seen = physics.Data(m), set()
    d.qvel[0], d.ctrl[0] = 0.3, 0.7
    walk = physics.walk(m, d)
    for number in range(len(STAGES)):
        check(m, walk, number, with_numbers(m, walk, number), seen)
    assert {8, 9, 14, 15, 19} <= seen
    assert seen | checked("everything") | checked("humanoid") | checked("hand") >= set(range(len(STAGES)))


def test_gravity_and_motion_are_told_apart():
    m = model("arm")
    d = list(states(m))[1]
    moving = with_numbers(m, physics.walk(m, d), 13, dof=2)
    d.qvel[:] = 0
    still = with_numbers(m, physics.walk(m, d), 13, dof=2)
    assert moving[0].text == still[0].text and moving[1].text != still[1].text and still[1].text.endswith("= 0")


def lines_of(m, walk, number, **what):
    return {line.field: line for line in with_numbers(m, walk, number, **what)}


def test_rows_of_every_equality_are_put_in():
    m = model("everything")
    d = list(states(m))[2]
    walk = physics.walk(m, d)
    after = walk.after(12)
    kinds = set()
    for row in np.flatnonzero(after.efc_type == CNSTR_EQUALITY).tolist():
        kinds.add(int(m.eq_type[after.efc_id[row]]))
        position, velocity = lines_of(m, walk, 6, row=row), lines_of(m, walk, 12, row=row)
        for line in (position["efc_pos"], position["efc_J"], velocity["efc_aref"]):
            assert np.abs(np.asarray(line.computed) - line.stored).max() <= 1e-9 * max(1.0, np.abs(line.stored).max()), line
        if kinds <= {EQ_CONNECT, EQ_WELD}:
            assert "drift" in velocity["efc_aref"].text
    assert kinds == {EQ_CONNECT, EQ_WELD, EQ_JOINT, EQ_TENDON}


SITES = """<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size=".1 .2 .1" type="box"/><site name="a" pos=".1 0 .1" euler="10 20 30"/></body>
  <body name="b" pos=".3 0 1"><joint type="ball"/><geom size=".1"/><site name="b" pos="-.1 0 .1" euler="0 20 5"/></body>
  <body name="c" pos="0 1 1"><joint name="c" type="slide"/><geom size=".1"/></body></worldbody>
  <equality><weld site1="a" site2="b" torquescale=".7"/><connect site1="a" site2="b"/><joint joint1="c" polycoef=".1 0 0 0 0"/></equality></mujoco>"""


def test_rows_between_sites_and_of_a_held_joint_are_put_in():
    m = physics.load_string(SITES)
    d = physics.Data(m)
    d.qvel[:] = np.random.default_rng(3).normal(0, 1, m.nv)
    physics.step(m, d, 20)
    walk = physics.walk(m, d)
    assert walk.after(12).ne == 10
    for row in range(10):
        found = [line for number in (6, 12) for line in with_numbers(m, walk, number, row=row) if line.computed is not None]
        assert {"efc_pos", "efc_J", "efc_aref"} <= {line.field for line in found}
        assert all(np.allclose(line.computed, line.stored, rtol=1e-9, atol=1e-9) for line in found)


ACTUATORS = """<mujoco><compiler autolimits="true"/><worldbody>
  <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom size=".1" pos=".3 0 0"/></body>
  <body pos="0 1 1"><joint name="b" axis="0 1 0" damping=".1"/><geom size=".1" pos=".3 0 0"/></body>
  <body pos="0 2 1"><joint name="ball" type="ball" damping=".1"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
  <actuator>
    <muscle name="muscle" joint="a" lengthrange="-1 1" range=".5 1.5" force="20" forcerange="-15 0"/>
    <pid name="pid" joint="b" kp="3" kv=".2" ki="2"/>
    <dcmotor name="plain" joint="a" motorconst=".5" resistance="2"/>
    <dcmotor name="wound" joint="b" motorconst=".5" resistance="2" inductance=".01"/>
    <dcmotor name="driven" joint="b" motorconst=".5" resistance="2" input="pos" controller="3 1 .1 0 0 2" cogging=".1 6 .2" lugre="50 .5 .1 .2 .05"/>
    <orientation name="aim" joint="ball" kp="4" kv=".3" forcerange="0 .5"/>
    <position name="turn" joint="ball" gear="0 0 1" kp="2" kv=".1"/>
    <general name="affine" joint="a" gaintype="affine" gainprm="1 .5 .2" biastype="affine" biasprm=".1 -.2 -.3"/>
  </actuator></mujoco>"""


def test_forces_of_every_kind_of_actuator_are_put_in():
    m = physics.load_string(ACTUATORS)
    d, random = physics.Data(m), np.random.default_rng(5)
    for _ in range(6):
        d.ctrl[:] = random.uniform(0.2, 3, m.nu)
        physics.step(m, d, 15)
        walk = physics.walk(m, d)
        for i, name in enumerate(m.names["actuator"]):
            line = lines_of(m, walk, 16, element=element(m, "actuator", i))["actuator_force"]
            assert line.computed is not None, name
            assert np.allclose(line.computed, line.stored, rtol=1e-9, atol=1e-12), line
    said = {name: " ".join(line.text for line in with_numbers(m, walk, 16, element(m, "actuator", i))) for i, name in enumerate(m.names["actuator"])}
    assert "FL(L)" in said["muscle"] and "within [\u221215, 0]" in said["muscle"] and "ki integral" in said["pid"] and "K i" in said["wound"] and "back-EMF" in said["plain"]
    assert "bristles" in said["driven"] and "cogging" in said["driven"] and "no longer than 0.5" in said["aim"] and "gain = p<sub>0</sub>" in said["affine"]


def test_contacts_that_stick_and_trees_that_sleep_are_told():
    m = physics.load_string("""<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="2 2 .1" adhesion="5" gap=".01"/>
        <body pos="0 0 .1003"><freejoint/><geom size=".1" adhesion="5" gap=".01"/></body></worldbody></mujoco>""")
    d = physics.Data(m)
    walk = physics.walk(m, d)
    assert walk.after(6).ncon == 1 and walk.after(6).nefc
    line = lines_of(m, walk, 5)["contact_exclude"]
    assert line.computed == line.stored == 1.0 and "it sticks" in line.text
    aref = lines_of(m, walk, 12)["efc_aref"]
    assert aref.computed == pytest.approx(aref.stored) and "R adhesion" in aref.text
    for _ in range(3000):
        physics.step(m, d)
        if d.tree_asleep[0] >= 0:
            break
    line = lines_of(m, physics.walk(m, d), 20)["qvel"]
    assert "asleep" in line.text and line.computed == line.stored == 0.0


def test_what_a_step_does_not_take_is_said():
    m = physics.load_string("<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>")
    walk = physics.walk(m, physics.Data(m))
    assert NOT_TAKEN in with_numbers(m, walk, 9)[0].text and "energy" in with_numbers(m, walk, 9)[0].text
    assert "no tendons" in with_numbers(m, walk, 2)[0].text and "no contacts" in with_numbers(m, walk, 5)[0].text and "no constraint rows" in with_numbers(m, walk, 12)[0].text


def test_models_without_bodies_or_dofs_have_texts_too():
    m = physics.load_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    walk = physics.walk(m, physics.Data(m))
    assert all(with_numbers(m, walk, number) for number in range(len(STAGES)))


def test_what_is_selected_picks_body_joint_actuator_contact_and_row():
    m = model("humanoid")
    d = physics.Data(m)
    for _ in range(300):
        physics.step(m, d)
    after = physics.walk(m, d).after(6)
    knee = element(m, "joint", m.id("joint", "knee_left"))
    target = target_of(m, after, knee)
    assert target.joint == knee.id and target.body == m.jnt_bodyid[knee.id] and m.actuator_trnid[target.actuator, 0] == knee.id
    contact = contact_element(m, after, after.ncon - 1)
    target = target_of(m, after, contact)
    assert target.contact == after.ncon - 1 and after.efc_id[target.row] == target.contact
    assert target_of(m, after, contact, row=0).row == 0 and target_of(m, after, None, dof=8).joint == m.dof_jntid[8]
    assert target_of(m, after, Element("light", 0)).body == 1


def test_numbers_are_written_as_people_write_them():
    assert n(-0.25) == "\u22120.25" and n((1, 2.5)) == "(1, 2.5)" and n(-0.0) == "0" and factor(-2) == "(\u22122)" and summed([]) == "0"
    assert summed(["1", "\u22122"]) == "1 \u2212 2" and summed(["1"] * (MOST_TERMS + 3)).endswith("(3 more)")
    m = model("humanoid")
    assert dof_name(m, 0).endswith("[0]") and "[" not in dof_name(m, m.nv - 1)


def test_what_the_numbers_are_of_is_said():
    m = model("humanoid")
    d = list(states(m))[2]
    walk, what = physics.walk(m, d), element(m, "joint", m.id("joint", "knee_left"))
    assert about(m, walk, 0, target_for(m, walk, 0, what)) == "body shin_left" and about(m, walk, 3, target_for(m, walk, 3, what)) == "dof knee_left"
    assert about(m, walk, 16, target_for(m, walk, 16, what)).endswith("dof knee_left") and about(m, walk, 9, target_for(m, walk, 9, what)) == ""
    assert target_for(m, walk, 5, what).row == -1
    rows = [number for number in range(len(STAGES)) if "row" in about(m, walk, number, target_for(m, walk, number, row=0))]
    assert rows == ([6, 12, 18] if walk.after(6).nefc else [])
