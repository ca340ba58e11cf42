"""From a tree of elements, as Linkwork's reader gives it, to a MjSpec."""
from __future__ import annotations

import os

import numpy as np

from physics.errors import ModelError
from physics.expand.expand import Expanded, expand
from physics.mjcf.include import TextSource
from physics.mjcf.reader import ReadResult, read_source
from physics.schema import schema
from physics.schema.numbers import parse
from physics.spec.actuator_shortcuts import Actuators
from physics.spec.defaults import Resolver
from physics.spec.element import Element
from physics.spec.names import declared_name

from ... import loading
from ..compiler_settings import MjsCompiler
from ..defaults import MjsDefault
from ..model_spec import OUTSIDE, MjSpec
from .read_outside import read_outside
from .read_settings import read_settings, set_compiler
from ..vfs import files_of
from .words import ORIENTATIONS, keywords, read_into

_CHILDREN = ("body", "joint", "geom", "site", "camera", "light", "frame")
_ACTUATOR_TAGS = frozenset(schema.lookup("actuator").children)


def from_string(xml: str | bytes, include=None, assets=None, vfs=None) -> MjSpec:
    """The MjSpec of a text. Raises ValueError."""
    text = xml.decode() if isinstance(xml, bytes) else xml
    held = {**files_of(vfs), **(include or {})}
    files = loading.named_files(text, {**held, **_texts(assets)})
    return _of(TextSource(None, {**files, "model.xml": text}), "model.xml", assets, held)


def from_file(filename, include=None, assets=None, vfs=None) -> MjSpec:
    """Read a model file. include: texts of files that it includes; assets: other files by name. Raises ValueError."""
    path = os.fspath(filename)
    held = {**files_of(vfs), **(include or {})}
    if path not in held and not os.path.exists(path):
        raise ValueError(f"ParseXML: Error opening file '{path}': No such file or directory")
    text = ""
    if held or assets:
        text = held.get(path) or open(path, encoding="utf-8").read()
        text = text.decode() if isinstance(text, bytes) else text
    files = loading.named_files(text, {name: data for name, data in {**held, **_texts(assets)}.items() if name != path})
    spec = _of(TextSource(os.path.dirname(path), {**files, **({path: text} if text else {})}), path, assets, held)
    spec.modelfiledir = os.path.dirname(path)
    return spec


def _texts(assets) -> dict:
    """Those of the assets that are models; all others are looked for when it is compiled."""
    return {name: data for name, data in (assets or {}).items() if name.lower().endswith((".xml", ".mjcf", ".urdf"))}


def _of(source: TextSource, file: str, assets, held) -> MjSpec:
    result = read_source(source, file, references=False)
    wrong = result.errors
    if not wrong and result.root is not None:
        expanded = expand(result)
        wrong = [issue for issue in (*result.issues, *expanded.issues) if issue.severity == "error"]
    if wrong or result.root is None:
        raise ValueError(f"XML Error: {ModelError(wrong)}")
    spec = MjSpec()
    # files of include are there while reading, those of assets as long as the specification
    spec.assets = dict(assets or {})
    spec.__dict__["_held"] = {name: data for name, data in held.items()}
    Reader(spec, expanded, result).read()
    spec.__dict__["_signature"] = 0
    return spec


