"""What the hard engine refuses, and what it leaves out of account: each by name and at its place."""
import re
from pathlib import Path

import pytest

import physics
from physics.engine.hard.runnable import runnable
from physics.enums import Engine
from physics.kernels import load
from physics.simulate import hard_unsupported

PLAIN = """<mujoco>
<worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body name="a"><joint name="j" armature=".01"/><geom name="g" size=".1"/><site name="s"/></body>
<body name="b" pos="1 0 0"><joint name="k"/><geom name="h" size=".1"/></body>
<body name="target" mocap="true"/></worldbody>
%s
</mujoco>"""
REFUSED = (
    ('<option><flag sleep="enable"/></option>', "sleeping bodies", None),
    ('<actuator><adhesion name="grip" body="a" gain="1" ctrlrange="0 1"/></actuator>', "adhesion: actuator 'grip'", 6),
    ('<contact><pair name="p" geom1="g" geom2="h" adhesion="1"/></contact>', "adhesion: pair 'p'", 6),
    ('<equality><distance name="d" geom1="g" geom2="h"/></equality>', "type 'distance': equality 'd'", 6),
    ('<tendon><fixed name="t" armature=".1"><joint joint="j" coef="1"/></fixed></tendon>', "armature of tendons: tendon 't'", 6),
    ('<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon><actuator><motor tendon="t" armature=".1"/></actuator>', "armature of tendons: tendon 't'", 6),
)
TENDONS = """<tendon><fixed name="t" range="0 1" limited="true" frictionloss="1" margin=".1" solreflimit=".1 1"><joint joint="j" coef="1"/></fixed>
<fixed name="u"><joint joint="k" coef="1"/></fixed></tendon><equality><tendon name="e" tendon1="t" tendon2="u"/></equality>"""


def model(text: str, base: str = PLAIN):
    return physics.load_string(base % text)


def texts(found) -> list[str]:
    return [issue.what for issue in found]


def test_a_plain_model_has_nothing_to_be_said_of():
    m = model('<equality><connect body1="a" body2="b" anchor="0 0 0"/><joint joint1="j" joint2="k"/></equality><option cone="elliptic"/>')
    assert hard_unsupported.issues(m) == [] and hard_unsupported.ignored(m) == []


@pytest.mark.parametrize(("text", "what", "line"), REFUSED)
def test_what_is_refused(text, what, line):
    (issue,) = hard_unsupported.issues(model(text))
    assert what in issue.what and issue.severity == "view" and issue.hint
    assert (issue.place.line if issue.place else None) == line


def test_adhesive_geoms():
    m = model("", PLAIN.replace('name="h" size=".1"', 'name="h" size=".1" adhesion="3"'))
    (issue,) = hard_unsupported.issues(m)
    assert "adhesion: geom 'h'" in issue.what and issue.place.line == 4


def test_what_a_flag_switches_off_is_not_refused():
    distance = '<equality><distance geom1="g" geom2="h"/></equality><option><flag %s/></option>'
    assert texts(hard_unsupported.issues(model(distance % ""))) == ["the hard engine has no equality of type 'distance': equality '0'"]
    for flag in ("equality", "constraint"):
        assert hard_unsupported.issues(model(distance % f'{flag}="disable"')) == []


def test_limits_dry_friction_and_couplings_of_tendons_are_not_refused():
    m = model(TENDONS)
    assert hard_unsupported.issues(m) == []
    warned = [issue for issue in hard_unsupported.ignored(m) if issue.severity == "warning"]
    assert texts(warned) == ["the hard engine ignores solref of tendon 't'", "the hard engine ignores margin of tendon 't'"]


def test_the_limit_of_a_ball_beside_another_joint():
    base = PLAIN.replace('<joint name="k"/>', '<joint name="k" type="ball" range="0 30" limited="true"/>%s')
    assert hard_unsupported.issues(model("", base % ("", "%s"))) == []
    m = model("", base % ('<joint type="slide"/>', "%s"))
    (issue,) = hard_unsupported.issues(m)
    assert "limit of a ball joint beside other joints: joint 'k'" in issue.what and issue.place.line == 4
    load.ensure([runnable.module])
    assert runnable(m, physics.Data(m)) == 0


