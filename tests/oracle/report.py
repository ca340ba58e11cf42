"""Agreement with the official engine, model by model: `python -m tests.oracle.report [--models DIR] [--only NAME ...] [--json FILE]`.

measures.md ('Agreement') defines every figure. A model is `ok`, `refused` (named with its place, and only where may_refuse.txt allows it)
or `failed`. Stages that no model can have yet are listed as pending with their reason; they are null in the JSON.
"""
import argparse
import json
import math
import sys
import time
import warnings
from pathlib import Path

import physics
from tests.oracle import stages as stages_table
from tests.oracle.compiled import compare_compiled
from tests.oracle.corpus import Entry, corpus_dir, read_manifest
from tests.oracle.recorded import compare_recorded
from tests.oracle.rollout import rollout
from tests.oracle.states import states

MAY_REFUSE_FILE = Path(__file__).with_name("may_refuse.txt")
ORACLE_IN_PROCESS = "4.0.0"
DEFAULT_STATES = 5
CRAWLING_ITERATIONS = 1000   # for files that ask for PGS or CG, on the official side too


def may_refuse() -> dict:
    """{model name: what it waits for}."""
    lines = [line for line in MAY_REFUSE_FILE.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {line.split(" ", 1)[0]: line.split(" ", 1)[1].strip() for line in lines}


def judge(entry: Entry, state_count: int = DEFAULT_STATES) -> dict:
    """The report's row of one model."""
    row = {"name": entry.name, "status": "failed", "why": "", "compiled_checked": None, "compiled": None, "stages": dict.fromkeys(stages_table.STAGES),
           "rollout": None, "ncon": None, "nefc": None}
    try:
        model = physics.load(entry.path)
    except physics.ModelError as error:
        return _refused(row, entry, error.issues)
    if entry.oracle != ORACLE_IN_PROCESS:
        row["compiled_checked"], row["compiled"] = compare_recorded(entry.name, model)   # its dynamics are judged on the *_expanded twins
        row["status"], row["why"] = "failed" if row["compiled"] else "ok", "; ".join(row["compiled"])
        return _refused(row, entry, model.view_only) if model.view_only and not row["compiled"] else row
    _compare(row, entry, model, state_count)
    return row


def _refused(row: dict, entry: Entry, issues) -> dict:
    first = next((issue for issue in issues if issue.severity != "warning"), issues[0])
    row["why"] = f"{first} (and {len(issues) - 1} more)" if len(issues) > 1 else str(first)
    row["status"] = "refused" if entry.name in may_refuse() else "failed"
    return row


def _compare(row: dict, entry: Entry, model, state_count: int) -> None:
    import mujoco

    official = mujoco.MjModel.from_xml_path(str(entry.path))
    row["compiled_checked"], row["compiled"] = compare_compiled(model, official)
    if model.view_only:
        _refused(row, entry, model.view_only)
        return
    if not state_count:
        row["status"] = "failed" if row["compiled"] else "ok"
        return
    for each in (model, official):
        each.opt.tolerance = 0
        each.opt.ls_tolerance = 0
        if official.opt.solver != mujoco.mjtSolver.mjSOL_NEWTON:   # at tolerance 0 they crawl: enough sweeps that both have converged
            each.opt.iterations = max(each.opt.iterations, CRAWLING_ITERATIONS)
    worst, ncon, nefc = dict.fromkeys(stages_table.STAGES, 0.0), [], []
    for state in states(official, entry, state_count):
        values, contacts, rows = stages_table.compare(model, official, state)
        ncon.append(contacts)
        nefc.append(rows)
        for name, value in values.items():
            worst[name] = None if value is None or worst[name] is None else max(worst[name], value)
    row.update(stages=worst, ncon=ncon, nefc=nefc, rollout=rollout(model, official, entry))
    row["why"] = "; ".join(_faults(row, entry))
    row["status"] = "failed" if row["why"] else "ok"


def _faults(row: dict, entry: Entry) -> list[str]:
    faults = [f"field {name} off by {value:.1e}" for name, value in row["compiled"].items()]
    for name, value in row["stages"].items():
        if value is None and name not in stages_table.PENDING:
            faults.append(f"stage {name} is not computed")
        elif value is not None and not value <= stages_table.limit(name):
            faults.append(f"stage {name} off by {value:.1e}")
    for t, value in row["rollout"].items():
        if value is None or (value != "chaotic" and not value <= 1.0):
            faults.append(f"rollout at {t} s is {value if value is None else format(value, '.2g')} times its bound")
    if entry.max_controlled_contacts > 0 and not any(row["ncon"]):
        faults.append("no state with contacts was met")
    return faults


def _finite(value):
    """JSON without NaN or infinity: what is not a finite number is null."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _line(row: dict, seconds: float) -> str:
    known = [value for value in row["stages"].values() if value is not None]
    worst = max(known) if known else None
    pending = [name for name, value in row["stages"].items() if value is None]
    if row["ncon"] is None and row["compiled"] is not None:
        off = ", ".join(list(row["compiled"])[:6])
        return f"{row['status']:8} {row['name']:36} fields {row['compiled_checked']} off {len(row['compiled'])} {off} {row['why'][:300]} [{seconds:.1f} s]"
    figures = f"fields {row['compiled_checked']} off {len(row['compiled'] or {})}, worst stage {worst:.1e}, pending {len(pending)}, ncon {row['ncon']}, nefc {row['nefc']}" \
        if row["ncon"] is not None else ""
    return f"{row['status']:8} {row['name']:36} {figures} {row['why'][:300]} [{seconds:.1f} s]"


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, default=corpus_dir(), help="folder with manifest.json")
    parser.add_argument("--only", nargs="*", default=None, help="names of models")
    parser.add_argument("--states", type=int, default=DEFAULT_STATES, help="states per model, the start state included")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--compiled", action="store_true", help="compare the compiled fields only")
    chosen = parser.parse_args(arguments)
    warnings.filterwarnings("ignore")
    if chosen.compiled:
        chosen.states = 0
    else:
        physics.ensure_kernels()
    rows = []
    for entry in read_manifest(chosen.models):
        if chosen.only is not None and entry.name not in chosen.only:
            continue
        begun = time.perf_counter()
        try:
            row = judge(entry, chosen.states)
        except Exception as error:   # a crash of either engine is this model's failure, not the report's end
            row = {"name": entry.name, "status": "failed", "why": f"{type(error).__name__}: {error}", "compiled_checked": None, "compiled": None,
                   "stages": dict.fromkeys(stages_table.STAGES), "rollout": None, "ncon": None, "nefc": None}
        rows.append(row)
        print(_line(row, time.perf_counter() - begun), flush=True)
    counts = {status: sum(row["status"] == status for row in rows) for status in ("ok", "refused", "failed")}
    counts["compiled"] = sum(row["compiled"] is not None for row in rows)
    counts["compiled with every field equal"] = sum(row["compiled"] == {} for row in rows)
    summary = {**counts, "pending_stages": stages_table.PENDING}
    print(", ".join(f"{count} {status}" for status, count in counts.items()))
    if chosen.json:
        chosen.json.write_text(json.dumps(_finite({"models": rows, "summary": summary}), indent=1))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
