"""What each integrator must do whatever another engine says: order, energy, equivalences, stability, exact answers."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import (
    DSBL_DAMPER,
    DSBL_EULERDAMP,
    DSBL_GRAVITY,
    ENBL_ENERGY,
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
)
from physics.model.data import Data
from tests.physics.engine.oracle_model import model_from

ALL = {"euler": INT_EULER, "rk4": INT_RK4, "implicit": INT_IMPLICIT, "implicitfast": INT_IMPLICITFAST, "discrete": INT_DISCRETE}
DRIVEN = """<mujoco><worldbody><body><joint name="a" axis="0 1 .2" damping=".2 .1"/><geom type="capsule" size=".05 .15" pos=".2 0 0"/>
<body pos=".4 0 0"><joint name="b" axis="0 1 0" stiffness="8" springref="20"/><geom type="capsule" size=".04 .15" pos=".1 0 0"/>
<body pos=".3 0 0"><joint name="c" type="ball" damping=".02"/><geom type="box" size=".1 .06 .04" pos=".05 0 0"/></body></body></body>
<body pos="0 0 1"><joint name="e" type="slide" axis="0 0 1" damping=".5"/><geom size=".1"/></body></worldbody>
<tendon><fixed name="t" stiffness="6" damping=".3"><joint joint="b" coef="1"/><joint joint="e" coef="-.5"/></fixed></tendon>
<actuator><position joint="a" kp="9" kv=".4"/><general tendon="t" dyntype="filter" dynprm=".05" gainprm="2"/>
<general joint="c" gear=".3 .2 .1 0 0 0" biastype="affine" biasprm="0 0 -.2"/></actuator></mujoco>"""
PENDULA = """<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".02 .1" pos="0 0 -.1"/>
<body pos="0 0 -.2"><joint axis="0 1 0"/><geom type="capsule" size=".02 .1" pos="0 0 -.1"/></body></body></worldbody></mujoco>"""
BRICK = '<mujoco>{}<worldbody><body><freejoint/><geom type="box" size=".1 .2 .4" pos=".02 .01 .03"/></body></worldbody></mujoco>'


def load(xml, integrator, timestep, flags=0):
    """Our model without constraints, and its data at rest."""
    m = model_from(mujoco.MjModel.from_xml_string(xml))
    m.opt_integrator, m.opt_timestep = integrator, timestep
    m.opt_disableflags |= 1 | flags
    m.opt_enableflags |= ENBL_ENERGY
    return m, Data(m)


def state_after(xml, integrator, timestep, duration, flags=0):
    """qpos, qvel and act after so long from a common moving state."""
    m, d = load(xml, integrator, timestep, flags)
    rng = np.random.default_rng(4)
    d.qvel[:], d.ctrl[:], d.act[:] = 2 * rng.normal(size=m.nv), rng.normal(size=m.nu), rng.normal(size=m.na)
    steps = round(duration / timestep)
    assert stages.step_n(m, d, steps) == steps
    return np.array([*d.qpos, *d.qvel, *d.act])


@pytest.mark.parametrize("integrator", ALL)
def test_order_of_accuracy(integrator):
    order, step = (4, 4e-3) if integrator == "rk4" else (1, 1e-4)
    exact = state_after(DRIVEN, INT_RK4, 2.5e-4, 0.16)
    errors = [np.abs(state_after(DRIVEN, ALL[integrator], h, 0.16) - exact).max() for h in (step, step / 2)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.35)
    assert errors[1] < 1e-2


def drift(integrator, timestep=2e-3, duration=2.0):
    """Largest change of the energy of a swinging double pendulum, as a share of the kinetic energy it reaches."""
    m, d = load(PENDULA, integrator, timestep)
    d.qpos[:] = [1.5, 0.7]
    stages.forward(m, d)
    start, energies = d.energy.sum(), []
    for _ in range(round(duration / timestep)):
        assert stages.step(m, d) == 1
        stages.forward(m, d)
        energies.append(d.energy.copy())
    return np.abs(np.sum(energies, 1) - start).max() / np.max(energies, 0)[1]


def test_energy_drift_of_a_swinging_double_pendulum():
    drifts = {name: drift(kind) for name, kind in ALL.items()}
    assert drifts["rk4"] < 1e-6
    assert drifts["rk4"] < drifts["implicit"] < drifts["euler"] < 0.1
    assert drifts["implicitfast"] == pytest.approx(drifts["euler"]) == pytest.approx(drifts["discrete"])  # nothing but the bias force here
    for kind in (INT_EULER, INT_IMPLICIT):  # first order: half the step, about half the drift
        assert drift(kind, 1e-3) == pytest.approx(0.5 * drift(kind, 2e-3), rel=0.2)


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "discrete"])
def test_change_of_velocity_is_the_acceleration_where_nothing_is_implicit(integrator):
    m, d = load(DRIVEN, ALL[integrator], 0.01, DSBL_EULERDAMP if integrator == "euler" else DSBL_DAMPER)
    if integrator == "implicitfast":
        m.actuator_biasprm[:, 2] = 0
    d.qvel[:] = np.random.default_rng(0).normal(size=m.nv)
    before = d.qvel.copy()
    assert stages.step(m, d) == 1
    assert np.allclose((d.qvel - before) / 0.01, d.qacc, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("integrator", ["euler", "implicit", "implicitfast", "discrete"])
def test_implicit_forces_become_explicit_as_steps_become_short(integrator):
    gaps = []
    for h in (1e-3, 1e-4):
        ends = []
        for kind, flags in ((ALL[integrator], 0), (INT_EULER, DSBL_EULERDAMP)):
            m, d = load(DRIVEN, kind, h, flags)
            d.qvel[:] = np.random.default_rng(0).normal(size=m.nv)
            before = d.qvel.copy()
            assert stages.step(m, d) == 1
            ends.append((d.qvel - before) / h)
        gaps.append(np.abs(ends[0] - ends[1]).max())
    assert 0 < gaps[1] < 0.15 * gaps[0]


def test_methods_agree_where_only_joints_are_damped():
    xml = """<mujoco><worldbody><body><joint type="slide" axis="1 0 0" damping="2"/><geom size=".1"/><body><joint type="slide" axis="1 1 0" damping="3 .5"/>
    <geom size=".05"/><body pos=".1 0 0"><joint type="slide" axis="0 1 1" stiffness="5"/><geom size=".05"/></body></body></body></worldbody></mujoco>"""
    ends = [state_after(xml, kind, 0.01, 0.5) for kind in (INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST)]
    assert np.allclose(ends[0], ends[1], rtol=1e-12, atol=1e-13) and np.allclose(ends[0], ends[2], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast", "discrete"])
def test_a_velocity_servo_at_rest_is_a_damper(integrator):
    body = """<mujoco><worldbody><body><joint name="a" axis="0 1 0" {0}/><geom type="capsule" size=".05 .15" pos=".2 0 0"/>
    <body pos=".4 0 0"><joint name="b" axis="1 1 0" {0}/><geom type="capsule" size=".04 .15" pos=".1 .1 0"/></body></body></worldbody>{1}</mujoco>"""
    servos = '<actuator><velocity joint="a" kv=".3"/><velocity joint="b" kv=".3"/></actuator>'
    ends = []
    for xml in (body.format('damping=".3"', ""), body.format("", servos)):
        m, d = load(xml, ALL[integrator], 0.01)
        d.qvel[:] = [1, -2]
        assert stages.step_n(m, d, 50) == 50
        ends.append(np.array([*d.qpos, *d.qvel]))
    assert np.allclose(*ends, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("option", ["", '<option density="100" viscosity=".5" wind="1 2 3"/>'], ids=["vacuum", "medium"])
def test_free_bodies_move_alike_with_implicit_and_implicitfast(option):
    ends = []
    for kind in (INT_IMPLICIT, INT_IMPLICITFAST):
        m, d = load(BRICK.format(option), kind, 5e-3)
        d.qvel[:] = [1, 2, 3, 4, -5, 6]
        assert stages.step_n(m, d, 100) == 100
        ends.append(np.array([*d.qpos, *d.qvel]))
    assert np.allclose(*ends, rtol=1e-11, atol=1e-12)


def spin(integrator, velocity, steps=400):
    m, d = load(BRICK.format(""), integrator, 0.01, DSBL_GRAVITY)
    m.body_ipos[1] = 0  # about the joint, so that nothing else moves
    d.qvel[3:] = velocity
    stages.forward(m, d)
    start = d.energy[1]
    steps = stages.step_n(m, d, steps)
    stages.forward(m, d)
    return d.energy[1] / start, steps


def test_tumbling_gains_energy_with_euler_and_loses_some_with_implicit_methods():
    assert spin(INT_EULER, [3, 4, 5])[0] > 1.01
    for kind in (INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE):
        assert 0.2 < spin(kind, [3, 4, 5])[0] < 1.0
        assert spin(kind, [0, 0, 9])[0] == pytest.approx(1.0, abs=1e-12)  # about a principal axis nothing changes
        assert spin(kind, [60, 50, 40])[1] == 400  # however fast


def test_discrete_takes_spring_and_damper_at_the_end_of_the_step():
    xml = '<mujoco><worldbody><body><joint type="slide" axis="1 0 0" stiffness="{}" damping="3"/><geom size=".1" mass="2"/></body></worldbody></mujoco>'
    for k, h in ((50.0, 0.01), (5e6, 0.1)):  # the second far beyond what an explicit spring survives
        m, d = load(xml.format(k), INT_DISCRETE, h)
        d.qpos[0], d.qvel[0] = 0.1, 0.7
        q, v = 0.1, 0.7
        for _ in range(30):
            v = (2 * v - h * k * q) / (2 + 3 * h + h * h * k)
            q += h * v
            assert stages.step(m, d) == 1
        assert d.qpos[0] == pytest.approx(q, rel=1e-11, abs=1e-15) and d.qvel[0] == pytest.approx(v, rel=1e-11, abs=1e-15)


def test_a_stiff_servo_across_two_trees_is_stable_with_discrete_only():
    xml = """<mujoco><worldbody><body><joint name="a" type="slide"/><geom size=".1" mass="1"/></body><body pos="1 0 0"><joint name="b" type="slide"/>
    <geom size=".1" mass="1"/></body></worldbody><tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>
    <actuator><position tendon="t" kp="1e6" kv="10"/></actuator></mujoco>"""
    for kind, settles in ((INT_DISCRETE, True), (INT_IMPLICITFAST, False)):
        m, d = load(xml, kind, 0.01, DSBL_GRAVITY)
        d.qpos[:], d.ctrl[0] = [0.2, -0.1], 0.3
        steps = stages.step_n(m, d, 200)
        assert (steps == 200 and abs(d.qpos.sum() - 0.3) < 1e-9) == settles
        if settles:
            assert d.qpos[0] - d.qpos[1] == pytest.approx(0.3, abs=1e-12)  # the servo pushes both alike


@pytest.mark.parametrize("integrator", ["euler", "implicit", "implicitfast", "discrete"])
def test_exact_filters_do_not_depend_on_the_step(integrator):
    xml = """<mujoco><worldbody><body><joint name="a" type="slide"/><geom size=".1"/></body></worldbody>
    <actuator><general joint="a" dyntype="filterexact" dynprm="{}"/></actuator></mujoco>"""
    for h in (0.1, 0.02, 1e-3):
        m, d = load(xml.format(0.3), ALL[integrator], h)
        d.ctrl[0] = 1.0
        assert stages.step_n(m, d, round(1 / h)) == round(1 / h)
        assert d.act[0] == pytest.approx(1 - np.exp(-1 / 0.3), abs=2e-14)
    m, d = load(xml.format(0), ALL[integrator], 0.01)
    d.ctrl[0] = 0.8
    stages.step(m, d)
    assert d.act[0] == pytest.approx(0.8, abs=1e-14)


@pytest.mark.parametrize("integrator", ALL)
def test_servos_with_a_damping_ratio_overshoot_below_one_only(integrator):
    xml = """<mujoco><option timestep=".0005"/><worldbody><body><joint name="a" type="slide"/><geom size=".1" mass="2"/></body></worldbody>
    <actuator><position joint="a" kp="50" dampratio="{}"/></actuator></mujoco>"""
    for ratio, overshoots in ((0.8, True), (1.1, False)):
        m, d = load(xml.format(ratio), ALL[integrator], 5e-4, DSBL_GRAVITY)
        d.ctrl[0], most = 1.0, 0.0
        for _ in range(6000):
            assert stages.step(m, d) == 1
            most = max(most, d.qpos[0])
        assert (most > 1 + 1e-6) == overshoots and d.qpos[0] == pytest.approx(1.0, abs=1e-3)
