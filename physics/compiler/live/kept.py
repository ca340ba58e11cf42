"""What is kept of a compile, so that changed attributes become rows of fields without another one.

    compile_root(read, keep=KeptCompile...)          the tree, the items, what all fields were
    kept.changed(what the texts of now read as)      which elements say something else, and what; None where more than attributes has changed
    kept.rows(...)                                   what the Model of the text of now has that the kept one has not

All ways to the rows use the compiler's own passes: P1 reads the changed elements again (reread.py), P2 and P3 run the passes again without reading texts and
assets (rerun.py), and where the next motion shapes the same geoms once more, no more of them than follows (last_run.py).
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from physics.compiler.build import Build
from physics.compiler.live.basis import Basis
from physics.compiler.live.reread import Affected, reread
from physics.compiler.live.rerun import rerun
from physics.compiler.parameters import P1, parameter
from physics.mjcf.check import ElementChecks
from physics.mjcf.reader import ReadResult, attached_models
from physics.model.changes.field_changes import FieldChange, only_looks, writable
from physics.schema import schema
from physics.spec.element import NO_ATTRS, Element

__all__ = ["Changed", "KeptCompile", "Rows", "too_large"]

FEW_CHANGED = 30        # elements that are shaped anew in some milliseconds
MOST_ITEMS = 30_000     # what is kept of larger models takes much memory, and a collector of garbage long to look through


class Changed(NamedTuple):
    """Attributes of one element of the compiled tree that say something else now: {name: text, None where it is not given any more}."""

    element: Element
    path: str       # in the language's table
    values: Mapping[str, str | None]


class Rows(NamedTuple):
    """changes: what the Model of the text of now has that the kept one has not; level: 'P1' where they were found by reading elements again, else 'P3'."""

    changes: tuple[FieldChange, ...]
    level: str


def too_large(build: Build) -> bool:
    """Whether nothing is to be kept of a compile."""
    return sum(map(len, build.items.values())) > MOST_ITEMS


class KeptCompile(Basis):
    """Of one good compile. image: all numbers of its Model as they were compiled. For one thread at a time; `close` when it is not needed any more."""

    # ------------------------------------------------ what has changed

    def changed(self, read: ReadResult) -> tuple[Changed, ...] | None:
        """How what the texts of now read as differs from what is kept, where only attributes of elements do that the compiler reads as they are written; None otherwise.

        Elements in another order are no such thing, even where they are of one kind: the Model says which of its elements comes from which of the text (Model.links)."""
        stack, found, checks = [(self.read.root, read.root)], [], ElementChecks()
        if self.read.attached and read.root is not None:
            now = attached_models(read)
            stack += [(old.root, now[path].root if path in now and not now[path].errors else None) for path, old in self.read.attached.items()]
        if any(old is None or new is None for old, new in stack):
            return None
        while stack:
            old, new = stack.pop()
            if old is new:
                continue
            before, now = old.children, new.children
            if old.tag != new.tag or len(before) != len(now) or old.id != new.id and new.id in self._ids():
                return None
            if _makes_inertials(old) and any(was.tag == "geom" and was.attrs != is_now.attrs for was, is_now in zip(before, now)):
                return None
            if old.attrs != new.attrs:
                ours = self._changed(old, new, checks)
                if ours is None:
                    return None
                found += ours
            stack.extend(zip(before, now))
        return tuple(found)

    def _ids(self) -> frozenset[int]:
        """Ids of all elements of the text that is kept."""
        if self._known_ids is None:
            roots = (self.read.root, *(one.root for one in self.read.attached.values() if one.root is not None))
            self._known_ids = frozenset(element.id for root in roots for element in root.walk())
        return self._known_ids

    def _changed(self, old: Element, new: Element, checks: ElementChecks) -> list[Changed] | None:
        """The copies of an element in the compiled tree, with what has changed in them; None where they were made otherwise than by copying its attributes."""
        values = {name: new.attrs.get(name) for name in old.attrs.keys() | new.attrs.keys() if old.attrs.get(name) != new.attrs.get(name)}
        copies = self.copies(old)
        if not copies or any(copy.attrs.get(name) != old.attrs.get(name) for copy in copies for name in values):
            return None
        path = self.resolver.spec(copies[0]).path
        told = [issue.what for issue in checks.issues(new, path)]
        if told and told != [issue.what for issue in checks.issues(old, path)]:
            return None     # whoever compiles says it
        return [Changed(copy, path, values) for copy in copies]

    def copies(self, element: Element) -> list[Element]:
        """The elements of the compiled tree that come from one of the text."""
        found = self.copies_at.get((element.origin.file, element.origin.start), [])
        return [made for made in found if made.tag == element.tag]

    # ------------------------------------------------ rows

    def rows(self, changed: Iterable[Changed], quick: bool = False) -> Rows | None:
        """What the Model of the text with these changes has that the kept one has not; None where that takes a compile. quick: only where reading elements again will do, or as little as that."""
        changed = tuple(changed)
        if any(not self._is_parameter(one, name) for one in changed for name in one.values):
            return None
        new = {one.element.id: edited(one) for one in changed}
        affected = self._affected(changed, new)
        if affected is None:
            return None
        found = reread(self, affected, new) if all(map(self._reads_again, affected)) else None
        if found is not None:
            return Rows(found, P1)
        if self.last is not None and (not quick or self.last.few and len(changed) <= FEW_CHANGED):
            found = self.last.changes(new)
            if found is None or not writable(found):
                self.put_last(None)
            else:
                return Rows(found, "P3")
        if quick:
            return None
        found = rerun(self, new)
        return None if found is None else Rows(found, "P3")

    def _reads_again(self, one: Affected) -> bool:
        """Whether reading the element again is all that there is to do."""
        return one.parameter.level == P1 and (not self.simulates or all(map(only_looks, one.parameter.fields)))

    def _is_parameter(self, one: Changed, name: str) -> bool:
        """Whether the table knows the attribute; that of a default class counts by those that it holds for (`_affected`)."""
        return is_default(one.path) or parameter(one.path, name) is not None

    def _affected(self, changed: tuple[Changed, ...], new: Mapping[int, Element]) -> list[Affected] | None:
        """Every attribute of every element for which a change holds, that of a class too; None where one is structure."""
        found: list[Affected] = []
        for one in changed:
            elements = self.users(one.element) if is_default(one.path) else [one.element]
            if is_default(one.path) and not default_of(one.path):
                return None
            for element in elements:
                path = self.resolver.spec(element).path
                for name in one.values:
                    row = parameter(path, name)
                    if row is None and (not is_default(one.path) or name in schema.lookup(path).attributes or path.startswith("actuator/")):
                        return None
                    if row is not None:
                        found.append(Affected(element, new.get(element.id, element), name, row))
        return found

    def users(self, default: Element) -> list[Element]:
        """The elements of items that a default element holds for."""
        found = []
        for elements in self.alike.values():
            attrs = self.resolver.attrs(elements[0])
            if any(layer.id == default.id for layer in (*attrs.layers[:-1], *attrs.own_layers[:-1])):
                found += elements
        return found


def edited(one: Changed) -> Element:
    """The element as it is now."""
    attrs = {**one.element.attrs, **{name: text for name, text in one.values.items() if text is not None}}
    attrs = {name: text for name, text in attrs.items() if one.values.get(name, text) is not None}
    return one.element.with_changes(attrs=attrs or NO_ATTRS)


def _makes_inertials(element: Element) -> bool:
    """Whether it is a cloth whose bodies have the inertia of thin plates, worked out from its geom when they are made."""
    return element.tag == "composite" and "flatinertia" in element.attrs


def is_default(path: str) -> bool:
    """Whether an element of this path is one of a default class."""
    return path == "default" or path.startswith("default/")


def default_of(path: str) -> str:
    """The tag that a default element holds for; '' for the class itself."""
    return path.removeprefix("default").removeprefix("/")

