"""Random and gradient search on small problems whose answers are known."""
import numpy as np
import pytest

import physics
from physics.optimise import Checkpoint, GradientSearchOptions, LinearPolicy, RandomSearchOptions, Task, train_ags, train_ars
from physics.optimise.gradient_search import episode_gradient
from physics.optimise.progress import generator

MASS = """<mujoco><option timestep=".1" gravity="0 0 0"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
<actuator><motor joint="x" ctrlrange="-2 2"/></actuator></mujoco>"""
ARM = """<mujoco><option timestep=".02"/><worldbody><body><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 -.5" mass="1"/>
<body pos="0 0 -.5"><joint name="b" axis="0 1 0" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 -.5" mass=".5"/></body></body></worldbody>
<actuator><motor joint="a"/><motor joint="b"/></actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def reset(m, d, random):
    d.qpos[:] = random.uniform(-1, 1, m.nq)


def task(text=MASS, horizon=30, **more):
    """Bring what moves to zero."""
    m = physics.load_string(text)
    return Task(m, horizon, lambda m, d, u, before: -(d.qpos @ d.qpos + 0.1 * d.qvel @ d.qvel + 0.01 * u @ u), reset=reset, **more)


@pytest.mark.parametrize("version", ["V1", "V2"])
def test_random_search_learns_to_bring_a_mass_to_rest(version):
    found = train_ars(task(), RandomSearchOptions(iterations=60, directions=8, best=4, step=0.3, noise=0.1, version=version, seed=3))
    assert found.rewards[-10:].mean() > 0.6 * found.rewards[:2].mean() and (found.rewards < 0).all()
    assert (found.policy.weights < 0).all()     # pushes back, and brakes
    assert found.evaluations == 60 * 16 * 30
    assert (found.policy.n > 0) and found.policy.normalise == (version == "V2")


def test_the_same_seed_gives_the_same_numbers_taken_up_again_or_not(tmp_path):
    options, one = RandomSearchOptions(iterations=12, directions=4, step=0.1, noise=0.1, seed=5), task()
    whole, second = train_ars(one, options), train_ars(one, options)
    assert np.array_equal(whole.policy.weights, second.policy.weights) and np.array_equal(whole.rewards, second.rewards)
    assert not np.array_equal(whole.rewards, train_ars(one, RandomSearchOptions(iterations=12, directions=4, step=0.1, noise=0.1, seed=6)).rewards)
    path = tmp_path / "policy.npz"
    part = train_ars(one, options, report=lambda p: p.done < 5, checkpoint=Checkpoint(path, every=2))
    assert part.stopped and len(part.rewards) == 5
    rest = train_ars(task(), options, checkpoint=Checkpoint(path))
    assert np.array_equal(rest.rewards, whole.rewards) and np.array_equal(rest.policy.weights, whole.policy.weights)
    assert np.array_equal(rest.policy.mean, whole.policy.mean) and rest.evaluations == whole.evaluations
    with pytest.raises(ValueError, match="another search"):
        train_ars(one, RandomSearchOptions(iterations=12, directions=4, step=0.2, noise=0.1, seed=5), checkpoint=Checkpoint(path))


def test_a_search_that_is_killed_goes_on_from_its_last_checkpoint(tmp_path):
    options, path = RandomSearchOptions(iterations=8, directions=3, seed=1), tmp_path / "killed.npz"

    def fail(progress):
        if progress.done == 6:
            raise KeyboardInterrupt
        return True

    with pytest.raises(KeyboardInterrupt):
        train_ars(task(), options, report=fail, checkpoint=Checkpoint(path, every=4))
    assert list(tmp_path.iterdir()) == [path]    # nothing half written beside it
    rest = train_ars(task(), options, checkpoint=Checkpoint(path, every=4))
    assert np.array_equal(rest.rewards, train_ars(task(), options).rewards)


def episode_reward(one: Task, policy: LinearPolicy, weights: np.ndarray) -> float:
    """As train_ags has it, without derivatives."""
    from physics.optimise import run_episode
    return run_episode(one, policy, physics.Data(one.m), generator(0, 9), weights).reward


@pytest.mark.parametrize("normalise", [False, True])
def test_an_episode_s_gradient_is_that_of_its_reward(normalise):
    one = task(ARM, horizon=15, nstep=2, scale=(2.0, 0.5))
    random = np.random.default_rng(4)
    policy = LinearPolicy(0.3 * random.standard_normal((2, 4)), normalise)
    for _ in range(50):
        policy.seen(random.standard_normal(4) * [1, 2, 3, 4] + [0, 1, 0, 0])
    found = episode_gradient(one, policy, physics.Data(one.m), generator(0, 9), GradientSearchOptions(normalise=normalise))
    assert found.steps == found.counted == 15 and found.reward == pytest.approx(episode_reward(one, policy, policy.weights), rel=1e-12)
    for i, j in np.ndindex(2, 4):
        step = np.zeros((2, 4))
        step[i, j] = 1e-5
        slope = (episode_reward(one, policy, policy.weights + step) - episode_reward(one, policy, policy.weights - step)) / 2e-5
        assert found.gradient[i, j] == pytest.approx(slope, rel=1e-4, abs=1e-4)


def test_without_feedback_the_gradient_is_that_with_what_the_policy_sees_held():
    seen = []

    def recording(m, d):
        seen.append(np.concatenate([d.qpos, d.qvel]))
        return seen[-1]

    one = task(ARM, horizon=15, observe=recording)
    policy = LinearPolicy(np.full((2, 4), 0.5), False)
    run = episode_reward(one, policy, policy.weights)
    held = np.array(seen)

    def replayed(weights):
        at = iter(held)
        return episode_reward(task(ARM, horizon=15, observe=lambda m, d: next(at)), LinearPolicy(weights, False), weights)

    assert replayed(policy.weights) == run
    found = episode_gradient(one, policy, physics.Data(one.m), generator(0, 9), GradientSearchOptions(normalise=False, feedback=False)).gradient
    for i, j in np.ndindex(2, 4):
        step = np.zeros((2, 4))
        step[i, j] = 1e-5
        slope = (replayed(policy.weights + step) - replayed(policy.weights - step)) / 2e-5
        assert found[i, j] == pytest.approx(slope, rel=1e-4, abs=1e-4)
    closed = episode_gradient(one, policy, physics.Data(one.m), generator(0, 9), GradientSearchOptions(normalise=False)).gradient
    assert np.abs(closed - found).max() > 1e-2 * np.abs(closed).max()


def test_gradients_beyond_the_bound_are_not_summed_further():
    one = task(ARM, horizon=15)
    policy = LinearPolicy(np.full((2, 4), 0.5), False)
    whole = episode_gradient(one, policy, physics.Data(one.m), generator(0, 9), GradientSearchOptions())
    half = np.abs(whole.gradient).max() / 2
    part = episode_gradient(one, policy, physics.Data(one.m), generator(0, 9), GradientSearchOptions(largest=half))
    assert part.counted < 15 == part.steps and np.abs(part.gradient).max() > half and part.reward == pytest.approx(whole.reward)


def test_gradient_search_learns_with_few_episodes_and_goes_on_from_a_checkpoint(tmp_path):
    options = GradientSearchOptions(iterations=25, step=0.15, first=0.0, seed=2)
    found = train_ags(task(), options)
    assert found.evaluations == 25 * 30 and (found.policy.weights < 0).all()

    def mean(policy):
        from physics.optimise import run_episode
        one = task()
        return np.mean([run_episode(one, policy, physics.Data(one.m), generator(7, k)).reward for k in range(10)])

    idle = LinearPolicy(np.zeros((1, 2)))
    assert mean(found.policy) > 0.6 * mean(idle)
    path = tmp_path / "ags.npz"
    assert train_ags(task(), options, report=lambda p: p.done < 11, checkpoint=Checkpoint(path)).stopped
    assert np.array_equal(train_ags(task(), options, checkpoint=Checkpoint(path)).rewards, found.rewards)


def test_an_episode_ends_where_the_task_is_done_or_the_model_diverges():
    from physics.optimise import run_episode
    one = task(horizon=50, done=lambda m, d: d.time > 0.95)
    assert run_episode(one, LinearPolicy(np.zeros((1, 2))), physics.Data(one.m), generator(0)).steps == 10

    def fast(m, d, random):
        d.qvel[:] = 1e11

    wild = Task(one.m, 50, one.reward, reset=fast)
    assert run_episode(wild, LinearPolicy(np.zeros((1, 2))), physics.Data(one.m), generator(0))[:2] == (0.0, 1)
    assert train_ags(wild, GradientSearchOptions(iterations=2)).rewards.tolist() == [0.0, 0.0]


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="version"):
        RandomSearchOptions(version="V3")
    with pytest.raises(ValueError, match="directions"):
        RandomSearchOptions(directions=4, best=5)
    with pytest.raises(ValueError, match="weights"):
        train_ars(task(), RandomSearchOptions(iterations=1), LinearPolicy(np.zeros((2, 2))))
    with pytest.raises(ValueError, match="seed"):
        train_ars(task(), RandomSearchOptions(iterations=1, seed=-1))