class Reader:
    """One tree being read. Values are those of the default class, then what the element itself says."""

    def __init__(self, spec: MjSpec, expanded: Expanded, result: ReadResult):
        self.spec, self.root, self.expanded, self.result = spec, expanded.root, expanded, result
        self.resolver = Resolver(self.root)
        self.actuators = Actuators(self.resolver)
        self._compilers: dict[int, MjsCompiler] = {}

    def read(self) -> None:
        """Everything."""
        self.spec.modelname = self.root.attrs.get("model", "MuJoCo Model")
        read_settings(self.spec, self.root)
        for default in self.root.all("default"):
            name = default.attrs.get("class") or "main"
            mine = self.spec.default if name == "main" else self.spec.find_default(name) or self.spec.add_default(name, self.spec._default)
            self.default(default, mine, ())
        for world in self.root.all("worldbody"):
            self.body(world, self.spec.worldbody, None, "main")
        read_outside(self)

    # ------------------------------------------------ classes

    def default(self, element: Element, mine: MjsDefault, before: tuple[Element, ...]) -> None:
        """What a default class says, and those inside."""
        layers = before
        for child in element.children:
            if child.tag == "default":
                continue
            if child.tag in _ACTUATOR_TAGS:
                layers = (*layers, child)
                self.law(mine.actuator._values, self.actuators.after(layers))
                continue
            pattern = getattr(mine, child.tag, None)
            if pattern is not None:
                self.apply(pattern, child, f"default/{child.tag}")
        for child in element.children:
            if child.tag == "default":
                name = child.attrs.get("class", "")
                self.default(child, self.spec.find_default(name) or self.spec.add_default(name, mine), layers)

    def law(self, values: dict, settings) -> None:
        """Values of an actuator, of what its element and its classes stand for."""
        for name, value in vars(settings).items():
            if name == "user":
                values["userdata"] = type(values["userdata"])(value)
            elif name == "origin":
                values["type"] = keywords("mjtActuator").get(value or "general", 0)
            elif name in ("ctrllimited", "forcelimited", "actlimited"):
                values[name] = ("false", "true", "auto").index(value)
            elif name == "interp":
                values[name] = ("zoh", "linear", "cubic").index(value)
            elif isinstance(values[name], np.ndarray):
                values[name][:len(value)] = value
            else:
                values[name] = type(values[name])(value)

    # ------------------------------------------------ elements

    def compiler(self, element: Element) -> MjsCompiler:
        """The settings that an element was written under: its own model's where it was attached."""
        model = self.expanded.models.get(element.id)
        if model is None:
            return self.spec.compiler
        if id(model) not in self._compilers:
            own = self._compilers[id(model)] = MjsCompiler()
            own.take(self.spec.compiler)
            set_compiler(own, model.root)
        return self._compilers[id(model)]

    def apply(self, mine, element: Element, path: str) -> None:
        """What an element itself says, over its values."""
        values, kind = mine._values, mine.KIND
        for name, text in element.attrs.items():
            if name == "name":
                mine.name = text
            elif name in ORIENTATIONS and "alt" in values:
                self.orientation(values, "quat", "alt", name, path, text)
            elif not read_into(values, kind, path, name, text):
                self.special(mine, name, text, path)
        for child in element.children:
            if child.tag == "layer":
                mine._values["textures"][keywords("mjtTextureRole")[child.attrs["role"]]] = child.attrs.get("texture", "")
            elif child.tag == "plugin":
                mine._values["plugin"]._values.update(active=True, plugin_name=child.attrs.get("plugin", ""), name=child.attrs.get("instance", ""))

    def orientation(self, values: dict, quat: str, alt: str, name: str, path: str, text: str) -> None:
        """One of the ways to write an orientation."""
        numbers = parse(schema.lookup(path).attributes[name], text)[0]
        if numbers is None:
            return
        values[alt].type = ORIENTATIONS.index(name)
        (values[quat] if name == "quat" else values[alt]._values[name])[:] = numbers

    def special(self, mine, name: str, text: str, path: str) -> None:
        """Attributes that are no fields."""
        values, kind = mine._values, mine.KIND
        if kind == "light" and name == "directional":
            values["type"] = int(text == "true")
        elif kind == "material" and name == "texture":
            values["textures"][1] = text
        elif kind == "texture" and name.startswith("file"):
            values["cubefiles"][("right", "left", "up", "down", "front", "back").index(name.removeprefix("file"))] = text
        elif kind == "mesh" and name in ("builtin", "params"):
            shape = mine._shape or ("none", ())
            mine.__dict__["_shape"] = (text, shape[1]) if name == "builtin" else (shape[0], tuple(map(float, text.split())))

    def placed(self, mine, element: Element) -> None:
        """What is known of an element by where it stands."""
        mine.__dict__["_compiler"] = self.compiler(element)
        mine._values["info"] = f"line {element.place.line}" if element.place.line else ""

    def body(self, element: Element, body, frame, around: str) -> None:
        """What stands in a body, or in a frame of it. around: the default class in force."""
        for child in element.children:
            if child.tag == "inertial":
                self.inertial(child, body)
            if child.tag not in (*_CHILDREN, "freejoint"):
                continue
            own = child.attrs.get("class") or around
            inside = child.attrs.get("childclass") or (child.attrs.get("class") if child.tag == "frame" else None) or around
            default = self.spec.find_default(inside if child.tag == "body" else own) or self.spec.default
            holder = body if frame is None else frame
            if child.tag == "freejoint":
                new = holder.add_joint(self.spec._plain, type=0)
                new.__dict__["_class"] = self.spec.find_default(around)
                self.apply(new, child, "body/freejoint")
            else:
                new = holder.add_frame() if child.tag == "frame" else getattr(holder, f"add_{child.tag}")(default)
                self.apply(new, child, "body" if child.tag == "body" else f"body/{child.tag}")
            if child.tag == "frame":
                new._values["childclass"] = child.attrs.get("childclass") or child.attrs.get("class") or ""
                self.body(child, body, new, inside)
            elif child.tag == "body":
                self.body(child, new, None, inside)
            self.placed(new, child)

    def inertial(self, element: Element, body) -> None:
        """The element inertial."""
        values = body._values
        values["explicitinertial"] = True
        values["ipos"][:] = 0
        known = schema.lookup("body/inertial").attributes
        for name, text in element.attrs.items():
            if name in ORIENTATIONS:
                self.orientation(values, "iquat", "ialt", name, "body/inertial", text)
                continue
            value = parse(known[name], text)[0] if name in known else None
            if value is None:
                continue
            if name == "mass":
                values["mass"] = float(value)
            else:
                values[{"pos": "ipos", "diaginertia": "inertia"}.get(name, name)][:] = value

    def add(self, kind: str, element: Element, path: str):
        """An element outside the bodies."""
        default = self.spec.find_default(element.attrs.get("class") or "main") or self.spec.default
        new = OUTSIDE[kind]._made(self.spec, default if kind in ("mesh", "texture", "material", "pair", "equality", "tendon", "actuator") else None)
        name = declared_name(element, path)
        self.apply(new, element, path)
        if name and not new.name:
            new.name = name
        self.placed(new, element)
        self.spec._outside[kind].append(new)
        return new


