"""Speed against the official engine: `python -m benchmarks.speed [--models DIR_OR_XML ...] [--json FILE]` (docs/agreement.md, 'Speed').

Both engines run the same windows from the same settled state under the same control, round-robin in one pinned thread; figures are medians
of CPU time per step. `speedup` is the official time over ours (above 1: ours is faster) with the official profiling clock silenced;
`speedup_user` is a step called from Python as users call it, clock and all. Before timing, 20 steps from the start must agree within the
rollout bound, or the row says `disagrees` and has no speedup. Models that do not load are listed with the reason.
"""
import argparse
import json
import math
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

import physics
from benchmarks.measuring import interleaved, machine_load, median_ratio, pin_to_one_core
from benchmarks.official import silent_clock
from physics.engine.forward import step_n
from tests.oracle.corpus import Entry, ManifestControl, corpus_dir, read_manifest
from tests.oracle.states import capture, start

SETTLE_STEPS = 500
AGREE_STEPS = 20
WINDOW_SECONDS = 4e-4     # a window is about this long, and at least HELD_STEPS steps
HELD_STEPS = 10           # scaling models hold each noisy control this long
ROUNDS = 41
ROUNDS_SLOW = 9           # for models above SLOW_STEP_SECONDS per step
SLOW_STEP_SECONDS = 2e-3


@dataclass
class Pair:
    """One model in both engines, at the same settled state."""

    ours_model: object
    ours: object
    official_model: object
    official: object
    control: object


class ScalingControl:
    """Centre of the control range plus 5 % noise held 10 steps (models without a manifest entry)."""

    def __init__(self, model):
        self.model = model
        self.noise = np.random.default_rng(0).normal(size=(1000, model.nu))
        limited = np.asarray(model.actuator_ctrllimited, bool)
        low, high = np.asarray(model.actuator_ctrlrange).reshape(-1, 2).T
        self.centre, self.half = np.where(limited, (low + high) / 2, 0.0), np.where(limited, (high - low) / 2, 1.0)

    def __call__(self, time: float) -> np.ndarray:
        held = int(time / self.model.opt.timestep + 0.5) // HELD_STEPS
        return self.centre + 0.05 * self.half * self.noise[held % len(self.noise)]


def bench_entries(folder: Path) -> list[Entry]:
    """The 14 models every speed figure is quoted on."""
    names = [row["name"] for row in json.loads((folder / "bench.json").read_text())["models"]]
    known = {entry.name: entry for entry in read_manifest(folder)}
    return [known[name] for name in names]


def plain_entries(path: Path) -> list[Entry]:
    """Entries of a folder of models or of one model, without a manifest."""
    files = sorted(path.glob("*.xml")) if path.is_dir() else [path]
    return [Entry(file.stem, file, "4.0.0", "default", {"kind": "scaling"}, {}, 0) for file in files]


def prepare(entry: Entry) -> Pair:
    """Load `entry` in both engines and settle. Raises ModelError or ViewOnlyError where ours cannot run it."""
    ours_model = physics.load(entry.path)
    if ours_model.view_only:
        raise physics.ModelError(ours_model.view_only)
    official_model = mujoco.MjModel.from_xml_path(str(entry.path))
    official = mujoco.MjData(official_model)
    start(official_model, official, entry)
    scaling = entry.control["kind"] == "scaling"
    control = ScalingControl(official_model) if scaling else ManifestControl(official_model, entry.control, entry.starts_at_key)
    return Pair(ours_model, physics.Data(ours_model), official_model, official, control)


def disagreement(pair: Pair, growth: float) -> float:
    """max|qpos difference| after 20 steps from the common start, over the bound 1e-8 max(1, growth)."""
    capture(pair.official).into(pair.ours)
    for _ in range(AGREE_STEPS):
        pair.official.ctrl[:] = pair.control(pair.official.time)
        pair.ours.ctrl[...] = pair.official.ctrl
        mujoco.mj_step(pair.official_model, pair.official)
        physics.step(pair.ours_model, pair.ours)
    difference = float(np.abs(np.asarray(pair.ours.qpos) - pair.official.qpos).max(initial=0.0))
    return difference / (1e-8 * max(1.0, growth))


def settle(pair: Pair) -> None:
    for _ in range(SETTLE_STEPS):
        pair.official.ctrl[:] = pair.control(pair.official.time)
        mujoco.mj_step(pair.official_model, pair.official)


