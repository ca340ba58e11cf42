"""The formulas with numbers put in give what the engine has computed, for every kind of element, joint, row, actuator and sensor."""
from functools import cache

import numpy as np
import pytest

import physics
from physics.engine.step_order import STAGES
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
