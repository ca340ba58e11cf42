"""An agent learns bundled tasks with a public library for learning: `./test.sh --long train [--seeds 2] [--json FILE]`.

PPO of stable-baselines3, pinned, with the processors' torch, installed into a throw-away folder (or looked for in the one that LINKWORK_TRAIN_PACKAGES names). It is given the FleetEnv as it is,
through the library's own interface for many environments. Before and after, the mean return of 50 episodes without exploration. It has learnt where that is at least what AIMS says.
The JSON: {"rows": [{"task", "seed", "steps", "before", "after", "aim", "seconds"}]}.
"""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
CPU = "https://download.pytorch.org/whl/cpu"
NEEDS = ("stable-baselines3==2.9.2", "cloudpickle", "pandas", "python-dateutil", "pytz", "tzdata", "six")
AIMS = {"CartpoleBalance": (200_000, 450.0), "PendulumSwingup": (400_000, 250.0)}       # steps, mean return of an episode; at rest 350 of 500 and less than 60 of 400 by chance
_LEARN = """
import json, sys, time
import numpy as np
import gymnasium, linkwork.envs, torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv

class Many(VecEnv):
    '''A FleetEnv as the library wants many environments.'''
    def __init__(self, env):
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
        self.env = env
    def reset(self):
        return self.env.reset(seed=self._seeds[0])[0].astype(np.float32)
    def step_async(self, actions):
        self.actions = actions
    def step_wait(self):
        seen, reward, terminated, truncated, infos = self.env.step(self.actions)
        ended = terminated | truncated
        rows = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ended):
            rows[i] = {"terminal_observation": infos["final_obs"][i].astype(np.float32), "TimeLimit.truncated": bool(truncated[i] and not terminated[i])}
        return seen.astype(np.float32), reward.astype(np.float32), ended, rows
    def close(self):
        self.env.close()
    render_mode = None
    def get_attr(self, name, indices=None):
        return [getattr(self.env, name, None)] * self.num_envs
    def set_attr(self, name, value, indices=None):
        raise NotImplementedError(name)
    def env_method(self, name, *args, indices=None, **kwargs):
        raise NotImplementedError(name)
    def env_is_wrapped(self, wrapper, indices=None):
        return [False] * self.num_envs

def mean_return(model, task, n=50):
    env = gymnasium.make_vec(f"linkwork/{task}-v0", num_envs=n, autoreset_mode="NextStep")
    seen, _ = env.reset(seed=1000)
    total, going = np.zeros(n), np.ones(n, bool)
    while going.any():
        seen, reward, terminated, truncated, _ = env.step(model.predict(seen.astype(np.float32), deterministic=True)[0])
        total += reward * going
        going &= ~(terminated | truncated)
    env.close()
    return float(total.mean())

task, seed, steps, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
torch.set_num_threads(1)
env = Many(gymnasium.make_vec(f"linkwork/{task}-v0", num_envs=32, autoreset_mode="SameStep"))
env.seed(seed)
model = PPO("MlpPolicy", env, n_steps=128, batch_size=512, n_epochs=8, gamma=0.98, gae_lambda=0.95, learning_rate=1e-3, ent_coef=0.0, seed=seed, device="cpu")
before, begun = mean_return(model, task), time.perf_counter()
model.learn(steps)
seconds = time.perf_counter() - begun
json.dump({"before": before, "after": mean_return(model, task), "seconds": seconds}, open(out, "w"))
"""


def installed(place: Path) -> Path:
    """A folder with the packages. Raises CalledProcessError where they cannot be had."""
    if ready := os.environ.get("LINKWORK_TRAIN_PACKAGES"):
        return Path(ready)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--target", str(place)]
    subprocess.run([*pip, "torch", "--index-url", CPU], check=True)
    subprocess.run([*pip, "--no-deps", *NEEDS], check=True)      # the rest is what this project has, in the versions that it has
    return place


def main() -> int:
    """Train and judge; 1 where a task was not learnt, or the library failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--only", choices=AIMS)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        packages = installed(Path(folder, "packages"))
        env = dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT), str(packages)]))
        for task, (steps, aim) in AIMS.items():
            for seed in range(given.seeds if given.only in (None, task) else 0):
                out, begun = Path(folder, "out.json"), time.monotonic()
                if subprocess.run([sys.executable, "-c", _LEARN, task, str(seed), str(steps), str(out)], env=env, cwd=folder).returncode:
                    return 1
                row = {"task": task, "seed": seed, "steps": steps, **json.loads(out.read_text()), "aim": aim}
                rows.append(row)
                print(f"{task}, seed {seed}: {row['before']:.1f} to {row['after']:.1f} (aim {aim:g}) in {steps:,} steps, {row['seconds']:.0f} s of {time.monotonic() - begun:.0f}", flush=True)
    if given.json:
        given.json.write_text(json.dumps({"rows": rows}, indent=1))
    return int(any(row["after"] < row["aim"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
