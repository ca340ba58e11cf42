"""Agreement with the official engine, model by model: `python -m tests.oracle.report [--models DIR] [--only NAME ...] [--json FILE]`.

docs/agreement.md ('Agreement') defines every figure. A model is

- `ok`: every figure is within its limit;
- `explained`: a stage is over its limit, but exceptions.txt lists it with a reason and a bound that it keeps;
- `not compared`: a model of 2.3.7 that nothing is recorded of: it opens, and nothing more is known;
- `refused`: it opens for viewing only or not at all, named with its place, and only where may_refuse.txt allows it.
- `failed`: anything else.

Besides the states, contacts are compared at qpos0 and at random poses within limits (pose_contacts.py); pose_exceptions.txt lists how many geom
pairs of a model may differ there. Stages that no model can have yet are listed as pending with their reason; they are null in the JSON.
"""
import argparse
import json
import math
import sys
import time
import warnings
from functools import lru_cache
from pathlib import Path

import physics
from tests.oracle import pose_contacts
from tests.oracle import stages as stages_table
from tests.oracle.allowed import exceptions, may_refuse, pose_exceptions
from tests.oracle.compiled import compare_compiled
from tests.oracle.corpus import Entry, corpus_dir, read_manifest
from tests.oracle.recorded import compare_recorded
from tests.oracle.rollout import RESET, rollout
from tests.oracle.states import State, states, widen_fields

ORACLE_IN_PROCESS = "4.0.0"
DEFAULT_STATES = 5
NEWTON_ITERATIONS = 50
CRAWLING_ITERATIONS = 1000   # for files that ask for PGS or CG, on the official side too
NEAREST_TOLERANCE = 1e-30   # of the official search for nearest points, which stops at 1e-6 as it is; at 0 it loses contacts
NEAREST_ITERATIONS = 200
STATUSES = ("ok", "explained", "not compared", "refused", "failed")


def empty_row(name: str) -> dict:
    return {"name": name, "status": "failed", "why": "", "compiled_checked": None, "compiled": None, "stages": dict.fromkeys(stages_table.STAGES),
            "over": {}, "explained": {}, "rollout": None, "poses": None, "ncon": None, "nefc": None}


def judge(entry: Entry, state_count: int = DEFAULT_STATES) -> dict:
    """The report's row of one model."""
    row = empty_row(entry.name)
    try:
        model = physics.load(entry.path)
    except physics.ModelError as error:
        return _refused(row, entry, error.issues)
    if entry.oracle != ORACLE_IN_PROCESS:
        row["compiled_checked"], row["compiled"] = compare_recorded(entry.name, model)   # its dynamics are judged on the *_expanded twins
        row["status"], row["why"] = "failed" if row["compiled"] else "ok", "; ".join(row["compiled"])
        if not row["compiled_checked"]:
            row["status"], row["compiled"], row["why"] = "not compared", None, f"nothing is recorded of it by {entry.oracle}"
        return _refused(row, entry, model.view_only) if model.view_only and row["status"] != "failed" else row
    _compare(row, entry, model, state_count)
    return row


def _refused(row: dict, entry: Entry, issues) -> dict:
    reasons = [issue for issue in issues if issue.severity in ("error", "view")] or list(issues)   # warnings and notes refuse nothing
    row["why"] = f"{reasons[0]} (and {len(reasons) - 1} more)" if len(reasons) > 1 else str(reasons[0])
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
    met = prepare(entry, model, official, state_count)
    figures, row["ncon"], row["nefc"] = {name: [] for name in stages_table.STAGES}, [], []
    for state in met:
        values, contacts, rows = stages_table.compare(model, official, state)
        row["ncon"].append(contacts)
        row["nefc"].append(rows)
        for name, value in values.items():
            figures[name].append(value)
    row["stages"] = {name: None if None in values else max(values) for name, values in figures.items()}
    over = {name: {k: value for k, value in enumerate(values) if value is not None and not value <= stages_table.limit(name)} for name, values in figures.items()}
    row["over"] = {name: where for name, where in over.items() if where}
    row["explained"] = _explained(row, figures, lambda k: stages_table.partly(model, official, met[k]))
    row["rollout"] = rollout(model, official, entry)
    row["poses"] = _poses(model, official, entry.name)
    faults = _faults(row, entry)
    row["status"] = "failed" if faults else "explained" if row["explained"] else "ok"
    row["why"] = "; ".join([*faults, *row["explained"].values()])


def prepare(entry: Entry, model, official, state_count: int) -> list[State]:
    """The states at which the models are compared, met by the official engine as the file sets it; then both are set for the comparison.

    Both solvers are let go on until they can do no better, and so is the search for nearest points of convex shapes.
    """
    import mujoco

    met = states(official, entry, state_count)
    for each in (model, official):
        each.opt.tolerance = 0
        each.opt.ls_tolerance = 0
        each.opt.ccd_tolerance = NEAREST_TOLERANCE
        each.opt.ccd_iterations = max(each.opt.ccd_iterations, NEAREST_ITERATIONS)
        newton = official.opt.solver == mujoco.mjtSolver.mjSOL_NEWTON   # the others crawl at tolerance 0: enough sweeps that they have converged
        each.opt.iterations = max(each.opt.iterations, NEWTON_ITERATIONS if newton else CRAWLING_ITERATIONS)
        each.opt.ls_iterations = max(each.opt.ls_iterations, NEWTON_ITERATIONS)
        widen_fields(each)
    return met


