"""Effective attribute values: the element's own text, else its default class, else the language's default.

A nested default class starts as a copy of its parent as it stands after the parent's own settings, exactly once, at the place where
it is written; a second <default> section adds to 'main' without changing classes made before it (MJCF reference, `default`).

All actuators of a class share one default in which the last setting wins. The parameters only some kinds have (kp, kv, area, gainprm,
...) come from the nearest class around whose default was last written with the same shortcut, or with `general` and the
shortcut's gain type; a default of another shortcut written before in the same chain puts them back (modeling chapter,
"Shortcuts"; the rule since MuJoCo 3.16). Attribute lists shorter than allowed replace only the first values of what they override.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import copy
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from physics.errors import Place
from physics.schema import schema
from physics.schema.numbers import parse
from physics.schema.schema import ACTUATOR_SHORTCUTS, AttributeSpec, ElementSpec
from physics.spec.element import Element, path_of

__all__ = ["GAIN_TYPES", "Attrs", "Resolver"]

# element path -> tag of its default; equality, tendon and actuator kinds share one
_DEFAULT_TAG = MappingProxyType({
    "body/joint": "joint", "body/geom": "geom", "body/site": "site", "body/camera": "camera", "body/light": "light",
    "asset/mesh": "mesh", "asset/texture": "texture", "asset/material": "material", "contact/pair": "pair",
})
_SHARED_TAG = MappingProxyType({"equality": "equality", "tendon": "tendon", "actuator": "actuator"})
# actuator tag -> the gain type that it stands for; all others are fixed
GAIN_TYPES = MappingProxyType({"damper": "affine", "muscle": "muscle", "dcmotor": "dcmotor", "pid": "pid", "orientation": "so3"})
_ACTUATOR_TAGS = ACTUATOR_SHORTCUTS | {"general"}
_NONE: tuple[Element, ...] = ()


@lru_cache(maxsize=None)
def default_tag(path: str) -> str:
    """The default section an element reads: 'joint', ..., 'actuator' for all actuators; '' when it reads none."""
    if path in _DEFAULT_TAG:
        return _DEFAULT_TAG[path]
    head, _, tail = path.partition("/")
    return _SHARED_TAG.get(head, "") if tail and "/" not in tail else ""


@lru_cache(maxsize=None)
def _attribute(path: str, name: str) -> AttributeSpec | None:
    """An attribute of an element; a shortcut also answers for what `general` has, as its defaults may set it."""
    spec = schema.lookup(path)
    found = spec.attributes.get(name)
    if found is None and path.startswith("actuator/"):
        return schema.lookup("actuator/general").attributes.get(name)
    return found


@lru_cache(maxsize=1)
def _mechanical() -> frozenset[str]:
    """Actuator attributes every kind shares; all others are a kind's own parameters."""
    return frozenset(schema.lookup("actuator/motor").attributes)


class _Shared:
    """What the elements of one kind and class have in common: the defaults that hold for them, and all values looked up so far.

    layers: the default elements of the class chain, oldest first. own_layers: the same for the parameters that not all actuators share;
    differs from layers for actuator shortcuts only. values: by name what an element has that does not give it, by (name, text) what one has that does.
    """

    __slots__ = ("spec", "layers", "own_layers", "values", "tables", "given", "newest")

    def __init__(self, spec: ElementSpec, layers: tuple[Element, ...] = _NONE, own_layers: tuple[Element, ...] | None = None) -> None:
        self.spec, self.layers = spec, layers
        self.own_layers = layers if own_layers is None else own_layers
        self.values: dict[str | tuple[str, str], object] = {}
        self.tables: dict[int, tuple[dict, dict]] = {}
        self.given: dict[str, bool] = {}
        self.newest: dict[tuple[str, ...], str] = {}

    def setting(self, name: str) -> list[Element]:
        """Layers that set the attribute, oldest first."""
        layers = self.layers
        if self.own_layers is not layers and name not in _mechanical():
            layers = self.own_layers
        return [layer for layer in layers if name in layer.attrs]

    def value(self, name: str, text: str | None):
        """The value of an attribute that says `text`, or is not given (None). Raises KeyError for a name the element cannot have."""
        spec = _attribute(self.spec.path, name)
        if spec is None:
            raise KeyError(f"<{self.spec.tag}> has no attribute '{name}'")
        if text is not None:
            value = parse(spec, text)[0]
            if value is not None and _is_whole(spec, value):
                return value
        texts = [layer.attrs[name] for layer in self.setting(name)]
        return _overlay(spec, texts if text is None else [*texts, text])

    def plain(self, name: str, text: str | None):
        """The same, a list as a tuple of numbers, () for a list that has no value."""
        value = self.value(name, text)
        if isinstance(value, np.ndarray):
            return tuple(value.tolist())
        return () if value is None and not _attribute(self.spec.path, name).scalar else value


