"""One attribute of an element of a text changed, written into the kept Model, and the same text compiled: what the proofs of parameters share."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Edit
from editor.edits.version import Version
from physics.compiler.compile import compile_root
from physics.compiler.live.kept import KeptCompile, default_of, is_default
from physics.compiler.parameters import PARAMETERS, parameter
from physics.errors import ModelError
from physics.files.text_codec import decode
from physics.mjcf import reader
from physics.model.changes.field_changes import differences, disagreeing
from physics.schema import schema
from physics.schema.numbers import parse
from physics.schema.schema import AttributeSpec
from physics.spec.element import Element

NEW = {"rgba": "0.2 0.4 0.6 0.8", "pos": "0.01 0.02 0.03", "euler": "3 4 5"}     # what an attribute says that is given for the first time


class Case(NamedTuple):
    """One attribute of one element of the read tree. path: in the language's table; text: what it is to say."""

    element: Element
    path: str
    name: str
    text: str


@dataclass
class Found:
    """Counts by 'path@attribute': changes written by reading again ('P1'), by running the passes again ('P3'), left to a compile ('compile'), refused by the compiler too
    ('refused'); wrong: a line for each in which they differ."""

    counts: Counter = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def version_of(path: Path) -> Version:
    """A model's texts as a document has them."""
    read = reader.read(path)
    texts = {key: decode(Path(key).read_bytes())[0] for key in read.sources}
    return Version.of(texts, read.main, str(path.parent))


def kept_of(version: Version, compat: str = "4.0") -> KeptCompile:
    """What is kept of compiling it."""
    found = []
    read = Version.of(version.texts, version.main, version.base_dir, version.ids).read
    compile_root(read, compat, stand_ins=True, keep=lambda build, model: found.append(KeptCompile(read, build, model)))
    return found[0]


def cases(kept: KeptCompile, version: Version, each: int, seed: int = 0) -> Iterator[Case]:
    """Up to `each` elements for every attribute of the table: those that give it, and one that does not."""
    rng = random.Random(seed)
    giving: dict[tuple[str, str], list[Element]] = {}
    silent: dict[str, list[Element]] = {}
    for element in version.root.walk():
        copies = kept.copies(element)
        if not copies:
            continue
        path = kept.resolver.spec(copies[0]).path
        silent.setdefault(path, []).append(element)
        for name in element.attrs:
            if is_parameter(path, name):
                giving.setdefault((path, name), []).append(element)
    for path, elements in silent.items():
        for name in PARAMETERS.get(path, {}):
            giving.setdefault((path, name), [])
    for (path, name), elements in giving.items():
        rest = [element for element in silent[path] if name not in element.attrs]
        for element in (*rng.sample(elements, min(each, len(elements))), *rng.sample(rest, min(1, len(rest)))):
            spec = schema.lookup(path).attributes.get(name)
            text = changed_text(spec, element.attrs.get(name), rng) if spec is not None else None
            if text is not None and text != element.attrs.get(name):
                yield Case(element, path, name, text)


def is_parameter(path: str, name: str) -> bool:
    """Whether the table has the attribute, that of a class where it has it for what the class is for."""
    if not is_default(path):
        return parameter(path, name) is not None
    tag = default_of(path)
    return any(name in rows for home, rows in PARAMETERS.items() if home.rpartition("/")[2] == tag or home == f"equality/{tag}")


def changed_text(spec: AttributeSpec, text: str | None, rng: random.Random) -> str | None:
    """Another text of the attribute; None where there is none to be made up."""
    if spec.values:
        return rng.choice([word for word in spec.values if word != text])
    if spec.type == "bool":
        return "false" if text == "true" else "true"
    if spec.type not in ("real", "int"):
        return None
    if text is None:
        text = NEW.get(spec.name) or spec.default
        if text is None:
            count = 1 if spec.scalar else max(spec.counts) if isinstance(spec.counts, range) else spec.counts[-1] if spec.counts else 1
            text = " ".join(["0"] * count)
    value = parse(spec, text)[0]
    if value is None:
        return None
    numbers = [value] if spec.scalar else value.tolist()
    if spec.type == "int":
        return " ".join(str({1: 3, 3: 4, 4: 6}.get(int(x), 3) if spec.name == "condim" else int(x) + 1) for x in numbers)
    return " ".join(f"{x * (1 + 0.1 * rng.random()) + (0.001 * rng.random() if not 0 < x < 0.01 else 0):.6g}" for x in numbers)


def judge(kept: KeptCompile, version: Version, case: Case, found: Found, compat: str = "4.0") -> None:
    """Make one change both ways."""
    name = f"{case.path}@{case.name}"
    text = version.texts[case.element.origin.file]
    after = version.after(Edit("change", attribute_patches(text, case.element, {case.name: case.text})))
    changed = kept.changed(after.read) if not after.read.errors else None
    rows = kept.rows(changed) if changed is not None else None
    try:
        fresh = compile_root(after.read, compat, stand_ins=True)
    except ModelError:
        fresh = None
    if rows is None:
        found.counts[name, "refused" if fresh is None else "compile"] += 1
        return
    found.counts[name, rows.level] += 1
    wanted = differences(kept.image, fresh) if fresh is not None else None
    wrong = ("the compiler refuses it",) if fresh is None else ("sizes",) if wanted is None else disagreeing(rows.changes, wanted)
    if wrong or fresh is not None and fresh.names != kept.names:
        found.wrong.append(f"{name} {case.element.name or case.element.place}: '{case.element.attrs.get(case.name)}' -> '{case.text}' ({rows.level}): {', '.join(wrong) or 'names'}")


def judged(path: Path, each: int, seed: int = 0, most: int | None = None) -> Found:
    """All cases of a model, or so many of them."""
    version, found = version_of(path), Found()
    kept = kept_of(version)
    some = list(cases(kept, version, each, seed))
    if most is not None and len(some) > most:
        some = random.Random(seed).sample(some, most)
    for case in some:
        judge(kept, version, case, found)
    kept.close()
    return found
