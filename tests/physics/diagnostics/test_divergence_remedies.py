"""What remedies change: all dofs of a joint, softer than before, damping and armature for every kind of source, controls within their ranges; in which units forces are."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.diagnostics.divergence import sources
from physics.diagnostics.divergence.changes import Change, InputChange, apply, reverse
from physics.diagnostics.divergence.culprit import CONTROL, GAIN, Culprit
from physics.diagnostics.divergence.remedies import of_culprit, softer
from physics.diagnostics.divergence.remedy_inputs import control_span
from physics.diagnostics.divergence.report import PostMortem
from physics.diagnostics.divergence.sources import Source, units_of
from physics.diagnostics.divergence.trial import clamp, varying_inputs
from physics.model.model_copy import live_values
from physics.recording.last_steps import step_until_divergence
from tests.long.divergence import last_steps
from tests.physics.diagnostics.divergence_cases import CASES, LEG, LEG_VALUES, at

SLIDE = '<mujoco><option timestep="0.01"/><worldbody><body name="b"><joint name="x" type="slide" {}/><geom size=".1" mass="{}" type="{}"/></body></worldbody></mujoco>'


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def mortem_of(name: str) -> PostMortem:
    return PostMortem(last_steps(next(case for case in CASES if case.name == name)))


def labels(report) -> str:
    return "\n".join(remedy.label for remedy in report.remedies)


@pytest.mark.parametrize("mass", [1.0, 2.0])
def test_damping_and_armature_are_offered_whatever_the_mass(mass):
    m = physics.load_string(SLIDE.format('stiffness="1e6" springref=".1"', mass, "sphere"))
    report = PostMortem(step_until_divergence(m, physics.Data(m), 5.0)).report
    assert "joint x" in report.culprit.text and "more damping" in labels(report) and "more armature" in labels(report)
    assert any(f"on an inertia of {mass:g} kg is" in sentence for sentence in report.culprit.evidence)


@pytest.mark.parametrize(("name", "joint"), [("limit of a pole, direct form", "pivot"), ("sprung probe on a stiff plate, direct form", "stroke")])
def test_constraint_rows_offer_damping_of_the_dofs_they_act_on_and_it_survives(name, joint):
    mortem = mortem_of(name)
    outcomes = {remedy.label: outcome for remedy, outcome in mortem.tries()}
    assert any(label.startswith(f"joint {joint}:") and "more damping" in label and outcome.survives for label, outcome in outcomes.items()), outcomes
    assert any(label.startswith(f"joint {joint}:") and "more armature" in label for label in outcomes)


def test_a_contact_of_a_fixed_geom_acts_on_the_joints_of_what_carries_it():
    m = physics.load_string('<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>'
                            '<body name="leg" pos="0 0 .09"><joint name="knee"/><geom size=".02" mass="1" pos=".1 0 .2"/>'
                            '<body name="sole"><geom name="sole" size=".1"/></body></body>'
                            '<body pos="1 0 .09"><freejoint/><geom name="ball" size=".1"/></body></worldbody></mujoco>')
    sole, ball = (Culprit("constraint", (), Source(sources.CONTACT, (0, m.id("geom", name)))) for name in ("sole", "ball"))
    assert [remedy.label.split(":")[0] for remedy in of_culprit(m, sole)][1:] == ["joint knee", "joint knee"]
    assert len(of_culprit(m, ball)) == 1        # a free body has no damping that anybody would give it


@pytest.mark.parametrize("solref", [(0.02, 1.0), (0.5, 1.0), (0.02, 0.01), (0.02, 30.0), (-1e8, -1e4), (-10.0, -0.5), (0.0, 0.0), (-4.0, 0.0)])
def test_a_softer_solref_is_softer(solref):
    def spring(ref):
        return (1 / (ref[0] * ref[1]) ** 2, 2 / ref[0]) if ref[0] > 0 else (-ref[0], -ref[1])

    m = physics.load_string("<mujoco/>")
    k, b = spring(softer(m, solref))
    before = spring(solref)
    assert k < before[0] or not before[0]
    assert b <= before[1] or not before[1]
    assert softer(m, solref)[0] >= 0.02


def test_all_dofs_of_a_ball_joint_get_the_same():
    m = physics.load_string(LEG.format(**LEG_VALUES))
    hip = m.id("joint", "hip")
    m.dof_damping[:3] = 1e5
    damped = next(remedy for remedy in of_culprit(m, Culprit("damping", (), Source(sources.DAMPER, hip))) if "damping 10000 in place" in remedy.label)
    assert [(change.index, change.value) for change in damped.changes] == [(0, 1e4), (1, 1e4), (2, 1e4)] and damped.text == 'joint hip: damping="10000"'
    steps = last_steps(next(case for case in CASES if case.name == "ball joint with a stiffness of 1e6"))
    report = PostMortem(steps).report
    for word in ("more damping", "more armature"):
        remedy = next(remedy for remedy in report.remedies if remedy.label.startswith("joint hip:") and word in remedy.label)
        assert [change.index for change in remedy.changes] == [0, 1, 2] and len({change.value for change in remedy.changes}) == 1
    friction = of_culprit(m, Culprit("constraint", (), Source(sources.FRICTION, hip)))[0]
    assert [change.index for change in friction.changes] == [0, 1, 2]


def test_an_override_is_softened_where_it_stands_for_all_contacts():
    m = physics.load_string('<mujoco><option o_solref="-1e6 -100"><flag override="enable"/></option><worldbody><geom name="a" size=".1"/>'
                            '<body><freejoint/><geom name="b" size=".1"/></body></worldbody></mujoco>')
    remedy = of_culprit(m, Culprit("constraint", (), Source(sources.CONTACT, (0, 1))))[0]
    assert [change.field for change in remedy.changes] == ["opt_o_solref"] and "o_solref" in remedy.label


def test_controls_are_held_within_their_ranges_and_only_where_they_left_them():
    def cart(ctrlrange: str) -> physics.Model:
        return physics.load_string('<mujoco><worldbody><body><joint name="rail" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>'
                                   f'<actuator><motor name="push" joint="rail" {ctrlrange}/></actuator></mujoco>')

    def held(ctrlrange: str, value: float, kind: str = CONTROL):
        m = cart(ctrlrange)
        steps = step_until_divergence(m, physics.Data(m), 1.0, lambda m, d: d.qfrc_applied.fill(1e300) if d.time > 0.5 else d.ctrl.fill(value if d.time > 0.2 else 0.3))
        span = control_span(steps, int(np.flatnonzero(steps.time > 0.2)[0]))
        if np.isnan(value):     # the engine itself takes such a control away
            span = replace(span, low=np.array([np.nan]))
        found = of_culprit(m, Culprit(kind, (), Source(sources.ACTUATOR, 0)), span)
        return [(change.low, change.high) for remedy in found for change in remedy.inputs]

    apart = 'ctrlrange="-1 5" ctrllimited="false"'
    assert held(apart, 1e5) == [(-1.0, 5.0)]
    assert held(apart, 1e5, GAIN) == [(-1.0, 5.0)]
    assert held('ctrlrange="-1 5" ctrllimited="true"', np.nan) == [(-1.0, 5.0)]
    assert held("", 1e5) == [(-0.3, 0.3)]
    assert held("", 1e5, GAIN) == []           # nothing says what its control may be, and it is not to blame
    m = cart(apart)
    d = physics.Data(m)
    for value, wanted in ((7.0, 5.0), (-7.0, -1.0), (2.0, 2.0), (np.nan, 0.0), (np.inf, 5.0), (-np.inf, -1.0)):
        d.ctrl[0] = value
        clamp(d, (InputChange("ctrl", 0, -1.0, 5.0),))
        assert d.ctrl[0] == wanted


def test_a_slower_filter_names_what_is_set():
    remedy = next(remedy for remedy in mortem_of("activation filter of 5e-4 s").report.remedies if "time constant" in remedy.label)
    assert remedy.changes[0].field == "actuator_dynprm" and remedy.text == 'actuator biceps: dynprm="0.008"' and "filterexact" in remedy.why


def test_inputs_that_varied_are_told():
    case = next(case for case in CASES if case.name == "control of 1e9 from a script")
    m = case.make(1.0)
    steps = step_until_divergence(m, physics.Data(m), 2.0, at(0.3, lambda m, d: d.ctrl.fill(1e9)))
    assert varying_inputs(steps, 0) == {"ctrl": (0,)} and varying_inputs(steps, len(steps) - 1) == {}
    assert PostMortem(steps).report.varying == {"ctrl": (0,)}
    quiet = mortem_of("stiff spring of a flap").report
    assert quiet.varying == {}


def test_changes_are_taken_back():
    m = physics.load_string(LEG.format(**LEG_VALUES))
    before = live_values(m)
    wanted = (Change("dof_damping", 7.0, 1), Change("actuator_gainprm", (1.0,) * len(m.actuator_gainprm[0]), 0), Change("opt_timestep", 0.5),
              Change("opt_gravity", (0.0, 0.0, 1.0)), Change("opt_disableflags", True, int(physics.DisableBit.REFSAFE)))
    apply(m, wanted)
    assert m.opt_timestep == 0.5 and m.dof_damping[1] == 7 and m.opt_disableflags
    apply(m, reverse(wanted, before))
    after = live_values(m)
    assert all(np.array_equal(before[name], after[name]) for name in before if name != "vis")


def test_units_follow_from_what_a_source_acts_on():
    m = physics.load_string("""<mujoco><worldbody><site name="s"/><body name="a"><joint name="slide" type="slide"/><geom name="g" size=".1"/><site name="t" pos="0 0 .1"/>
        <body name="b"><joint name="hinge"/><geom name="h" size=".1"/></body></body>
        <body name="c"><joint name="ball" type="ball"/><geom size=".1"/></body><body name="d"><freejoint name="free"/><geom size=".1"/></body></worldbody>
        <tendon><spatial name="rope"><site site="s"/><site site="t"/></spatial><fixed name="sum"><joint joint="hinge" coef="1"/></fixed></tendon>
        <equality><weld name="weld" body1="a" body2="b"/><connect name="pin" body1="a" body2="b" anchor="0 0 0"/>
        <joint name="twin" joint1="hinge"/><tendon name="cord" tendon1="rope"/></equality>
        <actuator><motor name="push" joint="slide"/><motor name="turn" joint="hinge"/></actuator></mujoco>""")
    for kind, of, name, unit in (
            (sources.SPRING, "joint", "slide", "N"), (sources.LIMIT, "joint", "hinge", "N m"), (sources.DAMPER, "joint", "ball", "N m"),
            (sources.APPLIED, "joint", "free", "N, N m"),
            (sources.TENDON_SPRING, "tendon", "rope", "N"), (sources.TENDON_LIMIT, "tendon", "sum", "N m"),
            (sources.EQUALITY, "equality", "weld", "N, N m"), (sources.EQUALITY, "equality", "pin", "N"),
            (sources.EQUALITY, "equality", "twin", "N m"), (sources.EQUALITY, "equality", "cord", "N"),
            (sources.ACTUATOR, "actuator", "push", "N"), (sources.ACTUATOR, "actuator", "turn", "N m"),
            (sources.WEIGHT, "body", "a", "N"), (sources.GYROSCOPIC, "body", "b", "N m"), (sources.MEDIUM, "body", "d", "N, N m"),
            (sources.BODY_APPLIED, "body", "a", "N, N m")):
        assert units_of(m, Source(kind, m.id(of, name)))[0] == unit, (kind, name)
    assert units_of(m, Source(sources.CONTACT, (0, 1))) == ("N", "m")
    assert {one.unit for one in mortem_of("servo with kp 1e6 on a wrist").report.forces} == {"N m"}
