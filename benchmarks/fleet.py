"""Many simulations at once, against the official batch: `python -m benchmarks.fleet [--json FILE] [--rounds N] [--models NAME ...]` (docs/scale.md).

Both run the same states under the same controls, with the same number of threads, taking turns: Fleet.rollout against mujoco.rollout (as users call it, and with
its profiling clock silenced), and Fleet.step one step at a time. Figures are steps a second of wall time, medians of the turns; `ratio` is ours over theirs,
turn by turn; `ratio_cpu` the same of processor time, all threads together, which what else runs on the machine disturbs less.
States are taken from a run of their own with random controls, so that feet are on the ground and fingers at their things.
"""
import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import mujoco
import numpy as np
from mujoco import rollout as official

import physics
from assets.locate import bundled_model
from benchmarks.measuring import machine_load
from benchmarks.official import silent_clock
from physics.enums import StateBit

MODELS = {"humanoid": (64, 30), "quadruped": (64, 40), "cartpole": (512, 60), "hand": (64, 30)}   # simulations, steps
THREADS = (1, 2)
SETTLE = 250    # steps before the states are taken
ROUNDS = 9
AIM = 3.0


def states_and_controls(m, n: int, nstep: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(n states, n runs of controls, the solver's accelerations) of a fleet that has been moving for a while."""
    rng = np.random.default_rng(0)
    limited = np.asarray(m.actuator_ctrllimited, bool)
    low, high = np.asarray(m.actuator_ctrlrange).reshape(-1, 2).T
    centre, half = np.where(limited, (low + high) / 2, 0.0), np.where(limited, (high - low) / 2, 1.0)
    with physics.Fleet(m, n, 1) as fleet:
        qvel = fleet.bind("qvel")
        qvel += 0.1 * rng.normal(size=qvel.shape)
        for _ in range(10):
            fleet.bind("ctrl")[:] = centre + 0.3 * half * rng.normal(size=(n, m.nu))
            fleet.step(nstep=SETTLE // 10)
        fleet.reset(fleet.diverged != 0)
        state = fleet.get_state(sig=StateBit.FULLPHYSICS)
        warm = fleet.bind("qacc_warmstart").copy()
    return state, centre + 0.3 * half * rng.normal(size=(n, nstep, m.nu)), warm


class Took(NamedTuple):
    """Wall time and processor time of all threads [s]."""

    wall: float
    cpu: float


def seconds(call: Callable[[], object]) -> Took:
    """What a call takes."""
    begun, worked = time.perf_counter(), time.process_time()
    call()
    return Took(time.perf_counter() - begun, time.process_time() - worked)


def in_turns(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[Took]]:
    """What each call takes, `rounds` times round-robin, after one time that does not count."""
    found: dict[str, list[Took]] = {name: [] for name in calls}
    names = list(calls)
    for i in range(-1, rounds):
        for name in names[i % len(names):] + names[:i % len(names)]:
            took = seconds(calls[name])
            if i >= 0:
                found[name].append(took)
    return found


def ratio(ours: list[Took], theirs: list[Took], clock: str) -> float:
    """Median over turns of theirs / ours."""
    return statistics.median(getattr(b, clock) / getattr(a, clock) for a, b in zip(ours, theirs, strict=True))


def measure(name: str, nthread: int, rounds: int) -> dict:
    """The row of one model and number of threads."""
    n, nstep = MODELS[name]
    path = bundled_model(f"{name}.xml")
    m, theirs = physics.load(path), mujoco.MjModel.from_xml_path(str(path))
    state, control, warm = states_and_controls(m, n, nstep)
    datas = [mujoco.MjData(theirs) for _ in range(nthread)]
    fleet = physics.Fleet(m, n, nthread)

    def official_runs() -> None:
        official.rollout(theirs, datas, state, control, initial_warmstart=warm, persistent_pool=True)

    def official_silent() -> None:
        with silent_clock():
            official_runs()

    def ours() -> None:
        fleet.rollout(state, control, warmstart=warm)

    def ours_by_steps() -> None:
        fleet.set_state(state, sig=StateBit.FULLPHYSICS)
        fleet.bind("qacc_warmstart")[:] = warm
        ctrl = fleet.bind("ctrl")
        for k in range(nstep):
            ctrl[:] = control[:, k]
            fleet.step()

    calls = {"ours": ours, "ours_by_steps": ours_by_steps, "official": official_runs, "official_silent": official_silent}
    took = in_turns(calls, rounds)
    official.shutdown_persistent_pool()
    fleet.close()
    row = {"model": name, "nthread": nthread, "simulations": n, "steps": nstep}
    row |= {f"{call}_steps_per_s": n * nstep / statistics.median(t.wall for t in times) for call, times in took.items()}
    row |= {f"{call}_cpu_us_per_step": 1e6 * statistics.median(t.cpu for t in times) / (n * nstep) for call, times in took.items()}
    for call in ("official", "official_silent"):
        row[f"ratio_{call}"], row[f"ratio_cpu_{call}"] = (ratio(took["ours"], took[call], clock) for clock in Took._fields)
    row["ratio_by_steps"], row["ratio_cpu_by_steps"] = (ratio(took["ours_by_steps"], took["official"], clock) for clock in Took._fields)
    return row


def table(rows: list[dict]) -> str:
    """The rows as text."""
    lines = ["| model | threads | Fleet.rollout steps/s | Fleet.step steps/s | mujoco.rollout steps/s | ratio | ratio_cpu | clock silenced: ratio | ratio_cpu |",
             "|---|---|---|---|---|---|---|---|---|"]
    for r in rows:
        lines.append(f"| {r['model']} | {r['nthread']} | {r['ours_steps_per_s']:,.0f} | {r['ours_by_steps_steps_per_s']:,.0f} | {r['official_steps_per_s']:,.0f} | "
                     f"{r['ratio_official']:.2f} | {r['ratio_cpu_official']:.2f} | {r['ratio_official_silent']:.2f} | {r['ratio_cpu_official_silent']:.2f} |")
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--models", nargs="*", default=list(MODELS), choices=list(MODELS))
    arguments = parser.parse_args(argv)
    physics.ensure_kernels()
    rows = [measure(name, nthread, arguments.rounds) for name in arguments.models for nthread in THREADS]
    print(table(rows))
    print(f"load {machine_load():.1f}, aim {AIM}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows, "aim": AIM, "load": machine_load()}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
