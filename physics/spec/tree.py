"""Editing a frozen tree: each operation makes a new root that shares everything it did not touch.

A place in the tree is the tuple of child positions from the root: () is the root, (2, 0) the first child of its third child. An
edited element keeps its id, so a selection and undo entries survive; its origin is kept too, and tells what text to patch.
Cost: one new element per level, whatever the size of the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from physics.spec.element import NO_ATTRS, Element

__all__ = ["at", "find", "insert", "locate", "move", "remove", "replace_at", "set_attribute", "set_attributes"]

Where = tuple[int, ...]


def at(root: Element, where: Where) -> Element:
    """The element at a place. Raises IndexError when there is none."""
    element = root
    for position in where:
        element = element.children[position]
    return element


def find(root: Element, element_id: int) -> Element | None:
    """The element with an id, None when it is not in this tree."""
    return next((element for element in root.walk() if element.id == element_id), None)


def locate(root: Element, element_id: int) -> Where | None:
    """The place of the element with an id, None when it is not in this tree."""
    stack: list[tuple[Element, Where]] = [(root, ())]
    while stack:
        element, where = stack.pop()
        if element.id == element_id:
            return where
        stack.extend((child, (*where, i)) for i, child in enumerate(element.children))
    return None


def replace_at(root: Element, where: Where, new: Element) -> Element:
    """A root with another element at a place."""
    trail = [root]
    for position in where:
        trail.append(trail[-1].children[position])
    for position, parent in zip(reversed(where), reversed(trail[:-1]), strict=True):
        siblings = parent.children
        new = parent.with_changes(children=(*siblings[:position], new, *siblings[position + 1:]))
    return new


def _with_children(root: Element, where: Where, children: tuple[Element, ...]) -> Element:
    return replace_at(root, where, at(root, where).with_changes(children=children))


def set_attributes(root: Element, where: Where, values: Mapping[str, str | None]) -> Element:
    """A root with attributes set, or taken away where the value is None; order of attributes is kept, new ones come last."""
    element = at(root, where)
    attrs = dict(element.attrs)
    for name, value in values.items():
        if value is None:
            attrs.pop(name, None)
        else:
            attrs[name] = value
    return replace_at(root, where, element.with_changes(attrs=MappingProxyType(attrs) if attrs else NO_ATTRS))


def set_attribute(root: Element, where: Where, name: str, value: str | None) -> Element:
    """A root with one attribute set, or taken away (None)."""
    return set_attributes(root, where, {name: value})


def insert(root: Element, where: Where, position: int, new: Element) -> Element:
    """A root with a new child of the element at `where`, before the child that stands at `position`."""
    children = at(root, where).children
    if not 0 <= position <= len(children):
        raise IndexError(f"position {position} is outside 0..{len(children)}")
    return _with_children(root, where, (*children[:position], new, *children[position:]))


def remove(root: Element, where: Where) -> Element:
    """A root without the element at a place. Raises ValueError for the root itself."""
    if not where:
        raise ValueError("the root cannot be removed")
    parent, position = where[:-1], where[-1]
    at(root, where)
    children = at(root, parent).children
    return _with_children(root, parent, (*children[:position], *children[position + 1:]))


def move(root: Element, where: Where, to: Where, position: int) -> Element:
    """A root with an element moved under the element at `to`, to stand at `position` there once it has left its old place.

    `to` is a place in the tree as it is before the move. Raises ValueError when that lies inside the moved element.
    """
    if to[:len(where)] == where:
        raise ValueError("an element cannot be moved into itself")
    element = at(root, where)
    without = remove(root, where)
    depth = len(where) - 1
    if len(to) > depth and to[:depth] == where[:-1] and to[depth] > where[-1]:
        to = (*to[:depth], to[depth] - 1, *to[depth + 1:])  # the removal shifted the siblings after it
    return insert(without, to, position, element)
