"""Motion without contact under the hard engine: momentum, energy, and agreement with the soft engine as steps become short."""
from pathlib import Path

import numpy as np
import pytest

import physics
from physics.engine.hard import momenta
from physics.enums import DSBL_CONTACT, DSBL_FRICTIONLOSS, DSBL_LIMIT, ENBL_ENERGY, Engine
from tests.physics.engine.hard.tree_models import mixed, roomy, shaken

MODELS = Path(__file__).parents[2] / "models"


def discrete_momentum(m, d):
    """Momentum and angular momentum about the origin that the bodies bring along into the next step."""
    physics.kinematics(m, d)
    d.hard_h = m.opt_timestep
    momenta.keep_start(m, d)
    momenta.momenta(m, d)
    p, x = d.hard_mom[1:m.nbody], d.hard_x2[1:m.nbody]
    return np.concatenate([p[:, :3].sum(0), (np.cross(x, p[:, :3]) + p[:, 3:]).sum(0)])


def free_tree(h):
    """One tree of all joint types that nothing acts on: the second tree of the model is tied to the world, so it is left out."""
    m = mixed(h=h, g=0)
    m.opt_disableflags |= DSBL_CONTACT
    m.opt.hard_rtol = 1e-10
    m.dof_damping[:] = 0
    m.dof_dampingpoly[:] = 0
    m.dof_armature[:] = 0
    return m


@pytest.mark.parametrize("h", [0.01, 0.03])
def test_momentum_of_a_free_tree_stays(h):
    m = free_tree(h)
    d = roomy(m)
    shaken(m, d, 1, 1.0)
    d.qvel[-2:] = 0    # the tree on the world rests: there is no gravity
    before = discrete_momentum(m, d)
    iterations = 0
    for _ in range(500):
        assert physics.step(m, d) == 1 and d.hard_status == 0
        iterations = max(iterations, d.hard_niter)
    assert np.abs(discrete_momentum(m, d) - before).max() < 1e-7
    assert iterations <= 12 and d.hard_nhalved == 0


def pendulum(n, h):
    bodies = "".join(f'<body pos="{0.3 * (i > 0)} 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass=".5"/>' for i in range(n))
    return f'<mujoco><option timestep="{h}"/><worldbody>{bodies}{"</body>" * n}</worldbody></mujoco>'


def test_energy_of_a_chain_has_no_trend():
    m = physics.load_string(pendulum(5, 0.002))
    m.opt.engine, m.opt.hard_rtol = Engine.HARD, 1e-10
    m.opt_disableflags |= DSBL_CONTACT
    m.opt_enableflags |= ENBL_ENERGY
    d = physics.Data(m)
    energies = []
    for _ in range(500):
        physics.step(m, d, 10)
        energies.append(d.energy.sum())
    energies = np.array(energies)
    quarter = len(energies) // 4
    assert abs(energies[:quarter].mean() - energies[-quarter:].mean()) < 0.05
    assert d.hard_nfailed == 0


def end_of(name, engine, h, time, seed=0):
    """Positions after a while in the air."""
    m = physics.load(MODELS / f"{name}.xml")
    m.opt.engine, m.opt.timestep = engine, h
    m.opt_disableflags |= DSBL_CONTACT | DSBL_LIMIT | DSBL_FRICTIONLOSS
    d = physics.Data(m)
    d.qvel[:] = np.random.default_rng(seed).normal(size=m.nv) * 0.5
    physics.step(m, d, round(time / h))
    return d.qpos.copy()


@pytest.mark.parametrize("name", ["quadruped", "arm"])
def test_it_converges_to_the_soft_engine(name):
    """Both are of first order, and of one limit: half the step, half the difference."""
    differences = [np.abs(end_of(name, Engine.HARD, h, 0.2) - end_of(name, Engine.SOFT, h, 0.2)).max() for h in (1e-3, 5e-4)]
    assert 1.6 < differences[0] / differences[1] < 2.4 and differences[1] < 1e-2


def test_a_damped_servo_settles_where_the_soft_one_does_with_long_steps():
    """Stiffness and damping act at the end of the step: a step many times as long as the servo's own time is stable."""
    xml = """<mujoco><option timestep=".05" gravity="0 0 -9.81"/><worldbody><body><joint name="j" axis="0 1 0" damping=".5"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/></body></worldbody>
    <actuator><position joint="j" kp="500" kv="20"/></actuator></mujoco>"""
    ends = []
    for engine, h in ((Engine.HARD, 0.05), (Engine.SOFT, 0.0005)):
        m = physics.load_string(xml)
        m.opt.engine, m.opt.timestep = engine, h
        d = physics.Data(m)
        d.ctrl[:] = 0.4
        physics.step(m, d, round(5 / h))
        ends.append(d.qpos[0])
        assert abs(d.qvel[0]) < 1e-6
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


SPINNER = """<mujoco><option timestep=".01" gravity="0 0 0"/><worldbody><body><freejoint/><geom type="box" size=".1 .1 .2" mass="1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("speed", [400.0, 620.0])
def test_more_than_half_a_round_in_a_step_is_not_taken_for_a_turn_the_other_way(speed):
    m = physics.load_string(SPINNER)
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    d.qvel[5] = speed
    assert physics.step(m, d, 3) == 3 and d.hard_nhalved == 3
    assert abs(d.qvel[5] / speed - 1) < 1e-6
    # where a step may not be halved there is none
    m.opt.hard_halvings = 0
    assert physics.step(m, d, autoreset=False) == 0 and d.hard_nfailed == 1 and abs(d.qvel[5] / speed - 1) < 1e-6