class Attrs:
    """The typed, class-resolved attributes of one element."""

    __slots__ = ("element", "_shared")

    def __init__(self, element: Element, shared: _Shared) -> None:
        self.element, self._shared = element, shared

    @classmethod
    def alone(cls, element: Element, path: str) -> Attrs:
        """Of an element of a kind that has no default class. path: the kind's in the language's table."""
        return cls(element, _Shared(schema.lookup(path)))

    @property
    def spec(self) -> ElementSpec:
        """The table's entry for the element."""
        return self._shared.spec

    @property
    def layers(self) -> tuple[Element, ...]:
        """What applies, oldest first: the default elements of its class chain, then the element itself."""
        return *self._shared.layers, self.element

    @property
    def own_layers(self) -> tuple[Element, ...]:
        """The same for the parameters that not all actuators share."""
        return *self._shared.own_layers, self.element

    def __getitem__(self, name: str):
        """Value: float, int, bool, keyword, text, tuple of keywords or a read-only array; the language's default, else None.

        Raises KeyError for a name the element cannot have.
        """
        text = self.element.attrs.get(name)
        key = name if text is None else (name, text)
        values = self._shared.values
        if key in values:
            return values[key]
        value = values[key] = self._shared.value(name, text)
        return value

    def plain(self, names: Mapping[str, str]) -> dict:
        """Values of several attributes under other names, {attribute: name}; lists as tuples of numbers, () for one that has no value.

        Quicker than one by one: what was read once, of the class or in another element, is not read again. names: a constant of the module that asks.
        """
        shared = self._shared
        table = shared.tables.get(id(names))
        if table is None:
            table = shared.tables[id(names)] = {as_name: shared.plain(name, None) for name, as_name in names.items()}, {}
        found, known = table[0].copy(), table[1]
        for item in self.element.attrs.items():
            pair = known.get(item)
            if pair is None:
                name, text = item
                pair = known[item] = (names[name], shared.plain(name, text)) if name in names else ()
            if pair:
                found[pair[0]] = pair[1]
        return found

    @property
    def said(self) -> tuple:
        """Equal for elements of one kind and class that say the same, whatever their names."""
        attrs = self.element.attrs
        return self._shared, *(attrs.items() if "name" not in attrs else [item for item in attrs.items() if item[0] != "name"])

    def newest(self, names: tuple[str, ...]) -> str:
        """Which of the names the newest layer with any of them gives, the first where it gives several; '' for none."""
        attrs = self.element.attrs
        for name in names:
            if name in attrs and attrs[name].split():
                return name
        found = self._shared.newest.get(names)
        if found is None:
            given = (name for layer in reversed(self._shared.layers) for name in names if layer.attrs.get(name, "").split())
            found = self._shared.newest[names] = next(given, "")
        return found

    def get(self, name: str, otherwise=None):
        """As [name], with a value for what is neither given nor has a default."""
        value = self[name]
        return otherwise if value is None else value

    def given(self, name: str) -> bool:
        """True when the element or its class sets the attribute."""
        if name in self.element.attrs and _is_given(self.spec.path, self.element, name):
            return True
        found = self._shared.given.get(name)
        if found is None:
            found = self._shared.given[name] = any(_is_given(self.spec.path, layer, name) for layer in self._shared.setting(name))
        return found

    def names(self) -> list[str]:
        """All attributes that the element or its class sets."""
        some = {name for layer in self._shared.layers for name in layer.attrs} if self._shared.layers else set()
        some.update(self.element.attrs)
        return [name for name in self.spec.attributes if name in some and self.given(name)]

    def own(self, name: str) -> bool:
        """True when the element itself, not its class, sets the attribute."""
        return _is_given(self.spec.path, self.element, name)

    def setting(self, name: str) -> tuple[Element, ...]:
        """What sets an attribute, oldest first: defaults of its class, then the element itself."""
        return *self._shared.setting(name), *((self.element,) if name in self.element.attrs else ())

    def count(self, name: str) -> int:
        """How many values the text in force gives: 0 when nothing is given."""
        source = self.source(name)
        return len(source.attrs[name].split()) if source is not None else 0

    def source(self, name: str) -> Element | None:
        """The element whose text is in force: this one, a default, or None when it is the language's default."""
        if name in self.element.attrs:
            return self.element
        setting = self._shared.setting(name)
        return setting[-1] if setting else None

    def unreadable(self, names: Collection[str]) -> str:
        """What is wrong with the text in force of one of some attributes that cannot be read, and so counts as not given: 'pos="1 2": 3 values are expected, found 2 values'; '' for none."""
        looked_at: set[str] = set()
        for layer in (self.element, *reversed(self._shared.layers)):
            for name, text in layer.attrs.items():
                if name not in names or name in looked_at:
                    continue
                looked_at.add(name)
                spec = _attribute(self.spec.path, name)
                if spec is not None and (problem := parse(spec, text)[1]):
                    return f'{name}="{text}": {problem}'
        return ""

    def origins(self, name: str) -> tuple[tuple[Element | None, str], ...]:
        """Of each component of a value the element whose text gives it, None for the language's default, and the word that says it; one component where the value is
        one text. () where there is no value. Raises KeyError for a name the element cannot have."""
        spec = _attribute(self.spec.path, name)
        if spec is None:
            raise KeyError(f"<{self.spec.tag}> has no attribute '{name}'")
        layers = self._shared.setting(name)
        return _origins(spec, [*layers, self.element] if name in self.element.attrs else layers, name)

    def place(self, name: str = "") -> Place:
        """Place of the attribute's value in force, else of this element's tag."""
        source = self.source(name) if name else None
        return source.attr_place(name) if source is not None else self.element.place


