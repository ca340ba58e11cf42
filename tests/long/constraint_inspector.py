"""What is said of constraints on every corpus model that moves: `./test.sh --long constraint_inspector [--only NAME ...] [--json FILE]`.

In several moments of half a second with random controls, of each equality, joint and tendon: it is said to act exactly where it has rows; stiffness, damping and impedance that
follow from the parameters behind their clamps, by the formulas of the documentation written out here, are those that its rows were made with; limits have rows exactly where they
are reached; rows are in the islands that all rows together make; what is said of an equality that is on and has no rows holds in the next moment, too.
Exits 1 where one is wrong. Restartable: models that the JSON has are not done again.
"""
import sys
import time
from math import isclose, sqrt

import numpy as np

import physics
from physics.diagnostics.constraint_parameters import ConstraintParameters, constraint_parameters
from physics.diagnostics.constraint_rows import constraint_rows
from physics.enums import DSBL_CONSTRAINT, DSBL_LIMIT
from physics.model.elements import element
from physics.model.islands import islands_of
from tests.long.corpus_models import arguments, judged, started
from tests.oracle.corpus import Entry

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


def wrong_reason(d, part: ConstraintParameters) -> str:
    """Whether what is said of an equality without rows can be: there are none yet of what was switched on since, and nothing was."""
    return part.why if part.form == "equality" and d.eq_active[part.element.id] and not part.rows and "next step" in part.why else ""


def wrong_islands(m, d) -> str:
    """Whether single rows are in the islands that all together make."""
    some = range(0, d.nefc, max(1, d.nefc // MOST))
    together = islands_of(m, d).efc_island
    expected = [int(together[i]) if len(together) else -1 for i in some]
    return "" if [row.island for row in constraint_rows(m, d, some)] == expected else "islands of rows"


def judge(entry: Entry, budget: float) -> dict:
    """One model."""
    found = started(entry)
    if isinstance(found, str):
        return {"skipped": found}
    m, d = found
    rng, begun = np.random.default_rng(0), time.monotonic()
    row = {"constraints": 0, "active": 0, "wrong": []}
    for moment in range(MOMENTS):
        if said := wrong_islands(m, d):
            row["wrong"].append(f"moment {moment}: {said}")
        for kind, count in (("equality", m.neq), ("joint", m.njnt), ("tendon", m.ntendon)):
            for i in range(min(count, MOST)):
                for part in constraint_parameters(m, d, element(m, kind, i)):
                    row["constraints"] += 1
                    row["active"] += part.active
                    if said := wrong_figures(m, d, part) or wrong_limit(m, d, part) or wrong_reason(d, part):
                        row["wrong"].append(f"{part.element} {part.form}: {said}")
        for _step in range(max(1, int(SPAN / MOMENTS / m.opt_timestep))):
            d.ctrl[:] = rng.uniform(-1.0, 1.0, m.nu)
            if time.monotonic() - begun > budget or not physics.step(m, d, autoreset=False):
                break
        physics.forward(m, d)
    row["wrong"] = row["wrong"][:10]
    return row


def told(name: str, row: dict) -> str:
    """A line on a model."""
    return f"{name}: " + (row.get("skipped") or f"{row['active']} of {row['constraints']} act") + "".join(f"\n  WRONG {what}" for what in row.get("wrong", ()))


def main() -> int:
    """Judge the models; print the figures."""
    rows = judged(judge, arguments("constraint_inspector"), told)
    seen = [row for row in rows.values() if "skipped" not in row]
    wrong, constraints, acted = sum(len(row["wrong"]) for row in seen), sum(row["constraints"] for row in seen), sum(row["active"] for row in seen)
    print(f"{len(seen)} models ({len(rows) - len(seen)} skipped): {constraints} constraints looked at, {acted} of them acted, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
