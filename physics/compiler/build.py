"""What the passes share: the tree, its resolved attributes, the values gathered so far, and the problems found."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, repeat
from operator import attrgetter, is_

import numpy as np

from physics.compiler.items import ITEM_CLASSES, Item
from physics.errors import Issue, Place
from physics.expand.expand import expand
from physics.model.model import KINDS, Model
from physics.spec.defaults import Attrs, Resolver
from physics.spec.element import Element
from physics.spec.names import Names

_NAME = attrgetter("name")
MOST_NUMBERS = 1 << 25   # that a few words of a file may ask for: 256 MiB


_BLANK = Item.__new__   # a thing without attributes: what `add` makes many of gets them at once


class Build:
    """A model under construction.

    out: field -> rows; pieces: field -> what it holds one after the other, for large fields: arrays, or anything with a
    size and paint(area); sizes: size -> number; scalars: field -> number;
    items: kind -> Items in id order, each with
    `element` and `name`; settings: the compiler element's; scopes: other settings by element; partial: some elements were left out (view-only), so that
    counts in keyframes and references to them prove nothing. root: the expanded tree; what the file itself says is read_result.root. stand_ins: whether
    broken assets are to be replaced (stand_ins.py).
    """

    def __init__(self, read_result, compat: str = "4.0", stand_ins: bool = False):
        self.read_result = read_result
        self.stand_ins = stand_ins
        self.expanded = expand(read_result, compat)
        self.root: Element = self.expanded.root
        self.resolver = Resolver(self.root)
        self.issues: list[Issue] = self.expanded.issues
        self.out: dict[str, object] = {}
        self.pieces: dict[str, list[np.ndarray]] = {}
        self.sizes: dict[str, int] = {}
        self.scalars: dict[str, float] = {}
        self.items: dict[str, list[Item]] = {kind: [] for kind in KINDS}
        self._names: Names | None = None
        self._ids: dict[str, dict[str, int]] = {}
        self._alike: dict[tuple, object] = {}   # what elements are made of, by all they say
        self._same: dict[tuple, tuple] = {}     # and by the very attributes they hold
        self.turns: dict[tuple, tuple] = {}   # notation, its numbers and the angles' settings -> quaternion
        self.settings = Item()
        self.mass_only: frozenset[int] = frozenset()   # ids of elements that are read for their mass and then forgotten
        self.scopes: dict[int, Item] = {}   # element id -> settings, for what came with an attached model
        self.scaled: set[int] = set()   # ids of elements that a frame resizes
        self.asked = 0   # numbers asked for so far, see room()
        self.vis = None
        self.texts: dict[str, str] = {}
        errors = [issue for issue in (*read_result.issues, *self.issues) if issue.severity == "error"]
        self.refused = {issue.place for issue in errors}   # places whose elements may be missing here
        self.partial = bool(errors)

    @property
    def declared(self) -> Names:
        """All names of the tree as it is now."""
        if self._names is None or self._names.root is not self.root:
            self._names = Names(self.root)
        return self._names

    def scope(self, element: Element) -> Item:
        """The compiler settings an element was written under: its own model's where it was attached."""
        return self.scopes.get(element.id, self.settings)

    def attrs(self, element: Element) -> Attrs:
        """Resolved attributes of an element."""
        return self.resolver.attrs(element)

    def alike(self, element: Element, make: Callable[..., object], *more):
        """What make(build, attrs, *more) gives for an element; found once for all that say the same, as long as nothing is wrong with them."""
        said = element.attrs
        if "name" in said:
            return self._like(element, make, *more)
        # copies of one element without a name hold the same attributes, which live as long as what is kept of them
        spec, around, _parent = self.resolver.context[element.id]
        key = id(said), spec, around, id(self.scopes.get(element.id, self.settings)), make, *more
        made = self._same.get(key)
        if made is None:
            known = len(self.issues)
            made = said, self._like(element, make, *more)
            if len(self.issues) == known:
                self._same[key] = made
        return made[1]

    def _like(self, element: Element, make: Callable[..., object], *more):
        """The same, by what is said."""
        attrs = self.attrs(element)
        key = attrs.said, id(self.scope(element)), make, *more
        made = self._alike.get(key)
        if made is None:
            known = len(self.issues)
            made = make(self, attrs, *more)
            if len(self.issues) == known:
                self._alike[key] = made
        return made

    def error(self, element: Element, what: str, hint: str = "", attr: str = "") -> None:
        """Note a problem that prevents the model, at an attribute's value in force or at the tag."""
        place = self.resolver.attrs(element).place(attr) if attr else element.place
        self.issues.append(Issue("error", place, self.resolver.path(element), what, hint))

    def room(self, element: Element, what: str, numbers: int, attr: str = "") -> bool:
        """Whether so many numbers more may be made for what a few words ask for; notes the first that are too many."""
        fits = self.asked + numbers <= MOST_NUMBERS
        if not fits and self.asked <= MOST_NUMBERS:
            self.error(element, f"{self.asked + numbers} numbers with these {what} are absurdly many: a model holds at most {MOST_NUMBERS}", "Ask for fewer", attr)
        self.asked += numbers
        return fits

    def view(self, element: Element, what: str, attr: str = "") -> None:
        """Note a reason why the model can be drawn but not simulated."""
        place: Place = self.resolver.attrs(element).place(attr) if attr else element.place
        self.issues.append(Issue("view", place, self.resolver.path(element), what, "The model opens for viewing only"))

    def warn(self, element: Element, what: str, hint: str = "", attr: str = "") -> None:
        """Note something that looks like a mistake."""
        place = self.resolver.attrs(element).place(attr) if attr else element.place
        self.issues.append(Issue("warning", place, self.resolver.path(element), what, hint))

    def note(self, element: Element, what: str, hint: str = "", attr: str = "") -> None:
        """Note something that does no harm."""
        place = self.resolver.attrs(element).place(attr) if attr else element.place
        self.issues.append(Issue("note", place, self.resolver.path(element), what, hint))

    def add(self, kind: str, element: Element | None, values: Mapping | None = None, **more) -> Item:
        """A new item of a kind; its id is its place among them."""
        items = self.items[kind]
        more["id"], more["element"], more["name"] = len(items), element, element.attrs.get("name", "") if element is not None else ""
        item = _BLANK(ITEM_CLASSES[kind])
        item.__dict__ = more if values is None else values | more
        items.append(item)
        return item

    def replace(self, kind: str, items: list[Item]) -> None:
        """Put other items in place of a kind's, numbered anew."""
        for i, item in enumerate(items):
            item.id = i
        self.items[kind] = items
        self._ids.pop(kind, None)

    def id(self, kind: str, name: str) -> int:
        """Index of a named item, -1 when there is none (the reader has said so, or it was left out)."""
        if kind not in self._ids or len(self._ids[kind]) != len(self.items[kind]):
            self._ids[kind] = {item.name or f"\0{item.id}": item.id for item in self.items[kind]}
        return self._ids[kind].get(name, -1)

    def find(self, kind: str, owner: Element | None, attribute: str) -> int:
        """Index of the item that `owner`, an element or one of its defaults, names; -1 for no name, and after noting an unknown one."""
        name = owner.attrs.get(attribute, "") if owner is not None else ""
        found = self.id(kind, name) if name else -1
        if name and found < 0 and not self.partial:
            self.issues.append(Issue("error", owner.attr_place(attribute), self.resolver.path(owner), f"unknown {kind} '{name}'"))
        return found

    def named(self, kind: str, item: Item, attribute: str) -> int:
        """Index of the item that an item's element or its class names, as `find` gives it."""
        return self.find(kind, self.attrs(item.element).source(attribute), attribute)

    def column(self, kind: str, **fields: str) -> None:
        """Fill fields from the items' attributes: column('geom', geom_size='size')."""
        rows = map(attrgetter(*fields.values(), "id"), self.items[kind])   # one look at each item
        columns = [*zip(*rows)] or [()] * len(fields)
        self.out.update({field: list(column) for field, column in zip(fields, columns)})

    def user(self, kind: str, size: str, field: str) -> None:
        """Fill a field of user values; its width is the size element's, else the longest list."""
        rows = [item.user for item in self.items[kind]]
        width, longest = self.sizes.get(size, -1), max(map(len, rows), default=0)
        if width < 0:
            width = longest
        if longest > width:
            for item, row in zip(self.items[kind], rows):
                if len(row) > width:
                    self.error(item.element, f"{len(row)} user values, but {size} is {width}", f"Raise {size} in <size>", "user")
        if rows and not self.room(self.items[kind][0].element or self.root, f"values of {size}", width * len(rows)):
            width = 0
        self.sizes[size] = width
        self.out[field] = [(*row, *([0.0] * (width - len(row))))[:width] for row in rows] if width else []

    def model(self) -> Model:
        """Allocate the Model and copy everything gathered into it."""
        for kind, (size, *_) in KINDS.items():
            self.sizes.setdefault(size, len(self.items[kind]))
        model = Model.allocate(self.sizes)
        for name, pieces in self.pieces.items():
            _lay(pieces, getattr(model, name))
        for name, value in self.scalars.items():
            setattr(model, name, value)
        for name, rows in self.out.items():
            _copy(rows, getattr(model, name))
        model.names = {kind: tuple(map(_NAME, items)) for kind, items in self.items.items()}
        places: dict[int, Place] = {}
        model.places = {kind: tuple([_place(i.element, places) for i in items]) for kind, items in self.items.items()}
        model.source = list({**self.read_result.sources, **self.expanded.sources})
        model.vis, model.texts, model.title = self.vis, self.texts, self.root.attrs.get("model", "")
        return model


