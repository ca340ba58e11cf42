"""One environment of a task, as gymnasium's Env: the same numbers as an environment of a FleetEnv has."""
from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from linkwork.envs.fleet_env import FleetEnv
from linkwork.envs.task import Task


class TaskEnv(gymnasium.Env):
    """A Task in one simulation."""

    metadata = {"render_modes": []}

    def __init__(self, task: Task):
        self._many = FleetEnv(task, 1, 1, autoreset_mode=AutoresetMode.DISABLED)
        self.observation_space, self.action_space = self._many.single_observation_space, self._many.single_action_space
        self.render_mode = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """As gymnasium.Env."""
        super().reset(seed=seed)
        observation, _infos = self._many.reset(seed=seed)
        return observation[0], {}

    def step(self, action) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """As gymnasium.Env. Raises ValueError for an action of wrong size, RuntimeError after the end of an episode."""
        observation, reward, terminated, truncated, infos = self._many.step(np.asarray(action, np.float64)[None])
        info = {name: values[0] for name, values in infos.items() if not name.startswith("_")}
        return observation[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def close(self) -> None:
        """End the fleet's threads."""
        self._many.close()
