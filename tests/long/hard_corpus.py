"""Every corpus model under the hard engine beside the soft one: `./test.sh --long hard_corpus [--only NAME ...] [--budget S] [--json FILE]`.

Each for SPAN of simulated time under the control that the manifest gives it, both engines from the same state at the model's own time step. A model ran, was refused by name (what the hard engine
has no counterpart for, which the list names with its place), or failed: a step that neither converged, nor came within 1000 times the tolerance, nor could be taken in parts, or a state that is
no number. Beside it stands what the soft engine did: overlap and slip are judged for both by one collision test (physics/diagnostics/engine_figures.py).

Models that take longer than the budget stop there and count as run for the time that they reached. Exits 1 where a model failed. Restartable: models that the JSON has are not run again.
"""
import sys
import time

import numpy as np

import physics
from physics.diagnostics.engine_figures import Beside
from physics.errors import ModelError, ViewOnlyError
from physics.model.state_fields import State
from physics.simulate import hard_unsupported
from tests.long.corpus_models import arguments, judged
from tests.oracle.corpus import Entry, ManifestControl

SPAN = 2.0      # s
EVERY = 10      # steps between two looks at both
LISTED = 3      # refusals that a line tells


def judge(entry: Entry, budget: float) -> dict:
    """One model: refused, or what both engines did."""
    try:
        m = physics.load(entry.path)
    except (ModelError, ValueError, OSError) as why:
        return {"outcome": "skipped", "why": str(why).splitlines()[0]}
    refused = hard_unsupported.issues(m)
    if refused:
        return {"outcome": "refused", "why": [str(issue).splitlines()[0] for issue in refused]}
    d = physics.Data(m)
    try:
        if entry.starts_at_key:
            physics.reset(m, d, 0)
        beside = Beside(m, State.of(d))
    except ViewOnlyError as why:
        return {"outcome": "skipped", "why": str(why).splitlines()[0]}
    return _run(m, beside, ManifestControl(m, entry.control, entry.starts_at_key), budget)


def _run(m: physics.Model, beside: Beside, control: ManifestControl, budget: float) -> dict:
    """Both engines under a control that changes at every look."""
    hard, begun, figures = beside.data[1], time.process_time(), []
    worst, iterations, solved = np.zeros(2), 0, 0
    pairs = beside.run(SPAN, EVERY)
    for pair in pairs:
        for d in beside.data:
            d.ctrl[:] = control(pair.time)
        figures.append(pair.figures)
        worst = np.maximum(worst, (hard.hard_rv, hard.hard_kv))
        iterations, solved = iterations + int(hard.hard_niter), solved + 1
        if time.process_time() - begun > budget:
            break
    found = np.array(figures)
    row = {"outcome": "failed" if beside.ended.startswith("the hard") else "ran", "ended": beside.ended, "seconds": float(hard.time), "steps": beside.steps[1], "nv": int(m.nv),
           "residual": float(worst[0]), "violation": float(worst[1]), "iterations": iterations / max(1, solved),
           "coarse": int(hard.hard_ncoarse), "halved": int(hard.hard_nhalved), "not_taken": int(hard.hard_nfailed),
           "stuck": int(hard.hard_nstuck), "eased": int(hard.hard_neased), "cost_ratio": pair.cost[1] / pair.cost[0] if pair.cost[0] else None}
    for k, engine in enumerate(("soft", "hard")):
        row[engine] = {"overlap": float(found[1:, k, 0].max(initial=0.0)), "slip": float(found[1:, k, 1].max(initial=0.0)),
                       "energy": [float(found[0, k, 2]), float(found[-1, k, 2])]}
    row["overlap_at_start"] = float(found[0, 1, 0])
    return row


def told(name: str, row: dict) -> str:
    """A model in a line."""
    if row["outcome"] == "skipped":
        return f"skipped  {name}: {row['why']}"
    if row["outcome"] == "refused":
        more = len(row["why"]) - LISTED
        return f"refused  {name}: {'; '.join(row['why'][:LISTED])}{f' and {more} more' if more > 0 else ''}"
    soft, hard = row["soft"], row["hard"]
    return (f"{row['outcome']:<8} {name}: {row['seconds']:.3g} s, {row['steps']} steps, {row['iterations']:.1f} iterations, coarse {row['coarse']}, halved {row['halved']}, not taken {row['not_taken']}, stuck {row['stuck']}, eased {row['eased']}; "
            f"overlap {1e3 * soft['overlap']:.3g} / {1e3 * hard['overlap']:.3g} mm (at the start {1e3 * row['overlap_at_start']:.3g}), slip {1e3 * soft['slip']:.3g} / {1e3 * hard['slip']:.3g} mm/s, "
            f"{row['cost_ratio'] or 0.0:.2g} times the cost{'; ' + row['ended'] if row['ended'] else ''}")


def main() -> int:
    """Run the models; print the figures."""
    rows = judged(judge, arguments("hard_corpus"), told)
    by = {outcome: {name: row for name, row in rows.items() if row["outcome"] == outcome} for outcome in ("ran", "refused", "failed", "skipped")}
    steps = sum(row["steps"] for row in (by["ran"] | by["failed"]).values())
    print(f"{len(rows)} models: {', '.join(f'{len(found)} {outcome}' for outcome, found in by.items())}; {steps} hard steps, of which "
          + ", ".join(f"{sum(row[key] for row in (by['ran'] | by['failed']).values())} {word}" for key, word in (("coarse", "coarse"), ("halved", "taken in parts"), ("not_taken", "not taken"), ("stuck", "left an overlap"), ("eased", "with less friction"))))
    if by["ran"]:
        median = [float(np.median([row["cost_ratio"] for row in by["ran"].values() if row["cost_ratio"]]))]
        deepest = [max((row[engine]["overlap"], name) for name, row in by["ran"].items()) for engine in ("soft", "hard")]
        print(f"cost, median of the models: {median[0]:.2f} times the soft engine's; deepest overlap [mm]: soft {1e3 * deepest[0][0]:.3g} ({deepest[0][1]}), hard {1e3 * deepest[1][0]:.3g} ({deepest[1][1]})")
    for name, row in by["failed"].items():
        print(f"FAILED: {name}: {row['ended']}")
    return int(bool(by["failed"]))


if __name__ == "__main__":
    sys.exit(main())
