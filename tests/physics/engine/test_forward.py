"""The step as a whole: what it refuses, and what it leaves untouched."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import INT_EULER, INT_IMPLICITFAST, INT_RK4, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL
from tests.physics.engine.oracle_model import pair_from, rel, take_state

TWO = """<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
<body pos=".5 0 0"><joint axis="0 1 0" damping=".1"/><geom type="capsule" size=".05 .2"/>
<body name="welded" pos="0 .2 .1"><geom size=".05"/></body></body></body></worldbody></mujoco>"""


def state(d):
    return d.time, *d.qpos, *d.qvel, *d.act, *d.qacc_warmstart


@pytest.mark.nojit
@pytest.mark.parametrize("bad", [np.nan, np.inf, 3e10])
@pytest.mark.parametrize("field, kind", [("qpos", WARN_BADQPOS), ("qvel", WARN_BADQVEL), ("qfrc_applied", WARN_BADQACC)])
@pytest.mark.parametrize("integrator", [INT_EULER, INT_RK4, INT_IMPLICITFAST])
def test_a_bad_number_stops_the_step_and_is_named(field, kind, bad, integrator):
    _mj, _mjd, m, d = pair_from(TWO)
    m.opt_integrator = integrator
    d.qvel[:] = 0.1
    assert stages.step(m, d) == 1 and d.diverged == 0
    getattr(d, field)[3] = bad if field != "qfrc_applied" else bad * 1e3
    before = state(d)
    assert stages.step_n(m, d, 3) == 0
    assert d.diverged == kind and d.warning_number[kind] == 1 and d.warning_lastinfo[kind] == d.diverged_id
    if field != "qfrc_applied" or np.isfinite(bad):
        assert d.diverged_id == 3 or field == "qfrc_applied"
    assert np.array_equal(state(d), before, equal_nan=True)


def test_a_mended_state_steps_on():
    _mj, _mjd, m, d = pair_from(TWO)
    d.qvel[2] = np.nan
    assert stages.step(m, d) == 0
    d.qvel[2] = 0.0
    assert stages.step(m, d) == 1 and d.diverged == 0 and np.isfinite(d.qpos).all()


@pytest.mark.parametrize("integrator", [INT_EULER, INT_RK4, INT_IMPLICITFAST])
def test_overflow_inside_a_step_keeps_the_last_good_state(integrator):
    _mj, _mjd, m, d = pair_from(TWO)
    m.opt_integrator = integrator
    m.opt_timestep = 1e3
    d.qvel[:] = 5.0
    good = state(d)
    for _ in range(200):
        if stages.step(m, d) == 0:
            break
        good = state(d)
    else:
        pytest.fail("never diverged")
    assert state(d) == good and d.diverged > 0


def test_the_mouse_adds_to_applied_forces_on_any_body():
    mj, mjd, m, d = pair_from(TWO)
    wrench = np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
    for body in (1, 2, 3):
        mjd.xfrc_applied[:] = 0.5
        take_state(d, mjd)
        mjd.xfrc_applied[body] += wrench
        d.perturb_bodyid = body
        d.xfrc_perturb[:] = wrench
        mujoco.mj_forward(mj, mjd)
        stages.forward(m, d)
        assert rel(d.qfrc_smooth, mjd.qfrc_smooth) < 1e-13
    d.perturb_bodyid = 0
    mjd.xfrc_applied[:] = 0.5
    mujoco.mj_forward(mj, mjd)
    stages.forward(m, d)
    assert rel(d.qfrc_smooth, mjd.qfrc_smooth) < 1e-13


def test_many_steps_at_once_are_the_same_as_one_by_one():
    _mj, _mjd, m, d = pair_from(TWO)
    d.qvel[:] = np.arange(m.nv)
    e = d.copy()
    assert stages.step_n(m, d, 25) == 25
    for _ in range(25):
        stages.step(m, e)
    assert state(d) == state(e)