def test_massless_bodies_that_move():
    """A body without mass is refused unless its joints have armature, or it carries something."""
    m = model("")
    m.dof_M0[1] = 0.0
    (issue,) = hard_unsupported.issues(m)
    assert "massless moving bodies: body 'b'" in issue.what and issue.place.line == 4 and "armature" in issue.hint
    assert hard_unsupported.issues(model("", PLAIN.replace('<geom name="h" size=".1"/>', '<body><geom name="h" size=".1"/></body>'))) == []


def test_values_that_no_engine_can_take():
    m = model("")
    m.opt.timestep = float("nan")
    assert "time step" in texts(hard_unsupported.issues(m))[0]


@pytest.mark.parametrize(("text", "what"), [
    ('<option integrator="RK4"/>', "integrator 'RK4'"), ('<option solver="CG"/>', "solver 'CG'"), ('<option impratio="5"/>', "impratio"),
    ('<option noslip_iterations="3"/>', "noslip_iterations"), ('<option iterations="7" ls_tolerance=".1"/>', "iterations, ls_tolerance"),
    ('<option><flag fwdinv="enable"/></option>', "flag fwdinv"), ('<option><flag eulerdamp="disable"/></option>', "that flag eulerdamp is off"), ('<option><flag override="enable"/></option>', "solref, solimp and margin of the contact override"),
    ('<contact><pair name="p" geom1="g" geom2="h" solreffriction=".1 1"/></contact>', "solreffriction of pair 'p'"),
    ('<contact><pair name="p" geom1="g" geom2="h" margin=".1"/></contact>', "margin of pair 'p'"),
    ('<contact><pair name="p" geom1="g" geom2="h" gap=".1"/></contact>', "gap of pair 'p'"),
    ('<equality><joint name="e" joint1="j" solref=".1 1"/></equality>', "solref of equality 'e'"),
])
def test_what_is_ignored(text, what):
    m = model(text)
    warned = [issue for issue in hard_unsupported.ignored(m) if issue.severity == "warning"]
    assert texts(warned) == [f"the hard engine ignores {what}"] and warned[0].hint
    assert hard_unsupported.issues(m) == []


def test_one_warning_for_all_elements_at_the_first():
    base = PLAIN.replace('size=".1"/>', 'size=".1" solref=".005 1" solimp=".99"/>').replace('<joint name="j"', '<joint name="j" solreflimit=".01 1" solreffriction=".1 1"')
    warned = [issue for issue in hard_unsupported.ignored(model("", base)) if issue.severity == "warning"]
    assert texts(warned) == ["the hard engine ignores solref of geom 'g' and 2 more", "the hard engine ignores solimp of geom 'g' and 1 more"]
    assert warned[0].place.line == 3


def test_ties_to_what_a_person_moves_keep_their_solref():
    weld = '<equality><weld name="w" body1="a" body2="%s" solref=".1 1"/></equality>'
    assert [issue for issue in hard_unsupported.ignored(model(weld % "target")) if issue.severity == "warning"] == []
    assert "solref of equality 'w'" in hard_unsupported.ignored(model(weld % "b"))[0].what


def test_what_is_fixed_to_what_a_person_moves_is_that_and_what_it_carries_on_joints_is_not():
    base = PLAIN.replace('<body name="target" mocap="true"/>', '<body name="target" mocap="true"><body name="grip"/><body name="arm"><joint/><geom size=".1"/></body></body>')
    weld = '<equality><weld name="w" body1="a" body2="%s" solref=".1 1"/></equality>'
    assert [issue for issue in hard_unsupported.ignored(model(weld % "grip", base)) if issue.severity == "warning"] == []
    assert "solref of equality 'w'" in hard_unsupported.ignored(model(weld % "arm", base))[0].what


