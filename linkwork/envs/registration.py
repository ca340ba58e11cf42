"""Names of tasks for gymnasium: `gymnasium.make("linkwork/CartpoleBalance-v0")`, and `gymnasium.make_vec` of the same names for many at once.

    gymnasium.make_vec("linkwork/QuadrupedWalk-v0", num_envs=1000, nthread=2, autoreset_mode="SameStep")
    gymnasium.make("linkwork/Task-v0", task="my_task.toml")

`import linkwork.envs` makes the names known; gymnasium does that by itself for "linkwork.envs:linkwork/CartpoleBalance-v0".
"""
from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType

import gymnasium

from assets.locate import bundled_model
from linkwork.envs.fleet_env import FleetEnv
from linkwork.envs.task import Task
from linkwork.envs.task_env import TaskEnv
from linkwork.envs.task_file import read

BUNDLED: Mapping[str, str] = MappingProxyType({
    "CartpoleBalance": "cartpole_balance.task.toml",
    "PendulumSwingup": "pendulum_swingup.task.toml",
    "ArmReach": "arm_reach.task.toml",
    "QuadrupedWalk": "quadruped_walk.task.toml",
})


def task_of(task: Task | str | os.PathLike) -> Task:
    """A Task as it is, that of a file, or a bundled one by its name. Raises as task_file.read."""
    if isinstance(task, Task):
        return task
    return read(bundled_model(BUNDLED[task]) if task in BUNDLED else task)


def make_one(task: Task | str | os.PathLike, **how) -> TaskEnv:
    """What gymnasium.make calls."""
    return TaskEnv(task_of(task), **how)


def make_many(task: Task | str | os.PathLike, num_envs: int = 1, nthread: int = 0, **how) -> FleetEnv:
    """What gymnasium.make_vec calls."""
    return FleetEnv(task_of(task), num_envs, nthread, **how)


def register_envs() -> None:
    """Make the names known; does nothing for those that are."""
    for name, how in {"Task": {}, **{name: {"task": name} for name in BUNDLED}}.items():
        full = f"linkwork/{name}-v0"
        if full not in gymnasium.registry:
            gymnasium.register(full, "linkwork.envs.registration:make_one", vector_entry_point="linkwork.envs.registration:make_many", order_enforce=True, disable_env_checker=True, kwargs=how)
