"""The document as a tree to look at: elements as they are written, and the includes that bring some of them, as nodes of their own.

Other trees: of elements with their default classes for gizmos (editor/tools/element_trees.py) and for the inspector (editor/inspect/subject.py); of a text that need not be XML
(editor/language/text_elements.py); of what the Model has (app/panels/elements/tree.py).

Nodes are made when somebody asks for them: a document of thousands of elements costs nothing until it is opened.
"""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from types import MappingProxyType

from editor.edits.version import Version
from editor.structure.includes import IncludeTag, groups_of, include_tag
from editor.wording import file_name
from physics.errors import Issue, Place
from physics.mjcf.xml import TextIndex
from physics.spec.element import Element

__all__ = ["Node", "Outline", "kind_of", "words_of"]

Key = object        # element id, or ("include", file, line, column)
_KINDS = MappingProxyType({"freejoint": "joint", "worldbody": "world", "spatial": "tendon", "fixed": "tendon", "motor": "actuator", "numeric": "numeric"})
_SEARCHED = ("name", "class", "childclass", "type", "file", "mesh", "material", "joint", "site", "body", "tendon", "objname", "model")
PICTURED = frozenset({"body", "joint", "geom", "site", "camera", "light", "frame", "default", "mesh", "material", "texture", "key"})      # whose picture says enough
_SECTION_KINDS = frozenset({"actuator", "sensor", "equality"})
_DETAILS = ("type", "file", "joint", "jointinparent", "tendon", "site", "body", "actuator", "objname", "mesh", "hfield", "geom", "joint1", "body1", "tendon1", "geom1",
            "model", "target", "count", "key", "class", "childclass")


class Node:
    """element: None for an include; place: of its tag then. key: what it is known by from version to version."""

    __slots__ = ("outline", "parent", "row", "element", "place", "inside", "__dict__")

    def __init__(self, outline: Outline, parent: Node | None, row: int, element: Element | None, place: Place | None = None, inside: tuple[Element, ...] = ()):
        self.outline, self.parent, self.row, self.element, self.place, self.inside = outline, parent, row, element, place, inside

    @property
    def key(self) -> Key:
        """The element's id, or where an include stands."""
        return self.element.id if self.element is not None else ("include", *self.place)

    @cached_property
    def children(self) -> list[Node]:
        """Nodes inside, as far as they are shown."""
        depth = len(self.element.origin.included_by) if self.element is not None else self._depth + 1
        inside = self.element.children if self.element is not None else self.inside
        out: list[Node] = []
        for place, some in groups_of(inside, depth):
            if place is not None:
                node = Node(self.outline, self, len(out), None, place, some)
                if self.outline.holds(node):
                    out.append(node)
                continue
            for element in some:
                if self.outline.shows(element):
                    out.append(Node(self.outline, self, len(out), element))
        return out

    @cached_property
    def by_id(self) -> dict[int, Node]:
        """The node inside that an element inside is, or is brought by, by the element's id."""
        out: dict[int, Node] = {}
        for child in self.children:
            for element in (child.element,) if child.element is not None else child.inside:
                out.setdefault(element.id, child)
        return out

    @property
    def _depth(self) -> int:
        """At which place of an element's chain of includes this one stands."""
        return self.inside[0].origin.included_by.index(self.place)

    @property
    def holds_any(self) -> bool:
        """Whether there is a node inside, without making any."""
        return bool(self.element.children if self.element is not None else self.inside)

    @cached_property
    def tag(self) -> IncludeTag | None:
        """The include's tag in the text."""
        return include_tag(self.outline.version, self.place, self.inside[0]) if self.element is None else None

    @property
    def kind(self) -> str:
        """What its picture shows."""
        return kind_of(self.element, self.outline.version.parent(self.element.id)) if self.element is not None else "include"

    @property
    def title(self) -> str:
        """Its name; without one its tag."""
        if self.element is None:
            file = self.tag.included if self.tag is not None else self.place.file
            return file_name(file)
        return self.element.name or self.element.attrs.get("class", "") * (self.element.tag == "default") or self.element.tag

    @property
    def named(self) -> bool:
        """Whether it has a name of its own."""
        return self.element is None or self.title != self.element.tag or bool(self.element.name)

    @property
    def detail(self) -> str:
        """What tells it from others of its kind: tag, where the title is a name, and what it is about."""
        if self.element is None:
            return "include"
        attrs = self.element.attrs
        about = next((attrs[name] for name in _DETAILS if attrs.get(name)), "")
        tag = self.element.tag if self.named and self.element.tag not in PICTURED else ""
        return " ".join(part for part in (tag, file_name(about)) if part and part != self.title)

    def above(self) -> list[Node]:
        """What it stands in, from the root on."""
        out, node = [], self.parent
        while node is not None:
            out.append(node)
            node = node.parent
        return out[::-1]


