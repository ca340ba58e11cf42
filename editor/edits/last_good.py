"""The last tree that the texts read as, with its elements where they stand in the present texts, one of which is no XML now.

    good version + what has changed since + ids --LastGood--> elements as in the good version, at their present places

An element is whole while its opening tag can be read where it stands: its attributes are those of that tag, and patches of them fit (attribute_patches). It is complete while its end
is known, too: it can be taken out or moved. Others are lost until the text is XML again: they keep what was read last, and stand nowhere.
"""
from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from xml.parsers import expat

from editor.edits.patch import Edit, Patch
from editor.edits.tag_places import tag_places
from editor.edits.version import Ids, Version
from physics.mjcf.xml import TextIndex
from physics.spec.element import Element, Origin, Spans, written_id

__all__ = ["LastGood", "read_tag"]

_NOWHERE = Spans(sys.maxsize, MappingProxyType({}))


class LastGood:
    """root: the tree, None before there was any. texts: the present ones. good: the version that it was read from. current: whether it is what the present texts read as."""

    def __init__(self, good: Version | None, texts: Mapping[str, str], since: Edit = Edit("", ()), ids: Ids = MappingProxyType({})):
        """since: what has changed the texts of the good version into the present ones. ids: of elements, by where they begin in these."""
        self.good, self.texts = good, texts
        self._incomplete: set[int] = set()
        self._lost: set[int] = set()
        self._by_id: dict[int, tuple[Element, Element | None]] = {}
        self._files: dict[str, _FileChange] = {}
        self.root = good.root if good is not None else None
        self.current = good is not None and not since.patches
        self._others: tuple[Element, ...] = ()      # roots of models that are attached, in whose files something has changed
        if self.root is not None and since.patches:
            self._files = {file: _FileChange(texts.get(file, ""), [patch for patch in since.patches if patch.file == file], ids.get(file, {})) for file in since.files}
            self.root = self._carried(self.root)
            if any(file not in good.read.sources for file in since.files):
                self._others = tuple(map(self._carried, good.trees()[1:]))

    @property
    def files(self) -> tuple[str, ...]:
        """The files in which elements are lost, by key."""
        return tuple(dict.fromkeys(found.origin.file for number in sorted(self._lost) if (found := self.element(number)) is not None))

    def element(self, number: int) -> Element | None:
        """The element with an id, which may stand in a model that is attached."""
        return self._find(number)[0]

    def parent(self, number: int) -> Element | None:
        """The element that the one with an id stands in."""
        return self._find(number)[1]

    def root_of(self, number: int) -> Element | None:
        """The root of the tree that an element stands in."""
        element, parent = self._find(number)
        while parent is not None:
            element, parent = parent, self._find(parent.id)[1]
        return element

    def walk(self) -> Iterator[Element]:
        """All elements, those of models that are attached behind the model's own."""
        for root in (self.root, *(self._others or (self.good.trees()[1:] if self.root is not None else ()))):
            if root is not None:
                yield from root.walk()

    def whole(self, number: int) -> bool:
        """Whether the opening tag of the element with an id stands in the texts, so that its attributes can be changed."""
        return number not in self._lost and self._find(number)[0] is not None

    def complete(self, number: int) -> bool:
        """Whether all of the element with an id stands in the texts, as far as one can tell, so that it can be taken out, moved, or given children."""
        return self.whole(number) and number not in self._incomplete

    def _find(self, number: int) -> tuple[Element | None, Element | None]:
        found = self._known().get(number)
        if found is None and self.good is not None:
            found = self.good.element(number), self.good.parent(number)
            if found[0] is None or found[0].origin.file in self._files:
                return None, None
        return found or (None, None)

    def _known(self) -> Mapping[int, tuple[Element, Element | None]]:
        for root in (self.root, *self._others) if not self._by_id and self.root is not None else ():
            self._by_id.setdefault(root.id, (root, None))
            for element in root.walk():
                for child in element.children:
                    self._by_id.setdefault(child.id, (child, element))
        return self._by_id

    def _carried(self, element: Element) -> Element:
        """An element with all that is in it at its present place."""
        change = self._files.get(element.origin.file)
        children = tuple(map(self._carried, element.children))
        if change is None:
            same = all(now is before for now, before in zip(children, element.children, strict=True))
            return element if same else element.with_changes(children=children)
        origin, touched = element.origin, change.touched(element.origin.start, element.origin.end)
        if not touched:
            start, attrs = change.moved(origin.start), element.attrs
            if start == origin.start and all(now is before for now, before in zip(children, element.children, strict=True)):
                return element
            end = start + origin.end - origin.start
        else:
            start, attrs = change.starts.get(written_id(element.id), -1), element.attrs
            if start >= 0 and (change.touched(origin.start, origin.open_end) or not change.text.startswith(f"<{element.tag}", start)):
                attrs = read_tag(change.text, start, element.tag)
            if start < 0 or attrs is None:
                self._lost.add(element.id)
                lost = Origin(origin.file, origin.line, origin.column, sys.maxsize, sys.maxsize, _NOWHERE, origin.included_by)
                return element.with_changes(children=children, origin=lost)
            end = change.end(origin.end)
            close = tag_places(change.text, start)
            if end is None or end < close.end or (end > close.end) == close.empty:
                self._incomplete.add(element.id)
                end = close.end
        line, column = change.index.line_column(start)
        return Element(element.id, element.tag, attrs, children, Origin(origin.file, line, column, start, end, change.index, origin.included_by))


class _FileChange:
    """What has become of the places in one file."""

    def __init__(self, text: str, patches: Sequence[Patch], ids: Mapping[int, int]):
        self.text, self.patches = text, sorted(patches, key=lambda patch: (patch.start, patch.end))
        self.starts_at, self.ends_at = [patch.start for patch in self.patches], [patch.end for patch in self.patches]     # both ascend: none overlap
        self.grown = [0, *accumulate(patch.growth for patch in self.patches)]
        self.index = TextIndex(text)
        self.starts = {number: start for start, number in ids.items()}

    def touched(self, start: int, end: int) -> bool:
        """Whether anything has changed within a piece of the text."""
        return bisect_left(self.starts_at, end) > bisect_right(self.ends_at, start)

    def moved(self, offset: int) -> int:
        """Where a character is that is still there."""
        return offset + self.grown[bisect_right(self.ends_at, offset)]

    def end(self, offset: int) -> int | None:
        """Where what ended at a place ends now; None where its last character is gone."""
        before = bisect_left(self.ends_at, offset)
        if any(patch.start < offset for patch in self.patches[before:before + 1] if patch.end > patch.start):
            return None
        return offset + self.grown[before]


def read_tag(text: str, start: int, tag: str) -> Mapping[str, str] | None:
    """Attributes of an opening tag of that name at a place of a text, None where none can be read there."""
    try:
        places = tag_places(text, start)
    except ValueError:
        return None
    words = text[start:places.end]
    found: list[tuple[str, dict[str, str]]] = []
    parser = expat.ParserCreate(encoding="utf-8")
    parser.StartElementHandler = lambda name, attrs: found.append((name, attrs))
    try:
        parser.Parse((words if places.empty else f"{words}</{tag}>").encode("utf-8", "surrogatepass"), True)
    except (expat.ExpatError, ValueError):
        return None
    return MappingProxyType(found[0][1]) if len(found) == 1 and found[0][0] == tag else None
