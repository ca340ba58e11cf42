"""gymnasium's own tasks on this engine and on the official one: `python -m benchmarks.gymnasium_tasks [--json FILE] [--only TASK]` (docs/existing_scripts.md).

Two processes, one of them under `linkwork exec`, run the same code and take turns: env steps with random actions of a single environment, and of an AsyncVectorEnv of two.
The figures are env steps a second of wall time and their ratio, ours over official, medians of turns; `ratio_cpu` of single environments is by processor time, which counts on a
machine that does other things too. gymnasium needs imageio (PYTHONPATH is handed on).
"""
from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.measuring import machine_load

ROOT = Path(__file__).parents[1]
TASKS = ("InvertedPendulum", "InvertedDoublePendulum", "Reacher", "Swimmer", "Hopper", "HalfCheetah", "Walker2d", "Pusher", "Ant", "Humanoid", "HumanoidStandup")
ROUNDS, STEPS = 7, {"single": 400, "async": 200}
_WORKER = """
import json, sys, time
import gymnasium, numpy as np
from gymnasium.vector import AsyncVectorEnv
envs = {}

def made(task, kind):
    if (task, kind) not in envs:
        for old in envs.values():
            old.close()
        envs.clear()
        make = lambda: gymnasium.make(f"{task}-v5")
        env = envs[task, kind] = make() if kind == "single" else AsyncVectorEnv([make, make])
        env.reset(seed=0)
        env.action_space.seed(0)
    return envs[task, kind]

if __name__ == "__main__":
    for line in sys.stdin:
        task, kind, steps = line.split()
        env = made(task, kind)
        actions = [env.action_space.sample() for _ in range(int(steps))]
        wall, cpu = time.perf_counter(), time.process_time()
        for action in actions:
            *_, ended, cut, _info = env.step(action)
            if kind == "single" and (ended or cut):
                env.reset()
        print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu]), flush=True)
"""


class Side:
    """A process with the environments of one engine."""

    def __init__(self, ours: bool):
        command = [sys.executable, *(("-m", "app.main", "exec") if ours else ()), "-c", _WORKER]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])), "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env, cwd=ROOT)

    def run(self, task: str, kind: str, steps: int) -> tuple[float, float]:
        """(wall time, processor time of the process) [s] of some steps."""
        print(task, kind, steps, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{task}, {kind}: the process ended")
        return tuple(json.loads(answer))

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait(30)


def compared(ours: Side, official: Side, task: str, kind: str) -> dict:
    """Both sides of a task in turns."""
    steps = STEPS[kind]
    for side in (ours, official):
        side.run(task, kind, 30)     # builds it, and compiles what is not compiled
    mine, theirs = [], []
    for k in range(ROUNDS):
        for side, row in ((ours, mine), (official, theirs)) if k % 2 else ((official, theirs), (ours, mine)):
            row.append(side.run(task, kind, steps))
    envs = 1 if kind == "single" else 2
    speeds = [envs * steps / statistics.median(wall for wall, _cpu in row) for row in (mine, theirs)]
    found = {"task": task, "kind": kind, "ours": round(speeds[0]), "official": round(speeds[1]),
             "ratio": round(statistics.median(b[0] / a[0] for a, b in zip(mine, theirs)), 2)}
    if kind == "single":
        found["ratio_cpu"] = round(statistics.median(b[1] / a[1] for a, b in zip(mine, theirs)), 2)
    return found


def main(given=None) -> int:
    """Compare all tasks; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args(given)
    ours, official = Side(True), Side(False)
    rows = []
    for kind in STEPS:
        for task in (task for task in TASKS if task.startswith(chosen.only)):
            rows.append(compared(ours, official, task, kind))
            print(" ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    ours.close()
    official.close()
    if chosen.json is not None:
        chosen.json.write_text(json.dumps({"load": machine_load(), "rows": rows}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
