"""Rollouts on threads: the same numbers as one step after another, for any number of threads."""
import numpy as np
import pytest

import physics
from physics.enums import DSBL_AUTORESET, StateBit
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, pair_from

FULL = StateBit.FULLPHYSICS
SLIDE = """<mujoco><worldbody><body><joint name="a" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body></worldbody>
<actuator><motor joint="a"/><general joint="a" dyntype="integrator"/></actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture(scope="module")
def humanoids():
    m = model_from(models.official("humanoid"))
    d, rng = physics.Data(m), np.random.default_rng(0)
    states = []
    for _ in range(7):
        d.reset()
        d.qpos[2] -= 0.1 * rng.random()
        d.qvel[:] = rng.normal(size=m.nv)
        states.append(physics.get_state(m, d, FULL))
    return m, np.array(states), rng.normal(size=(7, 60, m.nu))


def test_threads_do_not_change_a_bit(humanoids):
    m, states, controls = humanoids
    one = physics.rollout(m, states, controls, nthread=1)
    assert one.states.shape == (7, 60, states.shape[1]) and (one.steps == 60).all() and np.isfinite(one.states).all()
    for count in (2, 3, 8):
        other = physics.rollout(m, states, controls, count)
        assert other.states.tobytes() == one.states.tobytes()


def test_a_rollout_is_step_after_step(humanoids):
    m, states, controls = humanoids
    found = physics.rollout(m, states, controls).states
    d = physics.Data(m)
    for i in (0, 5):
        d.reset()
        physics.set_state(m, d, states[i], FULL)
        contacts = 0
        for k in range(60):
            d.ctrl[:] = controls[i, k]
            physics.step(m, d)
            contacts += d.ncon
            assert (physics.get_state(m, d, FULL) == found[i, k]).all()
        assert contacts > 0


def test_growing_storage_changes_nothing(humanoids, monkeypatch):
    from physics.simulate import rollout

    m, states, controls = humanoids
    found = physics.rollout(m, states, controls)
    monkeypatch.setattr(rollout, "Data", lambda model: physics.Data(model, 1, 1, 1, 1))
    assert physics.rollout(m, states, controls).states.tobytes() == found.states.tobytes()


def test_shapes_of_controls():
    _, _, m, d = pair_from(SLIDE)
    state = physics.get_state(m, d, FULL)
    controls = np.full((4, 2), 0.5)
    a = physics.rollout(m, [state, state], controls)
    b = physics.rollout(m, state, controls[None])
    assert a.states.shape == (2, 4, 4) and (a.states[0] == b.states[0]).all() and (a.states[1] == a.states[0]).all()
    assert a.states[0, :, 0] == pytest.approx(m.opt_timestep * np.arange(1, 5)) and a.states[0, -1, 3] == pytest.approx(4 * 0.5 * m.opt_timestep)
    free = physics.rollout(m, state, nstep=3, prepare=lambda data: data.ctrl.__setitem__(0, 4.0))
    assert free.states[0, -1, 2] == pytest.approx(3 * m.opt_timestep * 2)
    assert physics.rollout(m, state, np.zeros((1, 0, 2))).states.shape == (1, 0, 4)
    warm = physics.rollout(m, state, controls, warmstart=np.zeros((1, 1)))
    assert (warm.states == b.states).all()


def test_a_run_that_diverges_ends_and_the_others_go_on():
    _, _, m, d = pair_from(SLIDE)
    states = np.array([physics.get_state(m, d, FULL)] * 3)
    states[1, 2] = 9.99e9
    found = physics.rollout(m, states, np.array([np.zeros((5, 2)), np.full((5, 2), 1e10), np.zeros((5, 2))]), nthread=2)
    assert found.steps[0] == found.steps[2] == 5 and found.steps[1] < 5
    assert np.isfinite(found.states).all() and found.warnings.sum(axis=1).tolist() == [0, 1, 0]
    m.opt_disableflags |= DSBL_AUTORESET
    found = physics.rollout(m, states, np.array([np.zeros((5, 2)), np.full((5, 2), 1e10), np.zeros((5, 2))]), nthread=2)
    assert np.isnan(found.states[1, found.steps[1]:]).all() and np.isfinite(found.states[[0, 2]]).all()


def test_exceptions_of_callbacks_come_out():
    _, _, m, d = pair_from(SLIDE)
    state = physics.get_state(m, d, FULL)

    def prepare(data):
        data.set_callback("cb_control", lambda *_a: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        physics.rollout(m, [state] * 4, nstep=10, nthread=2, prepare=prepare)


def test_wrong_arrays_are_refused():
    _, _, m, d = pair_from(SLIDE)
    state = physics.get_state(m, d, FULL)
    for arguments, text in (
        (((state[:-1],), {"nstep": 1}), "states: needs shape"), (((state, np.zeros((3, 5))), {}), "controls: needs shape"),
        (((state, np.zeros(3)), {}), "controls: needs shape"), (((state,), {}), "nstep"), (((state, np.zeros((3, 2))), {"nstep": 4}), "nstep 4"),
        (((state, np.zeros((3, 2))), {"warmstart": np.zeros(3)}), "warmstart"), (((state, np.zeros((3, 2))), {"nthread": -1}), "threads"),
    ):
        with pytest.raises(ValueError, match=text):
            physics.rollout(m, *arguments[0], **arguments[1])


@pytest.mark.nojit
def test_rollout_under_the_interpreter():
    _, _, m, d = pair_from(SLIDE)
    found = physics.rollout(m, physics.get_state(m, d, FULL), np.ones((3, 2)))
    assert (found.steps == 3).all() and found.states[0, -1, 2] > 0
