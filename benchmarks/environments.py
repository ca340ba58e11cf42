"""Steps of learning environments, ours against gymnasium's over the official engine: `python -m benchmarks.environments [--json FILE]` (docs/scale.md).

The same task (bundled models; qpos and qvel seen, one term of reward, episodes cut after 200 steps) as linkwork.envs.FleetEnv, and written by hand over the official engine
in SyncVectorEnv and AsyncVectorEnv, taking turns. Figures are environment steps a second of wall time, medians of turns.
"""
import argparse
import json
import statistics
import sys
import time
from functools import partial
from pathlib import Path

import gymnasium
import mujoco
import numpy as np
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

import physics
from assets.locate import bundled_model
from benchmarks.measuring import machine_load
from linkwork.envs import FleetEnv, Task
from linkwork.envs.fleet_env import action_space

MODELS = {"cartpole": 4, "humanoid": 4}     # time steps in one of the environment
ENVS, STEPS, ROUNDS, LIMIT = 16, 60, 5, 200
THREADS = 2


def speed(s) -> np.ndarray:
    """Reward: how fast the first dof moves."""
    return np.abs(s.qvel[:, 0])


class OfficialEnv(gymnasium.Env):
    """The task over the official engine, as its users write it."""

    def __init__(self, path: str, nstep: int):
        self.m = mujoco.MjModel.from_xml_path(path)
        self.d, self.nstep, self.count = mujoco.MjData(self.m), nstep, 0
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self.m.nq + self.m.nv,), np.float64)
        self.action_space = action_space(self.m)

    def _seen(self) -> np.ndarray:
        return np.concatenate([self.d.qpos, self.d.qvel])

    def reset(self, *, seed=None, options=None):
        """As gymnasium.Env."""
        super().reset(seed=seed)
        mujoco.mj_resetData(self.m, self.d)
        self.d.qvel[:] = self.np_random.uniform(-0.1, 0.1, self.m.nv)
        mujoco.mj_forward(self.m, self.d)
        self.count = 0
        return self._seen(), {}

    def step(self, action):
        """As gymnasium.Env."""
        self.d.ctrl[:] = action
        mujoco.mj_step(self.m, self.d, self.nstep)
        self.count += 1
        return self._seen(), abs(float(self.d.qvel[0])), False, self.count >= LIMIT, {}


def begin(s, i: int, rng: np.random.Generator) -> None:
    """As OfficialEnv.reset."""
    s.qvel[i] = rng.uniform(-0.1, 0.1, s.model.nv)


def seconds(env, actions: np.ndarray) -> float:
    """Wall time of the steps [s]."""
    begun = time.perf_counter()
    for action in actions:
        env.step(action)
    return time.perf_counter() - begun


def measure(name: str) -> dict:
    """The row of one model."""
    path, nstep = bundled_model(f"{name}.xml"), MODELS[name]
    make = partial(OfficialEnv, str(path), nstep)
    envs = {"fleet": FleetEnv(Task(path, reward={"speed": speed}, begin=begin, nstep=nstep, limit=LIMIT), ENVS, THREADS),
            "sync": SyncVectorEnv([make] * ENVS), "async": AsyncVectorEnv([make] * ENVS)}
    actions = 0.3 * np.random.default_rng(0).uniform(-1, 1, (STEPS, *envs["fleet"].action_space.shape))
    took: dict[str, list[float]] = {key: [] for key in envs}
    for env in envs.values():
        env.reset(seed=0)
        seconds(env, actions)
    for _ in range(ROUNDS):
        for key, env in envs.items():
            took[key].append(seconds(env, actions))
    for env in envs.values():
        env.close()
    row = {"model": name, "environments": ENVS, "nstep": nstep} | {f"{key}_steps_per_s": ENVS * STEPS / statistics.median(times) for key, times in took.items()}
    return row | {f"ratio_{key}": statistics.median(b / a for a, b in zip(took["fleet"], took[key], strict=True)) for key in ("sync", "async")}


def main(argv: list[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args(argv)
    physics.ensure_kernels()
    rows = [measure(name) for name in MODELS]
    print("| model | FleetEnv steps/s | official, SyncVectorEnv | AsyncVectorEnv | ratio to Sync | to Async |\n|---|---|---|---|---|---|")
    for r in rows:
        print(f"| {r['model']} | {r['fleet_steps_per_s']:,.0f} | {r['sync_steps_per_s']:,.0f} | {r['async_steps_per_s']:,.0f} | {r['ratio_sync']:.2f} | {r['ratio_async']:.2f} |")
    print(f"load {machine_load():.1f}, {ENVS} environments, {THREADS} threads")
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows, "load": machine_load()}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