def _after_reset(layers: tuple[Element, ...], kind: str) -> tuple[Element, ...]:
    """The layers after the last default of another shortcut, which put the parameters back."""
    start = 0
    for i, layer in enumerate(layers):
        if layer.tag not in ("general", kind):
            start = i + 1
    return layers[start:]


def _inheritable(layers: tuple[Element, ...], kind: str) -> bool:
    """True when a shortcut may take its parameters from a class with these actuator defaults."""
    last = layers[-1]
    if last.tag != "general":
        return last.tag == kind
    gains = [layer.attrs["gaintype"] for layer in _after_reset(layers, "general") if "gaintype" in layer.attrs]
    return (gains[-1] if gains else "fixed") == GAIN_TYPES.get(kind, "fixed")


def _is_given(path: str, layer: Element, name: str) -> bool:
    text = layer.attrs.get(name)
    if text is None:
        return False
    spec = _attribute(path, name)
    return bool(text.split()) or spec is None or spec.type not in ("real", "int")


def _overlay(spec: AttributeSpec, texts: list[str]):
    """The value of several texts laid over the language's default, oldest first."""
    value = parse(spec, spec.default)[0] if spec.default is not None else None
    for text in texts:
        new = parse(spec, text)[0]
        if new is None:
            continue
        value = new if _is_whole(spec, new) else _merge(spec, value, new)
    return value


