"""step1 and step2, and forward from a stage on: the same numbers as the whole, and those of the official engine."""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import DSBL_AUTORESET, DSBL_WARMSTART, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4, STAGE_POS, STAGE_VEL
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, rel, take_state


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def humanoid(integrator=INT_EULER, steps=60):
    mj = models.official("humanoid")
    mj.opt.integrator = integrator
    mjd = mujoco.MjData(mj)
    mjd.ctrl[:] = 0.3 * np.random.default_rng(0).normal(size=mj.nu)
    for _ in range(steps):
        mujoco.mj_step(mj, mjd)
    m = model_from(mj)
    d = physics.Data(m)
    take_state(d, mjd)
    return mj, mjd, m, d


@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST])
def test_two_halves_make_a_step(integrator):
    _, _, m, d = humanoid(integrator)
    whole = d.copy()
    for k in range(30):
        whole.ctrl[:] = d.ctrl[:] = np.sin(k + np.arange(m.nu))
        physics.step(m, whole)
        assert physics.step1(m, d) == 1 and d.time < whole.time
        assert physics.step2(m, d) == 1
        assert (physics.get_state(m, d) == physics.get_state(m, whole)).all()


@pytest.mark.nojit
def test_the_halves_under_the_interpreter():
    """A mass of 2 on a slide; the callback sees the velocity that the first half found, and what it sets acts in the second."""
    m = physics.load_string('<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="2"/></body></worldbody>'
                            '<actuator><motor joint="j"/></actuator></mujoco>')
    d = physics.Data(m)
    d.qvel[0] = 3.0
    d.set_callback("cb_control", lambda _m, data: data.ctrl.__setitem__(0, -4 * data.actuator_velocity[0]))
    assert physics.step1(m, d) == 1 and d.ctrl[0] == -12.0 and d.time == 0
    assert physics.step2(m, d) == 1
    assert d.qvel[0] == pytest.approx(3 - 6 * m.opt_timestep, rel=1e-13) and d.qpos[0] == pytest.approx(m.opt_timestep * d.qvel[0], rel=1e-13)


def test_controls_set_between_the_halves_count():
    mj, mjd, m, d = humanoid()
    for opt in (mj.opt, m.opt):
        opt.tolerance = opt.ls_tolerance = 0
    for k in range(5):
        for first, second, model, data in ((mujoco.mj_step1, mujoco.mj_step2, mj, mjd), (physics.step1, physics.step2, m, d)):
            first(model, data)
            data.ctrl[:] = -data.qvel[6:6 + mj.nu] + k
            data.qfrc_applied[3] = 5.0
            second(model, data)
    assert rel(d.qpos, mjd.qpos) < 1e-10 and rel(d.qvel, mjd.qvel) < 1e-8


def test_runge_kutta_in_halves_is_euler():
    _, _, m, d = humanoid(INT_RK4)
    other = d.copy()
    physics.step1(m, d)
    physics.step2(m, d)
    m.opt_integrator = INT_EULER
    physics.step(m, other)
    assert (d.qpos == other.qpos).all()


def test_stages_that_are_done_are_not_done_again():
    _, _, m, d = humanoid()
    physics.forward(m, d)
    before = d.qacc.copy(), d.xpos.copy()
    d.qpos[2] += 1
    physics.forward(m, d, STAGE_VEL)
    assert np.allclose(d.qacc, before[0], rtol=1e-6, atol=1e-8) and (d.xpos == before[1]).all()
    d.ctrl[:] += 1
    d.qvel[:] = 0
    physics.forward(m, d, STAGE_POS)
    assert (d.xpos == before[1]).all() and not np.allclose(d.qacc, before[0], rtol=0.1) and (d.cvel == 0).all()
    physics.forward(m, d)
    assert d.xpos[1, 2] == pytest.approx(before[1][1, 2] + 1)


def test_the_halves_refuse_what_a_step_refuses():
    _, _, m, d = humanoid()
    state = d.qpos.copy()
    d.qvel[3] = np.inf
    m.opt_disableflags |= DSBL_AUTORESET
    assert physics.step1(m, d) == 0 and d.diverged_id == 3
    d.qvel[3] = 0
    d.qfrc_applied[4] = np.nan
    assert physics.step1(m, d) == 1 and physics.step2(m, d) == 0 and d.diverged and (d.qpos == state).all()


@pytest.mark.parametrize("cone", [0, 1])
def test_no_iterations_are_needed_from_the_solution(cone):
    """Idea 48 of the reference: warm started where it ended, the solver has nothing to do; cold, it has."""
    _, _, m, d = humanoid()
    m.opt_cone = cone
    m.opt_tolerance = m.opt_ls_tolerance = 0.0
    physics.forward(m, d)
    exact = d.qacc.copy()
    assert d.nefc >= 10 and d.solver_niter_max > 0
    d.qacc_warmstart[:] = exact
    m.opt_iterations = 0
    physics.forward(m, d)
    assert np.abs(d.qacc - exact).max() < 1e-9 * np.abs(exact).max() and d.solver_niter_max == 0
    m.opt_disableflags |= DSBL_WARMSTART
    physics.forward(m, d)
    assert np.abs(d.qacc - exact).max() > 1e-3 * np.abs(exact).max()
