"""Derivatives of steps and of inverse dynamics against the official ones, and where they are known."""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, pair_from, take_state

ARM = """<mujoco><option timestep=".005"/><worldbody><geom type="plane" size="1 1 .1"/>
<body pos="0 0 .5"><joint type="ball" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
<body name="b" pos=".2 0 0"><joint name="e" axis="0 1 0" damping=".2" stiffness="1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/></body></body>
<body pos="1 0 .19"><freejoint/><geom type="box" size=".2 .1 .2"/></body></worldbody>
<actuator><position name="p" joint="e" kp="3" kv=".1" timeconst=".1"/><motor joint="e" ctrlrange="-1 1"/><motor joint="e" ctrlrange="-1 1"/>
<motor joint="e" ctrlrange="0 1e-9"/></actuator>
<sensor><jointpos joint="e"/><jointvel joint="e"/><actuatorfrc actuator="p"/><framelinacc objtype="body" objname="b"/><subtreeangmom body="b"/></sensor></mujoco>"""
LINEAR = """<mujoco><option timestep=".01"/><worldbody><body><joint name="a" type="slide" axis="1 0 0" stiffness="3" damping="2"/><geom size=".1" mass="2"/></body>
</worldbody><actuator><motor joint="a" gear="5"/></actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def official_transition(mj, mjd, eps, centered):
    n = 2 * mj.nv + mj.na
    out = [np.zeros((n, n)), np.zeros((n, mj.nu)), np.zeros((mj.nsensordata, n)), np.zeros((mj.nsensordata, mj.nu))]
    mujoco.mjd_transitionFD(mj, mjd, eps, centered, *out)
    return out


def settled(xml, integrator, seed=0):
    mj, mjd, m, d = pair_from(xml) if "<" in xml else (None,) * 4
    if mj is None:
        mj = models.official(xml)
        mjd, m = mujoco.MjData(mj), model_from(mj)
        d = physics.Data(m)
    for opt in (mj.opt, m.opt):
        opt.integrator, opt.tolerance, opt.ls_tolerance = integrator, 0, 0
    rng = np.random.default_rng(seed)
    mjd.qvel[:] = 0.1 * rng.normal(size=mj.nv)
    mjd.ctrl[:] = 0.3 * rng.normal(size=mj.nu)
    if "ctrlrange" in xml:
        mjd.ctrl[1], mjd.ctrl[2] = 1, -1
    for _ in range(20):
        mujoco.mj_step(mj, mjd)
    take_state(d, mjd)
    return mj, mjd, m, d


@pytest.mark.parametrize("centered", [False, True])
@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST])
@pytest.mark.parametrize("name", [ARM, "cheetah", "humanoid"], ids=["arm", "cheetah", "humanoid"])
def test_transitions_are_the_official_ones(name, integrator, centered):
    mj, mjd, m, d = settled(name, integrator)
    before = physics.get_state(m, d)
    found = physics.transition_fd(m, d, 1e-6, centered)
    expected = official_transition(mj, mjd, 1e-6, centered)
    assert (physics.get_state(m, d) == before).all()
    for ours, theirs in zip(found, expected):
        assert ours.shape == theirs.shape
        assert theirs.size == 0 or np.abs(ours - theirs).max() <= 1e-6 * np.abs(theirs).max()
    if name == ARM:
        assert (found.B[:, 3] == 0).all() and np.abs(found.B[:, 1:3]).max() > 0


def test_a_linear_system_is_exact():
    """Idea 56 of the reference: Euler with implicit damping of a spring, by hand."""
    _, _, m, d = pair_from(LINEAR)
    d.qpos[0], d.qvel[0] = 0.3, -0.2
    h, mass, k, b = 0.01, 2.0, 3.0, 2.0
    eff = mass + h * b
    new_v = np.array([-h * k / eff, 1 - h * b / eff])
    expected = np.array([np.array([1, 0]) + h * new_v, new_v])
    for centered, tolerance in ((False, 1e-8), (True, 1e-9)):
        t = physics.transition_fd(m, d, 1e-4, centered)
        assert np.allclose(t.A, expected, atol=tolerance) and np.allclose(t.B[:, 0], [h * h * 5 / eff, h * 5 / eff], atol=tolerance)


def test_runge_kutta_is_differentiated_too():
    _, _, m, d = pair_from(LINEAR)
    m.opt_integrator = INT_RK4
    t = physics.transition_fd(m, d, 1e-4, True)
    a = np.array([[0, 1], [-1.5, -1]]) * 0.01
    series = np.eye(2) + a + a @ a / 2 + a @ a @ a / 6 + a @ a @ a @ a / 24
    assert np.allclose(t.A, series, atol=1e-10)


@pytest.mark.parametrize("actuation", [False, True])
@pytest.mark.parametrize("name", [ARM, "cheetah"], ids=["arm", "cheetah"])
def test_inverse_derivatives_are_the_official_ones(name, actuation):
    mj, mjd, m, d = settled(name, INT_EULER)
    mjd.qacc[:] = d.qacc[:] = np.random.default_rng(1).normal(size=mj.nv)
    expected = [np.zeros((mj.nv, mj.nv)) for _ in range(3)]
    mujoco.mjd_inverseFD(mj, mjd, 1e-6, actuation, *expected, None, None, None, None)
    found = physics.inverse_fd(m, d, 1e-6, actuation)
    for ours, theirs in zip(found, expected):
        assert np.abs(ours - theirs.T).max() < 1e-6 * np.abs(theirs).max()


def test_derivative_by_acceleration_is_the_inertia_matrix():
    _, _, m, d = settled("humanoid", INT_EULER)
    m.opt_disableflags |= 1
    found = physics.inverse_fd(m, d, 1e-3)
    physics.forward(m, d)
    assert np.allclose(found.a, physics.full_m(m, d), atol=1e-7)


def test_bad_questions_and_bad_states():
    _, _, m, d = pair_from(LINEAR)
    with pytest.raises(ValueError, match="perturbations of size 0"):
        physics.transition_fd(m, d, 0)
    d.qvel[0] = np.nan
    with pytest.raises(ValueError, match="diverged"):
        physics.transition_fd(m, d)
    d.qvel[0] = 0
    calls = []

    def fail(*_a):
        calls.append(1)
        if len(calls) == 4:
            raise LookupError("mine")

    d.set_callback("cb_control", fail)
    with pytest.raises(LookupError):
        physics.transition_fd(m, d)
    assert d.time == 0 and not d.cb_error


@pytest.mark.nojit
def test_derivatives_under_the_interpreter():
    _, _, m, d = pair_from(LINEAR)
    assert physics.transition_fd(m, d, 1e-4).A.shape == (2, 2) and physics.inverse_fd(m, d, 1e-4).a[0, 0] == pytest.approx(2, rel=1e-8)


def test_trees_that_may_fall_asleep_are_refused():
    m = physics.load_string('<mujoco><option><flag sleep="enable"/></option><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    d = physics.Data(m)
    for derivatives in (physics.transition_fd, physics.inverse_fd):
        with pytest.raises(ValueError, match="sleep"):
            derivatives(m, d)
