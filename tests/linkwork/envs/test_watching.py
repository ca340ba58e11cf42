"""Any environment of a fleet in a window while it trains: the window shows its state, and nothing that is done there reaches the fleet."""
import time

import numpy as np
import pytest

from assets.locate import bundled_model
from linkwork.envs import FleetEnv, Task, TaskEnv, read_task


def begin(s, i, rng):
    s.qpos[i, 1] = 0.1 * i
    s.qvel[i] = rng.uniform(-0.1, 0.1, s.model.nv)


@pytest.fixture
def env():
    made = FleetEnv(Task(bundled_model("cartpole.xml"), begin=begin, nstep=2), 5, 1)
    made.reset(seed=0)
    yield made
    made.close()


def until(env, holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        env.step(np.zeros((env.num_envs, 1)))
        time.sleep(0.005)


def test_a_window_follows_the_environment_that_is_chosen(env):
    watching = env.watch(3)
    figures = watching.viewer.figures
    until(env, lambda: abs(figures()["qpos"][1] - env.simulations.qpos[3, 1]) < 0.02 and figures()["time"] > 0.1)
    assert abs(figures()["qpos"][1] - env.simulations.qpos[1, 1]) > 0.05
    watching._key(267)      # Page Down
    assert watching.index == 4
    assert env.watch(1) is watching and watching.index == 1
    until(env, lambda: abs(figures()["qpos"][1] - env.simulations.qpos[1, 1]) < 0.02)
    with pytest.raises(IndexError, match="no environment 5, there are 5"):
        env.watch(5)


def test_nothing_of_the_window_reaches_the_fleet_and_training_goes_on_without_it(env):
    alone = FleetEnv(env.task, 5, 1)
    alone.reset(seed=0)
    watching = env.watch(0)
    m = env.fleet.model
    before = m.opt_gravity.copy()
    watching._m.opt_gravity[:] = 0      # as an option of the window does
    watching._d.ctrl[:] = 1
    for k in range(60):
        if k == 40:
            watching.close()
            assert not env.watched
        one, other = env.step(np.full((5, 1), 0.2))[0], alone.step(np.full((5, 1), 0.2))[0]
        assert one.tobytes() == other.tobytes()
    assert (m.opt_gravity == before).all() and env._watching is None
    alone.close()


def test_the_human_mode_of_gymnasium_is_such_a_window():
    env = TaskEnv(read_task(bundled_model("cartpole_balance.task.toml")), render_mode="human")
    env.reset(seed=0)
    begun = time.monotonic()
    for _ in range(20):
        env.step(np.zeros(1))
    assert env._many.watched and time.monotonic() - begun > 0.9 * 19 * env._lasts       # in real time, never quicker
    env.close()
    assert not env._many.watched
