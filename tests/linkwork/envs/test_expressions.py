"""Terms written as expressions are the numbers of functions written by hand, in all simulations at once."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from linkwork.envs import FleetEnv, Task
from physics.quantities.syntax import ExpressionError


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture(scope="module")
def m():
    return physics.load(bundled_model("quadruped.xml"))


def begin(s, i, rng):
    s.qvel[i] += rng.uniform(-0.5, 0.5, s.model.nv)


WRITTEN = {
    "height": 'body("trunk").xpos[2]',
    "effort": (-0.01, "sum(actuator_force**2)"),
    "speed": 'norm(joint("root").qvel) * opt.timestep',
    "load": 'body_mass["trunk"] * dot(site("imu").xpos, site("imu").xpos)',
}
BY_HAND = {
    "height": lambda s: s.xpos[:, 1, 2],
    "effort": lambda s: -0.01 * np.sum(s.actuator_force ** 2, axis=1),
    "speed": lambda s: np.linalg.norm(s.qvel[:, :6], axis=1) * s.model.opt_timestep,
    "load": lambda s: s.model.body_mass[1] * np.sum(s.site_xpos[:, 0] ** 2, axis=1),
}


def stepped(env, count=30):
    observation, _ = env.reset(seed=5)
    rng, found, ended = np.random.default_rng(1), [observation], np.zeros(env.num_envs, bool)
    for _ in range(count):
        observation, reward, terminated, _truncated, infos = env.step(rng.uniform(-0.3, 0.3, env.action_space.shape))
        ended |= terminated
        found += [observation, reward, terminated, *(infos[f"reward_{name}"] for name in WRITTEN)]
    env.close()
    assert ended.any()
    return found


def test_expressions_are_functions_written_by_hand(m):
    same = {"begin": begin, "nstep": 5, "limit": 12}
    ours = FleetEnv(Task(m, ('body("trunk").xpos', "qvel", 'sin(joint("rear_left_knee").qpos)'), WRITTEN, 'body("trunk").xpos[2] < 0.335 and time > 0.05', **same), 7, 2, autoreset_mode="SameStep")
    theirs = FleetEnv(Task(m, (lambda s: s.xpos[:, 1], "qvel", lambda s: np.sin(s.qpos[:, m.jnt_qposadr[m.id("joint", "rear_left_knee")]])), BY_HAND,
                           lambda s: (s.xpos[:, 1, 2] < 0.335) & (s.time > 0.05), **same), 7, 2, autoreset_mode="SameStep")
    for one, other in zip(stepped(ours), stepped(theirs), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-13)


def test_fields_of_the_model_are_those_of_each_simulation(m):
    env = FleetEnv(Task(m, ('body_mass["trunk"]',)), 3, 1)
    env.reset(seed=0)
    assert env.task.observe(env.simulations)[:, 0].tolist() == [m.body_mass[1]] * 3
    env.fleet.expand("body_mass")[:, 1] = [1.0, 2.0, 3.0]
    assert env.task.observe(env.simulations)[:, 0].tolist() == [1.0, 2.0, 3.0]
    env.close()


@pytest.mark.parametrize(("text", "says"), [
    ("deriv(qpos[0])", "deriv looks back in time"), ("1 + lowpass(qpos[0], 2)", "column 5: lowpass looks back"), ('contact("floor").normal', "add a sensor"), ("min(contact_dist)", "add a sensor"),
    ("qpos[99]", "column"), ("qpso", "qpos"), ('limit("rear_left_knee").force', "add a sensor"),
])
def test_what_a_fleet_cannot_compute_is_refused(m, text, says):
    with pytest.raises(ExpressionError, match=says):
        FleetEnv(Task(m, (text,)), 2, 1)


def test_terms_of_the_wrong_shape_are_named(m):
    with pytest.raises(ValueError, match="reward 'up' has shape"):
        FleetEnv(Task(m, ("qpos",), {"up": "qvel"}), 2, 1)
    with pytest.raises(ValueError, match="terminated has shape"):
        FleetEnv(Task(m, ("qpos",), {}, "qvel > 0"), 2, 1)