def _origins(spec: AttributeSpec, layers: list[Element], name: str) -> tuple[tuple[Element | None, str], ...]:
    """The same of where each component comes from. layers: that give the attribute, oldest first."""
    listed = not spec.scalar and spec.type in ("real", "int", "words")
    found = [] if spec.default is None else [(None, word) for word in spec.default.split()] if listed else [(None, spec.default)]
    for layer in layers:
        text = layer.attrs[name]
        new = parse(spec, text)[0]
        if new is None:
            continue
        words = [(layer, word) for word in text.split()] if listed else [(layer, text)]
        if not _is_whole(spec, new):
            full = max(spec.counts)
            words += words[-1:] * (full - len(words)) if spec.repeat else (found or [(None, "0")] * full)[len(words):]
        found = words
    return tuple(found)


def _is_whole(spec: AttributeSpec, value) -> bool:
    """Whether nothing of what a value overrides shows through."""
    if spec.scalar or spec.counts is None or not isinstance(value, np.ndarray):
        return True
    return not isinstance(spec.counts, range) or len(value) == spec.counts[-1]


def _merge(spec: AttributeSpec, under: np.ndarray | None, over: np.ndarray) -> np.ndarray:
    """`over` on the first values of `under` (or repeated to full length, where the language says so)."""
    full = max(spec.counts)
    if spec.repeat:
        merged = np.concatenate((over, np.repeat(over[-1:], full - len(over))))
    else:
        under = np.zeros(full, over.dtype) if under is None else under
        merged = np.concatenate((over, under[len(over):]))
    merged.flags.writeable = False
    return merged


