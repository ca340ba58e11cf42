"""From a thing of the Model to the element that it was written as, and back.

    kind and number  <->  id of an element of the tree that was read, and which copy of it this is

A copy is told by the macros that made it, outermost first: copy 7 of a replicate in a model that is attached is ((attach, 0), (replicate, 7)), with the ids of
those elements. What an attach makes is its only copy, 0; what a composite makes is numbered among what it makes with the same tag.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["NO_LINKS", "Copies", "Links", "Source", "Traces"]

Copies = tuple[tuple[int, int], ...]   # (id of a macro element, number of the copy), outermost first


class Source(NamedTuple):
    """What something comes from: the id of an element of the text, and which copy of it."""

    element: int
    copies: Copies = ()


class Traces:
    """What copies were made of while a tree is expanded. elements: id of a copy -> id of its pattern in the text; copies: id of a copy -> which one it is."""

    __slots__ = ("copies", "elements")

    def __init__(self) -> None:
        self.elements: dict[int, int] = {}
        self.copies: dict[int, Copies] = {}

    def add(self, made: Mapping[int, int], macro: int, number: int, patterns: Traces | None = None) -> None:
        """Copies came into being. made: id of what was copied -> id of the copy; macro: id of the element that made them; number: which of its copies they are;
        patterns: what is known of what was copied, where that is of another model."""
        here: Copies = ((macro, number),)
        patterns = self if patterns is None else patterns
        if patterns.elements.keys().isdisjoint(made):
            self.elements.update(zip(made.values(), made))
            self.copies.update(dict.fromkeys(made.values(), here))
            return
        longer: dict[Copies, Copies] = {(): here}   # copies share what tells their number
        for old, new in made.items():
            self.elements[new] = patterns.elements.get(old, old)
            inner = patterns.copies.get(old, ())
            copies = longer.get(inner)
            if copies is None:
                copies = longer[inner] = here + inner
            self.copies[new] = copies


class Links:
    """elements: kind -> of each thing the id of its element, 0 for none. copies: kind -> of each thing which copy it is; kinds without copies are not in it."""

    __slots__ = ("_index", "copies", "elements")

    def __init__(self, elements: Mapping[str, array], copies: Mapping[str, tuple[Copies, ...]]) -> None:
        self.elements, self.copies = elements, copies
        self._index: dict[int, tuple[tuple[str, int], ...]] | None = None

    @classmethod
    def of(cls, items: Mapping[str, Iterable], traces: Traces) -> Links:
        """Of what a compiler has gathered. items: kind -> things with their `element`, or None; traces: of what the text was expanded to."""
        elements, copies = {}, {}
        for kind, some in items.items():
            ids = [item.element.id if item.element is not None else 0 for item in some]
            if traces.elements and not traces.elements.keys().isdisjoint(ids):
                copies[kind] = tuple([traces.copies.get(number, ()) for number in ids])
                ids = [traces.elements.get(number, number) for number in ids]
            elements[kind] = array("q", ids)
        return cls(elements, copies)

    def __len__(self) -> int:
        return sum(map(len, self.elements.values()))

    def __reduce__(self):
        return Links, (dict(self.elements), dict(self.copies))      # those of no text are read-only mappings, which cannot be pickled

    def __deepcopy__(self, _known) -> Links:
        return self   # nobody changes it

    def renumbered(self, ids: Mapping[int, int]) -> Links:
        """The same with other ids for elements. ids: old -> new, of those that have another."""
        elements = {kind: array("q", [ids.get(number, number) for number in some]) for kind, some in self.elements.items()}
        known: dict[Copies, Copies] = {}
        for copies in {copies for some in self.copies.values() for copies in some}:
            known[copies] = tuple((ids.get(macro, macro), k) for macro, k in copies)
        return Links(elements, {kind: tuple([known[copies] for copies in some]) for kind, some in self.copies.items()})

    def source(self, kind: str, number: int) -> Source | None:
        """What thing `number` of a kind comes from; None where that is not known, or no text made it."""
        elements = self.elements.get(kind, ())
        if not 0 <= number < len(elements) or not elements[number]:
            return None
        return Source(elements[number], self.copies[kind][number] if kind in self.copies else ())

    def items(self, element: int) -> tuple[tuple[str, int], ...]:
        """(kind, number) of everything that comes from an element, in the order of kinds and numbers; several where it is copied."""
        if self._index is None:
            index: dict[int, list[tuple[str, int]]] = {}
            for kind, elements in self.elements.items():
                for number, source in enumerate(elements):
                    if source:
                        index.setdefault(source, []).append((kind, number))
            self._index = {source: tuple(found) for source, found in index.items()}
        return self._index.get(element, ())

    def copies_of(self, element: int) -> tuple[Copies, ...]:
        """Which copies of an element there are, in the order of what comes from it; ((),) for one that is not copied, () for one that the Model has nothing of."""
        return tuple(dict.fromkeys(self.copies[kind][number] if kind in self.copies else () for kind, number in self.items(element)))

    def made_by(self, macro: int) -> tuple[tuple[str, int], ...]:
        """(kind, number) of everything that is a copy made by a macro element."""
        return tuple((kind, number) for kind, some in self.copies.items() for number, copies in enumerate(some) if any(made == macro for made, _copy in copies))


NO_LINKS = Links(MappingProxyType({}), MappingProxyType({}))   # of Models that come from no text