def test_notes():
    assert "cones are exact" in hard_unsupported.ignored(model(""))[0].what and hard_unsupported.ignored(model(""))[0].severity == "note"


@pytest.mark.parametrize("text", ["", *(row[0] for row in REFUSED), '<option><flag sleep="enable" constraint="disable" ipc="enable"/></option>',
                                  TENDONS])
def test_the_quick_check_refuses_exactly_what_is_named(text):
    load.ensure(["physics.engine.hard.runnable"])
    m = model(text) if "ipc" not in text else model('<option integrator="discrete"><flag ipc="enable"/></option>')
    d = physics.Data(m)
    assert bool(runnable(m, d)) == (hard_unsupported.issues(m) == [])
    m.dof_M0[0] = 0.0
    assert not runnable(m, d) and hard_unsupported.issues(m)


def test_a_step_is_refused_with_the_place_until_it_is_mended():
    physics.ensure_kernels()
    m = model('<contact><pair name="p" geom1="g" geom2="h" adhesion="1"/></contact><custom><text name="linkwork_engine" data="hard"/></custom>', PLAIN.replace('type="plane"', 'type="plane" pos="0 0 -1"'))
    d = physics.Data(m)
    for call in (physics.step, physics.forward):
        with pytest.raises(physics.ViewOnlyError, match=":6:.*no adhesion: pair 'p'"):
            call(m, d)
    assert d.time == 0
    m.pair_adhesion[0] = 0.0
    assert physics.step(m, d) == 1
    with pytest.raises(ValueError, match="inverse belongs to the soft engine"):
        physics.inverse(m, d)


def unsolvable():
    """A ball thrown onto the floor, with one iteration to solve for it."""
    physics.ensure_kernels()
    m = physics.load_string('<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .1"><freejoint/><geom size=".1" mass="1"/></body></worldbody></mujoco>')
    m.opt.engine = Engine.HARD
    m.opt_hard_iterations = 1
    d = physics.Data(m)
    d.qvel[:3] = 1, 0, -1
    return m, d


def test_a_step_that_cannot_be_solved_says_so():
    m, d = unsolvable()
    assert physics.step(m, d, autoreset=False) == 0 and d.hard_nfailed == 1 and d.time == 0
    assert "The hard engine could not solve the step at time 0 s" in physics.step_error(m, d) and "Try a smaller time step" in physics.step_error(m, d)


def test_forces_of_a_state_that_cannot_be_solved_for_say_so():
    m, d = unsolvable()
    physics.forward(m, d)
    assert d.hard_status == 2 and [(w.kind.name, w.count) for w in physics.warnings(m, d)] == [("BADQACC", 1)] and "of body" in str(physics.warnings(m, d)[0])
    assert "The hard engine could not solve the step at time 0 s" in physics.step_error(m, d) and d.hard_nfailed == 0
    d.qpos[2], d.qvel[:] = 1, 0      # in the air
    m.opt_hard_iterations = 50
    physics.forward(m, d)
    assert d.hard_status == 0 and physics.step_error(m, d) == ""


def test_a_step_that_was_not_taken_stays_counted_where_data_starts_over():
    m, d = unsolvable()
    physics.step(m, d)
    assert d.hard_nfailed >= 1 and [w.kind.name for w in physics.warnings(m, d)] == ["BADQACC"]
    physics.reset(m, d)
    assert d.hard_nfailed == 0 and not physics.warnings(m, d)


@pytest.mark.parametrize("page", ("hard_contact.md", "engines.md"))
def test_the_pages_name_what_is_refused_and_nothing_else(page):
    text = " ".join((Path(__file__).parents[3] / "docs" / page).read_text().split())
    said = max(re.findall(r"[^.]*refused, by name[^.]*\.", text, re.IGNORECASE), key=len)
    words = {"sleep", "adhesion", "distance", "armature of tendons", "ball joint", "mass", "inverse dynamics"}
    assert {word for word in words if word in said} == words
    assert hard_unsupported.issues(model(TENDONS)) == [] and not re.search(r"limits[^;(]*of tendons|types distance and tendon", said)
