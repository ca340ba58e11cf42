"""The elements under construction, by kind in id order, and their numbers by name."""
from __future__ import annotations

from collections.abc import Mapping

from physics.compiler.items import ITEM_CLASSES, Item
from physics.compiler.problems import Problems
from physics.compiler.source import Source
from physics.errors import Issue
from physics.model.model import KINDS
from physics.spec.element import Element

_BLANK = Item.__new__   # a thing without attributes: what `add` makes many of gets them at once


class ItemTables(dict[str, list[Item]]):
    """kind -> its items in id order, each with `element` and `name`."""

    def __init__(self) -> None:
        super().__init__({kind: [] for kind in KINDS})
        self._ids: dict[str, dict[str, int]] = {}   # kind -> name -> id, of kinds that were asked for

    def add(self, kind: str, element: Element | None, values: Mapping | None = None, **more) -> Item:
        """A new item of a kind; its id is its place among them."""
        items = self[kind]
        more["id"], more["element"], more["name"] = len(items), element, element.attrs.get("name", "") if element is not None else ""
        item = _BLANK(ITEM_CLASSES[kind])
        item.__dict__ = more if values is None else values | more
        items.append(item)
        return item

    def replace(self, kind: str, items: list[Item]) -> None:
        """Put other items in place of a kind's, numbered anew."""
        for i, item in enumerate(items):
            item.id = i
        self[kind] = items
        self._ids.pop(kind, None)

    def id(self, kind: str, name: str) -> int:
        """Index of a named item, -1 when there is none (the reader has said so, or it was left out)."""
        ids = self._ids.get(kind)
        if ids is None or len(ids) != len(self[kind]):
            ids = self._ids[kind] = {item.name or f"\0{item.id}": item.id for item in self[kind]}
        return ids.get(name, -1)


class References:
    """Items that elements name by their attributes."""

    def __init__(self, source: Source, problems: Problems, items: ItemTables):
        self._source, self._problems, self._items = source, problems, items

    def find(self, kind: str, owner: Element | None, attribute: str) -> int:
        """Index of the item that `owner`, an element or one of its defaults, names; -1 for no name, and after noting an unknown one."""
        name = owner.attrs.get(attribute, "") if owner is not None else ""
        found = self._items.id(kind, name) if name else -1
        if name and found < 0 and not self._source.partial:
            place, path = owner.attr_place(attribute), self._source.resolver.path(owner)
            self._problems.issues.append(Issue("error", place, path, f"unknown {kind} '{name}'"))
        return found

    def named(self, kind: str, item: Item, attribute: str) -> int:
        """Index of the item that an item's element or its class names, as `find` gives it."""
        return self.find(kind, self._source.attrs(item.element).source(attribute), attribute)