def measure(pair: Pair) -> dict:
    """Median CPU time per step of both engines [us] and their ratios."""
    settled = capture(pair.official)
    probe = interleaved({"official": lambda: mujoco.mj_step(pair.official_model, pair.official, 20)}, 3)["official"]
    step_seconds = max(min(probe) / 20, 1e-7)
    steps = max(HELD_STEPS, min(200, int(WINDOW_SECONDS / step_seconds)))
    rounds = ROUNDS if step_seconds < SLOW_STEP_SECONDS else ROUNDS_SLOW

    def ours_window():
        done = step_n(pair.ours_model, pair.ours, steps)
        if done != steps:   # a window that ended early would flatter us
            raise RuntimeError(f"only {done} of {steps} steps happened")

    def official_window():
        mujoco.mj_step(pair.official_model, pair.official, steps)

    def ours_user():
        for _ in range(steps):
            physics.step(pair.ours_model, pair.ours)

    def official_user():
        for _ in range(steps):
            mujoco.mj_step(pair.official_model, pair.official)

    def restart():
        settled.into(pair.official)
        settled.into(pair.ours)

    times = {"ours": [], "official": [], "ours_user": [], "official_user": []}
    _make_room(pair, settled, steps)
    with silent_clock():
        for _ in range(rounds):
            restart()
            found = interleaved({"ours": ours_window, "official": official_window}, 1)
            times["ours"] += found["ours"]
            times["official"] += found["official"]
    for _ in range(max(3, rounds // 4)):
        restart()
        found = interleaved({"ours_user": ours_user, "official_user": official_user}, 1)
        times["ours_user"] += found["ours_user"]
        times["official_user"] += found["official_user"]
    return {
        "speedup": median_ratio(times["official"], times["ours"]),
        "speedup_user": median_ratio(times["official_user"], times["ours_user"]),
        "ours_us": statistics.median(times["ours"]) / steps * 1e6,
        "official_us": statistics.median(times["official"]) / steps * 1e6,
        "steps_per_window": steps,
        "nv": int(pair.official_model.nv), "ncon": int(pair.official.ncon), "nefc": int(pair.official.nefc),
        "iterations": int(pair.official.solver_niter[0]), "ours_iterations": int(pair.ours.solver_niter_max),
    }


def _make_room(pair: Pair, settled, steps: int) -> None:
    """Step the window until nothing more has to grow, so that every timed window runs through."""
    while True:
        settled.into(pair.ours)
        before = (pair.ours.maxcon, pair.ours.maxefc, pair.ours.maxJ, pair.ours.maxH)
        physics.step(pair.ours_model, pair.ours, steps)
        if before == (pair.ours.maxcon, pair.ours.maxefc, pair.ours.maxJ, pair.ours.maxH):
            return


def row_of(entry: Entry) -> dict:
    """One row of the table; never raises for a model that cannot be run."""
    row = {"name": entry.name, "speedup": None, "speedup_user": None, "why": ""}
    try:
        pair = prepare(entry)
    except physics.ModelError as error:
        first = next((issue for issue in error.issues if issue.severity != "warning"), error.issues[0])
        row["why"] = f"refused: {first}"
        return row
    growth = max((g for t, g in entry.growth.items() if t <= 0.1 and g), default=1.0)
    apart = disagreement(pair, growth)
    if not apart <= 1.0:
        row["why"] = f"disagrees: {apart:.2g} times the bound after {AGREE_STEPS} steps" if math.isfinite(apart) else "disagrees"
        return row
    settle(pair)
    row.update(measure(pair), load=machine_load())
    return row


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", nargs="*", type=Path, help="folders with XML files, or XML files")
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    physics.compile_kernels()
    pin_to_one_core()
    corpus = corpus_dir()
    quoted = bench_entries(corpus) if not chosen.models else []
    others = [entry for path in (chosen.models or [corpus.parent / "scaling"]) for entry in plain_entries(path)]
    rows = []
    for entry in quoted + others:
        if chosen.only and entry.name not in chosen.only:
            continue
        row = row_of(entry)
        rows.append(row)
        figures = (f"speedup {row['speedup']:.2f} (user {row['speedup_user']:.2f})  ours {row['ours_us']:.2f} us  official {row['official_us']:.2f} us  "
                   f"nv {row['nv']} ncon {row['ncon']} nefc {row['nefc']}") if row["speedup"] else row["why"]
        print(f"{entry.name:36} {figures}", flush=True)
    speedups = [row["speedup"] for row in rows[:len(quoted)] if row["speedup"]]
    mean = math.exp(statistics.fmean(map(math.log, speedups))) if speedups else None
    print(f"geomean over {len(speedups)} of {len(quoted)} quoted models: {mean if mean is None else format(mean, '.2f')}")
    if chosen.json:
        chosen.json.write_text(json.dumps({"models": rows, "geomean": mean}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
