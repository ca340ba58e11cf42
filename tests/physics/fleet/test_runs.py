"""Rollouts of a fleet: those of physics.rollout to the bit, of the official one within rounding."""
import mujoco
import numpy as np
import pytest
from mujoco import rollout as official_rollout

import physics
from physics.enums import StateBit
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from
from tests.physics.fleet.singles import alone, bundled, changed, states_of

FULL = StateBit.FULLPHYSICS


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def starts(m, n: int, speed: float = 0.5) -> np.ndarray:
    return np.array([physics.extract_state(m, s, StateBit.INTEGRATION, FULL) for s in states_of(m, n, speed)])


@pytest.mark.parametrize("name, nstep, within", [("cartpole", 100, 1e-9), ("humanoid", 40, 1e-6)])
def test_the_official_rollout(name, nstep, within):
    theirs = models.official(name)
    m = model_from(theirs)
    n = 4
    state, control = starts(m, n, 0.1), 0.3 * np.random.default_rng(3).normal(size=(n, nstep, m.nu))
    found = physics.Fleet(m, n, 2).rollout(state, control)
    expected, sensors = official_rollout.rollout(theirs, [mujoco.MjData(theirs)], state, control)
    assert found.state.shape == expected.shape and found.sensordata.shape == sensors.shape and (found.steps == nstep).all()
    assert np.abs(found.state - expected).max() < within * (1 + np.abs(expected).max())
    if sensors.size:
        assert np.abs(found.sensordata - sensors).max() < 100 * within * (1 + np.abs(sensors).max())


def test_it_is_the_rollout_of_single_simulations():
    m = bundled("humanoid")
    state, control = starts(m, 5), np.random.default_rng(0).normal(size=(5, 30, m.nu))
    expected = physics.rollout(m, state, control)
    for nthread in (1, 2, 4):
        found = physics.Fleet(m, 5, nthread).rollout(state, control)
        assert found.state.tobytes() == expected.states.tobytes() and found.sensordata.tobytes() == expected.sensordata.tobytes()


def test_from_where_they_are_and_back_again():
    m = bundled("humanoid")
    states = states_of(m, 4)
    fleet = physics.Fleet(m, 4, 2)
    fleet.set_state(states)
    fleet.step(nstep=40)
    before = fleet.get_state()
    ahead = fleet.rollout(nstep=10)
    assert (fleet.get_state() == before).all() and (fleet.steps == 40).all()
    fleet.step(nstep=10)      # controls stayed as they were
    assert (ahead.state[:, -1] == fleet.get_state(sig=FULL)).all() and (fleet.get_state() == alone(m, states, 50)).all()
    some = fleet.rollout(nstep=3, ids=[2, 0])
    fleet.step(nstep=3)
    assert (some.state[:, -1] == fleet.get_state([2, 0], FULL)).all()


def test_fields_of_the_model_by_run():
    m = bundled("cartpole")
    fleet = physics.Fleet(m, 3, 2)
    fleet.expand("dof_damping")[:, 0] = [0.1, 1, 5]
    state, control = starts(m, 1)[0], np.ones((20, m.nu))
    found = fleet.rollout(state, control, warmstart=np.zeros(m.nv))
    for i, damping in enumerate((0.1, 1, 5)):
        own = changed("cartpole")
        own.dof_damping[0] = damping
        assert (found.state[i] == physics.rollout(own, state, control).states[0]).all()


def test_a_run_that_diverges_repeats_its_last_sound_state():
    m = bundled("humanoid")
    state = starts(m, 3)
    state[1, 1 + m.nq + 5] = 1e9
    control = np.zeros((3, 30, m.nu))
    fleet = physics.Fleet(m, 3, 2)
    found = fleet.rollout(state, control)
    done = int(found.steps[1])
    assert found.steps[0] == found.steps[2] == 30 > done and np.isfinite(found.state).all()
    last = found.state[1, done - 1] if done else state[1]
    assert (found.state[1, done:] == last).all() and fleet.errors() == {}
    assert (found.state[[0, 2]] == physics.rollout(m, state[[0, 2]], control[[0, 2]]).states).all()


def test_arguments_are_named():
    m = bundled("cartpole")
    fleet = physics.Fleet(m, 3)
    state = starts(m, 3)
    for wrong, text in (((state[:2], np.zeros((4, m.nu))), "initial_state"), ((state, np.zeros((3, 4, m.nu + 1))), "control"), ((state, np.zeros(4)), "control"),
                        ((state,), "nstep"), (("x", np.zeros((4, m.nu))), "initial_state")):
        with pytest.raises(ValueError, match=text):
            fleet.rollout(*wrong)
    with pytest.raises(ValueError, match="nstep 5"):
        fleet.rollout(state, np.zeros((4, m.nu)), nstep=5)
    with pytest.raises(ValueError, match="warmstart"):
        fleet.rollout(None, np.zeros((4, m.nu)), warmstart=np.zeros((3, m.nv)))
    assert fleet.rollout(state, np.zeros((0, m.nu))).state.shape == (3, 0, 1 + m.nq + m.nv + m.na)
