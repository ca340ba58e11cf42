"""Closed forms, conservation and orders of accuracy: what must hold whatever another engine says."""
import mujoco
import numpy as np
import pytest
from scipy.special import ellipk

from physics.engine import forward as stages
from physics.enums import DSBL_GRAVITY, ENBL_ENERGY, INT_EULER, INT_IMPLICITFAST, INT_RK4
from physics.model.data import Data
from tests.physics.engine.oracle_model import model_from

FREE = """<mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .25 .4" pos=".05 .1 -.02" euler="10 20 30"/></body></worldbody></mujoco>"""
CHAIN = """<mujoco><worldbody>{}</worldbody></mujoco>""".format(
    '<body><joint type="ball" pos="0 0 .2"/><geom type="capsule" size=".05 .15"/><body pos=".05 0 -.4"><joint axis="0 1 0" pos="0 0 .2"/>'
    '<geom type="capsule" size=".04 .15"/><body pos="0 .05 -.3"><joint type="slide" axis="0 .3 1" stiffness="40"/><geom size=".08"/></body></body></body>'
)
TREE = """<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .15" pos=".02 0 0"/>
<body pos=".3 0 0"><joint type="ball"/><geom type="capsule" size=".04 .2" pos="0 0 .2"/></body>
<body pos="-.3 0 0"><joint axis="0 1 1"/><geom type="capsule" size=".04 .2" pos="0 .1 .2"/>
<body pos="0 .2 .4"><joint type="slide" axis="1 0 0"/><geom size=".07"/></body></body></body></worldbody></mujoco>"""


def load(xml, integrator, timestep, flags=0):
    """Our model without constraints, and its data at rest."""
    m = model_from(mujoco.MjModel.from_xml_string(xml))
    m.opt_integrator, m.opt_timestep = integrator, timestep
    m.opt_disableflags |= 1 | flags
    m.opt_enableflags |= ENBL_ENERGY
    return m, Data(m)


def momentum(m, d):
    """Linear momentum and angular momentum about the world's origin."""
    lin, ang = np.zeros(3), np.zeros(3)
    for b in range(1, m.nbody):
        w, com = d.cvel[b, :3], d.xipos[b]
        v = d.cvel[b, 3:] + np.cross(w, com - d.subtree_com[m.body_rootid[b]])
        r = d.ximat[b].reshape(3, 3)
        lin += m.body_mass[b] * v
        ang += r @ np.diag(m.body_inertia[b]) @ r.T @ w + m.body_mass[b] * np.cross(com, v)
    return np.array([lin, ang])


def test_a_spinning_free_body_conserves_momentum_and_energy():
    m, d = load(FREE, INT_RK4, 1e-3, DSBL_GRAVITY)
    d.qvel[:] = [1, 2, 3, 4, -5, 6]
    stages.forward(m, d)
    before, energy = momentum(m, d), d.energy.sum()
    assert stages.step_n(m, d, 1000) == 1000
    stages.forward(m, d)
    # fourth order at h w = 0.009: (h w)^4 = 7e-9 a turn, measured far below
    assert np.allclose(momentum(m, d), before, rtol=1e-9, atol=1e-9)
    assert d.energy.sum() == pytest.approx(energy, rel=1e-9)


def test_internal_joints_cannot_change_the_whole_momentum():
    m, d = load(TREE, INT_RK4, 5e-4, DSBL_GRAVITY)
    d.qvel[:] = np.random.default_rng(0).normal(size=m.nv)
    stages.forward(m, d)
    before = momentum(m, d)
    assert stages.step_n(m, d, 1000) == 1000
    stages.forward(m, d)
    assert np.allclose(momentum(m, d), before, rtol=1e-8, atol=1e-8)


def test_a_free_body_falls_on_a_parabola():
    m, d = load(FREE, INT_RK4, 0.01)
    stages.forward(m, d)
    start = d.xipos[1].copy()
    d.qvel[:3] = [1.0, 2.0, 5.0]
    assert stages.step_n(m, d, 100) == 100
    stages.forward(m, d)
    assert np.allclose(d.xipos[1], start + [1.0, 2.0, 5.0 - 9.81 / 2], atol=1e-12)


