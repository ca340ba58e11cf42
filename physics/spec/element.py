"""One node of the model's source: a tag with its attributes as written, and where it was written.

Elements are frozen. An edit makes new elements along the path to the root and shares all others (spec/tree.py), so a whole
document version costs a few objects and two versions can be compared by identity (spec/diff.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from types import MappingProxyType

from physics.errors import Place

__all__ = ["Element", "NO_ATTRS", "NOWHERE", "Origin", "new_id", "path_of"]

NO_ATTRS: Mapping[str, str] = MappingProxyType({})

_next_id = count(1)


def new_id() -> int:
    """An identity no other element of this process has; an edited element keeps its identity."""
    return next(_next_id)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an element stands in its file: place of its '<', and character offsets into that file's text.

    start: offset of '<'; open_end: one past the '>' of the opening tag; end: one past the element's last '>'.
    attr_spans: attribute name -> (start, end, line, column) of the text between its quotes.
    included_by: the places of the include elements that led here, outermost first.
    """

    file: str
    line: int
    column: int
    start: int
    end: int
    open_end: int
    attr_spans: Mapping[str, tuple[int, int, int, int]]
    included_by: tuple[Place, ...] = ()

    @property
    def place(self) -> Place:
        return Place(self.file, self.line, self.column)


NOWHERE = Origin("", 0, 0, 0, 0, 0, MappingProxyType({}))


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """A tag, its attributes as written, its children in order, and its origin. Compared by identity."""

    id: int
    tag: str
    attrs: Mapping[str, str] = field(default_factory=lambda: NO_ATTRS)
    children: tuple[Element, ...] = ()
    origin: Origin = NOWHERE

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
        return tuple(child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """First direct child with this tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def section(self, tag: str) -> tuple[Element, ...]:
        """Children of all direct children with this tag, in order: MJCF merges repeated sections."""
        return tuple(inner for child in self.children if child.tag == tag for inner in child.children)

    def walk(self) -> Iterator[Element]:
        """This element and everything below, in document order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def with_changes(self, **changes) -> Element:
        """A copy with some fields replaced; the identity stays unless replaced too."""
        # as dataclasses.replace, in a third of the time
        kept = {"id": self.id, "tag": self.tag, "attrs": self.attrs, "children": self.children, "origin": self.origin}
        return Element(**{**kept, **changes})


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
