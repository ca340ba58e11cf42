"""A rule by which the compiler comes to a value that no text gives, or that replaces one that is given; and what such a rule looks at."""
from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from physics.compiler.source import CompilerSettings
from physics.model.model import Model
from physics.spec.defaults import Attrs, Resolver
from physics.spec.element import Element

Input = tuple[Element, str]     # an element and the attribute of it that had part


class Inference(NamedTuple):
    """What a rule finds. text: the rule and its inputs in words and numbers; inputs: what it was inferred from; components: which of the value's, None for all of them;
    value: the numbers that came of it, () where they are not known."""

    text: str
    inputs: tuple[Input, ...] = ()
    components: tuple[int, ...] | None = None
    value: tuple[float, ...] = ()


class Look:
    """One element as the rules see it. item: what the Model has of it, where there is a Model with it."""

    def __init__(self, resolver: Resolver, element: Element, attrs: Attrs, model: Model | None = None, item: tuple[str, int] | None = None) -> None:
        self.resolver, self.element, self.attrs = resolver, element, attrs
        self.model, self.item = (model, item) if item is not None else (None, None)

    @cached_property
    def settings(self) -> CompilerSettings:
        """What the <compiler> elements of the element's own file say, as far as rules need it."""
        found = CompilerSettings()
        for element in self.resolver.root.all("compiler"):
            attrs = Attrs.alone(element, "compiler")
            for name in ("autolimits", "balanceinertia", "boundinertia", "boundmass", "inertiafromgeom", "settotalmass", "eulerseq", "inertiagrouprange", "fitaabb"):
                if attrs.given(name):
                    setattr(found, name, attrs[name])
            if attrs.given("angle"):
                found.degree = attrs["angle"] == "degree"
        found.grouprange = tuple(int(x) for x in found.inertiagrouprange)
        return found

    def compiler(self, name: str) -> tuple[Input, ...]:
        """The setting of <compiler> that is in force, as an input."""
        for element in reversed(self.resolver.root.all("compiler")):
            if name in element.attrs:
                return ((element, name),)
        return ()

    def given(self, name: str) -> bool:
        """Whether the element or its class gives an attribute."""
        return name in self.attrs.spec.attributes and self.attrs.given(name)

    def numbers(self, name: str) -> tuple[float, ...]:
        """A resolved list of numbers, () for none."""
        value = self.attrs[name]
        return () if value is None else tuple(value.tolist()) if hasattr(value, "tolist") else (value,)

    def input(self, *names: str) -> tuple[Input, ...]:
        """Attributes as inputs: the element whose text is in force, of each that is given."""
        return tuple((source, name) for name in names if (source := self.attrs.source(name)) is not None)

    def words(self, name: str) -> str:
        """An attribute and where its value is from: 'density 500 (class visual)'."""
        source = self.attrs.source(name)
        text = " ".join(word for _element, word in self.attrs.origins(name))
        return f"{name} {text} ({where(self.resolver, source, self.element)})"

    def row(self, field: str) -> tuple[float, ...]:
        """The element's row of a field of the Model, () where there is none."""
        if self.item is None:
            return ()
        found = getattr(self.model, field)[self.item[1]]
        return tuple(found.tolist()) if getattr(found, "ndim", 0) else (float(found),)


class Rule(NamedTuple):
    """name: what it is called; path, attributes: what it infers; infer: of a Look and an attribute's name what it finds, None where the value is not inferred."""

    name: str
    path: str
    attributes: tuple[str, ...]
    infer: Callable[[Look, str], Inference | None]


def where(resolver: Resolver, source: Element | None, element: Element) -> str:
    """Where a text stands, seen from an element: 'here', 'class visual', 'language default'."""
    if source is None:
        return "language default"
    return "here" if source is element else f"class {class_name(resolver, source)}"


def class_name(resolver: Resolver, layer: Element) -> str:
    """The default class that an element of it belongs to."""
    parent = resolver.parent(layer)
    return "" if parent is None else parent.attrs.get("class") or "main"


def place(element: Element) -> str:
    """Where an element stands: 'file:line', without folders."""
    origin = element.origin
    return f"{origin.file.replace(chr(92), '/').rpartition('/')[2]}:{origin.line}"


def figures(values) -> str:
    """Numbers for reading."""
    return " ".join(f"{value:.6g}" for value in values)