def _place(element: Element | None, known: dict[int, Place]) -> Place | None:
    """Where an element stands; known: by id of an origin, which copies of one element share."""
    if element is None:
        return None
    origin = element.origin
    place = known.get(id(origin))
    if place is None:
        place = known[id(origin)] = origin.place
    return place


def _copy(rows, array: np.ndarray) -> None:
    """Fill a field, quickly where it has a row of numbers for each of many items."""
    if not array.size:
        return
    if isinstance(rows, list) and array.ndim == 2 and array.dtype.kind == "f" and isinstance(rows[0], tuple) and len(rows) == len(array):
        if all(map(is_, rows, repeat(rows[0]))):
            array[...] = rows[0]
            return
        values = chain.from_iterable(rows)
        array[...] = np.fromiter(values, np.float64, array.size).reshape(array.shape)
        if next(values, None) is None:
            return
    array[...] = np.asarray(rows).reshape(array.shape)


def _lay(pieces: list, array: np.ndarray) -> None:
    """Put pieces one after the other into a field: arrays, and what paints itself there."""
    flat, at = array.reshape(-1), 0
    for piece in pieces:
        area = flat[at:at + piece.size]
        if isinstance(piece, np.ndarray):
            area.reshape(piece.shape)[...] = piece
        else:
            piece.paint(area)
        at += piece.size


def numbers(value) -> tuple:
    """A resolved list as plain floats; () for None."""
    return () if value is None else tuple(value.tolist())
