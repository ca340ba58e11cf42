"""Derivatives of a step in closed form: against finite differences, against the official ones, and against matrices made by hand."""
import mujoco
import numpy as np
import pytest

import physics
from physics.derivatives import finite_difference
from physics.enums import INT_DISCRETE, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4
from tests.physics.derivatives.test_finite_difference import official_transition
from tests.physics.engine.oracle_model import pair_from

MACHINE = """<mujoco><option timestep=".004" density="%s" viscosity=".05" cone="%s" tolerance="0" ls_tolerance="0"/><worldbody>
<geom type="plane" size="1 1 .1"/><site name="s0" pos="0 .3 .8"/>
<body pos="0 0 .5"><joint name="ball" type="ball" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
<body name="b" pos=".2 0 0"><joint name="e" axis="0 1 0" damping=".2" stiffness="1" frictionloss=".05" range="-.1 .1" actuatorfrcrange="-3 3"/>
<joint name="f" axis="0 0 1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/><site name="s1" pos=".1 0 .05"/></body></body>
<body pos="1 0 .19"><freejoint/><geom type="box" size=".2 .1 .2"/><site name="s2" pos=".1 0 .2"/></body>
<body pos="1 1 .14"><freejoint/><geom type="ellipsoid" size=".2 .1 .2" fluidshape="ellipsoid" contype="0" conaffinity="0"/><geom size=".15" mass="0"/></body></worldbody>
<tendon><spatial name="t" stiffness="20" damping="2"><site site="s0"/><site site="s1"/></spatial>
<spatial name="u" stiffness="3" springlength="0 .1" damping="1"><site site="s2"/><site site="s1"/></spatial>
<fixed name="x" damping=".1" stiffness="1" armature=".01"><joint joint="e" coef="1"/><joint joint="f" coef="-.5"/></fixed></tendon>
<actuator><position name="p" joint="e" kp="3" kv=".1" timeconst=".1"/><motor joint="e" ctrlrange="-1 1"/>
<muscle tendon="t" lengthrange=".2 1"/><muscle joint="f" lengthrange="-1 1" tausmooth=".2"/>
<general tendon="u" gaintype="affine" gainprm="1 .2 -.3" biastype="affine" biasprm="0 -1 -.2" dyntype="integrator" actrange="-1 1" actearly="true"/>
<motor site="s2" gear="0 0 1 0 1 0"/><damper joint="f" kv="2" ctrlrange="0 1"/><position site="s1" refsite="s2" kp="3" kv="1" forcerange="-.1 .1"/>
<general name="late" joint="f" dyntype="filterexact" dynprm=".03" gainprm=".2"/></actuator>
<sensor><jointpos joint="e"/><jointvel joint="e"/><ballquat joint="ball"/><ballangvel joint="ball"/><actuatorfrc actuator="p"/>
<framelinacc objtype="body" objname="b"/><subtreeangmom body="b"/><tendonpos tendon="t"/><tendonvel tendon="t"/><tendonvel tendon="x"/>
<actuatorpos actuator="p"/><actuatorvel actuator="p"/><clock/><jointpos joint="f" cutoff=".001"/></sensor></mujoco>"""

