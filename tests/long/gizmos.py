"""Gizmos on every model of the corpus: `./test.sh --long gizmos [--only NAME ...] [--budget SECONDS] [--json FILE]`.

Of every body, geom, site, camera, light and joint the subject must be where the engine has it, or say why it cannot be moved. Some of each kind are then moved and turned by a
random motion, the texts compiled anew, and the engine must have them where the motion took them; the text must be the old one but for attributes of that element.
So it goes with what has no such pose: inertias, meshes and height fields (their size), anchors of connect and weld and the pose that a weld holds, copies of replicates.
Prints a line for each model, the refusals by their words, and exits 1 where anything is wrong.
"""
import sys
import time
from collections import Counter

import numpy as np

import physics
from editor.document import Document
from editor.tools import rigid
from editor.tools.drag import Motion
from editor.tools.edits import edit_of
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.subject import KINDS, Moment, engine_turns, floats, subject_of
from physics.errors import ModelError, ViewOnlyError
from physics.mjcf.reader import attached_models
from tests.long.corpus_models import arguments, judged
from tests.long.gizmo_parts import PARTS, Case
from tests.oracle.corpus import Entry

CLOSE = 2e-6        # relative to the extent of the model, of poses that are only read: the engine takes frames that are nearer than 1e-6 for one
MOVED = 2e-5        # of those that were written with the digits of a drag and compiled anew
TRIED = 3           # of each kind


def judge(entry: Entry, budget: float) -> dict:
    """What was found of one model."""
    row = {"subjects": 0, "moved": 0, "refused": {}, "wrong": []}
    begun = time.perf_counter()
    try:
        document = Document.open(entry.path)
        for _ in range(2):      # included files, then models that are attached
            attached_models(document.version().read)
            document.adopt(document.version().read.all_sources)
        m, d = compiled(document)
    except (ModelError, ViewOnlyError, ValueError, OSError) as why:
        return {**row, "why": f"{type(why).__name__}: {str(why).splitlines()[0]}"[:120]}
    refused, random, extent = Counter(), np.random.default_rng(1), max(1.0, float(m.stat_extent))
    trees, moment = ElementTrees(document), Moment(m, d)
    for kind in KINDS:
        found = []
        for number in range(kind == "body", len(m.names[kind])):
            try:
                subject = subject_of(trees, m, kind, number)
            except Refused as why:
                refused[str(why)] += 1
                continue
            row["subjects"] += 1
            off = away(moment, subject)
            if off > CLOSE * extent:
                row["wrong"].append(f"{kind} {number} {m.names[kind][number]}: {off:.2g} m from where it is")
            else:
                found.append(number)
        for number in random.permutation(found)[:TRIED].tolist():
            if time.perf_counter() - begun < budget:
                row["moved"] += 1
                row["wrong"] += tried(document, m, d, kind, number, random, extent)
    for name, find in PARTS.items():
        judge_parts(name, find, row, refused, document, m, d, random, extent, begun + budget)
    return {**row, "refused": dict(refused)}


def judge_parts(name: str, find, row: dict, refused: Counter, document: Document, m, d, random, extent: float, until: float) -> None:
    """Of one kind of part (tests.long.gizmo_parts): all of them where they are, some moved."""
    cases, count = [], 0
    for case in find(document, m, refused):
        row["subjects"] += 1
        count += 1
        off = case.away(Moment(m, d))
        if off > CLOSE * extent:
            row["wrong"].append(f"{name} {case.label}: {off:.2g} from where it is")
        else:
            cases.append(case)
    row.setdefault("parts", {})[name] = count, 0
    for k in random.permutation(len(cases))[:TRIED].tolist():
        if time.perf_counter() < until:
            row["moved"] += 1
            row["parts"][name] = count, row["parts"][name][1] + 1
            row["wrong"] += tried_part(document, m, d, name, cases[k], random, extent)


def tried_part(document: Document, m, d, name: str, case: Case, random, extent: float) -> list[str]:
    """Move one part, compile, compare, and take it back; what is wrong."""
    motion, wanted = case.wanted(Moment(m, d), random, extent)
    texts, version = document.texts(), document.version()
    edit = edit_of("move", [case.subject], motion, Moment(m, d))
    if not edit.patches:
        return [f"{name} {case.label}: nothing is written"]
    document.apply(edit)
    try:
        off = float(np.abs(case.found(*compiled(document)) - wanted).max())
        wrong = [f"{name} {case.label}: {off:.2g} from where it was moved"] if off > MOVED * case.size(extent) else []
    except ViewOnlyError:
        wrong = []
    except ModelError as why:
        wrong = [f"{name} {case.label}: {str(why).splitlines()[0]}"]
    document.undo()
    if document.texts() != texts:
        return [*wrong, f"{name} {case.label}: the text is another one after undoing"]
    document._version = version
    return wrong


