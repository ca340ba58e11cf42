"""Structural operations on the models of the corpus: each gives a model that compiles, leaves in the world what it should, and is taken back byte for byte.

    ./test.sh --long structure [--only NAME ...] [--json FILE]

Every model is read as it is and with other line ends; of each kind of operation a few are tried at random places. Prints how many were done, refused and wrong; exits 1 on
a wrong one. A run that was broken off goes on where it ended.
"""
from __future__ import annotations

import json
import sys
import time
from collections import Counter

import numpy as np

from editor.structure.copying import copied_text, duplicate, paste
from editor.structure.delete import delete
from editor.structure.draft import Refusal
from editor.structure.extract import extract_class
from editor.structure.includes import groups, include_tag
from editor.structure.inlining.replicates import inline_include, unroll
from editor.structure.mirror import mirror
from editor.structure.reparent import reparent
from editor.structure.wrap import unwrap, wrap
from physics.errors import ModelError
from tests.editor.structure.versions import after, compiled, opened, same_world
from tests.long.corpus_models import arguments, judged
from tests.oracle.corpus import Entry

LARGE = 4000        # elements: larger models take long, and have nothing that smaller ones have not
TRIES = 2           # of each kind
VERDICTS = ("done", "refused", "wrong")


def bodies(version, free: bool = True):
    """Bodies of the text, those with a free joint only where asked."""
    found = [e for e in version.root.walk() if e.tag == "body"]
    return found if free else [e for e in found if not any(c.tag == "freejoint" or c.attrs.get("type") == "free" for c in e.walk())]


def any_of(rng, some):
    """One of some. Raises Refusal for none."""
    if not some:
        raise Refusal("there is none")
    return some[rng.integers(len(some))]


def moved(version, rng, before):
    repeated = {inner.id for e in version.root.walk() if e.tag == "replicate" for inner in e.walk()}       # there may be more or fewer of them then
    body = any_of(rng, [e for e in bodies(version, False) if e.id not in repeated])
    goal = any_of(rng, [*[e for e in bodies(version) if e.id not in repeated], *version.root.all("worldbody")])
    now = compiled(after(version, reparent(version, [body.id], goal.id, classes=("name", "write")[rng.integers(2)])))
    same_world(before, now)
    assert np.isclose(before.body_mass.sum(), now.body_mass.sum(), rtol=1e-12)
    keys(before, now)


def keys(before, now):
    """Keyframes say the same of joints by name."""
    for k in range(before.nkey):
        old, new = ({name: m.key_qpos[k][m.jnt_qposadr[j]] for j, name in enumerate(m.names["joint"]) if name} for m in (before, now))
        assert all(new[name] == value for name, value in old.items() if name in new)


def deleted(version, rng, before):
    now = compiled(after(version, delete(version, [any_of(rng, bodies(version)).id], "delete")))
    assert now.nkey == before.nkey
    keys(before, now)


def doubled(version, rng, before):
    now = compiled(after(version, duplicate(version, [any_of(rng, bodies(version)).id])))
    same_world(before, now, without={key for key in [("light", name) for name in before.names["light"]]})
    assert all(len(q) == now.nq for q in now.key_qpos)


def pasted(version, rng, before):
    text = copied_text(version, [any_of(rng, bodies(version)).id])
    compiled(after(version, paste(version, text, version.root.first("worldbody").id)))


def mirrored(version, rng, before):
    now = compiled(after(version, mirror(version, [any_of(rng, bodies(version, False)).id], "xyz"[rng.integers(3)])))
    assert now.nbody > before.nbody and all(len(q) == now.nq for q in now.key_qpos)


def wrapped(version, rng, before):
    geom = any_of(rng, [e for e in version.root.first("worldbody").walk() if e.tag in ("geom", "site", "camera")])
    there = after(version, wrap(version, [geom.id], "frame", {"name": "made here"}))
    same_world(before, compiled(there))
    back = after(there, unwrap(there, next(e for e in there.root.walk() if e.name == "made here").id))
    assert back.texts == version.texts


def unwrapped(version, rng, before):
    frame = any_of(rng, [e for e in version.root.walk() if e.tag == "frame"])
    same_world(before, compiled(after(version, unwrap(version, frame.id))))