SLIDERS = """<mujoco><option timestep=".01"/><worldbody><body><joint name="a" type="slide" axis="1 0 0" stiffness="3" damping="2"/><geom size=".1" mass="2"/>
<body pos="0 0 1"><joint name="b" type="slide" axis=".6 .8 0" stiffness="5" springref=".1" damping=".3"/><geom size=".1" mass="1"/></body></body></worldbody>
<tendon><fixed name="t" stiffness="7" damping=".5" springlength=".2"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
<actuator><position joint="a" kp="11" kv="4" timeconst=".05"/><motor joint="b" gear="3"/><general tendon="t" dyntype="integrator" gainprm="2" actearly="true"/>
<general joint="b" dyntype="filter" dynprm=".02" gainprm="1.5"/></actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def moving(density, cone, integrator, steps=60):
    mj, mjd, m, d = pair_from(MACHINE % (density, cone))
    mj.opt.integrator = m.opt_integrator = integrator
    rng = np.random.default_rng(3)
    d.qvel[:], d.ctrl[:], d.act[:] = 0.1 * rng.normal(size=m.nv), 0.3 + 0.2 * rng.normal(size=m.nu), 0.2
    for _ in range(steps):
        physics.step(m, d)
        d.ctrl[2:4] = rng.random(2)   # muscles at their set point have a corner there
    for name in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
        getattr(mjd, name)[:] = getattr(d, name)
    return mj, mjd, m, d


def share(t):
    return float(np.isfinite(t).mean())


@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE, INT_RK4])
@pytest.mark.parametrize(("density", "cone"), [(0, "pyramidal"), (20, "elliptic")])
def test_closed_forms_are_what_finite_differences_find(density, cone, integrator):
    mj, mjd, m, d = moving(density, cone, integrator)
    before = physics.get_state(m, d)
    exact = physics.transition_fd(m, d, 1e-6, True)
    differences = physics.transition_fd(m, d, 1e-6, True, exact=False)
    known = physics.known_transition(m, d)
    assert (physics.get_state(m, d) == before).all()
    for ours, theirs, sure in zip(exact, differences, known):
        assert np.isfinite(ours).all()
        assert np.abs(ours - theirs).max() < 1e-6 * np.abs(theirs).max()
        assert (ours == sure)[np.isfinite(sure)].all()
    if integrator != INT_RK4:   # which the official function refuses
        for ours, theirs in zip(exact, official_transition(mj, mjd, 1e-6, True)):
            assert np.abs(ours - theirs).max() < 1e-6 * np.abs(theirs).max()
    physics.forward(m, d)
    assert d.nefc > 10
    # what is known: velocities and controls under Euler, controls and activations under the implicit ones but for the muscles
    nv, n = m.nv, 2 * m.nv + m.na
    assert share(known.B[:, [0, 1, 5, 8]]) == (1 if integrator in (INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST) else pytest.approx(m.na / n) if integrator == INT_DISCRETE else 0)
    assert share(known.A[:nv, nv:2 * nv]) == (integrator == INT_EULER)
    assert share(known.A[:2 * nv, :nv]) == 0
    assert share(known.C) > 0.5 and share(known.D) > 0.7


def test_finite_differences_along_closed_forms_are_left_out():
    """Rows of positions follow from those of velocities with no error of their own."""
    _mj, _mjd, m, d = moving(0, "pyramidal", INT_EULER)
    t = physics.transition_fd(m, d, 1e-6)
    nv = m.nv
    scalar = [m.jnt_dofadr[m.id("joint", name)] for name in "ef"]
    for k in scalar:
        assert np.allclose(t.A[k, nv:], m.opt_timestep * t.A[nv + k, nv:], atol=1e-16) and np.allclose(t.B[k], m.opt_timestep * t.B[nv + k], atol=1e-16)
    calls = []
    d.set_callback("cb_time", lambda: calls.append(1) or 0.0)
    assert np.array_equal(physics.transition_fd(m, d, 1e-6).A, t.A)


def test_without_sensors_fewer_steps_are_needed():
    _mj, _mjd, m, d = moving(0, "pyramidal", INT_EULER)
    whole = physics.transition_fd(m, d)
    steps = []
    d.set_callback("cb_time", lambda: 0.0)
    plain = physics.transition_fd(m, d, sensors=False)
    assert np.array_equal(plain.A, whole.A) and np.array_equal(plain.B, whole.B) and plain.C.shape == (0, 2 * m.nv + m.na) and plain.D.shape == (0, m.nu)
    kernel = finite_difference.call
    for sensors, wanted in ((True, 1 + 2 * m.nv + m.na + m.nu), (False, 1 + m.nv)):   # positions alone have no closed form
        steps.clear()
        finite_difference.call = lambda *args: steps.append(1) or kernel(*args)
        try:
            physics.transition_fd(m, d, sensors=sensors)
        finally:
            finite_difference.call = kernel
        assert len(steps) == wanted


def by_hand(integrator):
    """A and B of SLIDERS: velocities by S (v' - v) = h f, then positions and filters."""
    h, tau, lag = 0.01, 0.05, 0.02
    mass = np.array([[3, 0.6], [0.6, 1]])
    arm = np.array([[1.0, -2.0]])
    damping = np.diag([2.0, 0.3])
    speed = damping + 0.5 * arm.T @ arm + np.diag([4.0, 0])
    stiff = np.diag([3.0, 5.0]) + 7 * arm.T @ arm + np.diag([11.0, 0])
    solved = mass + h * (damping if integrator == INT_EULER else speed)
    keep = np.exp(-h / tau)
    # activations: the servo's exact filter, the integrator on the tendon, the filter
    by_act = np.array([[11, 0], 2 * arm[0], [0, 1.5]]).T
    by_ctrl = np.array([[0, 0], [0, 3], h * 2 * arm[0], [0, 0]]).T   # the integrator's counts early
    push = h * np.linalg.solve(solved, np.hstack([-stiff, -speed, by_act, by_ctrl]))
    velocity = push + np.hstack([np.zeros((2, 2)), np.eye(2), np.zeros((2, 7))])
    position = h * velocity + np.eye(2, 11)
    act = np.zeros((3, 11))
    act[0, 4], act[0, 7] = keep, 1 - keep
    act[1, 5], act[1, 9] = 1, h
    act[2, 6], act[2, 10] = 1 - h / lag, h / lag
    whole = np.vstack([position, velocity, act])
    return whole[:, :7], whole[:, 7:]


@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST])
def test_a_linear_system_has_the_matrices_made_by_hand(integrator):
    mj, mjd, m, d = pair_from(SLIDERS)
    mj.opt.integrator = m.opt_integrator = integrator
    rng = np.random.default_rng(0)
    for field in ("qpos", "qvel", "act", "ctrl"):
        getattr(mjd, field)[:] = getattr(d, field)[:] = rng.normal(size=len(getattr(d, field)))
    known = physics.known_transition(m, d)
    for ours, expected, official in zip(known, by_hand(integrator), official_transition(mj, mjd, 1e-6, True)):
        assert np.abs(ours - expected).max() < 1e-12
        assert np.abs(official - expected).max() < 1e-7


