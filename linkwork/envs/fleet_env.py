"""Many environments of one task as gymnasium's VectorEnv, moved by a Fleet: no process and no Python for each of them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import physics
from linkwork.envs.task import Simulations, Task
from physics.fleet.fleet import Fleet

if TYPE_CHECKING:
    from linkwork.envs.watching import Watching


def action_space(m) -> spaces.Box:
    """Controls within their ranges; those without one are not bounded."""
    limited = np.asarray(m.actuator_ctrllimited, bool)
    ranges = np.asarray(m.actuator_ctrlrange, np.float64).reshape(-1, 2)
    low, high = np.where(limited, ranges[:, 0], -np.inf), np.where(limited, ranges[:, 1], np.inf)
    return spaces.Box(low, high, dtype=np.float64)


class FleetEnv(VectorEnv):
    """num_envs environments of a Task on nthread threads (0: one per processor).

    autoreset_mode: what happens to an environment whose episode has ended: NEXT_STEP, it begins anew in the next step, which does nothing else; SAME_STEP, at once,
    with what was seen last in infos["final_obs"]; DISABLED, by `reset(options={"reset_mask": mask})`. Seeds are per environment: one number s gives s, s + 1, ...
    Infos hold each term of the reward, and "diverged" where simulations did, whose episodes end there. Compiles the kernels where that has not been done. `fleet` may be used beside it: expand, get_data, ...
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, task: Task, num_envs: int, nthread: int = 0, *, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP):
        physics.ensure_kernels()
        self.task, self.num_envs = task, int(num_envs)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self.fleet = Fleet(task.load(), self.num_envs, nthread)
        self.simulations = Simulations(self.fleet)
        self.render_mode = None
        self._watching: Watching | None = None
        self._generators: list[np.random.Generator | None] = [None] * self.num_envs
        self._seeds = [-1] * self.num_envs
        self._count, self._ended = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs, bool)
        self.fleet.reset(keyframe=task.keyframe)
        self.fleet.forward()
        width = self.task.observe(self.simulations).shape[1]
        self.task.rewards(self.simulations)         # fields that only these look at are there from the first step on
        self.task.ended(self.simulations)
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (width,), np.float64)
        self.single_action_space = action_space(self.fleet.model)
        self.observation_space, self.action_space = (batch_space(space, self.num_envs) for space in (self.single_observation_space, self.single_action_space))

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """The generator of each environment."""
        return tuple(self._generator(i) for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """The seed of each environment's generator, -1 for one that was not seeded."""
        return tuple(self._seeds)

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin anew in all environments, or in those of options["reset_mask"]. Raises ValueError or TypeError for seeds and masks that do not fit."""
        mask = np.ones(self.num_envs, bool) if options is None or "reset_mask" not in options else _mask(options["reset_mask"], self.num_envs)
        seeds = [None if seed is None else seed + i for i in range(self.num_envs)] if seed is None or isinstance(seed, int | np.integer) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments")
        for i in np.flatnonzero(mask).tolist():
            if seeds[i] is not None:
                self._generators[i], self._seeds[i] = seeding.np_random(int(seeds[i]))
        self._begin(mask)
        return self.task.observe(self.simulations), {}

    def step(self, actions) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One step of each environment. Raises ValueError for actions of wrong size, RuntimeError where an ended one was not reset with autoreset disabled."""
        task, s, n = self.task, self.simulations, self.num_envs
        actions = np.asarray(actions, np.float64)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions: needs shape {self.action_space.shape}, got {actions.shape}")
        begin = self._ended.copy() if self.autoreset_mode is AutoresetMode.NEXT_STEP else np.zeros(n, bool)
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise RuntimeError(f"environment {int(self._ended.argmax())} has ended: reset(options={{'reset_mask': mask}})")
        if begin.any():
            self._begin(begin)
        go = ~begin
        if go.any():
            self._act(actions, go)
            self.fleet.step(None if go.all() else go, task.nstep)
        self._count[go] += 1
        diverged = self.fleet.diverged != 0
        terms = task.rewards(s)
        reward = np.where(go, sum(terms.values(), np.zeros(n)), 0.0)
        terminated = go & (diverged | task.ended(s))
        truncated = go & (self._count >= task.limit) if task.limit is not None else np.zeros(n, bool)
        infos: dict[str, Any] = {}
        for name, values in terms.items():
            infos[f"reward_{name}"], infos[f"_reward_{name}"] = np.where(go, values, 0.0), go.copy()
        if diverged.any():
            infos["diverged"], infos["_diverged"] = self.fleet.diverged, diverged
        observation = task.observe(s)
        self._ended = terminated | truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            observation = self._begin_at_once(observation, infos)
        if self._watching is not None:
            self._watch_on()
        return observation, reward, terminated, truncated, infos

    def watch(self, index: int = 0) -> Watching:
        """Open a window on environment `index` that follows it while steps are taken; or have the one that is open show it. Training goes on when it is closed.

        Page Up and Page Down in the view show the one before and the next. Raises IndexError, WindowError where there is no display.
        """
        from linkwork.envs.watching import Watching

        if self._watching is None or not self._watching.open:
            self._watching = Watching(self.fleet, index)
        else:
            self._watching.index = index
            self._watch_on()
        return self._watching

    @property
    def watched(self) -> bool:
        """Whether a window watches one of them."""
        return self._watching is not None and self._watching.open

    def close_extras(self, **_options) -> None:
        """Close the window and end the fleet's threads."""
        if self._watching is not None:
            self._watching.close()
        self.fleet.close()

    # ------------------------------------------------

    def _generator(self, i: int) -> np.random.Generator:
        if self._generators[i] is None:
            self._generators[i], _seed = seeding.np_random()
        return self._generators[i]

    def _watch_on(self) -> None:
        """Show where the watched environment is."""
        if not self._watching.open:
            self._watching = None
            return
        self._watching.update(str(int(self._count[self._watching.index])), "step of its episode")

    def _begin(self, mask: np.ndarray) -> None:
        """Begin new episodes in these environments."""
        self.fleet.reset(mask, self.task.keyframe)
        if self.task.begin is not None:
            for i in np.flatnonzero(mask).tolist():
                self.task.begin(self.simulations, i, self._generator(i))
        self.fleet.forward(mask)
        self._count[mask], self._ended[mask] = 0, False

    def _begin_at_once(self, observation: np.ndarray, infos: dict[str, Any]) -> np.ndarray:
        """Where episodes have ended, the first observation of new ones takes the place of the last, which goes to infos."""
        ended = self._ended.copy()
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended).tolist():
            final[i] = observation[i].copy()
        infos["final_obs"], infos["_final_obs"] = final, ended
        infos["final_info"] = {name: values for name, values in infos.items() if name.removeprefix("_").startswith(("reward_", "diverged"))}
        infos["_final_info"] = ended.copy()
        self._begin(ended)
        observation[ended] = self.task.observe(self.simulations)[ended]
        return observation

    def _act(self, actions: np.ndarray, go: np.ndarray) -> None:
        if self.task.act is not None:
            self.task.act(self.simulations, actions)
        else:
            self.simulations.ctrl[go] = actions[go]


def _mask(mask, n: int) -> np.ndarray:
    """The environments to be reset, checked as gymnasium does."""
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"options['reset_mask'] must be an array of bools, got {getattr(mask, 'dtype', type(mask).__name__)}")
    if mask.shape != (n,) or not mask.any():
        raise ValueError(f"options['reset_mask'] must have shape ({n},) and name at least one environment, got {mask}")
    return mask
