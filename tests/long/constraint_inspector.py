"""What is said of constraints on every corpus model that moves: `./test.sh --long constraint_inspector [--only NAME ...] [--json FILE]`.

In several moments of half a second with random controls, of each equality, joint and tendon: it is said to act exactly where it has rows; stiffness, damping and impedance that
follow from the parameters behind their clamps, by the formulas of the documentation written out here, are those that its rows were made with; limits have rows exactly where they
are reached.
Exits 1 where one is wrong. Restartable: models that the JSON has are not done again.
"""
import argparse
import json
import sys
import time
from functools import partial
from math import isclose, sqrt
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import physics
from physics.diagnostics.constraint_parameters import ConstraintParameters, constraint_parameters
from physics.diagnostics.constraint_rows import constraint_rows
from physics.enums import DSBL_CONSTRAINT, DSBL_LIMIT
from physics.errors import ModelError, ViewOnlyError
from physics.model.elements import element
from tests.oracle.corpus import Entry, read_manifest, require_corpus

SPAN, MOMENTS = 0.5, 5      # s, and in how many moments of it
MOST = 400                  # elements of a kind that are looked at in a moment


def impedance(solimp: tuple[float, ...], residual: float) -> float:
    """I(residual) as the documentation has it; solimp within its range."""
    d0, dw, width, mid, power = solimp
    if d0 == dw or width <= 0.0:
        return 0.5 * (d0 + dw)
    x = min(1.0, abs(residual) / width)
    y = x if power == 1.0 else x**power / mid ** (power - 1) if x <= mid else 1.0 - (1.0 - x) ** power / (1.0 - mid) ** (power - 1)
    return d0 + y * (dw - d0)


def spring(solref: tuple[float, ...], dw: float) -> tuple[float, float]:
    """(K, B) of solref in either form."""
    a, b = solref
    return (1.0 / (dw * a * b) ** 2, 2.0 / (dw * a)) if a > 0.0 else (-a / dw**2, -b / dw)


def wrong_figures(m, d, part: ConstraintParameters) -> str:
    """What of a constraint is not as its rows are, '' where all is."""
    if part.active != bool(part.rows) or not part.why:
        return "said to act without rows, or the other way round"
    if not part.rows:
        return ""
    solref, solimp = (next(p for p in part.parameters if p.name.startswith(head)) for head in ("solref", "solimp"))
    slowed = any(clamp.name == "discrete" for clamp in solref.clamps)
    K, B = spring(solref.used, solimp.used[1])
    if slowed:
        B = 2.0 * solref.used[1] * sqrt(K)
    value = impedance(solimp.used, part.residual)
    rows = constraint_rows(m, d, part.rows)
    row = min(rows, key=lambda r: r.pos - r.margin) if part.form == "limit" else rows[0]
    pairs = (("K", 0.0 if part.form == "friction loss" else K, row.K), ("B", B, row.B), ("I", value, row.impedance), ("I as told", part.impedance, row.impedance))
    for name, mine, theirs in pairs:
        if not isclose(mine, theirs, rel_tol=1e-9, abs_tol=1e-12):
            return f"{name}: {mine!r}, the row has {theirs!r}"
    return ""


def wrong_limit(m, d, part: ConstraintParameters) -> str:
    """Whether rows of a scalar joint's limit are there exactly where it is reached."""
    j = part.element.id
    if part.form != "limit" or part.element.kind != "joint" or len(np.flatnonzero(m.dof_jntid == j)) > 1 or not d.tree_awake[m.body_treeid[m.jnt_bodyid[j]]]:
        return ""
    value, (low, high) = d.qpos[m.jnt_qposadr[j]], m.jnt_range[j]
    off = m.opt_disableflags & (DSBL_LIMIT | DSBL_CONSTRAINT) or not m.jnt_limited[j]
    expected = 0 if off else int(value - low < m.jnt_margin[j]) + int(high - value < m.jnt_margin[j])
    return "" if len(part.rows) == expected else f"{len(part.rows)} rows, expected {expected}"


def judge(entry: Entry, budget: float) -> dict:
    """One model."""
    try:
        m = physics.load(entry.path)
        d = physics.Data(m)
        if entry.starts_at_key:
            physics.reset(m, d, 0)
        physics.forward(m, d)
    except (ModelError, ViewOnlyError, ValueError, OSError) as why:
        return {"skipped": f"{type(why).__name__}: {str(why).splitlines()[0]}"}
    rng, begun = np.random.default_rng(0), time.monotonic()
    row = {"constraints": 0, "active": 0, "wrong": []}
    for _moment in range(MOMENTS):
        for kind, count in (("equality", m.neq), ("joint", m.njnt), ("tendon", m.ntendon)):
            for i in range(min(count, MOST)):
                for part in constraint_parameters(m, d, element(m, kind, i)):
                    row["constraints"] += 1
                    row["active"] += part.active
                    if said := wrong_figures(m, d, part) or wrong_limit(m, d, part):
                        row["wrong"].append(f"{part.element} {part.form}: {said}")
        for _step in range(max(1, int(SPAN / MOMENTS / m.opt_timestep))):
            d.ctrl[:] = rng.uniform(-1.0, 1.0, m.nu)
            if time.monotonic() - begun > budget or not physics.step(m, d, autoreset=False):
                break
        physics.forward(m, d)
    row["wrong"] = row["wrong"][:10]
    return row


def main() -> int:
    """Judge the models; print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--budget", type=float, default=15.0, help="s that a model may run for")
    parser.add_argument("--json", type=Path, default=Path("constraint_inspector.json"))
    given = parser.parse_args()
    physics.ensure_kernels()
    rows = json.loads(given.json.read_text()) if given.json.exists() else {}
    entries = [entry for entry in read_manifest(require_corpus()) if (not given.only or entry.name in given.only) and entry.name not in rows]
    with get_context("spawn").Pool(1, physics.ensure_kernels, maxtasksperchild=6) as pool:
        for entry, row in zip(entries, pool.imap(partial(judge, budget=given.budget), entries), strict=True):
            rows[entry.name] = row
            given.json.write_text(json.dumps(rows, indent=1))
            said = row.get("skipped") or f"{row['active']} of {row['constraints']} act"
            print(f"{entry.name}: {said}" + "".join(f"\n  WRONG {what}" for what in row.get("wrong", ())), flush=True)
    judged = [row for row in rows.values() if "skipped" not in row]
    wrong = sum(len(row["wrong"]) for row in judged)
    seen, acted = (sum(row[name] for row in judged) for name in ("constraints", "active"))
    print(f"{len(judged)} models ({len(rows) - len(judged)} skipped): {seen} constraints looked at, {acted} of them acted, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
