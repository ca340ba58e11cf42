"""Cost of a step with hard contact beside the soft engine's and the official one's: `python -m benchmarks.hard [--rounds N] [NAME ...]`.

CPU time of one pinned thread, medians of ratios round by round over interleaved windows; each engine goes on from where its own run has settled. A row with a
failed step is void. Iterations, looks and restarts are per step.
"""
from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import mujoco

import physics
from benchmarks.measuring import interleaved, machine_load, median_ratio, pin_to_one_core
from benchmarks.official import silent_clock
from physics.enums import Engine

MODELS = Path(__file__).parents[1] / "models"
WINDOW = 40       # steps
SETTLED = 1.0     # s


class Case(NamedTuple):
    """A model's text or file, the length of a step [s], a keyframe to start from, '' for none."""

    source: str | Path
    h: float
    key: str = ""


def boxes(n: int, across: int, gap: float) -> str:
    """n boxes of 20 cm over each other, in layers of across x across."""
    layer = across * across
    bodies = "".join(
        f'<body pos="{0.23 * (i % across)} {0.23 * (i // across % across)} {0.1 + (0.2 + gap) * (i // layer)}" euler="0 0 {7 * i if gap else 0}"><freejoint/>'
        f'<geom type="box" size=".1 .1 .1" friction=".7"/></body>' for i in range(n))
    return f'<mujoco><worldbody><geom type="plane" size="9 9 .1"/>{bodies}</worldbody></mujoco>'


def chain(n: int) -> str:
    """n links on hinges, free of contact."""
    link = '<body pos="{x} 0 0"><joint axis="0 1 0" damping=".01"/><geom type="capsule" size=".01" fromto="0 0 0 .05 0 0" contype="0" conaffinity="0"/>'
    return f'<mujoco><worldbody>{"".join(link.format(x=0.05 * (i > 0)) for i in range(n))}{"</body>" * n}</worldbody></mujoco>'


CASES = {
    "box": Case(boxes(1, 1, 0.0), 0.01),
    "quadruped": Case(MODELS / "quadruped.xml", 0.002, "home"),
    "quadruped10": Case(MODELS / "quadruped.xml", 0.01, "home"),
    "humanoid": Case(MODELS / "humanoid.xml", 0.005),
    "arm": Case(MODELS / "arm.xml", 0.002),
    "stack10": Case(boxes(10, 1, 0.0), 0.002),
    "boxes20": Case(boxes(20, 2, 0.02), 0.005),
    "boxes100": Case(boxes(100, 5, 0.02), 0.005),
    "chain100": Case(chain(100), 0.002),
}


def loaded(case: Case, engine: Engine):
    """Our Model and Data, at the start."""
    m = physics.load(case.source) if isinstance(case.source, Path) else physics.load_string(case.source)
    m.opt.timestep, m.opt.engine = case.h, engine
    d = physics.Data(m)
    if case.key:
        physics.reset(m, d, case.key)
    return m, d


def official(case: Case):
    """The official model and data, at the start."""
    m = mujoco.MjModel.from_xml_path(str(case.source)) if isinstance(case.source, Path) else mujoco.MjModel.from_xml_string(case.source)
    m.opt.timestep = case.h
    d = mujoco.MjData(m)
    if case.key:
        mujoco.mj_resetDataKeyframe(m, d, mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_KEY, case.key))
    return m, d


def counted(m, d, steps: int) -> tuple[float, float, float]:
    """Iterations, looks and restarts per step over the next steps."""
    found = [0, 0, 0]
    for _ in range(steps):
        physics.step(m, d)
        for k, name in enumerate(("hard_niter", "hard_looked", "hard_nrestart")):
            found[k] += getattr(d, name)
    return tuple(x / steps for x in found)


def window(step: Callable, m, d) -> Callable[[], None]:
    """A call that takes WINDOW steps."""
    return lambda: step(m, d, WINDOW)


def measured(name: str, rounds: int) -> str:
    """One row."""
    case = CASES[name]
    hard, soft, theirs = loaded(case, Engine.HARD), loaded(case, Engine.SOFT), official(case)
    steps = round(SETTLED / case.h)
    for pair in (hard, soft):
        physics.step(*pair, steps)
    mujoco.mj_step(*theirs, steps)
    iterations, looks, restarts = counted(*hard, 50)
    with silent_clock():
        found = interleaved({"hard": window(physics.step, *hard), "soft": window(physics.step, *soft), "official": window(mujoco.mj_step, *theirs)}, rounds)
    cost = {who: 1e6 * statistics.median(times) / WINDOW for who, times in found.items()}
    d = hard[1]
    void = f" VOID: {d.hard_nfailed} failed" if d.hard_nfailed else ""
    return (f"{name:12} h {case.h:<6} hard {cost['hard']:8.1f} us  soft {cost['soft']:8.1f}  official {cost['official']:8.1f}  hard/official {median_ratio(found['hard'], found['official']):5.2f}"
            f"  iterations {iterations:4.1f} looks {looks:.2f} restarts {restarts:.2f} coarse {d.hard_ncoarse} halved {d.hard_nhalved} rows {d.hard_nrow}{void}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*CASES, []], default=[])
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    physics.compile_kernels()
    physics.ensure_hard()
    pin_to_one_core()
    for name in options.names or CASES:
        print(measured(name, options.rounds), flush=True)
    print(f"load {machine_load():.1f}")


if __name__ == "__main__":
    main()