@pytest.mark.parametrize("degrees", [5, 90, 170])
def test_pendulum_period(degrees):
    """T = 4 sqrt(I / (m g l)) K(sin(a/2)) for the amplitude a (Landau and Lifshitz, Mechanics, 11)."""
    m, d = load(
        '<mujoco><worldbody><body><joint axis="0 1 0"/><geom type="capsule" size=".02 .3" pos="0 0 -.4"/></body></worldbody></mujoco>', INT_RK4, 1e-3
    )
    a = np.radians(degrees)
    d.qpos[0] = a
    stages.forward(m, d)
    period = 4 * np.sqrt(d.M[0] / (m.body_mass[1] * 9.81 * 0.4)) * ellipk(np.sin(a / 2) ** 2)
    last = 1.0
    while not (last > 0 >= d.qvel[0] and d.time > 0.1):  # the second time that it stops, on the side where it began
        last = d.qvel[0]
        assert stages.step(m, d) == 1
    measured = d.time - m.opt_timestep * d.qvel[0] / (d.qvel[0] - last)
    assert measured == pytest.approx(period, rel=1e-6)


def final_state(xml, integrator, timestep, duration, seed=1):
    m, d = load(xml, integrator, timestep)
    d.qvel[:] = 2 * np.random.default_rng(seed).normal(size=m.nv)
    steps = round(duration / timestep)
    assert stages.step_n(m, d, steps) == steps
    return np.array([*d.qpos, *d.qvel])


@pytest.mark.parametrize("xml", [CHAIN, TREE], ids=["chain", "tree"])
@pytest.mark.parametrize(
    "integrator, order, step", [(INT_RK4, 4, 0.01), (INT_EULER, 1, 1e-4), (INT_IMPLICITFAST, 1, 1e-4)], ids=["rk4", "euler", "implicitfast"]
)
def test_order_of_accuracy(xml, integrator, order, step):
    exact = final_state(xml, INT_RK4, 5e-4, 0.2)
    errors = [np.abs(final_state(xml, integrator, h, 0.2) - exact).max() for h in (step, step / 2)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.35)
    assert errors[1] < 1e-2


def test_energy_drift_of_a_swinging_chain():
    m, d = load(CHAIN, INT_RK4, 1e-3)
    d.qvel[:] = np.random.default_rng(2).normal(size=m.nv)
    stages.forward(m, d)
    start, kinetic = d.energy.sum(), []
    for _ in range(2000):
        assert stages.step(m, d) == 1
        kinetic.append(d.energy[1])
    stages.forward(m, d)
    assert abs(d.energy.sum() - start) < 1e-7 * max(kinetic)


def test_damping_takes_energy_out_and_springs_return_it():
    xml = '<mujoco><worldbody><body><joint type="slide" axis="1 0 0" stiffness="50" damping="{}"/><geom size=".1" mass="2"/></body></worldbody></mujoco>'
    for damping in (0.0, 1.0):
        m, d = load(xml.format(damping), INT_RK4, 1e-3)
        d.qpos[0] = 0.1
        assert stages.step_n(m, d, 1000) == 1000
        w = np.sqrt(25 - (damping / 4) ** 2)
        expected = 0.1 * np.exp(-damping / 4) * (np.cos(w) + damping / 4 / w * np.sin(w))
        assert d.qpos[0] == pytest.approx(expected, abs=1e-11)


def test_implicit_damping_is_stable_where_explicit_damping_is_not():
    xml = '<mujoco><worldbody><body><joint type="slide" damping="1e4"/><geom size=".1" mass="1"/></body></worldbody></mujoco>'
    for integrator in (INT_EULER, INT_IMPLICITFAST):
        m, d = load(xml, integrator, 0.01, DSBL_GRAVITY)
        d.qvel[0] = 1.0
        assert stages.step_n(m, d, 5) == 5
        assert 0 < d.qvel[0] == pytest.approx((1 / 101) ** 5, rel=1e-10)
