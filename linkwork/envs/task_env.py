"""One environment of a task, as gymnasium's Env: the same numbers as an environment of a FleetEnv has."""
from __future__ import annotations

import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from linkwork.envs.fleet_env import FleetEnv
from linkwork.envs.task import Task


class TaskEnv(gymnasium.Env):
    """A Task in one simulation.

    render_mode: None; "human", a window of its own that follows the steps, which take as long as their time then; "rgb_array", `render` returns a picture (height, width, 3) uint8 through `camera`
    (name, number, 'free', or None: what the model opens with). Raises ValueError for another mode.
    """

    metadata = {"render_modes": ["human", "rgb_array"], "render_fps": 60}

    def __init__(self, task: Task, render_mode: str | None = None, width: int = 480, height: int = 480, camera: str | int | None = None):
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is one of {', '.join(self.metadata['render_modes'])}, not {render_mode!r}")
        self._many = FleetEnv(task, 1, 1, autoreset_mode=AutoresetMode.DISABLED)
        self.observation_space, self.action_space = self._many.single_observation_space, self._many.single_action_space
        self.render_mode, self.camera = render_mode, camera
        self._size, self._pictures = (int(width), int(height)), None
        m = self._many.fleet.model
        self._lasts, self._due = m.opt_timestep * task.nstep, 0.0
        self.metadata = {**type(self).metadata, "render_fps": max(1, round(1 / self._lasts))}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """As gymnasium.Env."""
        super().reset(seed=seed)
        observation, _infos = self._many.reset(seed=seed)
        if self.render_mode == "human":
            self.render()
        return observation[0], {}

    def step(self, action) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """As gymnasium.Env. Raises ValueError for an action of wrong size, RuntimeError after the end of an episode."""
        observation, reward, terminated, truncated, infos = self._many.step(np.asarray(action, np.float64)[None])
        if self.render_mode == "human" and self._many.watched:
            self._keep_pace()
        info = {name: values[0] for name, values in infos.items() if not name.startswith("_")}
        return observation[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> np.ndarray | None:
        """A picture of the present state with "rgb_array"; with "human" the window is opened where it is not (once: closed, it stays closed). Raises KeyError for a camera
        that there is not, RuntimeError without OpenGL, WindowError without a display."""
        if self.render_mode == "rgb_array":
            if self._pictures is None:
                from app.pictures import Pictures

                self._pictures = Pictures(self._many.fleet.model, *self._size)
            self._pictures.look(self._many.fleet.get_data(0), self.camera)
            return np.array(self._pictures.rgb())
        if self.render_mode == "human" and self._pictures is None:
            self._pictures = self._many.watch()
        return None

    def _keep_pace(self) -> None:
        """Wait until the step has lasted as long as its time."""
        now = time.monotonic()
        if now < self._due:
            time.sleep(self._due - now)
        self._due = max(self._due, now) + self._lasts

    def close(self) -> None:
        """Close the window or the pictures, and end the fleet's threads."""
        if self._pictures is not None:
            self._pictures.close()
        self._many.close()
