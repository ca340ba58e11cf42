"""From a MjSpec to a tree of elements: for the compiler without default classes, for a text with them.

For the compiler every element says all that differs from the language's own values, angles are in radians, orientations are quaternions; its line is its number in `elements`,
so that what the compiler finds wrong can be told by element. For a text frames are where the official writer puts them.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.rotation.orientation import OrientationError
from physics.schema import schema
from physics.schema.numbers import format_float
from physics.spec.element import Element, Origin, Spans, new_id

from ...missing import NotHereError, text_of
from ..fields import fresh
from .words import ORIENTATIONS, field_of, in_radians, quaternion, same, written

_ORDER = ("joint", "geom", "site", "camera", "light", "body")
_NOT_PLAIN = frozenset({"name", "class", "childclass", *ORIENTATIONS})
_FREE, _BALL, _HINGE = 0, 1, 3
_ANGLES = frozenset({"range", "ref", "springref"})
_NO_SPANS = Spans(0, MappingProxyType({}))


class CompileError(ValueError):
    """Something that is wrong with one element."""

    def __init__(self, what: str, element):
        super().__init__(f"Error: {what}\n{named(element)}" if element is not None else f"Error: {what}")


def named(element) -> str:
    """The line that tells an element, as officially."""
    info = element._values.get("info", "")
    return f"Element name '{element.name}', id {element.id}" + (f", {info}" if info else "")


class Writer:
    """A tree being made. classes: as text, with default classes; number: how numbers are written; files: what a file's name becomes."""

    def __init__(self, spec, classes: bool = False, number: Callable[[float], str] = format_float, file_of: Callable | None = None):
        self.spec, self.classes, self.number, self.file_of = spec, classes, number, file_of
        self.elements: list = [None]
        self._fresh: dict[str, Mapping] = {}

    # ------------------------------------------------ elements

    def element(self, tag: str, attrs, children=(), mine=None) -> Element:
        """One element of the tree, that a Mjs element stands behind."""
        if mine is not None:
            self.elements.append(mine)
        origin = Origin("", len(self.elements) - 1 if mine is not None else 0, 0, 0, 0, _NO_SPANS)
        return Element(new_id(), tag, attrs, tuple(children), origin)

    def first_values(self, kind: str) -> Mapping:
        """The language's own values."""
        if kind not in self._fresh:
            self._fresh[kind] = fresh(kind)
        return self._fresh[kind]

    def reference(self, mine) -> Mapping:
        """What needs no saying."""
        default = mine._class if self.classes else None
        return self.first_values(mine.KIND) if default is None or not hasattr(default, mine.KIND) else getattr(default, mine.KIND)._values

    def attributes(self, mine, path: str, reference: Mapping | None = None, skip=frozenset()) -> dict[str, str]:
        """Attributes of an element, of the fields whose values differ from the reference."""
        values, kind = mine._values, mine.KIND
        reference = self.reference(mine) if reference is None else reference
        found = {"name": values["name"]} if values.get("name") else {}
        for name, spec in schema.lookup(path).attributes.items():
            field = None if name in _NOT_PLAIN or name in skip else field_of(kind, name)
            if field is None or field.kind == "orient":
                continue
            value = values[field.name]
            if same(value, reference[field.name]) or isinstance(value, np.ndarray) and value[0] != value[0] or isinstance(value, float) and value != value:
                continue
            if kind == "joint" and name in _ANGLES:
                value = self.angle(mine, name, value)
            if spec.type == "file":
                value = self.file(mine, field.name, value)
            found[name] = self.trimmed(kind, name, spec, field, value, mine)
        self.plugin(mine)
        return found

    def trimmed(self, kind: str, name: str, spec, field, value, mine) -> str:
        """An attribute's text; in a text for people sizes have as many numbers as the shape has, and lists lose the zeros at their end."""
        if self.classes and isinstance(value, np.ndarray):
            if name == "size" and mine._spec is not None and kind in ("geom", "site"):
                value = value[:{2: 1, 3: 2, 5: 2}.get(int(mine._values["type"]), 3)]
            elif name in ("stiffness", "damping", "gainprm", "biasprm", "dynprm", "gear", "polycoef") and len(value):
                value = value[:max(1, int(np.max(np.nonzero(value)[0], initial=0)) + 1)]
        return written(field, spec, value, self.number)

    def plugin(self, mine) -> None:
        """Refuse elements with a plugin."""
        plugin = mine._values.get("plugin")
        if plugin is not None and plugin._values["active"]:
            raise NotHereError(text_of("MjSpec.compile with plugins"))

    def angle(self, mine, name: str, value):
        """An angle of a joint in radians."""
        kind = mine._values["type"]
        if kind == _HINGE or kind == _BALL and name == "range":
            return in_radians(value, mine.compiler.degree)
        return value

    def file(self, mine, name: str, value: str) -> str:
        """What a file is called in the tree."""
        return self.file_of(mine, name, value) if self.file_of is not None and value else value

    def orientation(self, mine, reference: Mapping | None = None, quat: str = "quat", alt: str = "alt") -> dict[str, str]:
        """The attribute quat; nothing where it is as in the reference."""
        values = mine._values
        reference = self.reference(mine) if reference is None else reference
        if values[alt]._values["type"] == 0 and same(values[quat], reference[quat]):
            return {}
        compiler = mine.compiler
        try:
            turned = quaternion(values[alt], compiler.degree, "".join(compiler.eulerseq), values[quat])
        except (OrientationError, ValueError) as error:
            raise CompileError(str(error), mine) from None
        if np.array_equal(turned, [1, 0, 0, 0]) and np.array_equal(reference[quat], [1, 0, 0, 0]):
            return {}
        return {"quat": " ".join([self.number(x) for x in turned.tolist()])}

    def classed(self, mine, around: str) -> dict[str, str]:
        """The attribute class, where it is not the one around."""
        name = "" if not self.classes or mine._class is None else mine._class.name
        return {"class": name} if name and name != around else {}

    # ------------------------------------------------ bodies

    def in_body(self, body, around: str) -> list[Element]:
        """What stands in a body."""
        inertial = self.inertial(body)
        if self.classes:
            return [*inertial, *self.nested(body, None, around)]
        rows = [(self.chain(child), self.leaf(child, around)) for kind in _ORDER for child in body._children[kind]]
        found, at = [], 0
        while at < len(rows):
            end = at
            while end < len(rows) and rows[end][0] == rows[at][0]:
                end += 1
            inside = [element for _chain, element in rows[at:end]]
            for frame in reversed(rows[at][0]):
                attrs = {**self.attributes(frame, "body/frame"), **self.orientation(frame)}
                attrs.pop("name", None)     # one frame may be written several times
                inside = [self.element("frame", attrs, inside, frame)]
            found += inside
            at = end
        return [*inertial, *found]

    def chain(self, child) -> tuple:
        """The frames that an element is in, outermost first."""
        found, frame = [], child._frame
        while frame is not None:
            found.append(frame)
            frame = frame._frame
        return tuple(reversed(found))

    def nested(self, body, frame, around: str) -> list[Element]:
        """What stands in a frame of a body, or in none; a frame that does nothing is left away."""
        found = [self.leaf(child, around) for kind in _ORDER for child in body._children[kind] if child._frame is frame]
        for inner in body._children["frame"]:
            if inner._frame is not frame:
                continue
            inside = inner._values["childclass"] or around
            attrs = {**self.attributes(inner, "body/frame"), **self.orientation(inner)}
            children = self.nested(body, inner, inside)
            if inside != around:
                attrs["childclass"] = inside
            found += [self.element("frame", attrs, children, inner)] if attrs else children
        return found

    def leaf(self, child, around: str) -> Element:
        """One element of a body."""
        kind = child.KIND
        if kind == "body":
            inside = child._class.name if self.classes and child._class is not None else around
            attrs = {**self.attributes(child, "body", self.first_values("body")), **self.orientation(child, self.first_values("body"))}
            if inside != around:
                attrs["childclass"] = inside
            return self.element("body", attrs, self.in_body(child, inside), child)
        if kind == "joint":
            return self.joint(child, around)
        skip = set()
        values = child._values
        if kind == "geom" or kind == "site":
            fromto = values["fromto"][0] == values["fromto"][0]
            skip = {"pos"} if fromto else {"fromto"}
            turned = {} if fromto else self.orientation(child)
        else:
            turned = self.orientation(child) if "alt" in values else {}
        if kind == "camera":
            sensor = bool(values["sensor_size"].any())
            skip = {"fovy"} if sensor else {"sensorsize", "focal", "focalpixel", "principal", "principalpixel"}
        attrs = {**self.attributes(child, f"body/{kind}", skip=skip), **turned}
        return self.element(kind, _with_class(attrs, self.classed(child, around)), (), child)

    def joint(self, child, around: str) -> Element:
        """A joint; a free one with an alignment of its own is written as freejoint."""
        values = child._values
        if values["type"] == _FREE and (self.classes or values["align"] != 2):
            return self.element("freejoint", self.attributes(child, "body/freejoint", self.first_values("joint")), (), child)
        return self.element("joint", _with_class(self.attributes(child, "body/joint"), self.classed(child, around)), (), child)

    def inertial(self, body) -> list[Element]:
        """The element inertial, where the body says its own inertia or has no geoms that it could follow from."""
        values = body._values
        told = values["ipos"][0] == values["ipos"][0] or values["explicitinertial"]
        if not (told or values["mass"] > 0 and not body._children["geom"]) or body._parent is None:
            return []
        pos = values["ipos"] if values["ipos"][0] == values["ipos"][0] else np.zeros(3)
        attrs = {"pos": self.list(pos), "mass": self.number(values["mass"])}
        if values["fullinertia"][0] == values["fullinertia"][0]:
            attrs["fullinertia"] = self.list(values["fullinertia"])
        else:
            attrs = {**attrs, **self.orientation(body, self.first_values("body"), "iquat", "ialt"), "diaginertia": self.list(values["inertia"])}
        return [self.element("inertial", attrs, (), body)]

    def list(self, values) -> str:
        """Numbers as text."""
        return " ".join([self.number(float(value)) for value in values])


def _with_class(attrs: dict[str, str], said: dict[str, str]) -> dict[str, str]:
    """Attributes with the class behind the name."""
    name = {"name": attrs["name"]} if "name" in attrs else {}
    return {**name, **said, **{key: value for key, value in attrs.items() if key != "name"}}

