"""Where a value came from: of each component the element itself, a default class, a rule of the compiler, or the language.

    provenance(resolver, element, "friction")  ->  (own 0.8), (class rubber 0.01), (default 0.0001)

What the compiler infers is told by the rules in `physics/compiler/inferred`. Lists that are shorter than allowed are merged as physics/spec/defaults.py has it.
"""
from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import NamedTuple

from physics.compiler.inferred.rule import Inference, Look, class_name
from physics.compiler.inferred.table import RULES
from physics.errors import Place
from physics.model.model import Model
from physics.schema.schema import ACTUATOR_SHORTCUTS
from physics.spec.defaults import Attrs, Resolver, default_tag
from physics.spec.element import Element

__all__ = ["CLASS", "DEFAULT", "INFERRED", "OWN", "Provenance", "Users", "provenance"]

OWN, CLASS, INFERRED, DEFAULT = "own", "class", "inferred", "default"
_MERGED = frozenset({"compiler", "option", "option/flag", "size", "statistic"})     # repeated elements of these are one
# parameter of an actuator shortcut -> where a class that is written with <general> has it: (attribute, component, sign)
_GENERAL = MappingProxyType({
    ("position", "kp"): ("gainprm", 0, 1), ("position", "kv"): ("biasprm", 2, -1), ("velocity", "kv"): ("gainprm", 0, 1), ("intvelocity", "kp"): ("gainprm", 0, 1),
    ("intvelocity", "kv"): ("biasprm", 2, -1), ("damper", "kv"): ("gainprm", 2, -1), ("cylinder", "area"): ("gainprm", 0, 1), ("cylinder", "timeconst"): ("dynprm", 0, 1),
    ("adhesion", "gain"): ("gainprm", 0, 1),
})


class Provenance(NamedTuple):
    """Of one component of a value. layer: OWN, CLASS, INFERRED or DEFAULT; element: whose text says it (of a class the element in its <default>), None for a rule
    and the language; name: of the class, or of the rule; text: the word that is written, or what was inferred, from what, in words and numbers; attribute: that of
    `element` which says it; inputs: elements and attributes that a rule looked at; value: the number that a rule came to, where it is known."""

    layer: str
    element: Element | None
    name: str
    text: str
    attribute: str = ""
    inputs: tuple[tuple[Element, str], ...] = ()
    value: float | None = None

    @property
    def place(self) -> Place | None:
        """Where the text stands; None for a rule and the language."""
        return self.element.attr_place(self.attribute) if self.element is not None else None


def provenance(source: Resolver | Element, element: Element, attribute: str, model: Model | None = None, item: tuple[str, int] | None = None) -> tuple[Provenance, ...]:
    """Where each component of an attribute's value comes from.

    source: default classes of the tree as it was read that the element stands in, or its root. model: one compiled from it, which gives inferred values in numbers;
    item: (kind, number) of what it has of the element, the first by default. Also for what the compiler computes of an element under the name of a field: mass and inertia of a body, length0 of a tendon or
    actuator. () for a value that there is not. Raises KeyError for an attribute that the element cannot have.
    """
    resolver = source if isinstance(source, Resolver) else Resolver(source)
    attrs = attrs_of(resolver, element)
    path = attrs.spec.path
    rules = RULES.get((path, attribute), ())
    found = _written(resolver, attrs, attribute) if attribute in attrs.spec.attributes or not rules else []
    if rules:
        if model is not None and item is None:
            item = next(iter(model.links.items(element.id)), None)
        look = Look(resolver, element, attrs, model, item)
        for rule in rules:
            inference = rule.infer(look, attribute)
            if inference is not None:
                found = _laid_over(found, rule.name, inference)
                break
    return tuple(found)


def attrs_of(resolver: Resolver, element: Element) -> Attrs:
    """Effective attributes of any element of a tree, those of default classes too. Raises KeyError for one that is not in it."""
    parent = resolver.parent(element)
    return resolver.in_default(element) if parent is not None and parent.tag == "default" and element.tag != "default" else resolver.attrs(element)


