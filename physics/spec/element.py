"""One node of the model's source: a tag with its attributes as written, and where it was written.

Elements are frozen. An edit makes new elements along the path to the root and shares all others (spec/tree.py), so a whole
document version costs a few objects and two versions can be compared by identity (spec/diff.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType
from typing import NamedTuple, Protocol

from physics.errors import Place

__all__ = ["Element", "NO_ATTRS", "NOWHERE", "Origin", "Spans", "made_id", "new_id", "path_of", "written_id"]

NO_ATTRS: Mapping[str, str] = MappingProxyType({})

_next_id = count(1)
_MADE_BITS = 10


def new_id() -> int:
    """An identity no other element of this process has; an edited element keeps its identity."""
    return next(_next_id)


def made_id(source: int, number: int) -> int:
    """The identity of an element that a reading makes of a written one, which lasts as long as that one's: below 0. number: among those made of it, up to 1023."""
    return -(source << _MADE_BITS | number)


def written_id(number: int) -> int:
    """The identity of the written element that one was made of; its own where it was written itself."""
    return number if number >= 0 else -number >> _MADE_BITS


class Tag(Protocol):
    """Where attributes are found when somebody asks, which is seldom: the text's index, or `Spans`."""

    def opening(self, start: int) -> tuple[int, Mapping[str, tuple[int, int, int, int]]]:
        """End of the tag that opens at an offset, and its attributes' spans."""


class Spans(NamedTuple):
    """The same of a tag that stands in no text as it is."""

    open_end: int
    spans: Mapping[str, tuple[int, int, int, int]]

    def opening(self, start: int) -> tuple[int, Mapping[str, tuple[int, int, int, int]]]:
        """What it was made with."""
        return self


class Origin(NamedTuple):
    """Where an element stands in its file: place of its '<', and character offsets into that file's text.

    start: offset of '<'; end: one past the element's last '>'. included_by: the places of the include elements that led here, outermost first.
    """

    file: str
    line: int
    column: int
    start: int
    end: int
    tag: Tag
    included_by: tuple[Place, ...] = ()

    @property
    def open_end(self) -> int:
        """One past the '>' of the opening tag."""
        return self.tag.opening(self.start)[0]

    @property
    def attr_spans(self) -> Mapping[str, tuple[int, int, int, int]]:
        """Attribute name -> (start, end, line, column) of the text between its quotes."""
        return self.tag.opening(self.start)[1]

    @property
    def place(self) -> Place:
        return Place._make(self[:3])


NOWHERE = Origin("", 0, 0, 0, 0, Spans(0, MappingProxyType({})))


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Element:
    """A tag, its attributes as written, its children in order, and its origin. Compared by identity."""

    id: int
    tag: str
    attrs: Mapping[str, str]
    children: tuple[Element, ...]
    origin: Origin

    def __init__(self, id: int, tag: str, attrs: Mapping[str, str] = NO_ATTRS, children: tuple[Element, ...] = (), origin: Origin = NOWHERE) -> None:
        _SET_ID(self, id)   # as a frozen dataclass would, in a third of the time
        _SET_TAG(self, tag)
        _SET_ATTRS(self, attrs)
        _SET_CHILDREN(self, children)
        _SET_ORIGIN(self, origin)

    @property
    def name(self) -> str:
        """The name attribute, '' when there is none."""
        return self.attrs.get("name", "")

    @property
    def place(self) -> Place:
        """Place of the opening tag."""
        return self.origin.place

    def attr_place(self, attribute: str) -> Place:
        """Place of an attribute's value, else of the tag."""
        span = self.origin.attr_spans.get(attribute)
        return Place(self.origin.file, span[2], span[3]) if span else self.origin.place

    def all(self, tag: str) -> tuple[Element, ...]:
        """Direct children with this tag."""
        return tuple([child for child in self.children if child.tag == tag])

    def first(self, tag: str) -> Element | None:
        """First direct child with this tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def section(self, tag: str) -> tuple[Element, ...]:
        """Children of all direct children with this tag, in order: MJCF merges repeated sections."""
        return tuple([inner for child in self.children if child.tag == tag for inner in child.children])

    def included(self, child: Element) -> bool:
        """Whether a child has come by an include that stands inside this element, not around it."""
        return len(child.origin.included_by) > len(self.origin.included_by)

    def walk(self) -> Iterator[Element]:
        """This element and everything below, in document order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def with_changes(self, **changes) -> Element:
        """A copy with some fields replaced; the identity stays unless replaced too."""
        kept = {"id": self.id, "tag": self.tag, "attrs": self.attrs, "children": self.children, "origin": self.origin}
        return Element(**{**kept, **changes})


_SET_ID, _SET_TAG, _SET_ATTRS, _SET_CHILDREN, _SET_ORIGIN = (getattr(Element, name).__set__ for name in Element.__slots__)


def path_of(element: Element, parent_of: Callable[[Element], Element | None]) -> str:
    """Where an element stands, for messages: mujoco/worldbody/body[torso]/geom[2].

    In brackets: the name, or the place among several unnamed siblings of the same tag, from 1.
    """
    parts: list[str] = []
    node: Element | None = element
    while node is not None:
        parent = parent_of(node)
        label = node.name or _number(node, parent)
        parts.append(f"{node.tag}[{label}]" if label else node.tag)
        node = parent
    return "/".join(reversed(parts))


def _number(element: Element, parent: Element | None) -> str:
    """Place among same-tagged siblings from 1, '' for an only one."""
    if parent is None:
        return ""
    same = [child for child in parent.children if child.tag == element.tag]
    return str(next(i for i, child in enumerate(same, 1) if child is element)) if len(same) > 1 else ""
