"""Copies of subtrees under other names.

A `Renaming` puts a prefix before and a suffix behind names. Within one model (replicate, self-attachment) materials, meshes, height
fields and default classes are shared and keep their names; from another model everything is renamed. A `Template` is a list of
elements prepared once and stamped as often as needed.
Source: MuJoCo's programming chapter "Model editing", section "Attachment".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from physics.schema import schema
from physics.spec.element import Element, new_id
from physics.spec.names import MAKES_NAMES, OBJECT_NAMESPACE, declared_name

__all__ = ["Ref", "Renaming", "Template", "references", "with_attrs"]

SHARED = frozenset({"material", "mesh", "hfield", "default"})  # namespaces that copies within one model share
_OBJECTS = MappingProxyType({"objname": "objtype", "refname": "reftype"})


class Renaming(NamedTuple):
    """How names change. classes: default class -> new name, for what comes from another model; None within one model."""

    prefix: str = ""
    suffix: str = ""
    classes: Mapping[str, str] | None = None

    def name(self, text: str) -> str:
        """A name in its new form; no name stays none."""
        return f"{self.prefix}{text}{self.suffix}" if text else text

    def in_space(self, namespace: str, text: str) -> str:
        """A name or reference of a namespace in its new form."""
        if namespace == "default":
            return text if self.classes is None else self.classes.get(text, self.name(text))
        return text if self.classes is None and namespace in SHARED else self.name(text)


class Ref(NamedTuple):
    """A reference written in an element: attribute, namespace it points into, name."""

    attribute: str
    namespace: str
    name: str


@lru_cache(maxsize=None)
def _naming(path: str) -> tuple[tuple[str, str, bool], ...]:
    """(attribute, namespace, is a reference) of all that can hold a name in an element."""
    spec = schema.lookup(path)
    found = [(a.name, a.namespace, a.type == "ref") for a in spec.attributes.values() if a.type in ("id", "ref")]
    found += [(name, "", True) for name in _OBJECTS if name in spec.attributes]
    return tuple(found)


def references(element: Element, path: str) -> list[Ref]:
    """References an element itself writes, default classes and assets included. path: its path in the language's table."""
    found = []
    for attribute, namespace, is_reference in _naming(path):
        text = element.attrs.get(attribute)
        if text and is_reference:
            space = namespace or OBJECT_NAMESPACE.get(element.attrs.get(_OBJECTS[attribute], ""), "")
            if space:
                found.append(Ref(attribute, space, text))
    return found


def with_attrs(element: Element, values: Mapping[str, str], **changes) -> Element:
    """A copy with a new id and other attribute values."""
    attrs = MappingProxyType(element.attrs.copy() | values) if values else element.attrs
    return element.with_changes(id=new_id(), attrs=attrs, **changes)


class Template:
    """A list of sibling elements, prepared for copying.

    parent: the path, in the language's table, of what they stand in. size: how many elements one copy makes.
    names: namespace -> names declared inside. nameless: nothing inside has a name, refers to one or is about to make some.
    """

    def __init__(self, elements, parent: str) -> None:
        self.names: dict[str, list[str]] = {}
        self._rows: list[tuple[Element, int, tuple]] = []   # element, children, what holds names: (attribute, namespace, text)
        stack = [(element, parent) for element in reversed(list(elements))]
        self._nameless = True
        while stack:
            element, around = stack.pop()
            spec = schema.child_spec(around, element.tag)
            path = spec.path if spec is not None else ""
            self._nameless = self._nameless and path not in MAKES_NAMES
            self._rows.append((element, len(element.children), self._holders(element, path) if path else ()))
            stack.extend((child, path) for child in reversed(element.children))
        self.size = len(self._rows)
        self.nameless = self._nameless and not any([row[2] for row in self._rows])

    def _holders(self, element: Element, path: str) -> tuple:
        attrs = element.attrs
        found = []
        for attribute, namespace, is_reference in _naming(path):
            text = attrs.get(attribute)
            if not is_reference:
                text = text or declared_name(element, path)
                if text:
                    self.names.setdefault(namespace, []).append(text)
            elif not namespace:
                namespace = OBJECT_NAMESPACE.get(attrs.get(_OBJECTS[attribute], ""), "") if text else ""
            if text:
                found.append((attribute, namespace, text))
        return tuple(found)

    @property
    def elements(self):
        """All elements inside, parents before children."""
        return [row[0] for row in self._rows]

    def stamp(self, renaming: Renaming, made: dict[int, Element]) -> tuple[Element, ...]:
        """One copy, everything with a new id. made: filled with id of the pattern -> copy."""
        results: list[Element] = []
        for element, count, holders in reversed(self._rows):
            attrs, children = element.attrs, ()
            if holders:
                attrs = MappingProxyType(attrs.copy() | {attribute: renaming.in_space(namespace, text) for attribute, namespace, text in holders})
            if count:
                children = tuple(results[:-count - 1:-1])
                del results[-count:]
            made[element.id] = new = Element(new_id(), element.tag, attrs, children, element.origin)
            results.append(new)
        return tuple(reversed(results))