def test_a_linear_system_moves_by_its_matrices():
    """Twenty steps: the difference of two motions is A to the twentieth times that of their starts."""
    m = physics.load_string(SLIDERS)
    one, two = physics.Data(m), physics.Data(m)
    a = physics.transition_fd(m, one).A
    start = np.array([0.1, -0.2, 0.3, 0.1, -0.2, 0.4, 0.5])
    two.qpos[:], two.qvel[:], two.act[:] = start[:2], start[2:4], start[4:]
    for d in (one, two):
        physics.step(m, d, 20)
    moved = np.concatenate([two.qpos - one.qpos, two.qvel - one.qvel, two.act - one.act])
    assert np.allclose(moved, np.linalg.matrix_power(a, 20) @ start, rtol=1e-11, atol=1e-13)


def test_callbacks_leave_nothing_known():
    m = physics.load_string(SLIDERS)
    d = physics.Data(m)
    d.set_callback("cb_control", lambda m, d: d.ctrl.__setitem__(1, -2 * d.qpos[1]))
    assert np.isnan(physics.known_transition(m, d).A).all()
    t = physics.transition_fd(m, d)
    plain = by_hand(INT_EULER)
    assert np.allclose(t.A[:, 1], plain[0][:, 1] - 2 * plain[1][:, 1], atol=1e-7)


def test_turning_joints_stay_by_finite_differences_where_weight_pulls():
    xml = """<mujoco><worldbody><body><joint axis="0 1 0" stiffness="2"/><geom type="capsule" size=".1" fromto="0 0 0 1 0 0"/></body></worldbody></mujoco>"""
    m = physics.load_string(xml)
    d = physics.Data(m)
    assert np.isnan(physics.known_transition(m, d).A[:, 0]).all()
    m.opt_gravity[:] = 0
    known = physics.known_transition(m, d).A
    physics.forward(m, d)
    assert known[1, 0] == pytest.approx(-m.opt_timestep * 2 / physics.full_m(m, d)[0, 0])
    d.xfrc_applied[1, 0] = 1
    assert np.isnan(physics.known_transition(m, d).A[:, 0]).all()


@pytest.mark.nojit
def test_closed_forms_under_the_interpreter():
    _mj, _mjd, m, d = pair_from(SLIDERS)
    for ours, expected in zip(physics.known_transition(m, d), by_hand(INT_EULER)):
        assert np.abs(ours - expected).max() < 1e-12


def test_official_derivatives_exist_for_the_model():
    """Guards the comparison above: the official engine runs the machine with rows of all three kinds."""
    mj, mjd, _m, _d = moving(0, "pyramidal", INT_EULER)
    mujoco.mj_forward(mj, mjd)
    assert mjd.nefc > 10 and mjd.ncon > 3


def test_a_tendon_at_its_one_rest_length_is_a_spring_and_within_two_is_slack():
    for springlength, stiff in (("-1", True), ("0 0", True), ("-.1 .1", False)):
        m = physics.load_string(SLIDERS.replace('springlength=".2"', f'springlength="{springlength}"').replace('name="t"', 'name="t" limited="false"'))
        d = physics.Data(m)
        a, b = (physics.transition_fd(m, d, centered=True, exact=exact).A for exact in (True, False))
        assert a == pytest.approx(b, abs=1e-7)
        loose = physics.load_string(SLIDERS.replace('stiffness="7"', 'stiffness="0"'))
        assert np.allclose(a, physics.transition_fd(loose, physics.Data(loose)).A, atol=1e-6) != stiff