def _written(resolver: Resolver, attrs: Attrs, attribute: str) -> list[Provenance]:
    """What texts and the language say."""
    element, path = attrs.element, attrs.spec.path
    if path in _MERGED or path.startswith("visual/"):
        return _merged(resolver, attrs, attribute)
    if attribute == "class" and path != "default" and "class" not in element.attrs:
        return [Provenance(DEFAULT, None, "", "main")] if default_tag(path) else []
    twin = _from_general(resolver, attrs, attribute) if path.startswith("actuator/") and element.tag in ACTUATOR_SHORTCUTS else None
    return [twin] if twin is not None else [_of(resolver, element, source, word, attribute) for source, word in attrs.origins(attribute)]


def _of(resolver: Resolver, element: Element, source: Element | None, word: str, attribute: str) -> Provenance:
    if source is None:
        return Provenance(DEFAULT, None, "", word)
    if source is element:
        return Provenance(OWN, source, "", word, attribute)
    return Provenance(CLASS, source, class_name(resolver, source), word, attribute)


def _merged(resolver: Resolver, attrs: Attrs, attribute: str) -> list[Provenance]:
    """Of a section that may be repeated: of all its elements the last one's text counts, of a list its first values."""
    tag, _, inner = attrs.spec.path.partition("/")
    tops = resolver.root.all(tag)
    elements = [child for top in tops for child in top.all(inner)] if inner else list(tops)
    found: list[Provenance] = [_of(resolver, attrs.element, None, word, attribute) for _source, word in Attrs.alone(Element(0, attrs.spec.tag), attrs.spec.path).origins(attribute)]
    for element in elements:
        if attribute in element.attrs:
            new = [Provenance(OWN, element, "", word, attribute) for source, word in Attrs.alone(element, attrs.spec.path).origins(attribute) if source is element]
            found = new + found[len(new):]
    return found


def _from_general(resolver: Resolver, attrs: Attrs, attribute: str) -> Provenance | None:
    """A shortcut's parameter that a class gives by <general>."""
    general = _GENERAL.get((attrs.element.tag, attribute))
    if general is None or attribute in attrs.element.attrs:
        return None
    name, component, sign = general
    for layer in reversed(attrs.own_layers[:-1]):
        if attribute in layer.attrs:
            return None
        words = layer.attrs.get(name, "").split() if layer.tag == "general" else []
        if len(words) > component:
            word = words[component] if sign > 0 else words[component][1:] if words[component].startswith("-") else f"-{words[component]}"
            return Provenance(CLASS, layer, class_name(resolver, layer), word, name)
    return None


def _laid_over(found: list[Provenance], name: str, inference: Inference) -> list[Provenance]:
    """Components with those that a rule infers in their places."""
    at = range(max(len(found), len(inference.value), 1)) if inference.components is None else inference.components
    values = dict(zip(at, inference.value))
    blank = Provenance(DEFAULT, None, "", "")
    out = found + [blank] * (max(at, default=-1) + 1 - len(found))
    for k in at:
        out[k] = Provenance(INFERRED, None, name, inference.text, "", inference.inputs, values.get(k))
    return out


class Users:
    """Who takes what from the default classes of a tree: what changes where an attribute of a class is changed."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self._by_class: dict[tuple[str, str], list[Element]] = {}    # by default section and class, the elements that it holds for
        for element in resolver.elements():
            tag = default_tag(resolver.spec(element).path)
            if tag:
                self._by_class.setdefault((tag, resolver.class_of(element)), []).append(element)

    def elements(self, layer: Element) -> Iterator[Element]:
        """Elements for which an element of a default class holds, whatever they take of it."""
        tag = _section(layer)
        for (section, name), elements in self._by_class.items():
            if section == tag and layer in self.resolver.classes.get(name, self.resolver.classes["main"]).get(tag, ()):
                yield from elements

    def users(self, layer: Element, attribute: str) -> tuple[tuple[Element, tuple[int, ...]], ...]:
        """(element, components) of all whose value of an attribute, or a part of it, is this layer's text."""
        found = []
        for element in self.elements(layer):
            attrs = self.resolver.attrs(element)
            if attribute in attrs.spec.attributes:
                taken = tuple(k for k, (source, _word) in enumerate(attrs.origins(attribute)) if source is layer)
                if taken:
                    found.append((element, taken))
        return tuple(found)


def _section(layer: Element) -> str:
    return "actuator" if layer.tag in ACTUATOR_SHORTCUTS or layer.tag == "general" else layer.tag
