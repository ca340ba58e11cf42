"""Everything but contacts and constraints, against the official engine: `python -m benchmarks.smooth [--models DIR_OR_XML ...] [--only NAME ...] [--json FILE]`.

Constraints are switched off in both engines (disable flag 'constraint'), so a whole step is the smooth stages and the integrator, and
models whose collisions are not there yet can be timed too. `share` is our time over the official one (below 1: ours is faster; aim 0.7).
With --stages every stage is called by itself, both engines' by the same native loop (native_loop.py), at the start state of the window.
Clocks, medians and windows as in benchmarks.speed.
"""
import argparse
import ctypes
import json
import math
import statistics
import sys
from pathlib import Path

import mujoco

import physics
from benchmarks.measuring import interleaved, machine_load, median_ratio, pin_to_one_core
from benchmarks.native_loop import compile_loop
from benchmarks.official import library, silent_clock
from benchmarks.speed import AGREE_STEPS, HELD_STEPS, ROUNDS, WINDOW_SECONDS, Pair, ScalingControl, bench_entries, disagreement, plain_entries
from physics.engine.actuator import transmission
from physics.engine.actuator.actuation import actuation
from physics.engine.forward import forward, fwd_acceleration, fwd_velocity, step_n
from physics.engine.inertia import mass_matrix, rne
from physics.engine.kinematics import com, kinematics
from physics.engine.passive import passive
from physics.engine.tendon import tendon
from physics.enums import DSBL_CONSTRAINT
from tests.oracle.corpus import Entry, ManifestControl, corpus_dir
from tests.oracle.states import capture, start

# (name, our kernels, official functions): the same work on both sides
STAGES = (
    ("kinematics, com", (kinematics.kinematics, com.com_pos), ("mj_kinematics", "mj_comPos", "mj_camlight")),
    ("tendon", (tendon.tendon,), ("mj_tendon",)),
    ("inertia", (mass_matrix.crb,), ("mj_makeM",)),
    ("factor", (mass_matrix.factor_m,), ("mj_factorM",)),
    ("transmission", (transmission.transmission,), ("mj_transmission",)),
    ("velocity, passive, bias", (fwd_velocity,), ("mj_fwdVelocity",)),
    ("  of which velocity", (com.com_vel,), ("mj_comVel",)),
    ("  of which passive", (passive.passive,), ("mj_passive",)),
    ("  of which bias", (rne.rne,), ()),
    ("actuation", (actuation,), ("mj_fwdActuation",)),
    ("acceleration", (fwd_acceleration,), ("mj_fwdAcceleration",)),
)


def prepare(entry: Entry) -> Pair:
    """`entry` in both engines without constraints, at its start state."""
    ours_model = physics.load(entry.path)
    ours_model.opt.disableflags |= DSBL_CONSTRAINT
    ours_model.view_only = ()   # what the bench models wait for are collisions; a model that differs is shown by `disagreement`
    official_model = mujoco.MjModel.from_xml_path(str(entry.path))
    official_model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    official = mujoco.MjData(official_model)
    start(official_model, official, entry)
    scaling = entry.control["kind"] == "scaling"
    control = ScalingControl(official_model) if scaling else ManifestControl(official_model, entry.control, entry.starts_at_key)
    return Pair(ours_model, physics.Data(ours_model), official_model, official, control)


def whole_step(pair: Pair) -> dict:
    """Median CPU time of a step of both engines [us], and ours over theirs."""
    begin = capture(pair.official)
    probe = interleaved({"official": lambda: mujoco.mj_step(pair.official_model, pair.official, 20)}, 3)["official"]
    steps = max(HELD_STEPS, min(200, int(WINDOW_SECONDS * 20 / max(min(probe), 1e-6))))

    def ours_window():
        done = step_n(pair.ours_model, pair.ours, steps)
        if done != steps:
            raise RuntimeError(f"only {done} of {steps} steps happened")

    times = {"ours": [], "official": []}
    with silent_clock():
        for _ in range(ROUNDS):
            begin.into(pair.official)
            begin.into(pair.ours)
            found = interleaved({"ours": ours_window, "official": lambda: mujoco.mj_step(pair.official_model, pair.official, steps)}, 1)
            for name, seconds in found.items():
                times[name] += seconds
    begin.into(pair.official)
    begin.into(pair.ours)
    return {"share": median_ratio(times["ours"], times["official"]),
            "ours_us": statistics.median(times["ours"]) / steps * 1e6, "official_us": statistics.median(times["official"]) / steps * 1e6}


