"""What the inspector is about: elements of one version of the document, or a section that is not there yet.

    reading = Reading(version)      subject = reading.subject((id, ...))   |   reading.section("visual/global")
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from editor.edits.last_good import LastGood
from editor.edits.patch import Edit
from editor.edits.version import Version
from physics.schema import schema
from physics.schema.schema import ACTUATOR_SHORTCUTS, AttributeSpec, ElementSpec
from physics.spec.defaults import Resolver
from physics.spec.element import Element
from physics.spec.names import Names

__all__ = ["MISSING", "Reading", "Source", "Subject"]

MISSING = 0     # id of an element that is not in the text
OWN, CLASS, DEFAULT = "own", "class", "default"
_EMPTY: tuple[Element, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a number or a word comes from. layer: 'own', 'class', 'default' (of the language), 'inferred' (by the compiler); element: that says it; name: of the class; text:
    what it says."""

    layer: str
    element: Element | None = None
    name: str = ""
    text: str = ""


@dataclass(frozen=True)
class Subject:
    """elements: those that are edited, the active one last; of a section that is not there one without a place. paths: of each in the language's table."""

    reading: Reading
    elements: tuple[Element, ...]
    paths: tuple[str, ...]

    @property
    def active(self) -> Element:
        """The one whose values are shown."""
        return self.elements[-1]

    @property
    def spec(self) -> ElementSpec:
        """The active one's entry in the table."""
        return schema.lookup(self.paths[-1])

    @property
    def missing(self) -> bool:
        """Whether it is a section that the first edit makes."""
        return self.active.id == MISSING

    @property
    def kinds(self) -> tuple[str, ...]:
        """The different paths."""
        return tuple(dict.fromkeys(self.paths))

    @cached_property
    def _groups(self) -> dict[tuple, list[tuple[Element, str]]]:
        """(element, path), the active one first, by path, default class, and which attributes are given; those of default classes each by itself."""
        found: dict[tuple, list[tuple[Element, str]]] = {}
        for element, path in zip(reversed(self.elements), reversed(self.paths), strict=True):
            alone = element.id == MISSING or path.startswith("default/")
            key = (path, element.id if alone else self.reading.resolver.class_of(element), frozenset(element.attrs))
            found.setdefault(key, []).append((element, path))
        return found

    @cached_property
    def _sorts(self) -> dict[tuple[str, ...], list[tuple[Element, str]]]:
        return {}

    def sorts(self, *names: str) -> list[tuple[Element, str]]:
        """(element, path) of one element of each sort, the active one last: all of one path and class that give the same attributes, these ones with the same text, are alike in all else
        that classes say. Of hundreds of elements that are few."""
        if names not in self._sorts:
            found: dict[tuple, tuple[Element, str]] = {}
            for (*_kind, given), members in self._groups.items():
                one_text = given.isdisjoint(names)
                for element, path in members[:1] if one_text else members:
                    found.setdefault((id(members), *(element.attrs.get(name) for name in names)), (element, path))
            self._sorts[names] = [*found.values()][::-1]
        return self._sorts[names]

    def items(self) -> Iterable[tuple[Element, ElementSpec]]:
        """(element, its entry in the table) of each place in a text; one for what an include brings several times."""
        seen = set()
        for element, path in zip(self.elements, self.paths, strict=True):
            place = (element.origin.file, element.origin.start, element.id if element.id == MISSING else 0)
            if place not in seen:
                seen.add(place)
                yield element, schema.lookup(path)


