"""linkwork compare: one model under both engines, and what differs."""
from __future__ import annotations

import csv
from contextlib import ExitStack

from app.headless.models import data_of, kernels, load
from app.headless.outcome import DIVERGED, DONE, USAGE, Failed

COLUMNS = ("time", "overlap_soft", "overlap_hard", "slip_soft", "slip_hard", "energy_soft", "energy_hard", "pose_difference", "cost_soft", "cost_hard",
           "hard_status", "hard_niter", "hard_ncoarse", "hard_nhalved", "hard_neased", "hard_nstuck")


def command_compare(arguments) -> dict:
    """Run both, write the figures of both, and say the worst of each."""
    import physics
    from physics.diagnostics.engine_figures import Beside
    from physics.model.state_fields import State

    if arguments.every < 1:
        raise Failed("--every needs a number of steps above 0", USAGE)
    m = load(arguments.model, arguments.compat)
    d = data_of(m, arguments.key)
    try:
        beside = Beside(m, State.of(d), arguments.hard_timestep)
    except physics.ViewOnlyError as error:
        raise Failed("\n".join(map(str, error.issues))) from None
    kernels()
    pairs = []
    with ExitStack() as stack:
        write = _writer(stack, arguments.csv)
        for pair in beside.run(arguments.time, arguments.every):
            pairs.append(pair)
            write(pair, beside.data[1])
    return {"text": _table(pairs, beside), "code": DIVERGED if beside.ended else DONE, **_told(pairs, beside)}


def _writer(stack: ExitStack, path):
    """What writes one row for a pair; nothing without a file."""
    if path is None:
        return lambda pair, hard: None
    try:
        file = stack.enter_context(open(path, "w", newline="", encoding="utf-8"))
    except OSError as error:
        raise Failed(f"{path} cannot be written: {error.strerror}") from None
    rows = csv.writer(file)
    rows.writerow(COLUMNS)

    def write(pair, hard) -> None:
        soft, stiff = pair.figures
        numbers = (pair.time, soft.overlap, stiff.overlap, soft.slip, stiff.slip, soft.energy, stiff.energy, pair.pose, *pair.cost)
        rows.writerow([*(repr(float(x)) for x in numbers), *(int(getattr(hard, name)) for name in COLUMNS[10:])])

    return write


def _told(pairs, beside) -> dict:
    """The worst of each engine over the run, by name."""
    import numpy as np

    from physics.simulate.hard_endings import ENDINGS

    out: dict = {"time": pairs[-1].time, "ended": beside.ended, "pose_difference": max(pair.pose for pair in pairs)}
    for k, engine in enumerate(("soft", "hard")):
        figures = np.array([pair.figures[k] for pair in pairs])
        moved = figures[1:] if len(figures) > 1 else figures
        d = beside.data[k]
        out[engine] = {"overlap": float(figures[:, 0].max()), "slip": float(moved[:, 1].max()), "slip_median": float(np.median(moved[:, 1])),
                       "energy_begin": float(figures[0, 2]), "energy_end": float(figures[-1, 2]), "cost": pairs[-1].cost[k], "steps": beside.steps[k],
                       "timestep": float(d.model.opt_timestep)}
    hard = beside.data[1]
    out["hard"] |= {ending.word: int(getattr(hard, ending.field)) for ending in ENDINGS}
    return out


def _table(pairs, beside) -> str:
    told = _told(pairs, beside)
    soft, hard = told["soft"], told["hard"]
    rows = [("", "soft", "hard"), ("time step [s]", f"{soft['timestep']:g}", f"{hard['timestep']:g}"), ("steps", str(soft["steps"]), str(hard["steps"]))]
    rows += [(name, *(f"{factor * of[key]:.4g}" for of in (soft, hard)))
             for name, key, factor in (("deepest overlap [mm]", "overlap", 1e3), ("fastest slip [mm/s]", "slip", 1e3), ("median slip [mm/s]", "slip_median", 1e3),
                                       ("energy, first [J]", "energy_begin", 1.0), ("energy, last [J]", "energy_end", 1.0), ("cost [us/step]", "cost", 1e6))]
    rows.append(("real time", *(f"{of['timestep'] / of['cost']:.4g} x" if of["cost"] else "-" for of in (soft, hard))))
    rows += [(f"steps {word}", "", str(hard[word])) for word in ("halved", "coarse", "eased", "stuck", "failed")]
    lines = [f"{name:<24}{one:>14}{two:>14}".rstrip() for name, one, two in rows]
    lines.append(f"largest difference of pose {told['pose_difference']:.4g} m, after {told['time']:g} s")
    return "\n".join([*lines, *([f"ended early: {told['ended']}"] if told["ended"] else [])])