def stage_times(pair: Pair) -> dict[str, tuple[float, float]]:
    """{stage: (ours, official) in us per call}; None where the official engine has no such function to call."""
    repeat, found = compile_loop(), {}
    forward(pair.ours_model, pair.ours)
    mujoco.mj_forward(pair.official_model, pair.official)
    with silent_clock():
        for name, ours, theirs in STAGES:
            calls = {f"ours {k.symbol}": (k.addr, pair.ours_model._as_parameter_, pair.ours._as_parameter_) for k in ours}
            calls |= {f"official {f}": (ctypes.cast(getattr(library(), f), ctypes.c_void_p).value, pair.official_model._address, pair.official._address)
                      for f in theirs}
            sums = {"ours": 0.0, "official": 0.0}
            for label, seconds in _timed(repeat, calls).items():
                sums[label.split()[0]] += seconds * 1e6
            found[name] = (sums["ours"], sums["official"] if theirs else None)
    return found


def _timed(repeat, calls) -> dict[str, float]:
    """{label: median seconds of one call}."""
    once = interleaved({label: (lambda c=c: repeat(*c, 20)) for label, c in calls.items()}, 3)
    counts = {label: max(5, int(WINDOW_SECONDS * 20 / max(min(once[label]), 1e-7))) for label in calls}
    times = interleaved({label: (lambda c=c, n=counts[label]: repeat(*c, n)) for label, c in calls.items()}, 15)
    return {label: statistics.median(times[label]) / counts[label] for label in calls}


def row_of(entry: Entry, stages: bool) -> dict:
    """One row; a model that cannot be opened, or that moves otherwise than the official one, has a reason instead of figures."""
    row = {"name": entry.name, "share": None, "why": ""}
    try:
        pair = prepare(entry)
    except physics.ModelError as error:
        row["why"] = f"refused: {error.issues[0]}"
        return row
    begin = capture(pair.official)
    apart = disagreement(pair, 1.0)
    if not apart <= 1e4:
        row["why"] = f"disagrees: {apart:.2g} times the bound after {AGREE_STEPS} steps"
        return row
    begin.into(pair.official)
    begin.into(pair.ours)
    row.update(whole_step(pair), nv=int(pair.official_model.nv), load=machine_load())
    if stages:
        row["stages"] = stage_times(pair)
    return row


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", nargs="*", type=Path, help="folders with XML files, or XML files")
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--stages", action="store_true", help="each stage by itself too")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    physics.compile_kernels()
    pin_to_one_core()
    corpus = corpus_dir()
    quoted = bench_entries(corpus) if not chosen.models else []
    rows = []
    for entry in quoted + [entry for path in (chosen.models or [corpus.parent / "scaling"]) for entry in plain_entries(path)]:
        if chosen.only and entry.name not in chosen.only:
            continue
        row = row_of(entry, chosen.stages)
        rows.append(row)
        print(f"{entry.name:36} " + (f"share {row['share']:.2f}  ours {row['ours_us']:.2f} us  official {row['official_us']:.2f} us  nv {row['nv']}"
                                     if row["share"] else row["why"]), flush=True)
        for name, (ours, official) in row.get("stages", {}).items():
            share = f"{ours / official:8.2f}" if official else " " * 8
            print(f"    {name:28}{ours:10.3f}{math.nan if official is None else official:10.3f}{share}")
    if chosen.json:
        chosen.json.write_text(json.dumps({"models": rows}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