class Resolver:
    """Default classes of a whole tree, and the effective attributes of any element in it."""

    def __init__(self, root: Element) -> None:
        self.root = root
        # class -> default tag -> default elements in force, oldest first
        self.classes: dict[str, dict[str, tuple[Element, ...]]] = {"main": {}}
        self.parent_class: dict[str, str] = {}
        # element id -> its entry in the table, the default class in force around it, what it stands in
        self.context: dict[int, tuple[ElementSpec, str, Element | None]] = {}
        self._shared: dict[tuple[ElementSpec, str], _Shared] = {}   # by kind of element and class
        for default in root.all("default"):   # those of attached models are roots of their own, with other names
            self._read_class(default, default.attrs.get("class") or "main")
        self._walk()

    def _read_class(self, default: Element, name: str) -> None:
        stack: list[tuple[Element, str, str | None]] = [(default, name, None)]
        while stack:
            element, name, parent = stack.pop()
            if parent is not None:   # '' is a class whose name is missing, an error found elsewhere
                if name in self.classes:
                    continue  # a repeated class name is an error found elsewhere
                self.classes[name] = dict(self.classes[parent])
                self.parent_class[name] = parent
            settings = self.classes.setdefault(name, {})
            for child in element.children:
                if child.tag == "default":
                    continue
                tag = "actuator" if child.tag in _ACTUATOR_TAGS else child.tag
                settings[tag] = (*settings.get(tag, _NONE), child)
            nested = [child for child in element.children if child.tag == "default"]
            stack.extend((child, child.attrs.get("class", ""), name) for child in reversed(nested))

    def _walk(self) -> None:
        root_spec, context = schema.lookup("mujoco"), self.context
        stack: list[tuple[Element, ElementSpec, str, Element | None]] = [(self.root, root_spec, "main", None)]
        while stack:
            element, spec, inherited, parent = stack.pop()
            context[element.id] = (spec, inherited, parent)
            if "childclass" in element.attrs:
                inherited = element.attrs["childclass"]
            elif element.tag in ("frame", "replicate") and "class" in element.attrs:
                inherited = element.attrs["class"]
            path = spec.path
            for child in element.children:   # in any order
                known = schema.child_spec(path, child.tag)
                if known is None:
                    continue
                if child.children:
                    stack.append((child, known, inherited, element))
                else:
                    context[child.id] = (known, inherited, element)

    def with_defaults(self, changed: Mapping[int, Element]) -> Resolver:
        """One of the same tree, in which some default elements, by their ids, say something else."""
        other = copy(self)
        other.classes = {name: {tag: tuple([changed.get(layer.id, layer) for layer in layers]) for tag, layers in settings.items()}
                         for name, settings in self.classes.items()}
        other._shared = {}
        return other

    def of_changed(self, root: Element, changed: Mapping[int, Element]) -> Resolver:
        """That of a tree in which some elements, by their ids, have other attributes, but for those that name classes. What was looked up here is known there, unless default
        elements are among them."""
        defaults = {number: element for number, element in changed.items() if self.context[number][0].path.partition("/")[0] == "default"}
        other = self.with_defaults(defaults) if defaults else copy(self)
        other.root = root
        return other

    def spec(self, element: Element) -> ElementSpec:
        """The table's entry for an element of this tree. Raises KeyError for an element the language does not know."""
        return self.context[element.id][0]

    def parent(self, element: Element) -> Element | None:
        """The element it stands in; None for the root."""
        return self.context[element.id][2]

    def inherited(self, element: Element) -> str:
        """The default class in force around it."""
        return self.context[element.id][1]

    def class_of(self, element: Element) -> str:
        """The default class in force: its own `class`, else the nearest `childclass`, else 'main'."""
        return element.attrs.get("class") or self.context[element.id][1]

    def elements(self) -> Iterator[Element]:
        """All elements of the tree that the language knows, in no order."""
        for element in self.root.walk():
            if element.id in self.context:
                yield element

    def in_default(self, element: Element) -> Attrs:
        """Effective attributes of an element of a default class: those of the classes around it and of what was written there before, below its own."""
        name = self.parent(element).attrs.get("class") or "main"
        tag = "actuator" if element.tag in _ACTUATOR_TAGS else element.tag
        layers = self.classes.get(name, {}).get(tag, _NONE)
        before = [i for i, layer in enumerate(layers) if layer is element]
        return Attrs(element, _Shared(self.spec(element), layers[:before[0]] if before else layers))

    def attrs(self, element: Element) -> Attrs:
        """Effective attributes of an element of this tree."""
        spec, around, _parent = self.context[element.id]
        name = element.attrs.get("class") or around
        shared = self._shared.get((spec, name))
        if shared is None:
            shared = self._shared[spec, name] = self._share(spec, name)
        return Attrs(element, shared)

    def _share(self, spec: ElementSpec, name: str) -> _Shared:
        """What elements of a kind have from a class."""
        tag = default_tag(spec.path)
        layers = self.classes.get(name, self.classes["main"]).get(tag, _NONE) if tag else _NONE
        shortcut = layers and tag == "actuator" and spec.tag in ACTUATOR_SHORTCUTS
        return _Shared(spec, layers, self._actuator_layers(name, spec.tag) if shortcut else None)

    def _actuator_layers(self, name: str, kind: str) -> tuple[Element, ...]:
        """Defaults a shortcut's own parameters come from: those of the nearest class around that allows it."""
        while name:
            layers = self.classes.get(name, {}).get("actuator", _NONE)
            if layers and _inheritable(layers, kind):
                return _after_reset(layers, kind)
            name = self.parent_class.get(name, "")
        return _NONE

    def path(self, element: Element) -> str:
        """Where the element stands, for messages: mujoco/worldbody/body[torso]/geom[2]."""
        return path_of(element, self.parent)
