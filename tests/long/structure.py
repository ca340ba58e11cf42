"""Structural operations on the models of the corpus: each gives a model that compiles, leaves in the world what it should, and is taken back byte for byte.

    ./test.sh --long structure [--only NAME ...]

Every model is read as it is and with other line ends; of each kind of operation a few are tried at random places. Prints how many were done, refused and wrong; exits 1 on
a wrong one.
"""
from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

import numpy as np

from editor.structure.copying import copied_text, duplicate, paste
from editor.structure.delete import delete
from editor.structure.draft import Refusal
from editor.structure.extract import extract_class
from editor.structure.includes import groups, include_tag
from editor.structure.inline import inline_include, unroll
from editor.structure.mirror import mirror
from editor.structure.reparent import reparent
from editor.structure.wrap import unwrap, wrap
from physics.errors import ModelError
from tests.editor.structure.versions import after, compiled, opened, same_world
from tests.oracle.corpus import read_manifest, require_corpus

LARGE = 4000        # elements: larger models take long, and have nothing that smaller ones have not
TRIES = 2           # of each kind


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
    element = any_of(rng, [e for e in version.root.walk() if e.tag == "replicate" and not any(c.tag == "replicate" for c in e.walk() if c is not e)])
    now = compiled(after(version, unroll(version, element.id)))
    assert [list(names) for names in before.names.values()] == [list(names) for names in now.names.values()]
    same_world(before, now)


KINDS = (moved, deleted, doubled, pasted, mirrored, wrapped, unwrapped, classed, included, unrolled)


def judge(entry, tally: dict[str, Counter], told: list[str]) -> None:
    """All kinds on one model, as it is and with other line ends."""
    for crlf in (False, True):
        version = opened(entry.path, crlf)
        if version.root is None or version.read.errors or sum(1 for _ in version.root.walk()) > LARGE:
            return
        try:
            before = compiled(version)
        except ModelError:
            return
        rng = np.random.default_rng(len(entry.name) + 1000 * crlf)
        for kind in KINDS:
            for _ in range(TRIES):
                try:
                    kind(version, rng, before)
                    tally[kind.__name__]["done"] += 1
                except Refusal:
                    tally[kind.__name__]["refused"] += 1
                except Exception as problem:
                    # the length of a muscle, which is another one then; a body that had all of its mass from what has gone
                    if "does not settle" in str(problem) or (kind in (moved, deleted) and "needs mass and inertia" in str(problem)):
                        tally[kind.__name__]["refused"] += 1
                        continue
                    tally[kind.__name__]["wrong"] += 1
                    told.append(f"{entry.name} {'CRLF' if crlf else ''} {kind.__name__}: {type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}")
                    print("   ", told[-1], flush=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--seconds", type=float, default=1e9, help="time after which no further model is begun")
    given = parser.parse_args()
    tally, told, begin = {kind.__name__: Counter() for kind in KINDS}, [], time.monotonic()
    count = 0
    for entry in read_manifest(require_corpus()):
        if (given.only and entry.name not in given.only) or entry.path.suffix != ".xml" or entry.oracle != "4.0.0":
            continue
        if time.monotonic() - begin > given.seconds:
            break
        judge(entry, tally, told)
        count += 1
    print(f"{count} models, {time.monotonic() - begin:.0f} s")
    for name, found in tally.items():
        print(f"{name:10} " + ", ".join(f"{found[key]} {key}" for key in ("done", "refused", "wrong")))
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
