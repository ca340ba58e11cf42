"""Looking into a URDF tree with complaints at the right place, and making MJCF elements that remember where they came from."""
from __future__ import annotations

import math
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from physics.errors import Issue
from physics.rotation.orientation import from_euler
from physics.schema.numbers import format_floats, parse
from physics.schema.schema import AttributeSpec
from physics.spec.element import NO_ATTRS, Element, Origin, new_id, path_of

__all__ = ["Robot", "make"]

Written = tuple  # (text, the URDF element it comes from, that element's attribute)


class Robot:
    """The URDF tree and what is wrong with it."""

    def __init__(self, root: Element, issues: list[Issue]) -> None:
        self.root, self.issues = root, issues
        self._known: dict[tuple[str, int], tuple] = {}   # text and how many numbers -> the numbers; many say the same
        self._spelled: dict[tuple[str, str], str] = {}   # tag of what is written, what a URDF says -> what an MJCF says for it

    @cached_property
    def _parents(self) -> dict[int, Element]:
        return {child.id: element for element in self.root.walk() for child in element.children}

    def error(self, element: Element, what: str, hint: str = "", attribute: str = "") -> None:
        """Note a problem that prevents the model."""
        self._note("error", element, what, hint, attribute)

    def warn(self, element: Element, what: str, hint: str = "", attribute: str = "") -> None:
        """Note something that is left out or looks like a mistake."""
        self._note("warning", element, what, hint, attribute)

    def _note(self, severity, element, what, hint, attribute) -> None:
        place = element.attr_place(attribute) if attribute else element.place
        path = path_of(element, lambda node: self._parents.get(node.id))
        self.issues.append(Issue(severity, place, path, what, hint))

    def child(self, element: Element, tag: str, required: bool = False) -> Element | None:
        """The child with a tag; more than one is an error, and so is none where one is required."""
        found = [child for child in element.children if child.tag == tag]
        if len(found) > 1:
            self.error(found[1], f"<{tag}> may stand only once in <{element.tag}>", f"First at {found[0].place}")
        if not found and required:
            self.error(element, f"<{element.tag}> needs a <{tag}>")
        return found[0] if found else None

    def text(self, element: Element, attribute: str) -> str:
        """A required attribute's text; '' (with an error) when it is missing or empty."""
        text = element.attrs.get(attribute, "")
        if not text:
            self.error(element, f"<{element.tag}> needs the attribute '{attribute}'")
        return text

    def numbers(self, element: Element, attribute: str, count: int, required: bool = False) -> tuple | None:
        """`count` finite numbers; None when not given or wrong (with an error)."""
        text = element.attrs.get(attribute, "")
        known = self._known.get((text, count))
        if known is not None:
            return known
        if not text.split():
            if required:
                self.error(element, f"<{element.tag}> needs the attribute '{attribute}'")
            return None
        value, problem, _ = parse(_NUMBERS[count], text)
        value = None if problem else tuple(value.tolist())
        if value is not None and not all(map(math.isfinite, value)):
            problem = "nan and inf cannot be used here"
        if problem:
            self.error(element, f"attribute '{attribute}': {problem}", attribute=attribute)
            return None
        self._known[text, count] = value
        return value

    def number(self, element: Element, attribute: str, required: bool = False) -> float | None:
        """One finite number; None when not given or wrong."""
        found = self.numbers(element, attribute, 1, required)
        return found[0] if found else None

    def placement(self, element: Element) -> dict[str, Written]:
        """`pos` and `quat` of an element's origin, as far as it gives them."""
        origin = self.child(element, "origin")
        if origin is None:
            return {}
        found = {}
        for name, attribute, spell in _PLACING:
            if numbers := self.numbers(origin, attribute, 3):
                key = name, origin.attrs[attribute]
                text = self._spelled.get(key)
                if text is None:
                    text = self._spelled[key] = spell(numbers)
                found[name] = text, origin, attribute
        return found


def _turn(angles: tuple) -> str:
    return format_floats(from_euler(angles, "XYZ"))


_PLACING = (("pos", "xyz", format_floats), ("quat", "rpy", _turn))
_NUMBERS = MappingProxyType({n: AttributeSpec("", "", "real", scalar=False, counts=range(n, n + 1)) for n in (1, 3, 4)})


def make(tag: str, source: Element, values: dict[str, str | Written] | None = None, children=()) -> Element:
    """An MJCF element that stands where a URDF element does.

    values: attribute -> text, or (text, element, attribute) so that messages about it point at that URDF attribute.
    """
    attrs, written = {}, {}
    for name, value in (values or {}).items():
        if isinstance(value, str):
            attrs[name] = value
        else:
            attrs[name], element, attribute = value
            written[name] = element.origin, attribute
    there = source.origin
    origin = Origin(there.file, there.line, there.column, there.start, there.end, _Borrowed(there, written), there.included_by)
    return Element(new_id(), tag, MappingProxyType(attrs) if attrs else NO_ATTRS, tuple(children), origin)


class _Borrowed(NamedTuple):
    """The tag of an element that stands where another does, with attributes that are written in several: name -> (origin, attribute)."""

    source: Origin
    written: dict[str, tuple[Origin, str]]

    def opening(self, start: int) -> tuple[int, dict[str, tuple[int, int, int, int]]]:
        """End of the other's tag, and where the attributes are written."""
        spans = {}
        for name, (origin, attribute) in self.written.items():
            open_end, found = origin.tag.opening(origin.start)
            spans[name] = found.get(attribute) or (origin.start, open_end, origin.line, origin.column)
        return self.source.open_end, spans
