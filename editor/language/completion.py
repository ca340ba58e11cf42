"""What can be written at a place of a text: elements, attributes, words, names, classes, files, closing tags. Works in a text that is no XML.

    complete(text, offset, surroundings) -> Completion(start, end, candidates) | None        matching(candidates, "geo") -> those that fit what was written

Candidates come from the language's table (physics/schema) and from what the texts name (symbols.py).
"""
from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from editor.edits.attribute_patches import escaped
from editor.language.files import Folders, endings_of, folder_of
from editor.language.places import ATTRIBUTE, CLOSING, ELEMENT, TEXT, VALUE, CaretPlace, caret_place
from editor.language.symbols import NAME_LISTS, TYPE_OF_OBJECT, Symbols, child_of, spec_along
from editor.language.tags import CLOSE, OPEN, plain_value, tags
from physics.schema.schema import AttributeSpec, ElementSpec, lookup
from physics.schema.schema_docs import describe
from physics.spec.names import OBJECT_NAMESPACE

__all__ = ["Candidate", "Completion", "Surroundings", "closing_for", "complete", "excluded", "matching"]

SELDOM_INSIDE = frozenset({"plugin", "config", "layer"})      # an element with nothing else inside is closed at once
EULER_ORDERS = ("xyz", "XYZ", "zyx", "ZYX")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around the text: the symbols of all texts, which file it is, the model's main file ('' for a model without a file); folders: what was seen of the disk just now."""

    symbols: Symbols
    file: str
    main: str = ""
    explicit: bool = False      # it was asked for by a key, not by writing
    folders: Folders = field(default_factory=Folders, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Candidate:
    """word: what is shown; kind: of which sort it is; detail: type and default in a few words; about: a line of text; insert: what is written; caret: where the caret is put in that
    (-1: behind it); more: whether there is something to complete there, too."""

    word: str
    kind: str
    detail: str = ""
    about: str = ""
    insert: str = ""
    caret: int = -1
    more: bool = False

    @property
    def text(self) -> str:
        """What is written."""
        return self.insert or self.word


@dataclass(frozen=True, slots=True)
class Completion:
    """start, end: of the characters that a candidate is put in place of; before: those of them before the caret; candidates: all that are possible, in the order in which they are offered."""

    kind: str
    start: int
    end: int
    before: str
    candidates: tuple[Candidate, ...]


def complete(text: str, offset: int, around: Surroundings) -> Completion | None:
    """What can be written at a place; None for nothing."""
    place = caret_place(text, offset)
    root = around.symbols.roots.get(around.file)
    if place.kind in (ELEMENT, CLOSING) or place.kind == TEXT and around.explicit:
        found = list(_elements(place, root, text))
    elif place.kind in (ATTRIBUTE, VALUE):
        spec = child_of(spec_along(root, place.open), place.tag.name) if place.open else spec_along(root, (place.tag.name,))
        if spec is None:
            return None
        found = list(_attributes(place, spec, text) if place.kind == ATTRIBUTE else _values(text, place, spec, around))
    else:
        return None
    return Completion(place.kind, place.start, place.end, place.before, tuple(found)) if found else None


def matching(candidates: Iterable[Candidate], written: str) -> list[Candidate]:
    """The candidates that fit what was written: those that begin with it, then those that hold it, then those with its letters in their order."""
    low = written.lower()
    ranked = [(rank, candidate) for candidate in candidates if (rank := _rank(candidate.word.lower(), low)) >= 0]
    return [candidate for _rank_, candidate in sorted(ranked, key=lambda pair: pair[0])]


def _rank(word: str, written: str) -> int:
    if word.startswith(written):
        return 0
    if written in word:
        return 1
    letters = iter(word)
    return 2 if len(written) > 1 and all(letter in letters for letter in written) else -1


# ---------------------------------------------------------------------- elements

def _elements(place: CaretPlace, root: ElementSpec | None, text: str) -> Iterable[Candidate]:
    """Elements that can stand here, and the tag that closes what is open."""
    lead = "<" if place.kind == TEXT else ""
    if place.open:
        name = place.open[-1]
        closing = Candidate(f"/{name}", "closing tag", "", f"ends <{name}>", f"{lead}/{name}>" if place.kind != CLOSING else f"{name}>")
        if place.kind == CLOSING:
            has_end = text[place.end:place.end + 1] == ">"
            yield Candidate(name, "closing tag", "", f"ends <{name}>", name if has_end else f"{name}>")
            return
    elif place.kind == CLOSING:
        return
    around = spec_along(root, place.open)
    written = place.kind == ELEMENT and (bool(place.attributes) or place.tag.complete)
    names = ("mujoco",) if not place.open else (*around.children, "include") if around is not None else ()
    for name in dict.fromkeys(sorted(names)):
        spec = child_of(around, name) if place.open else lookup("mujoco")
        if spec is not None and not spec.legacy and spec.support not in ("removed", "refused"):
            yield _element(spec, name, lead, written, bool(place.open) and place.open[-1] == "default")
    if place.open and not written:
        yield closing


def _element(spec: ElementSpec, name: str, lead: str, written: bool, in_default: bool) -> Candidate:
    """written: the tag has attributes or an end already, so that its name alone is put in."""
    needed = [one.name for one in spec.attributes.values() if one.required and not one.legacy and not (name == "default" and not in_default)]
    kinds = describe(spec.path) if name != "include" else describe("include")
    about = kinds.partition(": ")[2]
    detail = f"needs {', '.join(needed)}" if needed else ""
    if written:
        return Candidate(name, "element", detail, about)
    given = "".join(f' {one}=""' for one in needed)
    insert = f"{lead}{name}{given}" + ("/>" if SELDOM_INSIDE.issuperset(spec.children) else "")
    caret = len(lead) + len(name) + len(f' {needed[0]}="') if needed else len(lead) + len(name)
    return Candidate(name, "element", detail, about, insert, caret, bool(needed))


# ---------------------------------------------------------------------- attributes

def excluded(spec: ElementSpec, given: Iterable[str]) -> set[str]:
    """Attributes that cannot stand beside those that are given."""
    given, out = set(given), set()
    for kind, units in spec.rules:
        if kind == "exclusive":
            there = [unit for unit in units if given & set(unit)]
            for unit in units if there else ():
                if unit not in there:
                    out |= set(unit) - {name for one in there for name in one}
    return out


def _attributes(place: CaretPlace, spec: ElementSpec, text: str) -> Iterable[Candidate]:
    """Attributes that can be given, those that must be first."""
    out = excluded(spec, place.given) | set(place.given)
    has_value = text[place.end:].lstrip()[:1] == "="
    lead = " " if place.start and text[place.start - 1] in "\"'" else ""
    wanted = [one for one in spec.attributes.values() if one.name not in out and not one.legacy and one.support not in ("removed", "refused")]
    for one in sorted(wanted, key=lambda one: (not one.required, one.name)):
        facts, about = _facts(spec.path, one)
        if has_value:
            yield Candidate(one.name, "attribute", facts, about, f"{lead}{one.name}" if lead else "")
        else:
            insert = f'{lead}{one.name}=""'
            yield Candidate(one.name, "attribute", facts, about, insert, len(insert) - 1, bool(one.values or one.namespace or one.type in ("file", "dir", "eulerseq") or one.name in TYPE_OF_OBJECT))


def _facts(path: str, one: AttributeSpec) -> tuple[str, str]:
    """(type, unit and default; what it means) of an attribute."""
    head, _, about = describe(path, one.name).partition("\n")
    return head.partition(": ")[2], about


# ---------------------------------------------------------------------- values

def _values(text: str, place: CaretPlace, spec: ElementSpec, around: Surroundings) -> Iterable[Candidate]:
    """What the value at the caret can be."""
    one, name = spec.attributes.get(place.attribute.name), place.attribute.name
    if one is None:
        return
    quote = place.attribute.quote
    if one.values:
        there = text[place.attribute.value:place.start].split() + text[place.end:place.attribute.value_end].split() if one.type == "words" else ()
        _head, about = _facts(spec.path, one)
        for word in one.values:
            if word not in there:
                yield Candidate(word, "word", "default" if word == one.default else "", about)
    elif one.type == "ref" or (spec.path, name) in NAME_LISTS or name in TYPE_OF_OBJECT and TYPE_OF_OBJECT[name] in spec.attributes:
        space = one.namespace or NAME_LISTS.get((spec.path, name)) or _object_space(text, place, TYPE_OF_OBJECT[name])
        if space:
            yield from _names(around, space, quote)
    elif one.type == "file":
        yield from _files(place.tag.name, around, quote)
    elif one.type == "dir":
        for folder in around.folders.folders(os.path.dirname(around.main)) if around.main else ():
            yield Candidate(folder, "folder", insert=escaped(folder, quote))
    elif one.type == "eulerseq":
        _head, about = _facts(spec.path, one)
        for order in EULER_ORDERS:
            yield Candidate(order, "word", "turning axes" if order.islower() else "fixed axes", about)
    elif around.explicit and one.default is not None:
        facts, about = _facts(spec.path, one)
        yield Candidate(one.default, "default", facts, about)


def _object_space(text: str, place: CaretPlace, kind: str) -> str:
    """The namespace that objtype or reftype of the same tag says."""
    value = next((plain_value(text[one.value:one.value_end]) for one in place.attributes if one.name == kind and one.quote), "")
    return OBJECT_NAMESPACE.get(value, "")


def _names(around: Surroundings, space: str, quote: str) -> Iterable[Candidate]:
    for name, symbol in sorted(around.symbols.declared(around.file, space).items()):
        yield Candidate(name, "class" if space == "default" else space, f"<{symbol.tag}>", os.path.basename(symbol.file) if symbol.file != around.file else "", escaped(name, quote))
    if space == "body" and "world" not in around.symbols.declared(around.file, space):
        yield Candidate("world", "body", "", "the world body")
    elif space == "default":
        yield Candidate("main", "class", "", "the outermost default class")


def _files(tag: str, around: Surroundings, quote: str) -> Iterable[Candidate]:
    if not around.main:
        return
    folder = folder_of(tag, around.main, around.symbols.settings(around.file))
    for name in around.folders.files(folder, endings_of(tag)):
        if os.path.join(folder, name) not in (around.main, around.file):
            yield Candidate(name, "file", "", folder, escaped(name, quote))


def closing_for(text: str, offset: int) -> str:
    """The closing tag to be written when the '>' before a place has just been written: '' where that ended no opening tag, or what is written there is closed already."""
    if text[offset - 1:offset] != ">":
        return ""
    found = tags(text)
    tag = next((one for one in found if one.end == offset), None)
    if tag is None or tag.kind != OPEN or not tag.complete or not tag.name:
        return ""
    same = [one for one in found if one.name == tag.name and one.complete]
    balance = sum((one.kind == OPEN) - (one.kind == CLOSE) for one in same)
    return f"</{tag.name}>" if balance > 0 else ""

