"""Bodies without weight: passive or held by their motors."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import DSBL_ACTUATION, DSBL_CONSTRAINT, DSBL_DAMPER, DSBL_GRAVITY, DSBL_SPRING, INT_RK4
from physics.model.data import Data
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, pair_from, randomize, rel, take_state


def lifted(name, seed):
    """An official model with random parts of weights taken off, some by motors."""
    mj = models.official(name)
    rng = np.random.default_rng(seed)
    mj.opt.disableflags |= DSBL_CONSTRAINT
    mj.body_gravcomp[:] = rng.uniform(-1, 2, mj.nbody) * (rng.random(mj.nbody) < 0.6)
    mj.jnt_actgravcomp[:] = rng.random(mj.njnt) < 0.5
    mj.flg_gravcomp = True
    return mj


@pytest.mark.parametrize("flags", [0, DSBL_GRAVITY, DSBL_SPRING, DSBL_DAMPER, DSBL_SPRING | DSBL_DAMPER, DSBL_ACTUATION])
@pytest.mark.parametrize("name", ["humanoid", "mixed", "driven", "strung", "ant"])
def test_forces_are_the_official_ones(name, flags):
    for seed in range(2):
        mj = lifted(name, seed)
        mj.opt.disableflags |= flags
        m, mjd = model_from(mj), mujoco.MjData(mj)
        d = Data(m)
        randomize(mj, mjd, seed)
        take_state(d, mjd)
        d.qfrc_gravcomp[:] = 7.0  # left over from before
        mujoco.mj_forward(mj, mjd)
        stages.forward(m, d)
        for field in "qfrc_gravcomp qfrc_passive qfrc_actuator qacc_smooth".split():
            assert rel(getattr(d, field), getattr(mjd, field)) < 1e-11, field


def test_three_balls_under_half_gravity_each_go_their_way():
    text = '<mujoco><option gravity="0 0 -4" integrator="RK4"/><worldbody>{}</worldbody></mujoco>'
    bodies = "".join(f'<body pos="{k} 0 0" gravcomp="{part}"><freejoint/><geom size=".1"/></body>' for k, part in enumerate((0, 0.5, 1, 2)))
    _mj, _mjd, m, d = pair_from(text.format(bodies))
    assert stages.step_n(m, d, 500) == 500
    height = d.qpos[2::7]
    assert height == pytest.approx([-2.0, -1.0, 0.0, 2.0], abs=1e-12)  # g t^2 / 2 with t = 1


def test_a_body_without_weight_stays_where_it_is():
    arm = """<mujoco><option gravity="1 2 -9" integrator="implicitfast"/><worldbody>
    <body gravcomp="1" euler="10 20 30"><joint axis="0 1 0"/><geom type="capsule" size=".05 .2" pos=".2 0 0"/>
    <body gravcomp="1" pos=".4 0 0"><joint type="ball"/><geom type="box" size=".1 .05 .2" pos="0 .1 0"/>
    <body gravcomp="1" pos=".1 .3 0"><joint type="slide" axis="1 1 0"/><geom size=".1"/></body></body></body></worldbody></mujoco>"""
    _mj, _mjd, m, d = pair_from(arm)
    d.qpos[:] = 0.7, 0.5, -0.5, 0.1, 0.7, 0.2
    start = d.qpos.copy()
    start[1:5] /= np.linalg.norm(start[1:5])
    assert stages.step_n(m, d, 1000) == 1000
    assert np.abs(d.qvel).max() < 1e-11 and np.abs(d.qpos - start).max() < 1e-11


def test_momentum_stays_without_weight():
    text = """<mujoco><option gravity="0 0 -9.81" timestep="1e-3"/><worldbody><body gravcomp="1"><freejoint/><geom type="box" size=".1 .2 .3" mass="3"/>
    <body pos=".3 0 0" gravcomp="1"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" size=".05 .2" mass="2"/></body></body></worldbody>
    <actuator><motor joint="a"/></actuator></mujoco>"""
    _mj, _mjd, m, d = pair_from(text)
    m.opt_integrator = INT_RK4
    d.qvel[:] = 1, 2, 3, 0.3, 0.2, 0.1, 2

    def momentum():
        stages.forward(m, d)
        return sum(m.body_mass[b] * (d.cvel[b, 3:] + np.cross(d.cvel[b, :3], d.xipos[b] - d.subtree_com[1])) for b in (1, 2))

    before = momentum()
    d.ctrl[0] = 2.0
    assert stages.step_n(m, d, 500) == 500
    assert np.abs(momentum() - before).max() < 1e-9 and abs(d.qvel[6] - 2) > 0.5


HELD = """<mujoco><option gravity="0 0 -8"/><worldbody><body gravcomp="1"><joint name="lift" type="slide" axis="0 0 1" actuatorfrcrange="-3 5" actuatorgravcomp="{}"/>
<geom size=".1" mass=".5"/></body></worldbody>{}</mujoco>"""


@pytest.mark.nojit
def test_a_motor_that_holds_the_weight_keeps_to_its_range():
    _mj, _mjd, m, d = pair_from(HELD.format("true", '<actuator><motor joint="lift" gear="2"/></actuator>'))
    # (control, gravity) -> total of the motors after the joint's range; the weight is a passive force no more
    for control, gravity, force, total in ((0, -8, 0, 4), (0, -20, 0, 5), (0.25, -8, 0.25, 4.5), (3, -8, 3, 5), (-4, -8, -4, -3), (0, 0, 0, 0)):
        m.opt_gravity[2] = gravity
        d.ctrl[0] = control
        stages.forward(m, d)
        assert (d.actuator_force[0], d.qfrc_actuator[0], d.qfrc_passive[0]) == (force, total, 0), (control, gravity)
        assert d.qfrc_gravcomp[0] == -0.5 * gravity
    m.jnt_actgravcomp[0] = False
    d.ctrl[0], m.opt_gravity[2] = 3, -8
    stages.forward(m, d)
    assert (d.actuator_force[0], d.qfrc_actuator[0], d.qfrc_passive[0]) == (3, 5, 4)


def test_without_any_actuator_nothing_holds_such_a_weight():
    mj, mjd, m, d = pair_from(HELD.format("true", ""))
    mujoco.mj_forward(mj, mjd)
    stages.forward(m, d)
    assert d.qacc[0] == mjd.qacc[0] == pytest.approx(-8) and d.qfrc_gravcomp[0] == mjd.qfrc_gravcomp[0] == 4


def test_disabled_springs_dampers_and_gravity():
    text = """<mujoco><option gravity="0 0 -10"/><worldbody><body gravcomp="1"><joint type="slide" springref="2" stiffness="10" damping="3"/>
    <geom size="1" mass="2"/></body></worldbody></mujoco>"""
    _mj, _mjd, m, d = pair_from(text)
    d.qvel[0] = -1
    for flags, acc in ((0, 11.5), (DSBL_DAMPER, 10), (DSBL_SPRING, 1.5), (DSBL_SPRING | DSBL_DAMPER, -10), (DSBL_GRAVITY, 11.5)):
        m.opt_disableflags = flags
        stages.forward(m, d)
        assert d.qacc[0] == acc, flags


def test_a_body_without_joints_lifts_the_one_that_carries_it():
    text = '<mujoco><option gravity="0 0 -10"/><worldbody><body><freejoint/><body gravcomp="1.3" pos="0 0 0"><geom size=".2" mass="1"/></body></body></worldbody></mujoco>'
    _mj, _mjd, m, d = pair_from(text)
    stages.forward(m, d)
    assert d.qacc[2] == pytest.approx(3.0, rel=1e-12)


def test_a_run_time_change_of_the_part_acts_at_once():
    _mj, _mjd, m, d = pair_from('<mujoco><option gravity="0 0 -10"/><worldbody><body gravcomp="1"><freejoint/><geom size=".2" mass="1"/></body></worldbody></mujoco>')
    for part in (1.0, 0.25, -1.0, 0.0):
        m.body_gravcomp[1] = part
        stages.forward(m, d)
        assert d.qacc[2] == pytest.approx(10 * (part - 1))
