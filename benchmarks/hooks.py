"""What the user's functions around steps cost: `python -m benchmarks.hooks [--model FILE] [--json FILE]`.

Chunks of steps as the window takes them (physics.runtime.simulation), in turn without any function, with a control that does nothing, with one that takes 20 us of NumPy
in its place, and with that and an after_step that does nothing. Processor time of one thread. added_us: what a step costs more than without any; own_us: what the control
takes of that; beside_us: the rest, which is ours; alone_us: what the very same control takes in a loop by itself, with everything in the processor's caches. Medians.
"""
import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np

import physics
from assets.locate import bundled_model
from benchmarks.measuring import machine_load
from physics.runtime import commands
from physics.runtime.hooks.hook import Hook, Hooks
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation

ROUNDS, STEPS, CHUNK = 40, 1000, 32
WANTED_US = 20.0


def nothing(m, d) -> None:
    """A function that does nothing."""


class NumpyControl:
    """A control of ordinary NumPy lines, as many as take some WANTED_US between the steps of a simulation."""

    def __init__(self, sim: Simulation):
        self.lines = 1
        for _ in range(4):
            self.lines = max(1, round(self.lines * WANTED_US / in_place(sim, Hook("benchmark", "control", self))))

    def __call__(self, m, d) -> None:
        for _ in range(self.lines):
            d.ctrl[:] = np.clip(-0.1 * d.qvel[-m.nu:], -1.0, 1.0)


def in_place(sim: Simulation, hook: Hook) -> float:
    """What a call takes between steps [us], the mean of the newest ones."""
    perform(sim, commands.SetHooks(Hooks((hook,))))
    sim.take(STEPS // 2)
    return 1e6 * hook.mean


def cost(sim: Simulation) -> float:
    """Processor time per step [us]."""
    begun = time.thread_time()
    for _ in range(STEPS // CHUNK):
        sim.take(CHUNK)
    return 1e6 * (time.thread_time() - begun) / (STEPS // CHUNK * CHUNK)


def alone(control, sim: Simulation) -> float:
    """Processor time of a call by itself [us]."""
    m, d = sim.model, sim.data
    begun = time.thread_time()
    for _ in range(STEPS):
        control(m, d)
    return 1e6 * (time.thread_time() - begun) / STEPS


def measure(path: Path) -> list[dict]:
    """A row for each set of functions."""
    m = physics.load(path)
    sim = Simulation()
    perform(sim, commands.SwapModel(m))
    sim.take(500)
    control = NumpyControl(sim)
    empty, busy, after = Hook("benchmark", "control", nothing), Hook("benchmark", "control", control), Hook("benchmark", "after_step", nothing)
    sets = {"none": (), "control, nothing in it": (empty,), "control, NumPy": (busy,), "control, NumPy; after_step": (busy, after)}
    found: dict[str, list[float]] = {name: [] for name in sets}
    own: dict[str, list[float]] = {name: [] for name in sets}
    by_itself = []
    for _ in range(ROUNDS):
        for name, hooks in sets.items():
            perform(sim, commands.Reset())
            perform(sim, commands.SetHooks(Hooks(hooks)))
            found[name].append(cost(sim))
            own[name].append(1e6 * sum(hook.mean for hook in hooks))
        by_itself.append(alone(control, sim))
    plain, rows = found["none"], []
    for name, costs in found.items():
        added, mine = statistics.median(a - b for a, b in zip(costs, plain, strict=True)), statistics.median(own[name])
        rows.append({"hooks": name, "step_us": statistics.median(costs), "added_us": added, "own_us": mine, "beside_us": added - mine,
                     "alone_us": statistics.median(by_itself) if "NumPy" in name else 0.0})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=bundled_model("humanoid.xml"))
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    physics.ensure_kernels()
    found = {"model": chosen.model.stem, "rows": measure(chosen.model), "load": machine_load()}
    for row in found["rows"]:
        print({key: round(value, 1) if isinstance(value, float) else value for key, value in row.items()})
    print(f"machine load {found['load']:.1f}")
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
