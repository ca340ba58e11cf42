"""A hard step is a function of its state: replay, and hand-over between the engines."""
from pathlib import Path

import numpy as np
import pytest

import physics
from physics.enums import Engine, StateBit

MODELS = Path(__file__).parents[2] / "models"


def quadruped(engine=Engine.HARD):
    m = physics.load(MODELS / "quadruped.xml")
    m.opt.engine = engine
    d = physics.Data(m)
    physics.reset(m, d, "drop")
    return m, d


def test_replay_from_a_recorded_state_is_bit_for_bit():
    m, d = quadruped()
    physics.step(m, d, 150)
    state = physics.get_state(m, d)
    physics.step(m, d, 100)
    end = d.qpos.copy(), d.qvel.copy()
    e = physics.Data(m)
    physics.set_state(m, e, state)
    physics.step(m, e, 100)
    assert np.array_equal(e.qpos, end[0]) and np.array_equal(e.qvel, end[1])


def test_the_engines_take_over_from_each_other():
    """Positions and velocities go on; what the hard engine leaves behind changes no bit of a soft step."""
    m, d = quadruped(Engine.SOFT)
    physics.step(m, d, 300)
    before = d.qpos.copy(), d.qvel.copy()
    m.opt.engine = Engine.HARD
    physics.step(m, d, 1)
    assert np.abs(d.qpos - before[0]).max() < 1e-2
    assert np.abs(d.qvel - before[1]).max() < 0.5
    physics.step(m, d, 99)
    assert d.hard_nfailed == 0
    m.opt.engine = Engine.SOFT
    state = physics.get_state(m, d)
    fresh = physics.Data(m)
    physics.set_state(m, fresh, state)
    fresh.qacc_warmstart[:] = d.qacc_warmstart
    physics.step(m, d, 50)
    physics.step(m, fresh, 50)
    assert np.array_equal(d.qpos, fresh.qpos) and np.array_equal(d.qvel, fresh.qvel)


def test_a_rollout_takes_the_same_steps():
    m, d = quadruped()
    state = physics.get_state(m, d, StateBit.FULLPHYSICS)
    found = physics.rollout(m, state[None], np.tile(d.ctrl, (40, 1)))
    physics.step(m, d, 40)
    assert np.array_equal(found.states[0, -1, 1:1 + m.nq], d.qpos)


@pytest.mark.parametrize("n", [1, 7])
def test_growing_storage_changes_nothing(n):
    m, d = quadruped()
    physics.step(m, d, 200)
    small = physics.Data(m, maxcon=n, maxefc=n)
    physics.reset(m, small, "drop")
    physics.step(m, small, 200)
    assert np.array_equal(d.qpos, small.qpos)