def opened(entry: Entry):
    """(our model, the official one), or None where there are no stages to compare."""
    import mujoco

    try:
        model = physics.load(entry.path)
    except physics.ModelError:
        return None
    if entry.oracle != ORACLE_IN_PROCESS or model.view_only:
        return None
    return model, mujoco.MjModel.from_xml_path(str(entry.path))


def _explained(row: dict, figures: dict, partly) -> dict[str, str]:
    """{stage: figure and reason} of the stages that are over their limit and may be. partly(k): stages.partly at state k."""
    listed, found, known = exceptions(), {}, lru_cache(maxsize=None)(partly)
    for stage in row["over"]:
        allowed = listed.get((row["name"], stage))
        if allowed and allowed.covers(figures[stage], stages_table.limit(stage), lambda k, stage=stage: (known(k)[0], known(k)[1][stage])):
            found[stage] = f"{_figure(row, stage)}: {allowed.reason}"
    return found


def _figure(row: dict, stage: str) -> str:
    where = row["over"][stage]
    many = f"{len(where)} states" if len(where) > 3 else "state " + ", ".join(map(str, where))
    return f"stage {stage} off by {row['stages'][stage]:.1e} at {many}"


def _faults(row: dict, entry: Entry) -> list[str]:
    faults = [f"field {name} off by {value:.1e}" for name, value in row["compiled"].items()]
    for name, value in row["stages"].items():
        if value is None and name not in stages_table.PENDING:
            faults.append(f"stage {name} is not computed")
    faults.extend(_figure(row, name) for name in row["over"] if name not in row["explained"])
    allowed = exceptions().get((entry.name, "rollout"))
    for t, value in (row["rollout"] or {}).items():
        if value is None or (value not in ("chaotic", RESET) and not value <= max(1.0, allowed.later if allowed else 0.0)):
            faults.append(f"rollout at {t} s is {value if value is None else format(value, '.2g')} times its bound")
    differ, may = len(row["poses"]["found"]), pose_exceptions().get(entry.name, 0)
    if differ > may:
        faults.append(f"contacts of {differ} geom pairs differ at poses, {may} may: {row['poses']['found'][0]}")
    if entry.max_controlled_contacts > 0 and not any(row["ncon"]):
        faults.append("no state with contacts was met")
    return faults


def _poses(model, official, name: str) -> dict:
    """Contacts at qpos0 and random poses: geom pairs with any, how many differ, how many of these as the official search ends beside the truth, and the others."""
    pairs, found = pose_contacts.compare(model, official, name)
    others = [difference.text(official) for difference in found if not difference.official_is_beside]
    return {"pairs": pairs, "differ": len(found), "official_beside": len(found) - len(others), "found": others}


def _finite(value):
    """JSON without NaN or infinity: what is not a finite number is null."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _line(row: dict, seconds: float) -> str:
    known = {name: value for name, value in row["stages"].items() if value is not None}
    head = f"{row['status']:9} {row['name']:36}"
    if not known:
        off = f"fields {row['compiled_checked']} off {len(row['compiled'])} {', '.join(list(row['compiled'])[:6])} " if row["compiled"] is not None else ""
        return f"{head} {off}{row['why'][:300]} [{seconds:.1f} s]"
    worst = max(known, key=known.get)
    figures = f"fields {row['compiled_checked']} off {len(row['compiled'] or {})}, " \
        f"worst stage {worst} {known[worst]:.1e}, explained {len(row['explained'])}, pending {len(row['stages']) - len(known)}, ncon {row['ncon']}, nefc {row['nefc']}"
    return f"{head} {figures} {row['why'][:300]} [{seconds:.1f} s]"


def _summary(rows: list[dict]) -> dict:
    counts = {status: sum(row["status"] == status for row in rows) for status in STATUSES}
    counts["compiled"] = sum(row["compiled"] is not None for row in rows)
    counts["compiled with every field equal"] = sum(row["compiled"] == {} for row in rows)
    counts["geom pairs at poses"] = sum(row["poses"]["pairs"] for row in rows if row["poses"])
    counts["of them other"] = sum(row["poses"]["differ"] for row in rows if row["poses"])
    counts["stages explained"] = sum(len(row["explained"]) for row in rows)
    return counts


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
            row = {**empty_row(entry.name), "why": f"{type(error).__name__}: {error}"}
        rows.append(row)
        print(_line(row, time.perf_counter() - begun), flush=True)
    counts = _summary(rows)
    print(", ".join(f"{count} {status}" for status, count in counts.items()))
    if chosen.json:
        chosen.json.write_text(json.dumps(_finite({"models": rows, "summary": {**counts, "pending_stages": stages_table.PENDING}}), indent=1))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