def kind_of(element: Element, parent: Element | None) -> str:
    """What the picture of an element shows: the kinds of the model, and what only texts have."""
    if parent is not None and parent.tag in _SECTION_KINDS:
        return parent.tag
    if parent is not None and parent.tag == "mujoco" and element.tag not in ("worldbody", "default"):
        return "section"
    return _KINDS.get(element.tag, element.tag)


def words_of(element: Element) -> str:
    """What a search looks through."""
    attrs = element.attrs
    return " ".join((element.tag, *(attrs.get(name, "") for name in _SEARCHED))).lower()


def _matches(element: Element, words: list[str], text: str) -> bool:
    for word in words:
        field, colon, rest = word.partition(":")
        if colon and field in ("name", "class", "type", "tag"):
            has = element.tag if field == "tag" else f"{element.attrs.get(field, '')} {element.attrs.get('childclass', '') if field == 'class' else ''}"
            if field == "type":
                has = f"{element.tag} {has}"
            if rest not in has.lower():
                return False
        elif word not in text:
            return False
    return True


class Outline:
    """version: with a tree. search: words that a node must have in its tag, name, class, type or what it names; 'class:', 'type:' and 'name:' look there alone."""

    def __init__(self, version: Version, search: str = ""):
        self.version, self.search = version, search
        words = search.lower().split()
        self.matches: frozenset[int] | None = None      # None: all
        self._shown: frozenset[int] | None = None
        if words:
            self._find(words)
        self.root = Node(self, None, 0, version.root)

    def _find(self, words: list[str]) -> None:
        matches, shown = set(), set()
        for element in self.version.root.walk():
            if element is self.version.root or not _matches(element, words, words_of(element)):
                continue
            matches.add(element.id)
            node = element
            while node is not None and node.id not in shown:
                shown.add(node.id)
                node = self.version.parent(node.id)
        self.matches, self._shown = frozenset(matches), frozenset(shown)

    def shows(self, element: Element) -> bool:
        """Whether an element is, or holds, what is searched for."""
        return self._shown is None or element.id in self._shown

    def holds(self, node: Node) -> bool:
        """The same of an include."""
        return self._shown is None or any(element.id in self._shown for element in node.inside)

    def node(self, number: int) -> Node | None:
        """The node of an element, None where it is not shown."""
        trail, element = [], self.version.element(number)
        while element is not None:
            trail.append(element.id)
            element = self.version.parent(element.id)
        if not trail or trail[-1] != self.version.root.id:
            return None
        node = self.root
        for wanted in reversed(trail[:-1]):
            found = self._below(node, wanted)
            if found is None:
                return None
            node = found
        return node

    def _below(self, node: Node, wanted: int) -> Node | None:
        """The child element of a node by id, through includes."""
        child = node.by_id.get(wanted)
        return self._below(child, wanted) if child is not None and child.element is None else child

    def problems(self, issues: Iterable[Issue]) -> dict[int, Issue]:
        """The worst issue of each element that has one, by id: of the innermost element around its place."""
        rank = {"error": 3, "view": 2, "warning": 1}
        by_file: dict[str, list[Element]] = {}
        for element in self.version.root.walk():
            by_file.setdefault(element.origin.file, []).append(element)
        starts = {}     # by file: where its elements begin, as (line, column), in order
        out: dict[int, Issue] = {}
        for issue in issues:
            if issue.place is None or issue.severity not in rank or issue.place.file not in by_file:
                continue
            inside = by_file[issue.place.file]
            if issue.place.file not in starts:
                inside.sort(key=_begin)
                starts[issue.place.file] = [*map(_begin, inside)]
            k = bisect_right(starts[issue.place.file], (issue.place.line, issue.place.column)) - 1
            if k < 0:
                continue
            best = self._around(inside[k], issue.place) or inside[0]
            if best.id not in out or rank[issue.severity] > rank[out[best.id].severity]:
                out[best.id] = issue
        return out

    def _around(self, element: Element, place: Place) -> Element | None:
        """The innermost of an element and those of its file around it that ends on the line of a place, or behind it."""
        node = element
        while node is not None and node.origin.file == place.file:
            if self._end_line(node) >= place.line:
                return node
            node = self.version.parent(node.id)
        return None

    def _end_line(self, element: Element) -> int:
        file = element.origin.file
        if file not in self._indices:
            text = self.version.texts.get(file, "")
            self._indices[file] = TextIndex(text), len(text)
        index, length = self._indices[file]
        return index.line_column(min(element.origin.end, length))[0]

    @cached_property
    def _indices(self) -> dict[str, tuple[TextIndex, int]]:
        return {}


def _begin(element: Element) -> tuple[int, int]:
    return element.origin.line, element.origin.column
