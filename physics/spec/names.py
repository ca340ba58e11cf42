"""Names and who refers to whom: namespaces, duplicates, unknown references.

A name lives in the namespace of its kind ('joint' holds hinges and free joints alike). Assets without a name are named after their
file. 'world' is the world body's name, 'main' that of the root default class.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import chain, count
from pathlib import PurePosixPath
from types import MappingProxyType

from physics.errors import Issue
from physics.schema import schema
from physics.spec.element import Element, path_of

__all__ = ["Names", "check_names", "free_name", "walk_specs"]

FILE_NAMED = frozenset({"asset/mesh", "asset/hfield", "asset/texture", "asset/skin", "deformable/skin"})
ASSETS = frozenset({"mesh", "hfield", "texture", "material"})
MAX_ISSUES = 1000  # of one kind: beyond this more messages help nobody, and each takes as long as the model is large
MAX_SUGGESTIONS = 50  # comparing every unknown name with every known one takes time, and nobody reads more
MAKES_NAMES = frozenset({"body/attach", "body/replicate", "body/flexcomp", "body/composite", "deformable/flex"})  # names unknown before expansion
OBJECT_NAMESPACE = MappingProxyType({
    "body": "body", "xbody": "body", "geom": "geom", "site": "site", "camera": "camera", "joint": "joint", "light": "light",
    "mesh": "mesh", "hfield": "hfield", "texture": "texture", "material": "material", "pair": "pair", "exclude": "exclude",
    "equality": "equality", "tendon": "tendon", "actuator": "actuator", "sensor": "sensor", "numeric": "numeric", "text": "text",
    "tuple": "tuple", "key": "key", "skin": "skin", "flex": "flex", "plugin": "instance",
})


def walk_specs(root: Element, closed: Container[int] = ()) -> Iterator[tuple[Element, object, Element | None]]:
    """(element, its ElementSpec, its parent) for everything the language knows, in document order. closed: ids of elements not to look into."""
    spec = schema.lookup(root.tag) if root.tag == "mujoco" else None
    if spec is None:
        return
    stack = [(root, spec, None)]
    while stack:
        element, spec, parent = stack.pop()
        yield element, spec, parent
        if not element.children or element.id in closed:
            continue
        for child in reversed(element.children):
            known = schema.child_spec(spec.path, child.tag)
            if known is not None:
                stack.append((child, known, element))


def declared_name(element: Element, path: str) -> str:
    """The name an element goes by: its name, a default's class, or an asset file's stem."""
    if path == "default":
        return element.attrs.get("class", "")
    name = element.attrs.get("name", "")
    if not name and path in FILE_NAMED:
        return PurePosixPath(element.attrs.get("file", "").replace("\\", "/")).stem
    return name


@lru_cache(maxsize=None)
def _namespace(spec) -> str:
    """Where the names of a kind of element live; '' for none, and for models: of several with one name the first is meant."""
    known = spec.attributes.get("class" if spec.path == "default" else "name")
    return known.namespace if known is not None and known.type == "id" and known.namespace != "model" else ""


@lru_cache(maxsize=None)
def _referring(spec) -> frozenset[str]:
    """Attributes of an element that can name others."""
    return frozenset(name for name, known in spec.attributes.items() if known.type == "ref" or name in ("objname", "refname"))


class Names:
    """All declared names of a tree: namespace -> name -> element. nameless: ids of elements that hold no names and refer to none.

    entries: what walk_specs gives of the tree, but for what is nameless.
    """

    def __init__(self, root: Element, nameless: Container[int] = ()) -> None:
        self.root = root
        self.declared: dict[str, dict[str, Element]] = {"default": {"main": root}, "body": {"world": root}}
        self.duplicates: list[tuple[str, str, Element, Element]] = []
        self.expands = False
        self.entries = list(walk_specs(root, nameless))
        for element, spec, parent in self.entries:
            if spec.path == "worldbody" and self.declared["body"]["world"] is root:
                self.declared["body"]["world"] = element
            elif spec.path in MAKES_NAMES:
                self.expands = True
            if namespace := _namespace(spec):
                name = declared_name(element, spec.path)
                if name and not (spec.path == "default" and parent is self.root and name == "main"):
                    self._declare(element, namespace, name)

    @cached_property
    def _parents(self) -> dict[int, Element | None]:
        return {element.id: parent for element, _spec, parent in self.entries}

    def _declare(self, element: Element, namespace: str, name: str) -> None:
        space = self.declared.setdefault(namespace, {})
        if name in space and not self._replaced(space[name], element):
            self.duplicates.append((namespace, name, space[name], element))
        else:
            space[name] = element

    def _replaced(self, first: Element, second: Element) -> bool:
        """Whether the first stands in a replicate that ends before the second: its copies have other names by then."""
        return not self._replicates(first) <= self._replicates(second)

    def _replicates(self, element: Element) -> set[int]:
        """Ids of the replicates around an element."""
        found, node = set(), self._parents.get(element.id)
        while node is not None:
            if node.tag == "replicate":
                found.add(node.id)
            node = self._parents[node.id]
        return found

    def path(self, element: Element) -> str:
        """Where an element of this tree stands, for messages."""
        return path_of(element, lambda node: self._parents[node.id])

    def find(self, namespace: str, name: str) -> Element | None:
        """The element of that name, None when there is none."""
        return self.declared.get(namespace, {}).get(name)

    def in_default(self, element: Element) -> bool:
        """Whether an element is part of a default class."""
        while element is not None and element.tag != "default":
            element = self._parents[element.id]
        return element is not None

    def references(self) -> Iterator[tuple[Element, str, str, str]]:
        """(element, attribute, namespace, name) for every reference written in the tree."""
        for element, spec, _parent in self.entries:
            if _referring(spec).isdisjoint(element.attrs):
                continue
            for attribute, text in element.attrs.items():
                known = spec.attributes.get(attribute)
                if known is not None and known.type == "ref" and (text or known.required or known.namespace == "default"):
                    yield element, attribute, known.namespace, text
            for kind, name in (("objtype", "objname"), ("reftype", "refname")):
                if name in element.attrs and kind in spec.attributes:
                    namespace = OBJECT_NAMESPACE.get(element.attrs.get(kind, ""))
                    if namespace:
                        yield element, name, namespace, element.attrs[name]

    def users_of(self, namespace: str, name: str) -> list[tuple[Element, str]]:
        """(element, attribute) of everything that refers to a name."""
        return [(e, a) for e, a, space, text in self.references() if space == namespace and text == name]

    def unique(self, namespace: str, preferred: str) -> str:
        """`preferred` when it is free, else the first free of preferred_1, preferred_2, ..."""
        return free_name(preferred, self.declared.get(namespace, {}))


def free_name(preferred: str, taken: Container[str]) -> str:
    """`preferred` when it is no empty text and nothing has it, else the first of preferred_1, preferred_2, ... that nothing has."""
    numbered = (f"{preferred}_{number}" for number in count(1))
    return next(name for name in chain((preferred,) if preferred else (), numbered) if name not in taken)


def check_names(root: Element, issues: list[Issue], references: bool = True) -> Names:
    """Add an issue for every duplicate name, misnamed default class and unknown reference.

    References are left alone where they are not asked for, and where copies may bring the names: expand/expand.py looks at those.
    """
    names = Names(root)
    _duplicates(names, issues)
    for default in root.all("default"):
        if default.attrs.get("class", "main") not in ("main", ""):
            issues.append(Issue("error", default.attr_place("class"), names.path(default),
                                "the outermost default class is always 'main'", "Put a named class inside it"))
    if references and not names.expands:
        _unknown_references(names, issues)
    return names


def check_references(names: Names, issues: list[Issue]) -> None:
    """The same for an expanded tree, whose default classes have several roots."""
    _duplicates(names, issues)
    if not names.expands:
        _unknown_references(names, issues)


def _duplicates(names: Names, issues: list[Issue]) -> None:
    root = names.root
    for space, name, first, second in names.duplicates[:MAX_ISSUES]:
        attribute = "class" if space == "default" else ("name" if "name" in second.attrs else "file")
        what = "the class 'main' is the root default class" if (space, name) == ("default", "main") else (
            "the name 'world' belongs to the world body" if (space, name) == ("body", "world")
            else f"the {space} name '{name}' is already used")
        hint = f"First at {first.place}" if first is not root and first.tag != "worldbody" else "Choose another name"
        issues.append(Issue("error", second.attr_place(attribute), names.path(second), what, hint))


def _unknown_references(names: Names, issues: list[Issue]) -> None:
    found = 0
    for element, attribute, space, name in names.references():
        if found >= MAX_ISSUES:
            return
        if space in ("model", "instance", "frame") or names.find(space, name) is not None:
            continue
        if space in ASSETS and (not name or names.in_default(element)):
            continue  # no asset; and a class that nobody uses may name what it likes
        found += 1
        known = names.declared.get(space, {})
        near = get_close_matches(name, known, n=1, cutoff=0.6) if len(issues) < MAX_SUGGESTIONS else []
        kind = "default class" if space == "default" else space
        hint = f"Did you mean '{near[0]}'?" if near else ("" if known else f"The model has no named {kind}")
        issues.append(Issue("error", element.attr_place(attribute), names.path(element), f"unknown {kind} '{name}'", hint))
