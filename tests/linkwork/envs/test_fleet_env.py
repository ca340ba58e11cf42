"""Environments of a fleet are those of single simulations, to the bit, in each way of beginning anew."""
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import physics
from assets.locate import bundled_model
from linkwork.envs import FleetEnv, Task, TaskEnv
from linkwork.envs.fleet_env import action_space

LIMIT, NSTEP = 25, 4


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def begin(s, i, rng):
    s.qpos[i] += rng.uniform(-0.05, 0.05, s.model.nq)
    s.qvel[i] += rng.uniform(-0.5, 0.5, s.model.nv)


def upright(s):
    return np.cos(s.qpos[:, 1])


def fallen(s):
    return np.abs(s.qpos[:, 1]) > 0.3


@pytest.fixture(scope="module")
def task():
    return Task(physics.load(bundled_model("cartpole.xml")), observation=("qpos", "qvel", lambda s: s.xpos[:, -1]),
                reward={"upright": upright, "effort": (-0.01, lambda s: (s.ctrl ** 2).sum(axis=1))}, terminated=fallen, begin=begin, nstep=NSTEP, limit=LIMIT)


class Plain(gymnasium.Env):
    """The same task written by hand over one Data."""

    def __init__(self, m):
        self.m, self.d = m, physics.Data(m)
        self.observation_space, self.action_space = gymnasium.spaces.Box(-np.inf, np.inf, (m.nq + m.nv + 3,), np.float64), action_space(m)

    def _seen(self):
        return np.concatenate([self.d.qpos, self.d.qvel, self.d.xpos[-1]])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.d.reset()
        self.d.qpos[:] += self.np_random.uniform(-0.05, 0.05, self.m.nq)
        self.d.qvel[:] += self.np_random.uniform(-0.5, 0.5, self.m.nv)
        physics.forward(self.m, self.d)
        self.count = 0
        return self._seen(), {}

    def step(self, action):
        self.d.ctrl[:] = action
        physics.step(self.m, self.d, NSTEP, autoreset=False)
        self.count += 1
        parts = {"reward_upright": np.cos(self.d.qpos[1]), "reward_effort": -0.01 * (self.d.ctrl ** 2).sum()}
        return self._seen(), sum(parts.values()), bool(abs(self.d.qpos[1]) > 0.3), self.count >= LIMIT, parts


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_as_single_ones_to_the_bit(task, mode):
    n = 6
    ours = FleetEnv(task, n, 2, autoreset_mode=mode)
    theirs = SyncVectorEnv([lambda: Plain(task.model)] * n, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space and ours.action_space == theirs.action_space and ours.metadata["autoreset_mode"] is mode
    a, b = ours.reset(seed=3)[0], theirs.reset(seed=3)[0]
    assert a.tobytes() == b.tobytes()
    rng, ended = np.random.default_rng(0), 0
    for _ in range(80):
        actions = rng.uniform(-1, 1, (n, 1))
        (a, r, t, u, info), (b, *rest, their_info) = ours.step(actions), theirs.step(actions)
        assert a.tobytes() == b.tobytes() and all((x == y).all() for x, y in zip((r, t, u), rest))
        ended += int((t | u).sum())
        if mode is AutoresetMode.SAME_STEP and (t | u).any():
            assert (info["_final_obs"] == their_info["_final_obs"]).all()
            assert all(np.array_equal(x, y) for x, y in zip(info["final_obs"], their_info["final_obs"]) if x is not None)
        else:
            mask = their_info.get("_reward_upright", np.zeros(n, bool))
            assert (info["_reward_upright"] == mask).all() and (not mask.any() or (info["reward_upright"][mask] == their_info["reward_upright"][mask]).all())
    assert ended > 2 * n
    ours.close()


def test_without_autoreset(task):
    env = FleetEnv(task, 3, autoreset_mode="Disabled")
    env.reset(seed=[1, 2, 3])
    for _ in range(LIMIT):
        seen, _r, ended, cut, _i = env.step(np.zeros((3, 1)))
        if (ended | cut).any():
            break
    with pytest.raises(RuntimeError, match="has ended"):
        env.step(np.zeros((3, 1)))
    mask = ended | cut
    again, _ = env.reset(options={"reset_mask": mask})
    assert (again[~mask] == seen[~mask]).all() and not (again[mask] == seen[mask]).all(axis=1).any()
    env.step(np.zeros((3, 1)))
    for wrong, error in ((np.zeros(3, bool), ValueError), ([True] * 3, TypeError), (np.ones(2, bool), ValueError)):
        with pytest.raises(error):
            env.reset(options={"reset_mask": wrong})


def test_seeds_are_each_environments_own(task):
    a, b = FleetEnv(task, 4, 1), FleetEnv(task, 4, 2)
    first = a.reset(seed=10)[0]
    assert (first == b.reset(seed=[10, 11, 12, 13])[0]).all() and len({row.tobytes() for row in first}) == 4 and a.np_random_seed == (10, 11, 12, 13)
    assert not (a.reset()[0] == first)[:, :4].any() and (a.reset(seed=10)[0] == first).all()
    with pytest.raises(ValueError, match="3 seeds"):
        a.reset(seed=[1, 2, 3])


def test_one_that_diverges_ends_its_episode():
    m = physics.load(bundled_model("cartpole.xml"))
    env = FleetEnv(Task(m, reward={"alive": lambda s: np.ones(s.n)}), 3)
    env.reset(seed=0)
    env.simulations.qvel[1, 1] = np.inf
    seen, reward, terminated, truncated, infos = env.step(np.zeros((3, 1)))
    assert terminated.tolist() == [False, True, False] and infos["_diverged"].tolist() == [False, True, False] and not truncated.any() and reward.tolist() == [1, 1, 1]
    seen, reward, terminated, _t, infos = env.step(np.zeros((3, 1)))
    assert np.isfinite(seen).all() and not terminated.any() and reward.tolist() == [1, 0, 1] and "diverged" not in infos


def test_a_single_environment_passes_gymnasiums_check(task):
    check_env(TaskEnv(task), skip_render_check=True)


def test_terms_of_wrong_size_are_named():
    m = physics.load(bundled_model("cartpole.xml"))
    with pytest.raises(ValueError, match="observation"):
        FleetEnv(Task(m, observation=(lambda s: 1.0,)), 2)
    with pytest.raises(ValueError, match="reward 'height'"):
        FleetEnv(Task(m, reward={"height": lambda s: s.qpos}), 2)
    env = FleetEnv(Task(m), 2)
    env.reset()
    with pytest.raises(ValueError, match=r"actions: needs shape \(2, 1\)"):
        env.step(np.zeros(2))


def test_what_only_ends_look_at_is_there_in_the_first_step():
    m = physics.load(bundled_model("cartpole.xml"))
    env = FleetEnv(Task(m, reward={"height": lambda s: s.xpos[:, -1, 2]}, terminated=lambda s: np.abs(s.xipos).sum(axis=(1, 2)) == 0), 2)
    env.reset()
    _observation, reward, terminated, _truncated, _infos = env.step(np.zeros((2, 1)))
    assert (reward != 0).all() and not terminated.any()


def test_a_model_by_path_or_text():
    assert Task(bundled_model("pendulum.xml")).load().nq and Task("<mujoco/>").load().nq == 0