class Reading:
    """What is derived from one tree of a version, when it is asked for: its own, or that of a model that it attaches from.

    version: also the last tree of texts that are no XML now (editor.edits.last_good.LastGood); then only attributes of tags that can be read can be changed.
    """

    def __init__(self, version: Version | LastGood, root: Element | None = None):
        if version.root is None:
            raise ValueError("the text is not well-formed")
        self.version, self.root = version, root if root is not None else version.root
        self._others: dict[int, Reading] = {}
        self._inherited: dict[tuple[str, str, str], tuple[Source, ...]] = {}      # (path, class, attribute)

    @property
    def broken(self) -> bool:
        """Whether a text is no XML now."""
        return not isinstance(self.version, Version)

    def after(self, edit: Edit) -> Reading:
        """Of the same tree after an edit. Raises ValueError for one that does not fit, or while a text is no XML."""
        if self.broken:
            raise ValueError("a text is not well-formed: mend it first")
        version = self.version.after(edit)
        return Reading(version, next((root for root in version.trees() if root.id == self.root.id), None))

    def whole(self, element: Element) -> bool:
        """Whether the tag of an element can be read where it stands."""
        return not self.broken or self.version.whole(element.id)

    def _of_tree(self, number: int) -> Reading:
        """The reading of the tree that an element stands in."""
        root = self.version.root_of(number)
        if root is None or root is self.root or root.tag != "mujoco":
            return self
        if root.id not in self._others:
            self._others[root.id] = Reading(self.version, root)
        return self._others[root.id]

    @cached_property
    def resolver(self) -> Resolver:
        """Default classes and where each element stands."""
        return Resolver(self.root)

    @cached_property
    def names(self) -> Names:
        """Names and who uses them."""
        return Names(self.root)

    def path(self, element: Element) -> str | None:
        """The element's path in the language's table, None for one that the language does not know."""
        known = self.resolver.context.get(element.id)
        return known[0].path if known is not None else None

    def subject(self, ids: Iterable[int]) -> Subject | None:
        """Of elements by id, the active one last, of the tree that this one stands in; None where none of them is in the text, or known to the language."""
        ids = tuple(ids)
        tree = self._of_tree(ids[-1]) if ids else self
        if tree is not self:
            return tree.subject(ids)
        found = [(element, path) for number in ids if (element := self.version.element(number)) is not None and (path := self.path(element)) is not None]
        return Subject(self, *map(tuple, zip(*found, strict=True))) if found else None

    def section(self, path: str) -> Subject:
        """A section as 'option' or 'visual/global': the one that is there, the last of several, else one to be made."""
        node: Element | None = self.root
        for tag in path.split("/"):
            node = next(reversed(node.all(tag)), None) if node is not None else None
        if node is not None:
            return Subject(self, (node,), (path,))
        return Subject(self, (Element(MISSING, path.rpartition("/")[2]),), (path,))

    # ------------------------------------------------------------------ layers

    def class_name(self, layer: Element) -> str:
        """The class that an element of a default belongs to."""
        parent = self.resolver.parent(layer)
        return (parent.attrs.get("class") or "main") if parent is not None else ""

    def layers(self, element: Element, path: str, name: str) -> tuple[Element, ...]:
        """What sets an attribute of an element, oldest first, the element itself last; of an element of a default what its class starts from, too."""
        own = (element,) if name in element.attrs else _EMPTY
        if element.id == MISSING:
            return own
        if path.startswith("default/"):
            return *self._before(element, name), *own
        if schema.lookup(path).attributes.get(name) is None:
            return own
        return self.resolver.attrs(element).setting(name)

    def _before(self, element: Element, name: str) -> tuple[Element, ...]:
        tag = "actuator" if element.tag in ACTUATOR_SHORTCUTS or element.tag == "general" else element.tag
        chain = self.resolver.classes.get(self.class_name(element), {}).get(tag, _EMPTY)
        before = chain[:next((k for k, one in enumerate(chain) if one.id == element.id), 0)]
        return tuple(layer for layer in before if name in layer.attrs)

    def sources(self, element: Element, path: str, name: str) -> tuple[Source, ...]:
        """Where each number of a list comes from, or the one word of what is no list."""
        if name not in element.attrs:
            return self.inherited(element, path, name)
        own = Source(OWN, element, "", element.attrs[name])
        spec = schema.lookup(path).attributes[name]
        if spec.type not in ("real", "int"):
            return (own,)
        given = [Source(OWN, element, "", word) for word in own.text.split()]
        below = self.inherited(element, path, name)
        return tuple(laid_over(spec, [*below], given)) if given else below

    def inherited(self, element: Element, path: str, name: str) -> tuple[Source, ...]:
        """The same as if the element itself did not say it: of an element outside default classes the same for all of its class."""
        if element.id == MISSING or path.startswith("default/"):
            return self._laid(path, name, () if element.id == MISSING else self._before(element, name))
        key = (path, self.resolver.class_of(element), name)
        if key not in self._inherited:
            layers = self.layers(element, path, name)
            self._inherited[key] = self._laid(path, name, tuple(layer for layer in layers if layer is not element))
        return self._inherited[key]

    def _laid(self, path: str, name: str, layers: Iterable[Element]) -> tuple[Source, ...]:
        """The numbers or the word that default classes leave, layer by layer."""
        spec = schema.lookup(path).attributes[name]
        layers = [Source(CLASS, layer, self.class_name(layer), layer.attrs[name]) for layer in layers]
        default = Source(DEFAULT, text=spec.default or "")
        if spec.type not in ("real", "int"):
            return (layers[-1] if layers else default,)
        words = [Source(DEFAULT, text=word) for word in default.text.split()]
        for layer in layers:
            given = [Source(layer.layer, layer.element, layer.name, word) for word in layer.text.split()]
            if given:
                words = laid_over(spec, words, given)
        return tuple(words)

    def effective(self, element: Element, path: str, name: str) -> str:
        """The text in force, of all layers; '' for none."""
        if name not in schema.lookup(path).attributes:
            return ""
        return " ".join(source.text for source in self.sources(element, path, name))


def laid_over(spec: AttributeSpec, under: list, over: list) -> list:
    """The numbers of a shorter list on the first of a longer one, as the language does it."""
    if spec.scalar or not isinstance(spec.counts, range) or len(over) == spec.counts[-1]:
        return over
    if spec.repeat:
        return [*over, *[over[-1]] * (spec.counts[-1] - len(over))]
    return [*over, *under[len(over):]]