def compiled(document: Document):
    """(the Model of the present texts, its Data at the start)."""
    m = physics.compile_root(document.version().read, stand_ins=True)
    d = physics.Data(m)
    physics.forward(m, d)
    return m, d


def drawn(m, d, kind: str, number: int) -> np.ndarray:
    """(4, 4) where the engine has something; of lights and joints z along their direction, of which nothing else is compared."""
    if kind in ("light", "joint"):
        pos, way = (d.light_xpos, d.light_xdir) if kind == "light" else (d.xanchor, d.xaxis)
        return rigid.pose_of_matrix(pos[number], rigid.smallest_turn((0, 0, 1), way[number]))
    prefix = {"body": "", "geom": "geom_", "site": "site_", "camera": "cam_"}[kind]
    return rigid.pose_of_matrix(getattr(d, f"{prefix}xpos")[number], getattr(d, f"{prefix}xmat")[number])


def difference(m, kind: str, number: int, a: np.ndarray, b: np.ndarray, turns: bool = True) -> float:
    """The largest difference of two poses in what is told of them."""
    columns = [3] if not turns or (kind == "joint" and m.jnt_type[number] == 1) else [2, 3] if kind in ("light", "joint") else [0, 1, 2, 3]
    return float(np.abs(a[:3, columns] - b[:3, columns]).max())


def away(moment: Moment, subject) -> float:
    """How far a subject is from where the engine has it."""
    kind, number = subject.kind, subject.number
    return difference(moment.m, kind, number, moment.base(subject), drawn(moment.m, moment.d, kind, number), not engine_turns(moment.m, subject))


def tried(document: Document, m, d, kind: str, number: int, random, extent: float) -> list[str]:
    """Move one thing, compile, compare, and take it back; what is wrong."""
    name, subject, moment = f"{kind} {number} {m.names[kind][number]}", subject_of(ElementTrees(document), m, kind, number), Moment(m, d)
    before, version = drawn(m, d, kind, number), document.version()
    delta = rigid.shift(0.05 * extent * random.normal(size=3))
    if not engine_turns(m, subject):
        delta = delta @ rigid.about(before[:3, 3], rigid.turn(random.normal(size=3), random.uniform(-1, 1)))
    texts, edit = document.texts(), edit_of("move", [subject], Motion("rigid", delta, exact=True, step=1e-3), moment)
    if not edit.patches:
        return [f"{name}: nothing is written"]
    document.apply(edit)
    try:
        after_m, after_d = compiled(document)
        wanted, after = delta @ before, drawn(after_m, after_d, kind, number)
        ends = kind in ("geom", "site") and subject.attrs.given("fromto")
        symmetric = ends or (kind == "geom" and subject.attrs["type"] in ("sphere", "capsule", "cylinder"))
        off = difference(after_m, "light" if symmetric else kind, number, after, wanted, not engine_turns(m, subject))
        wrong = [f"{name}: {off:.2g} m from where it was moved"] if off > MOVED * extent and not (kind == "geom" and floats(m, int(m.geom_bodyid[number]))) else []
    except ViewOnlyError:       # what is elsewhere may have other consequences: muscles without a length range
        wrong = []
    except ModelError as why:
        wrong = [f"{name}: {str(why).splitlines()[0]}"]
    document.undo()
    if document.texts() == texts:
        document._version = version     # with the ids of the Model's links, also in models that are attached
    return wrong + ([f"{name}: the text is another one after undoing"] if document.texts() != texts else [])


def told(name: str, row: dict) -> str:
    """A line on one model."""
    if "why" in row:
        return f"{name:40s} {row['why']}"
    wrong = "".join(f"\n    {one}" for one in row["wrong"][:5])
    return f"{name:40s} {row['subjects']:6d} subjects, {row['moved']:3d} moved, {sum(row['refused'].values()):5d} refused, {len(row['wrong']):3d} wrong{wrong}"


def main() -> int:
    """Judge the corpus; 1 where something is wrong."""
    rows = judged(judge, arguments("gizmos"), told)
    refused = Counter()
    for row in rows.values():
        refused.update(row["refused"])
    wrong = sum(len(row["wrong"]) for row in rows.values())
    for name in PARTS:
        found, moved = (sum(row.get("parts", {}).get(name, (0, 0))[k] for row in rows.values()) for k in (0, 1))
        print(f"{name:16s} {found:6d} subjects {moved:5d} moved")
    print("\n".join(f"{count:6d} {why}" for why, count in refused.most_common(12)))
    print(f"{len(rows)} models, {sum(row['subjects'] for row in rows.values())} subjects, {sum(row['moved'] for row in rows.values())} moved and compiled, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