def classed(version, rng, before):
    geoms = [e for e in version.root.first("worldbody").walk() if e.tag == ("geom", "joint")[rng.integers(2)]]
    one = any_of(rng, geoms)
    like = [e for e in geoms if e.attrs.get("class") == one.attrs.get("class") and set(e.attrs) & set(one.attrs) - {"name", "class"}][:3]
    now = compiled(after(version, extract_class(version, [e.id for e in like])))
    for name in ("geom_size", "geom_pos", "geom_quat", "geom_rgba", "geom_friction", "jnt_axis", "jnt_range", "dof_damping", "dof_armature", "body_mass"):
        assert np.array_equal(getattr(before, name), getattr(now, name)), name


def included(version, rng, before):
    tags = [(place, inside) for e in version.root.walk() for place, inside in groups(e) if place is not None and place.file == version.main]
    place, inside = any_of(rng, tags)
    same_world(before, compiled(after(version, inline_include(version, include_tag(version, place, inside[0])))))


def unrolled(version, rng, before):
    element = any_of(rng, [e for e in version.root.walk() if e.tag == "replicate"])
    now = compiled(after(version, unroll(version, element.id)))
    assert [list(names) for names in before.names.values()] == [list(names) for names in now.names.values()]
    same_world(before, now)


KINDS = (moved, deleted, doubled, pasted, mirrored, wrapped, unwrapped, classed, included, unrolled)


def judge(entry: Entry, _budget: float) -> dict:
    """All kinds on one model, as it is and with other line ends."""
    begun, tally, wrong = time.monotonic(), {kind.__name__: Counter() for kind in KINDS}, []
    if entry.path.suffix != ".xml" or entry.oracle != "4.0.0":
        return {"left_out": "no MJCF, or nothing to compare it with"}
    for crlf in (False, True):
        version = opened(entry.path, crlf)
        if version.root is None or version.read.errors or sum(1 for _ in version.root.walk()) > LARGE:
            return {"left_out": "broken, or large"}
        try:
            before = compiled(version)
        except ModelError as why:
            if not crlf:
                return {"left_out": str(why).splitlines()[0]}
            wrong.append(f"does not compile with CRLF: {str(why).splitlines()[0]}")
            break
        rng = np.random.default_rng(len(entry.name) + 1000 * crlf)
        for kind in KINDS:
            for _ in range(TRIES):
                verdict, why = tried(kind, version, rng, before)
                tally[kind.__name__][verdict] += 1
                if why:
                    wrong.append(f"{'CRLF ' if crlf else ''}{kind.__name__}: {why}")
    return {"counts": tally, "wrong": wrong, "seconds": round(time.monotonic() - begun, 1)}


def tried(kind, version, rng, before) -> tuple[str, str]:
    """(done, refused or wrong, what is wrong) of one operation."""
    try:
        kind(version, rng, before)
    except Refusal:
        return "refused", ""
    except Exception as problem:
        text = str(problem)
        # the length of a muscle, which is another one then; a body that had all of its mass from what has gone
        if "does not settle" in text or (kind in (moved, deleted) and "needs mass and inertia" in text):
            return "refused", ""
        return "wrong", f"{type(problem).__name__}: {text.splitlines()[0] if text else ''}"
    return "done", ""


def told(name: str, row: dict) -> str:
    """One model's lines."""
    if "left_out" in row:
        return f"{name}: left out: {row['left_out']}"
    sums = sum(map(Counter, row["counts"].values()), Counter())
    return "\n    ".join([f"{name}: {row['seconds']} s, " + ", ".join(f"{sums[key]} {key}" for key in VERDICTS), *row["wrong"]])


def main(given=None) -> int:
    chosen = arguments("structure", given)
    rows = judged(judge, chosen, told)
    models = {name: row for name, row in rows.items() if "left_out" not in row}
    sums = {kind.__name__: sum((Counter(row["counts"][kind.__name__]) for row in models.values()), Counter()) for kind in KINDS}
    for name, found in sums.items():
        print(f"{name:10} " + ", ".join(f"{found[key]} {key}" for key in VERDICTS))
    wrong = [f"{name}: {line}" for name, row in models.items() for line in row["wrong"]]
    summary = {"models": len(models), **{key: sum(found[key] for found in sums.values()) for key in VERDICTS}, "what": wrong}
    print({**summary, "what": len(wrong)}, *wrong, sep="\n")
    chosen.json.with_suffix(".summary.json").write_text(json.dumps(summary, indent=1))
    return 1 if wrong or not models else 0


if __name__ == "__main__":
    sys.exit(main())
