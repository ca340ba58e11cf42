"""The solver's trace on real models: `./test.sh --long solver_traces [--steps N] [--json FILE]`.

Every model of the corpus (ours where it is absent) is moved under its control; then the solve of its state is traced with Newton, CG and PGS, both cones. The last iterate
must be what `forward` gives, to the bit; what the solver noted as its improvements must be the differences of the cost as it is computed here; the costs of Newton and CG must not rise.
"""
from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

import physics
from physics.enums import Cone, Solver
from physics.errors import ModelError, ViewOnlyError
from physics.model.model_copy import model_beside
from physics.pipeline.solver_trace import MOST
from tests.oracle.corpus import CONTROL, OURS, ManifestControl, corpus_dir, has_corpus, read_manifest

EXACT = 1e-9        # of the cost: what improvement and cost may differ by
AT_REST = 1e-12     # of trace(M) [N m/s2]: a cost as low as this, of a model at rest, is made of rounding


def models():
    """(name, Model, its Data, control) of each model that loads."""
    folder = corpus_dir()
    entries = [(entry.name, entry.path, entry) for entry in read_manifest(folder)] if has_corpus() else [(path.name, path, None) for path in OURS]
    for name, path, entry in entries:
        try:
            m = physics.load(path)
        except (ModelError, OSError, ValueError):
            continue
        key = entry is not None and entry.starts_at_key
        d = physics.Data(m)
        if key:
            physics.reset(m, d, 0)
        yield name, m, d, ManifestControl(m, entry.control if entry is not None else CONTROL, key)


def difference(trace, forwarded) -> str:
    """What of the last iterate is not as forward has it; '' where nothing is."""
    last, n = trace.iterates[-1], forwarded.nefc
    return " ".join(name for name, mine, theirs in (("qacc", last.qacc, forwarded.qacc), ("efc_force", last.efc_force, forwarded.efc_force[:n]),
                                                    ("efc_state", last.efc_state, forwarded.efc_state[:n])) if not np.array_equal(mine, theirs, equal_nan=True))


def check(m, d, solver: Solver, cone: Cone) -> dict:
    """Figures of one trace: worst difference of an improvement and the cost, relative to the cost, which counts as AT_REST trace(M) at least; largest rise of the cost, likewise."""
    other = model_beside(m)
    other.opt_solver, other.opt_cone, other.opt_noslip_iterations = solver, cone, 0
    own = physics.Data(other)
    own.copy_fields(d)
    begun = time.perf_counter()
    trace = physics.solver_trace(other, own)
    seconds = time.perf_counter() - begun
    physics.forward(other, own)
    found = {"solver": solver.name, "cone": cone.name, "nefc": trace.problem.nefc, "islands": trace.nisland, "iterations": int(trace.niter.max(initial=0)), "seconds": round(seconds, 3),
             "differs": difference(trace, own), "gain": 0.0, "rise": 0.0}
    for island in range(trace.nisland):
        figures, scale = trace.figures(island), trace.problem.trace[island]
        cost = np.abs(figures["cost"][0]) + AT_REST * scale
        drop = -np.diff(figures["cost"])
        if solver != Solver.PGS and island < 20 and 0 < len(drop) <= MOST:
            found["gain"] = max(found["gain"], float(np.nanmax(np.abs(drop - scale * figures["improvement"][1:])) / cost))
            found["rise"] = max(found["rise"], float(np.max(-drop)) / cost)
    return found


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--json", type=Path, default=Path("solver_traces.json"))
    parser.add_argument("--only", default="", help="names that hold this")
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    found, refused = [], []
    for name, m, d, control in models():
        if chosen.only not in name:
            continue
        try:
            for _ in range(chosen.steps):
                if m.nu:
                    d.ctrl[:] = control(d.time)
                physics.step(m, d)
            found += [{"model": name, **check(m, d, solver, cone)} for solver in Solver for cone in Cone]
        except (ViewOnlyError, ValueError) as why:
            refused.append((name, str(why)[:80]))
    with_rows = [one for one in found if one["nefc"]]
    wrong = [one for one in with_rows if one["differs"] or not one["gain"] <= EXACT or not one["rise"] <= EXACT]
    chosen.json.write_text(json.dumps({"traces": found, "refused": refused, "wrong": wrong}, indent=1))
    print(f"{len({one['model'] for one in found})} models, {len({one['model'] for one in with_rows})} with rows, {len(with_rows)} traces of {sum(one['iterations'] for one in with_rows)} iterations; "
          f"worst difference of improvement and cost {max((one['gain'] for one in with_rows), default=0):.2g}, largest rise {max((one['rise'] for one in with_rows), default=0):.2g} of the cost; "
          f"slowest {max((one['seconds'] for one in with_rows), default=0)} s; refused {len(refused)}, wrong {len(wrong)}", *wrong[:20], *refused[:10], sep="\n")
    return 1 if wrong or not with_rows else 0


if __name__ == "__main__":
    sys.exit(main())
