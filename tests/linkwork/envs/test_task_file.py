"""Tasks as files: what they say is what happens, and what is wrong is said with its line."""
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import physics
from linkwork.envs import FleetEnv, TaskEnv, TaskError, read_task
from linkwork.envs.registration import BUNDLED, task_of

MODEL = """<mujoco><option timestep="0.01"/><worldbody>
  <body name="goal" mocap="true"/><body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <body name="arm"><joint name="swing" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/></body></worldbody>
  <actuator><motor name="push" joint="swing" ctrlrange="-2 2"/></actuator><keyframe><key name="up" qpos="0 0 2 1 0 0 0 .5"/></keyframe></mujoco>"""
TASK = """model = "model.xml"
nstep = 2
limit = 30
keyframe = "up"
observation = ["qpos", 'body("goal").xpos']
terminated = 'body("ball").xpos[2] < 1.9'

[reward]
far = {weight = -2, of = 'norm(body("ball").xpos - body("goal").xpos)'}
alive = "1"

[begin]
qpos = 0.01
joints = {swing = [-1, 1]}
places = {goal = [[1, 2, 3], [1, 2, 4]], ball = [[0, 0, 2], [0, 0, 2]]}
"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def write(tmp_path):
    (tmp_path / "model.xml").write_text(MODEL)

    def written(text=TASK, old="", new=""):
        assert old in text
        (tmp_path / "a.task.toml").write_text(text.replace(old, new))
        return tmp_path / "a.task.toml"

    return written


def test_a_task_is_what_its_file_says(write):
    env = FleetEnv(read_task(write()), 200, 2, autoreset_mode="Disabled")
    seen, _ = env.reset(seed=0)
    swing, goal = seen[:, 7], seen[:, 8:]
    assert swing.min() < -0.9 and swing.max() > 0.9 and -1 <= swing.min() and swing.max() <= 1
    assert (goal[:, :2] == [1, 2]).all() and goal[:, 2].min() < 3.1 and goal[:, 2].max() > 3.9
    assert (seen[:, :3] == [0, 0, 2]).all() and (np.abs(seen[:, 4:7]) < 0.01).all() and (seen[:, 4:7] != 0).any()
    np.testing.assert_allclose(np.linalg.norm(seen[:, 3:7], axis=1), 1)
    done = np.zeros(200, bool)
    for step in range(1, 31):
        _seen, reward, terminated, truncated, infos = env.step(np.zeros((200, 1)))
        ball = env.simulations.xpos[:, 2]
        np.testing.assert_allclose(infos["reward_far"], -2 * np.linalg.norm(ball - env.simulations.xpos[:, 1], axis=1))
        np.testing.assert_allclose(reward, infos["reward_far"] + 1)
        done = terminated | truncated
        if done.any():
            break
    assert terminated.all() and not truncated.any() and step == 8      # it falls a tenth of a metre in 0.143 s, which are 14.3 time steps (Euler's are a little quicker)
    env.close()


@pytest.mark.parametrize(("old", "new", "says"), [
    ("nstep = 2", "nstep = 0", r"a.task.toml:2: nstep is from 1"),
    ("nstep = 2", "nsteps = 2", r":2: nsteps is not known.*nstep"),
    ('"up"', '"upp"', ":4: keyframe is no keyframe of the model: 'upp'; there are: up"),
    ('"qpos", ', '"qpso", ', ":5: observation 'qpso', column 1"),
    ("< 1.9", "<", ":6: terminated .* column"),
    ('body("ball").xpos[2] < 1.9', 'body("ball").xpos < 1.9', ":6: terminated .* is a vector of 3 numbers"),
    ("weight = -2, ", "", "weight is missing"),
    ('alive = "1"', "alive = 1", r":10: \[reward\] alive is an expression in quotes, not 1"),
    ("swing = [-1, 1]", "swim = [-1, 1]", ":14: .*no joint named 'swim'; there are: swing"),
    ("swing = [-1, 1]", "swing = [1, -1]", ":14: .*from the lower to the higher"),
    ("goal = [[1, 2, 3]", "goal = [[1, 2]", r":15: .*\[\[x, y, z\]"),
    ("goal = [[", "arm = [[", ":15: .*stays where it is"),
    ('"model.xml"', '"none.xml"', ":1: model: .*none.xml"),
    ("limit = 30", "limit = ", r":3:\d+: "),
    ('observation = ["qpos", \'body("goal").xpos\']', "observation = []", ":5: observation is empty"),
])
def test_what_is_wrong_is_said_with_its_line(write, old, new, says):
    with pytest.raises(TaskError, match=says):
        read_task(write(TASK, old, new))


def test_gymnasium_makes_them_by_name(write):
    many = gymnasium.make_vec("linkwork/Task-v0", num_envs=3, nthread=1, task=write(), autoreset_mode="SameStep")
    one = gymnasium.make("linkwork/Task-v0", task=write())
    (a, _), (b, _) = many.reset(seed=9), one.reset(seed=10)
    assert isinstance(many, FleetEnv) and a[1].tobytes() == b.tobytes()
    actions = np.array([[0.5], [1.0], [-0.5]])
    for _ in range(3):
        assert many.step(actions)[0][1].tobytes() == one.step(actions[1])[0].tobytes()
    many.close()
    one.close()


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_tasks(name):
    task = task_of(name)
    env = gymnasium.make_vec(f"linkwork/{name}-v0", num_envs=4, nthread=1)
    env.action_space.seed(0)
    seen, _ = env.reset(seed=1)
    assert len({row.tobytes() for row in seen}) == 4        # each begins somewhere else
    for _ in range(20):
        seen, reward, *_ = env.step(env.action_space.sample())
        assert np.isfinite(seen).all() and np.isfinite(reward).all()
    env.close()
    with pytest.warns(UserWarning, match="infinity"):
        check_env(TaskEnv(task), skip_render_check=True)


def test_pictures_of_an_environment(write):
    env = gymnasium.make("linkwork/PendulumSwingup-v0", render_mode="rgb_array", width=64, height=48)
    env.reset(seed=0)
    before = env.render()
    for _ in range(10):
        env.step(np.ones(1))
    after = env.render()
    assert before.shape == (48, 64, 3) and before.dtype == np.uint8 and (before != after).any()
    env.close()
    with pytest.raises(ValueError, match="render_mode is one of human, rgb_array"):
        TaskEnv(read_task(write()), render_mode="text")
