"""What rules look at: the tree that was read, the same without macros, default classes, names, the Model, and what it computes in its poses at rest.

Elements of the tree without macros keep the origins of those that were read, so that a place in the text ties together what was read, what was made of it and what the Model has.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from physics.diagnostics.advice.shapes import half_sizes
from physics.errors import Place
from physics.expand.expand import expand
from physics.lint.finding import Finding
from physics.lint.fix import Fix
from physics.lint.meetings import Meetings, meetings_of
from physics.lint.poses import Poses
from physics.mjcf.reader import ReadResult
from physics.model.elements import Element as Item
from physics.model.elements import element as item_of
from physics.model.model import Model
from physics.spec.defaults import Attrs, Resolver
from physics.spec.element import Element, path_of
from physics.spec.names import Names, declared_name

__all__ = ["Stopped", "Subject"]


class Stopped(Exception):
    """Nobody wants the findings any more."""


class Subject:
    """read: what the Model m was compiled from. dynamics: whether poses may be computed. stop(): whether to end early."""

    def __init__(self, read: ReadResult, m: Model, dynamics: bool = True, stop: Callable[[], bool] = lambda: False):
        self.read, self.m, self._stop = read, m, stop
        self.dynamics = dynamics and not m.view_only
        self.root = read.root
        self.expanded = expand(read, m.compat or "4.0")
        self.resolver = Resolver(self.expanded.root)
        self._found: dict[str, Any] = {}

    def once(self, name: str, find: Callable[[Subject], Any]) -> Any:
        """What find(self) gives, which several rules ask for; found once."""
        if name not in self._found:
            self._found[name] = find(self)
        return self._found[name]

    def go_on(self) -> None:
        """Raises Stopped where nobody wants the findings any more."""
        if self._stop():
            raise Stopped

    # ------------------------------------------------------------------ the tree

    @cached_property
    def names(self) -> Names:
        """Names of the tree without macros, and who refers to them."""
        return Names(self.expanded.root)

    @cached_property
    def _parents(self) -> dict[int, Element]:
        return {child.id: element for element in self.root.walk() for child in element.children}

    @cached_property
    def _read_at(self) -> dict[tuple[str, int], Element]:
        """Elements that were read and stand in the text as they are, by file and offset."""
        found, sources = {}, self.read.sources
        if not sources.get(self.root.origin.file, "").startswith(f"<{self.root.tag}", self.root.origin.start):     # URDF
            return found
        for element in self.root.walk():
            origin = element.origin
            if sources.get(origin.file, "").startswith(f"<{element.tag}", origin.start):
                found[origin.file, origin.start] = element
        return found

    @cached_property
    def _expanded_at(self) -> dict[Place, Element]:
        """The first of the elements without macros that come from a place."""
        found: dict[Place, Element] = {}
        for element in self.expanded.root.walk():
            if element.origin.file:
                found.setdefault(element.place, element)
        return found

    def written(self, element: Element | None) -> Element | None:
        """The element that was read of which this one was made, if a change of the text there changes it: None for what macros make, attached models and URDF."""
        found = self._read_at.get((element.origin.file, element.origin.start)) if element is not None else None
        return found if found is not None and found.tag == element.tag else None

    def parent(self, element: Element) -> Element | None:
        """What an element that was read stands in."""
        return self._parents.get(element.id)

    def in_macro(self, element: Element) -> bool:
        """Whether an element that was read stands in one that makes several of it, or in a frame."""
        node = self.parent(element)
        while node is not None:
            if node.tag in ("replicate", "frame", "attach"):
                return True
            node = self.parent(node)
        return False

    def of(self, kind: str, i: int) -> Element | None:
        """The element, without macros, that item i of a kind was made from; one of its copies."""
        places = self.m.places.get(kind, ())
        place = places[i] if i < len(places) else None
        found = self._expanded_at.get(place) if place is not None else None
        return found if found is not None and found.id in self.resolver.context else None

    def attrs(self, element: Element) -> Attrs:
        """What an element without macros says, with its default class."""
        return self.resolver.attrs(element)

    def made_of(self, element: Element) -> tuple[Item, ...]:
        """What the Model has of an element."""
        return self._items_at.get(element.place, ())

    @cached_property
    def _items_at(self) -> dict[Place, tuple[Item, ...]]:
        found: dict[Place, list[Item]] = {}
        for kind, places in self.m.places.items():
            for i, place in enumerate(places):
                if place is not None:
                    found.setdefault(place, []).append(item_of(self.m, kind, i))
        return {place: tuple(items) for place, items in found.items()}

    def settings(self, tag: str, name: str, otherwise: str = "") -> str:
        """What the last of the root's elements of a tag says of an attribute."""
        return next((e.attrs[name].strip() for e in reversed(self.root.all(tag)) if name in e.attrs), otherwise)

    def tagged(self, *tags: str) -> Iterator[Element]:
        """Elements, without macros, with these tags that are no part of a default class."""
        for element, _spec, _parent in self.names.entries:
            if element.tag in tags and not self.names.in_default(element):
                yield element

    def path(self, element: Element) -> str:
        """Where an element that was read stands: as path_of, but assets go by their file's name and default classes by their own, so that it stays when others are removed."""
        parts, node = [], element
        while node is not None:
            parent = self.parent(node)
            section = parent.tag if parent is not None else ""
            name = node.attrs.get("class", "") if node.tag == "default" else declared_name(node, f"{section}/{node.tag}")
            parts.append(f"{node.tag}[{name}]" if name else path_of(node, self.parent).rpartition("/")[2])
            node = parent
        return "/".join(reversed(parts))

    # ------------------------------------------------------------------ findings

    def finding(self, rule: str, severity: str, element: Element | None, text: str, remedy: str = "", items: Iterable[Item] = (), fixes: Iterable[Fix | None] = (),
                part: str = "", weight: float = 0.0) -> Finding:
        """A finding about an element of either tree."""
        there = self._read_at.get((element.origin.file, element.origin.start)) if element is not None else None
        if there is None and element is not None and element.id in self._parents or element is self.root:
            there = element
        if there is not None:
            path = self.path(there)
        else:
            path = self.resolver.path(element) if element is not None and element.id in self.resolver.context else ""
        place = element.place if element is not None and element.origin.file else None
        return Finding(rule, severity, text, remedy, there.id if there is not None else 0, place, path, tuple(items), tuple(fix for fix in fixes if fix is not None), part, weight)

    def items(self, kind: str, *numbers: int) -> tuple[Item, ...]:
        """References to items of the Model."""
        return tuple(item_of(self.m, kind, int(i)) for i in numbers)

    # ------------------------------------------------------------------ the Model

    @cached_property
    def poses(self) -> Poses:
        """qpos0 and the keyframes, with their contacts."""
        return Poses(self.m, self.go_on)

    @cached_property
    def meetings(self) -> Meetings:
        """Geoms that can meet."""
        return meetings_of(self.m)

    @cached_property
    def half_sizes(self) -> np.ndarray:
        """Of each geom how deep its thinnest part is [m]."""
        return half_sizes(self.m)
