"""One step of every corpus model, stage by stage: `./test.sh --long pipeline_walk [--only NAME ...] [--budget S] [--seconds S] [--json FILE]`.

In the start pose, in the state with the most constraint rows of half a second under the manifest's control, and as that is shown while paused: walking all stages is `forward`, and
with the integrator `step`, to the bit; whatever number of Data differs after a stage is of a field that the stage is said to write; the formulas of each stage, for elements, dofs and
rows of every kind, hold what the fields hold; texts, names of rows, matrices and drawings of each stage are made.
Exits 1 where one is not so. Restartable: models that the JSON has are not done again; --seconds ends it after so long.
"""
from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import physics
from app.bridge.markers.store import Markers
from app.panels.pipeline.drawing import draw
from app.panels.pipeline.matrix_view import MATRICES, picture
from app.panels.pipeline.rows import namer, rows_of
from app.panels.pipeline.stage_text import text_of
from physics.engine.stage_clock import EFC_ROWS, INTEGRATE, KINEMATICS
from physics.engine.step_order import STAGES
from physics.fields.layout import LAYOUTS
from physics.model.elements import contact_element, element
from physics.pipeline import walk as module
from physics.pipeline.formulas import FORMULAS
from physics.pipeline.numbers import NUMBERS, about
from physics.pipeline.stage_fields import ALL, EVERYTHING, LOWERED, SCRATCH, STAGE_FIELDS
from physics.pipeline.target import target_of
from physics.simulate.engines import engine_of
from physics.simulate.step import grow
from tests.long.corpus_models import started
from tests.oracle.corpus import CONTROL, OURS, Entry, ManifestControl, corpus_dir, has_corpus, read_manifest

SPAN = 0.5          # s under control
EXACT = 1e-9        # of the number, or 1: what a formula may differ by from its field
BODIES, DOFS, ROWS, KINDS = 6, 8, 12, 3     # that formulas are filled in for: of each kind of element, dofs, rows, rows of each type
SEEN = tuple(name for name, row in LAYOUTS["d"].rows.items() if not row.private or name in SCRATCH)


def entries() -> list[Entry]:
    """Models of the corpus, ours where it is absent."""
    return read_manifest(corpus_dir()) if has_corpus() else [Entry(path.stem, path, "", "", CONTROL, {}, 0) for path in OURS]


def states(m, d, control, budget: float) -> Iterator[tuple[str, physics.Data]]:
    """The start, where it has the most rows, and the last one as it is shown."""
    yield "start", d.copy()
    begun, most, busiest = time.monotonic(), 0, None
    while d.time < SPAN and time.monotonic() - begun < budget:
        if m.nu:
            d.ctrl[:] = control(d.time)
        if not physics.step(m, d, autoreset=False):
            break
        if d.nefc > most:
            most, busiest = d.nefc, d.copy()
    if busiest is not None:
        yield "most rows", busiest
    physics.forward(m, d)
    yield "shown", d


def unequal(walk, number: int, d, names) -> list[str]:
    """Fields that are not as a Data has them, to the bit."""
    after = walk.after(number)
    return [name for name in names if np.asarray(getattr(after, name)).tobytes() != module._value(d, name).tobytes()]


