"""The document as it is between two edits: its texts, the tree that they read as, and which element of it is which element of the version before.

    Version.of(texts) --after(edit)--> the next one: elements that the edit did not take away keep their ids, those that it put back have theirs again

Only what an edit's patches say is needed for that: an element is known by where its tag begins, and offsets follow patches.
"""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from editor.edits.patch import Edit, Patch, apply
from physics.errors import Place
from physics.mjcf import reader
from physics.mjcf.reader import ReadResult
from physics.mjcf.xml import TextIndex
from physics.spec.element import Element, written_id

__all__ = ["Ids", "Version", "carried", "outward", "taken_away"]

Ids = Mapping[str, Mapping[int, int]]       # by file: offset where an element begins -> its id


@dataclass(frozen=True, slots=True)
class Version:
    """texts: by key, the main file's under `main`. read: what they read as; its root is None for a text that is no XML. ids: of its elements,
    and of those of versions before whose tags are still there but are not read as elements now: the text is no XML, or they stand in a comment."""

    main: str
    base_dir: str | None
    texts: Mapping[str, str]
    read: ReadResult
    ids: Ids = field(repr=False)
    _by_id: dict[int | None, tuple[Element | None, Element | None]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, texts: Mapping[str, str], main: str, base_dir: str | None = None, ids: Ids | None = None) -> Version:
        """Read texts. base_dir: folder that files which are not among them are looked for in. ids: of elements that are known."""
        included = {key: text for key, text in texts.items() if key != main}
        return cls.of_reading(reader.read_text(texts[main], main, base_dir, included, ids), texts, main, base_dir, ids)

    @classmethod
    def of_reading(cls, read: ReadResult, texts: Mapping[str, str], main: str, base_dir: str | None = None, ids: Ids | None = None) -> Version:
        """Of texts that somebody has read, with these ids."""
        found = {file: dict(known) for file, known in (ids or {}).items()}
        for reading in (*read.attached.values(), read):
            _note(reading, found)
        return cls(main, base_dir, MappingProxyType(dict(texts)), read, found)

    @property
    def root(self) -> Element | None:
        """The tree, None where a text is no XML."""
        return self.read.root

    def after(self, edit: Edit, back: Ids | None = None) -> Version:
        """The version after an edit. back: ids of elements that it puts back, by where they begin after it. Raises ValueError for an edit that does not fit."""
        return Version.of({**self.texts, **apply(self.texts, edit)}, self.main, self.base_dir, self.carried(edit, back))

    def carried(self, edit: Edit, back: Ids | None = None) -> Ids:
        """The ids of elements that an edit leaves, by where they begin after it, and those it puts back."""
        return carried(self.ids, edit, back)

    def taken_away(self, edit: Edit) -> Ids:
        """The ids of elements that an edit takes away, by where they begin before it: what its inverse puts back."""
        return taken_away(self.ids, edit)

    def element(self, number: int) -> Element | None:
        """The element with an id, which may stand in a model that is attached."""
        return self._find(number)[0]

    def parent(self, number: int) -> Element | None:
        """The element that the one with an id stands in; None for a root, and one that there is not."""
        return self._find(number)[1]

    def ids_at(self, place: Place) -> tuple[int, ...]:
        """Ids of the elements that begin at a place, what comes later in the tree last; of a text that is no XML of those that were known to begin there."""
        text = self.texts.get(place.file)
        if text is None or not 0 < place.line:
            return ()
        index = TextIndex(text)
        if place.line > index.lines:
            return ()
        start = index.offset(place.line, place.column)
        known = self.ids.get(place.file, {}).get(start)
        if known is None or known in self._known_main() or self.root is None:
            return (known,) if known is not None else ()
        made = tuple(number for number in self._known_main() if number is not None and number < 0 and written_id(number) == known)
        return made or (known,)

    def root_of(self, number: int) -> Element | None:
        """The root of the tree that an element stands in: that of a model that is attached has settings and default classes of its own."""
        return next(reversed(list(outward(self, number))), None)

    def trees(self) -> tuple[Element, ...]:
        """The roots of all trees: the model's own, then those of the models that it attaches from."""
        if self.root is None:
            return ()
        known = len(self.read.attached)
        self.read.ids = self.ids
        others = reader.attached_models(self.read)
        if len(others) > known or any(path not in self.ids for path in others):     # nobody has read them before, or a compile has: they keep the ids that they got just now
            for reading in others.values():
                _note(reading, self.ids)
        return self.root, *(reading.root for reading in others.values() if reading.root is not None)

    def _known_main(self) -> dict:
        """What is known by id, at least all of the main tree."""
        if not self._by_id and self.root is not None:
            _enter(self.root, self._by_id)
        return self._by_id

    def _find(self, number: int) -> tuple[Element | None, Element | None]:
        """An element and what it stands in."""
        known = self._known_main()
        if number not in known and None not in known and self.root is not None:
            known[None] = None, None    # looked for in attached models once
            for root in self.trees()[1:]:
                _enter(root, known)
        return known.get(number, (None, None))


def _note(read: ReadResult, ids: dict[str, dict[int, int]]) -> None:
    """Enter the ids of a reading's elements by where they begin."""
    for element in read.root.walk() if read.root is not None else ():
        if element.origin.file:
            ids.setdefault(element.origin.file, {})[element.origin.start] = written_id(element.id)


def _enter(root: Element, known: dict) -> None:
    """Enter a tree's elements by id, each with what it stands in; what is known already stays."""
    known.setdefault(root.id, (root, None))
    for element in root.walk():
        for child in element.children:
            known.setdefault(child.id, (child, element))


def outward(version, number: int) -> Iterator[Element]:
    """The element with an id, then what it stands in, innermost first. version: a Version or LastGood."""
    node = version.element(number)
    while node is not None:
        yield node
        node = version.parent(node.id)


def carried(ids: Ids, edit: Edit, back: Ids | None = None) -> dict[str, dict[int, int]]:
    """Ids of elements after an edit, by where they begin after it; back: of those that it puts back."""
    changed = set(edit.files)
    out = {file: dict(known) if file not in changed else _moved(known, _of_file(edit, file)) for file, known in ids.items()}
    for file, known in (back or {}).items():
        out.setdefault(file, {}).update(known)
    return out


def taken_away(ids: Ids, edit: Edit) -> dict[str, dict[int, int]]:
    """Ids of elements that an edit takes away, by where they begin before it."""
    out: dict[str, dict[int, int]] = {}
    for file in edit.files:
        known = ids.get(file, {})
        starts = sorted(known)
        for patch in _of_file(edit, file):
            for start in starts[bisect_left(starts, patch.start):bisect_left(starts, patch.end)]:
                out.setdefault(file, {})[start] = known[start]
    return out


def _of_file(edit: Edit, file: str) -> list[Patch]:
    return sorted((patch for patch in edit.patches if patch.file == file), key=lambda patch: (patch.start, patch.end))


def _moved(known: Mapping[int, int], patches: list[Patch]) -> dict[int, int]:
    """Ids of one file by where their elements begin after patches, as editor.edits.patch.shifted has it, of all at once."""
    if len(patches) == 1:       # as it is with every key that is struck
        low, high, growth = patches[0].start, patches[0].end, patches[0].growth
        return {start if start < low else start + growth: number for start, number in known.items() if start < low or start >= high}
    out, moved, k = {}, 0, 0
    for start in sorted(known):
        while k < len(patches) and patches[k].end <= start:
            moved += patches[k].growth
            k += 1
        if k == len(patches) or start < patches[k].start:
            out[start + moved] = known[start]
    return out
