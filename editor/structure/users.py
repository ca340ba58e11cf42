"""Who needs an element: everything elsewhere that names what it declares, and what names these in turn."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from editor.edits.version import Version, outward
from editor.language.symbols import NAME_LISTS
from editor.wording import what
from physics.expand.expand import expand
from physics.spec.asset_folders import AssetFolders
from physics.spec.element import Element
from physics.spec.names import Names

__all__ = ["Use", "Uses", "in_skin_files", "mentions", "names_of_copies", "uses_of"]

# attributes that can simply go with what they name: the element stays of use without
LOOSE = MappingProxyType({"material": (), "texture": (), "class": (), "childclass": (), "target": ("mode",), "sidesite": ()})
LEAST_POINTS = 2        # of a spatial tendon
PARTS = frozenset({"spatial", "fixed", "tuple"})      # are of no use without enough of their children


@dataclass(frozen=True, slots=True)
class Use:
    """element: what goes with what it names. attribute: the one by which it names it; loose: only that attribute (with `others`) goes, the element stays."""

    element: Element
    attribute: str
    name: str
    loose: bool = False
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.loose:
            return f"{what(self.element)}: its {self.attribute} '{self.name}'"
        return f"{what(self.element)} ({self.attribute} '{self.name}')"


@dataclass(slots=True)
class Uses:
    """All users of some elements, transitive ones too, in document order."""

    found: list[Use] = field(default_factory=list)

    @property
    def elements(self) -> list[int]:
        """Ids of the elements that must go."""
        return [use.element.id for use in self.found if not use.loose]

    @property
    def attributes(self) -> dict[int, dict[str, None]]:
        """Attributes that must go, by the id of their element."""
        out: dict[int, dict[str, None]] = {}
        for use in self.found:
            if use.loose:
                out.setdefault(use.element.id, {}).update(dict.fromkeys((use.attribute, *use.others)))
        return out

    def lines(self, most: int = 12) -> list[str]:
        """For a message."""
        lines = [str(use) for use in self.found]
        return lines if len(lines) <= most else [*lines[:most - 1], f"and {len(lines) - most + 1} more"]


def uses_of(version: Version, numbers: Iterable[int]) -> Uses:
    """Who needs these elements, or what they hold."""
    search = _Search(version)
    for number in numbers:
        if (top := version.element(number)) is not None:
            search.take(top)
    search.run()
    order = {element.id: i for i, element in enumerate(version.root.walk())}
    return Uses(sorted(search.outermost(), key=lambda use: order.get(use.element.id, 0)))


class _Search:
    """Elements that go, and who names them, until there is nobody more.

    gone: ids of all that goes; lost: (namespace, name) of it whose users have not been looked for; whole, loose: what was found, of elements that go and of attributes that do;
    parts_gone: how many children of a tendon, or tuple, go.
    """

    def __init__(self, version: Version):
        self.version, self.gone, self.lost = version, set(), []
        self.whole: dict[int, Use] = {}
        self.loose: dict[tuple[int, str], Use] = {}
        self.parts_gone: dict[int, int] = {}
        names = Names(version.root)
        self._names_of = names_of_copies(version)
        self._references: dict[tuple[str, str], list[tuple[Element, str]]] = {}
        for element, attribute, namespace, name in (*mentions(names), *in_skin_files(version, names)):
            self._references.setdefault((namespace, name), []).append((element, attribute))

    def take(self, top: Element) -> None:
        """An element goes, with what it holds."""
        for element in top.walk():
            self.gone.add(element.id)
            self.lost += self._names_of.get(element.id, ())

    def run(self) -> None:
        """Look for users of what goes, and of these."""
        while self.lost:
            namespace, name = self.lost.pop()
            for element, attribute in self._references.get((namespace, name), ()):
                if element.id in self.gone:
                    continue
                if attribute not in LOOSE:
                    self._count_part(element)
                use = _use(self.version, element, attribute, name, self.parts_gone)
                if use.loose:
                    self.loose.setdefault((use.element.id, attribute), use)
                elif use.element.id not in self.gone:
                    self.whole[use.element.id] = use
                    self.take(use.element)

    def _count_part(self, element: Element) -> None:
        parent = self.version.parent(element.id)
        if parent is not None and parent.tag in PARTS:
            self.parts_gone[parent.id] = self.parts_gone.get(parent.id, 0) + 1

    def outermost(self) -> list[Use]:
        """Of what was found that which does not go with something else that was."""
        found = [*self.whole.values(), *(use for (number, _attribute), use in self.loose.items() if number not in self.gone)]
        return [use for use in found if not _held(self.version, use.element, self.whole.keys() - {use.element.id})]


def _held(version: Version, element: Element, others: set[int]) -> bool:
    """Whether an element stands in another that goes."""
    return any(node.id in others for node in outward(version, element.id) if node.id != element.id)


def mentions(names: Names) -> Iterator[tuple[Element, str, str, str]]:
    """(element, attribute, namespace, name) of references as the language has them, and of what <attach> and lists name in words."""
    yield from names.references()
    for element, spec, _parent in names.entries:
        if spec.path == "body/attach" and "model" not in element.attrs:
            for kind in ("body", "frame"):
                if element.attrs.get(kind):
                    yield element, kind, kind, element.attrs[kind]
        for attribute in element.attrs:
            if (spec.path, attribute) in NAME_LISTS:
                for name in dict.fromkeys(element.attrs[attribute].split()):
                    yield element, attribute, NAME_LISTS[spec.path, attribute], name


def in_skin_files(version: Version, names: Names) -> Iterator[tuple[Element, str, str, str]]:
    """Bodies that skins of files hang on."""
    for element, spec, _parent in names.entries:
        if spec.path not in ("asset/skin", "deformable/skin") or not element.attrs.get("file"):
            continue
        try:
            data = version.read.source.read_bytes(version.read.source.join(AssetFolders.of(version.root).below("skin"), element.attrs["file"]))
        except OSError:
            continue        # which the compiler tells
        for name in names.declared.get("body", {}):
            if name.encode() + b"\0" in data:
                yield element, "file", "body", name


def names_of_copies(version: Version) -> dict[int, list[tuple[str, str]]]:
    """{element id: (namespace, name) of it and of all its copies}: names that replicate and attach make of it can be referred to as well."""
    out: dict[int, list[tuple[str, str]]] = {}

    def add(names: Names) -> None:
        for namespace, some in names.declared.items():
            for name, element in some.items():
                number = version.ids.get(element.origin.file, {}).get(element.origin.start)
                if number is not None and element.tag not in ("mujoco", "worldbody"):
                    out.setdefault(number, []).append((namespace, name))

    plain = Names(version.root)
    add(plain)
    for element, spec, _parent in plain.entries:
        if spec.path == "asset/model" and element.name:
            out.setdefault(element.id, []).append(("model", element.name))
    if plain.expands:
        try:
            add(Names(expand(version.read).root))
        except Exception:   # a text with errors: expansion promises nothing then
            if not version.read.errors:
                raise
        for element, spec, _parent in plain.entries:      # what an attach brings has its prefix
            if spec.path == "body/attach" and element.attrs.get("prefix"):
                prefix = element.attrs["prefix"]
                out.setdefault(element.id, []).extend((space, name) for _e, _a, space, name in plain.references()
                                                      if name.startswith(prefix) and plain.find(space, name) is None)
    return out


def _use(version: Version, element: Element, attribute: str, name: str, parts_gone: Mapping[int, int]) -> Use:
    """What goes with a reference. parts_gone: by element how many of its children go, this one counted."""
    if attribute in LOOSE:
        others = tuple(one for one in LOOSE[attribute] if one in element.attrs)
        return Use(element, attribute, name, True, others)
    parent = version.parent(element.id)
    if parent is None:
        return Use(element, attribute, name)
    if parent.tag in ("spatial", "fixed"):
        left = len(parent.children) - parts_gone[parent.id]
        plain = all(child.tag in ("site", "joint") for child in parent.children)
        if not plain or left < (LEAST_POINTS if parent.tag == "spatial" else 1):
            return Use(parent, attribute, name)
    if parent.tag == "tuple" and parts_gone[parent.id] == len(parent.children):
        return Use(parent, attribute, name)
    if element.tag in ("bone", "plugin", "layer") and parent.tag in ("skin", "geom"):
        return Use(parent, attribute, name)
    if any(node.tag == "default" for node in outward(version, element.id)):
        return Use(element, attribute, name, True)
    return Use(element, attribute, name)
