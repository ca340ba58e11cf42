"""The post-mortem of a divergence: limits of stability are where the integrators have them, culprits are named, remedies that survive survive."""
import numpy as np
import pytest

import physics
from physics.diagnostics.divergence import culprit as kinds
from physics.diagnostics.divergence import sources
from physics.diagnostics.divergence.changes import Change, apply, put_back, values_before
from physics.diagnostics.divergence.curves import curves
from physics.diagnostics.divergence.growth import growth_of, leading_dofs, onset_of
from physics.diagnostics.divergence.ratios import load_of, mass_ratios, stiff_elements
from physics.diagnostics.divergence.report import PostMortem
from physics.diagnostics.divergence.sources import Source
from physics.query.mass_matrix import mul_m
from physics.recording.last_steps import LastSteps, step_until_divergence
from tests.long.divergence import judge, last_steps, named
from tests.physics.diagnostics.divergence_cases import CASES

HANDFUL = ("servo with kp 1e6 on a wrist", "stiff spring of a flap", "four-bar linkage with a stiff connect", "xfrc_applied of 1e9 N", "hand of 3e-6 kg on an arm")
SPRING = '<mujoco><option timestep="{h}" integrator="{integrator}">{flag}</option><worldbody><body><joint name="x" type="slide" stiffness="{k}" damping="{c}"/><geom size=".1" mass="2"/></body></worldbody></mujoco>'


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def case_of(name):
    return next(case for case in CASES if case.name == name)


def grows(m, steps: int = 3000) -> bool:
    """Whether a small deflection has grown after so many steps."""
    d = physics.Data(m)
    d.qpos[0] = 1e-3
    if physics.step(m, d, steps, autoreset=False) < steps:
        return True
    return abs(d.qpos[0]) > 1e-2 or abs(d.qvel[0]) > 1e3


@pytest.mark.parametrize(("integrator", "flag", "damped"), [
    ("Euler", "", False), ("Euler", "", True), ("Euler", '<flag eulerdamp="disable"/>', True), ("RK4", "", False), ("RK4", "", True), ("implicit", "", True), ("implicitfast", "", False)])
def test_the_limit_of_stability_is_where_the_integrator_has_it(integrator, flag, damped):
    """Just below a load of 1 a spring and damper come to rest or swing on, just above the motion grows."""
    h = 0.01

    def load(k: float) -> tuple[physics.Model, float]:
        m = physics.load_string(SPRING.format(h=h, integrator=integrator, flag='<flag gravity="disable"/>' if not flag else flag.replace("/>", ' gravity="disable"/>'), k=k, c=20 if damped else 0))
        d = physics.Data(m)
        d.qpos[0] = 1e-3
        physics.forward(m, d)
        return m, max(one.load for one in stiff_elements(m, d))

    low, high = 1.0, 1e8
    while high / low > 1.001:
        k = np.sqrt(low * high)
        low, high = (low, k) if load(k)[1] >= 1 else (k, high)
    assert not grows(load(0.97 * low)[0]) and grows(load(1.04 * low)[0]), (low, load(low)[1])


def test_damping_beyond_its_limit_under_rk4():
    for c, wild in ((0.98, False), (1.02, True)):
        m = physics.load_string(SPRING.format(h=0.01, integrator="RK4", flag="", k=0, c=c * 2.785 * 2 / 0.01))
        d = physics.Data(m)
        d.qvel[0] = 1e-3
        physics.forward(m, d)
        assert (max(one.load for one in stiff_elements(m, d)) > 1) == wild
        m.opt_gravity = (0, 0, 0)
        physics.step(m, d, 2000, autoreset=False)
        assert (abs(d.qvel[0]) > 1e-3) == wild


def test_powers_of_all_sources_add_up_to_the_acceleration():
    m = case_of("damping of a finger's tendon").make(0.001)
    d = physics.Data(m)
    d.ctrl[:] = 3
    physics.step(m, d, 40)
    d.xfrc_applied[2] = (0.1, 0.2, 0.3, 0.01, 0.02, 0.03)
    d.qfrc_applied[1] = 0.2
    physics.forward(m, d)
    found = sources.exerted(m, d, np.array(d.qacc))
    assert sum(one.power for one in found.values()) == pytest.approx(float(d.qacc @ mul_m(m, d, d.qacc)), rel=1e-8)
    assert {sources.TENDON_SPRING, sources.TENDON_DAMPER, sources.ACTUATOR, sources.WEIGHT, sources.APPLIED, sources.BODY_APPLIED} <= {source.kind for source in found}


def test_contacts_add_up_too():
    m = physics.load_string('<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/><body pos="0 0 .09"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>')
    d = physics.Data(m)
    d.qvel[:3] = (1, 0, -1)
    physics.forward(m, d)
    found = sources.exerted(m, d, np.array(d.qacc))
    contact = found[Source(sources.CONTACT, (0, 1))]
    assert contact.depth == pytest.approx(0.01) and contact.power > 0
    assert sum(one.power for one in found.values()) == pytest.approx(float(d.qacc @ mul_m(m, d, d.qacc)), rel=1e-6)