def differ(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether numbers differ that were there before and are there after; of rows that have come nobody has said anything yet."""
    if after.ndim:
        n = min(len(before), len(after))
        before, after = before[:n], after[:n]
    return before.tobytes() != after.tobytes()


def undeclared(m, d) -> list[str]:
    """'stage: field' of numbers that differ after a stage which is not said to write them. With storage that grows the step begins anew."""
    own, found, before = d.copy(), [], {}

    def look(_m, now, number: int) -> None:
        values = {name: module._value(now, name) for name in SEEN}
        if before and 0 <= number < len(STAGES):
            # a sleeper's state computed, or the further evaluations of an integrator: all of it
            all_of_it = INTEGRATE in seen or number == INTEGRATE or number == KINEMATICS and d.sleep_due
            allowed = EVERYTHING if all_of_it else STAGE_FIELDS[number].writes + LOWERED
            found.extend(f"{STAGES[number].name}: {name}" for name in SEEN if name not in allowed and differ(before[name], values[name]))
            seen.add(number)
        before.clear()
        before.update(values)

    seen: set[int] = set()
    own.set_callback("cb_stage", look)
    while not engine_of(m).step(m, own, 1) and not own.cb_error and grow(own):
        found.clear()
        before.clear()
        seen.clear()
    if own.cb_error:
        own.raise_callback_error()
    return found


def targets(m, v, rows: bool) -> set:
    """What formulas are filled in for: nothing selected, elements of each kind, dofs, rows of each type, contacts."""
    kinds = (("body", m.nbody), ("joint", m.njnt), ("geom", m.ngeom), ("site", m.nsite), ("tendon", m.ntendon), ("actuator", m.nactuator), ("sensor", m.nsensor))
    chosen = [None] + [element(m, kind, k) for kind, count in kinds for k in spread(count, BODIES)]
    chosen += [contact_element(m, v, k) for k in spread(v.ncon, KINDS)]
    found = {target_of(m, v, what, rows=rows) for what in chosen} | {target_of(m, v, dof=dof, rows=rows) for dof in spread(m.nv, DOFS)}
    if rows and v.nefc:
        numbers = set(spread(v.nefc, ROWS))
        for kind in np.unique(v.efc_type):
            same = np.flatnonzero(v.efc_type == kind)
            numbers |= set(same[spread(len(same), KINDS)].tolist())
        found |= {target_of(m, v, row=row) for row in numbers}
    return found


def spread(count: int, most: int) -> list[int]:
    """Up to so many numbers below `count`, evenly."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(int)).tolist() if count else []


def wrong_lines(m, walk, number: int, lines) -> Iterator[str]:
    """Formulas that do not give what the field holds."""
    for line in lines:
        if line.computed is None:
            continue
        computed, stored = np.asarray(line.computed, float), np.asarray(line.stored, float)
        size = max(1.0, np.abs(stored).max(initial=0.0))
        if line.field == "qacc":        # how near the solver comes is its own affair: tests/long/torque_balance.py
            continue
        if line.field == "qfrc_constraint":     # forces of rows may cancel each other
            size = max(size, np.abs(walk.after(number).efc_force).max(initial=0.0))
        if computed.shape != stored.shape or not np.abs(computed - stored).max(initial=0.0) <= EXACT * size:
            yield f"{STAGES[number].name}, {line.field}[{line.index}]: {line.text} is {stored}"


def show(m, walk, number: int, row: dict) -> list[str]:
    """Make all that is shown of a stage; what of the formulas is wrong."""
    wrong, stage, v, b = [], walk[number], walk.after(number), walk.after(number - 1)
    rows = number >= EFC_ROWS
    drawn: dict[tuple, int] = {}
    for target in targets(m, v, rows):
        lines = NUMBERS[number](m, v, b, target)
        row["formulas"] += len(lines)
        row["compared"] += sum(line.computed is not None for line in lines)
        wrong += wrong_lines(m, walk, number, lines)
        text_of(number, tuple(lines), about(m, walk, number, target))
        if len(drawn) < ROWS:
            with Markers().frame() as frame:
                draw(frame, m, walk, number, target)
            row["drawings"] += 1
        for name in (*stage.writes, *stage.reads) if len(drawn) < KINDS else ():
            value = (stage.writes | stage.reads)[name]
            if value.ndim and len(value):
                [namer(m, v, name)(k) for k in (0, len(value) - 1, *rows_of(m, v, name, target).tolist()[:KINDS])]
        drawn[target] = 1
    for kind, made in MATRICES:
        if FORMULAS[number].matrix == kind:
            picture(made(m, v))
    return wrong


def look(m, d, row: dict) -> list[str]:
    """All that is wrong with the walk from one state."""
    walk = physics.walk(m, d)
    forward, step = d.copy(), d.copy()
    physics.forward(m, forward)
    until_integrate = {name for fields in STAGE_FIELDS[:-1] for name in fields.writes}
    wrong = []
    if walk.done != bool(physics.step(m, step, autoreset=False)):
        wrong.append("the walk is done and the step is not, or the other way round")
    if walk.done:
        wrong += [f"not as forward leaves it: {name}" for name in unequal(walk, len(STAGES) - 2, forward, until_integrate) + unequal(walk, len(STAGES) - 2, d, set(ALL) - until_integrate)]
        wrong += [f"not as step leaves it: {name}" for name in unequal(walk, len(STAGES) - 1, step, EVERYTHING)]
    wrong += [f"written but not declared: {what}" for what in undeclared(m, d)]
    for number, stage in enumerate(walk):
        if stage.ran:
            row["stages"] += 1
            wrong += show(m, walk, number, row)
    return wrong


def judge(entry: Entry, budget: float) -> dict:
    """One model."""
    found = started(entry)
    if isinstance(found, str):
        return {"skipped": found}
    m, d = found
    row = {"nv": int(m.nv), "states": [], "stages": 0, "formulas": 0, "compared": 0, "drawings": 0, "nefc": 0, "wrong": []}
    for which, state in states(m, d, ManifestControl(m, entry.control, entry.starts_at_key), budget):
        row["states"].append(which)
        row["nefc"] = max(row["nefc"], int(state.nefc))
        try:
            row["wrong"] += [f"{which}: {what}" for what in look(m, state, row)]
        except Exception as why:    # counted, and the other states are looked at
            place = why.__traceback__
            while place.tb_next is not None:
                place = place.tb_next
            row["wrong"].append(f"{which}: {type(why).__name__}: {why} ({place.tb_frame.f_code.co_filename}:{place.tb_lineno})")
    row["count"], row["wrong"] = len(row["wrong"]), list(dict.fromkeys(row["wrong"]))[:12]
    return row


def main() -> int:
    """Judge the models; print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--budget", type=float, default=5.0, help="s that a model may run for")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which no more models are begun")
    parser.add_argument("--json", type=Path, default=Path("pipeline_walk.json"))
    given = parser.parse_args()
    physics.ensure_kernels()
    rows, end = json.loads(given.json.read_text()) if given.json.exists() else {}, time.monotonic() + given.seconds
    left = [entry for entry in entries() if (not given.only or entry.name in given.only) and entry.name not in rows]
    # a process for a few models each, as some are large
    with get_context("spawn").Pool(1, physics.ensure_kernels, maxtasksperchild=12) as pool:
        while left and time.monotonic() < end:
            entry, begun = left.pop(0), time.monotonic()
            row = rows[entry.name] = pool.apply(partial(judge, entry, given.budget))
            given.json.write_text(json.dumps(rows, indent=1))
            said = row.get("skipped") or f"{row['stages']} stages, {row['compared']} of {row['formulas']} formulas compared, {row['drawings']} drawings, up to {row['nefc']} rows"
            print(f"{entry.name}: {said} ({time.monotonic() - begun:.1f} s)" + "".join(f"\n  WRONG {what}" for what in row.get("wrong", ())), flush=True)
    judged = [row for row in rows.values() if "skipped" not in row]
    total = {name: sum(row[name] for row in judged) for name in ("stages", "formulas", "compared", "drawings", "count")}
    print(f"{len(judged)} models ({len(rows) - len(judged)} skipped, {len(left)} not begun), {sum(len(row['states']) for row in judged)} states, {total['stages']} stages: "
          f"{total['compared']} of {total['formulas']} formulas compared with their fields, {total['drawings']} drawings, {total['count']} wrong")
    return int(total["count"] > 0)


if __name__ == "__main__":
    sys.exit(main())