def test_the_onset_is_where_levels_leave_what_they_were():
    calm = np.abs(np.sin(np.arange(300))) + 0.5
    assert onset_of(np.append(np.concatenate([calm, 2.0 ** np.arange(1, 40)]), np.inf)) == pytest.approx(304, abs=2)
    impact = np.concatenate([calm, 40 * calm, 400 * 1.5 ** np.arange(60)])
    assert onset_of(np.append(impact, np.inf)) > 590        # not where it landed


def test_armature_of_a_copy_is_that_of_a_compiled_text():
    text = '<mujoco><worldbody><body name="a"><joint name="one" axis="0 1 0" armature="{}"/><geom size=".1" pos=".3 0 0"/><body pos=".5 0 0"><freejoint/><geom size=".05"/></body></body></worldbody></mujoco>'
    text = text.replace('<body pos=".5 0 0"><freejoint/>', '<body pos=".5 0 0"><joint type="ball"/>')
    m, wanted = physics.load_string(text.format(0)), physics.load_string(text.format(0.7))
    changes = (Change("dof_armature", 0.7, 0),)
    before = values_before(m, changes)
    apply(m, changes)
    for name in ("dof_armature", "dof_M0", "dof_invweight0", "body_invweight0"):
        assert getattr(m, name) == pytest.approx(getattr(wanted, name), rel=1e-9), name
    put_back(m, before)
    fresh = physics.load_string(text.format(0))
    assert all(np.array_equal(getattr(m, name), getattr(fresh, name)) for name in before)


def test_ratios_name_the_lighter_one():
    m = case_of("hand of 3e-6 kg on an arm").make(1.0)
    first = mass_ratios(m)[0]
    assert first.element.name == "hand" and first.other.name == "fore" and first.ratio > 1e5


@pytest.mark.parametrize("name", HANDFUL)
def test_culprits_are_named_and_a_remedy_survives(name):
    row = judge(case_of(name))
    assert row["named"] and row["survives"], row


def test_masses_half_and_double_change_nothing():
    for factor in (0.5, 2.0):
        case = case_of("servo with kp 1e6 on a wrist")
        assert named(case, PostMortem(last_steps(case, factor)).report.culprit)


def test_the_same_again_without_a_remedy():
    """From an entry of before, with the recorded inputs, the run diverges at the same moment."""
    mortem = PostMortem(last_steps(case_of("servo with kp 1e6 on a wrist")))
    remedy, outcome = next(mortem.tries())
    assert not remedy.changes and outcome.status == "diverges"
    start = mortem.steps.time[-1 - mortem.report.rewind]
    assert start + outcome.lasted == pytest.approx(mortem.steps.refused.time, abs=2.5 * mortem.model.opt_timestep)


def test_a_remedy_leaves_the_model_as_it_was():
    mortem = PostMortem(last_steps(case_of("hand of 3e-6 kg on an arm")))
    before = {name: np.array(getattr(mortem.model, name)) for name in mortem.model.layout.arrays}
    assert any(not remedy.live for remedy in mortem.report.remedies)
    for _ in mortem.tries():
        pass
    assert all(np.array_equal(before[name], getattr(mortem.model, name)) for name in before)


def test_curves_of_the_guilty_quantities_grow():
    mortem = PostMortem(last_steps(case_of("servo with kp 1e6 on a wrist")))
    found = {curve.text: curve for curve in curves(mortem.model, mortem.steps, mortem.report.quantities)}
    assert "actuator_force[2]" in found and "qacc[2]" in found
    values = np.abs(found["actuator_force[2]"].values)
    assert len(values) == min(50, len(mortem.steps)) and values[-1] > 1e3 * values[0] and found["qacc[2]"].unit == "rad/s2"


def test_few_steps_and_no_motion_are_no_error():
    m = physics.load_string('<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>')
    d = physics.Data(m)
    steps = step_until_divergence(m, d, 1.0, lambda m, d: d.qfrc_applied.fill(np.nan))
    assert isinstance(steps, LastSteps) and len(steps) == 1
    report = PostMortem(steps).report
    assert report.culprit.kind == kinds.INPUT and report.culprit.elements[0].name == "j"
    assert step_until_divergence(m, physics.Data(m), 0.1) is None


def test_loads():
    assert load_of(0, 0.01, 4e4, 0.0) == pytest.approx(1.0) and load_of(0, 0.01, 0, 200.0) == pytest.approx(1.0) and load_of(1, 0.01, (2.828 / 0.01) ** 2, 0.0) == pytest.approx(1.0)


def test_a_quiet_model_has_no_growth():
    m = physics.load_string(SPRING.format(h=0.002, integrator="Euler", flag="", k=10, c=1))
    d = physics.Data(m)
    steps = step_until_divergence(m, d, 0.3, lambda m, d: d.qfrc_applied.fill(1e300) if d.time > 0.2 else None)
    growth = growth_of(m, steps)
    assert growth.leaders and leading_dofs(growth.first, growth.leaders[0][0])[0][0] == 0
