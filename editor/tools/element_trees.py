"""The element of the text that something of a Model comes from, with what surrounds it there: parents, default classes, units of angles.

A model that is attached is a tree of its own, read from its own file: its elements are not in the tree of the document's main file.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from editor.edits.version import outward
from editor.notation.orientation import NOTATIONS
from physics.expand.replicate import Settings, angle_settings
from physics.spec.defaults import Attrs, Resolver
from physics.spec.element import Element

__all__ = ["ElementTree", "ElementTrees", "Refused"]

TAGS = MappingProxyType({"body": ("body",), "geom": ("geom",), "site": ("site",), "camera": ("camera",), "light": ("light",), "joint": ("joint", "freejoint"), "frame": ("frame",),
                         "equality": ("connect", "weld"), "mesh": ("mesh",), "hfield": ("hfield",)})
MAKERS = MappingProxyType({"composite": "It is made by <composite>: change its attributes, or expand it into elements",
                           "flexcomp": "It is made by <flexcomp>: change its attributes", "replicate": "It is made by <replicate>: change what is replicated"})

# attributes that a drag reads or writes: one whose text cannot be read would count as not given, and be written over
GEOMETRY = frozenset({"pos", "fromto", "size", "type", "axis", "dir", "range", "scale", "anchor", "relpose", "offset", "count", "mass", "diaginertia", "fullinertia", "mode", *NOTATIONS})
BROKEN = "Its text is no XML at present: mend it first"
_LANGUAGE = re.compile(r"<(mujoco|robot)[\s>]")     # of two, which begins a file: MJCF, URDF


class Refused(ValueError):
    """Why something cannot be moved, in words for the user."""


@dataclass(frozen=True, slots=True, eq=False)
class ElementTree:
    """A tree that was read from texts. settings: how its angles are written, (degrees, eulerseq)."""

    root: Element
    texts: Mapping[str, str]
    resolver: Resolver
    settings: Settings
    global_frames: bool

    @property
    def degrees(self) -> bool:
        """Whether its angles are in degrees."""
        return self.settings[0]

    @property
    def eulerseq(self) -> str:
        """Axes of its Euler angles, as of the attribute of that name."""
        return self.settings[1]

    @classmethod
    def of(cls, root: Element, texts: Mapping[str, str]) -> ElementTree:
        """Of a root element."""
        words = [element.attrs["coordinate"] for element in root.all("compiler") if "coordinate" in element.attrs]
        return cls(root, texts, Resolver(root), angle_settings(root), words[-1:] == ["global"])

    def attrs(self, element: Element) -> Attrs:
        """Values in force of an element. Raises Refused for one that the language does not know, and where a number that says where or how large it is cannot be read."""
        if element.id not in self.resolver.context:
            raise Refused(f"<{element.tag}> cannot stand where it does")
        attrs = self.resolver.attrs(element)
        if wrong := attrs.unreadable(GEOMETRY):
            raise Refused(f"{wrong} (<{element.tag}>, line {element.origin.line}): mend it first")
        return attrs

    def around(self, element: Element) -> Iterator[Element]:
        """What an element stands in, innermost first."""
        node = self.resolver.context[element.id][2] if element.id in self.resolver.context else None
        while node is not None:
            yield node
            node = self.resolver.context[node.id][2]


@dataclass(slots=True)
class ElementTrees:
    """Trees of a document's present texts (editor.document.Document), each looked through when it is needed first: to be made anew when these have changed. While a
    text is no XML they are of the last good one, carried to where its elements stand now."""

    document: object
    _looked_at: tuple | None = None
    _trees: dict[int, ElementTree] = field(default_factory=dict)
    _again: dict[int, tuple[ElementTree, ElementTree]] = field(default_factory=dict)

    def _now(self) -> tuple:
        """(the version, the last good tree where a present text is no XML, None else), looked up once: comparing the texts for each of many elements takes long."""
        if self._looked_at is None:
            good = getattr(self.document, "last_good", None)
            self._looked_at = self.document.version(), good if good is not None and not good.current else None
        return self._looked_at

    def main(self) -> ElementTree:
        """That of the document. Raises Refused where its text is no XML and never was any."""
        version, good = self._now()
        root = version.root if good is None else good.root
        if root is None or root.tag != "mujoco":
            raise Refused("The text cannot be read as a model at present: mend it first" if root is None else "It is not written as MJCF, which alone can be edited here")
        return self._tree(root)

    def element(self, number: int) -> tuple[Element, ElementTree] | None:
        """The element with an id, in whichever tree; None where there is none. Raises Refused where its text is being written."""
        element = self.written(number)
        if element is None:
            return None
        version, good = self._now()
        *_around, top = outward(good or version, number)
        return element, self._tree(top)

    def written(self, number: int) -> Element | None:
        """The same without its tree, which takes no time."""
        version, good = self._now()
        element = (version if good is None else good).element(number)
        if element is not None and good is not None and not good.whole(number):
            raise Refused(BROKEN)
        return element

    def check_complete(self, element: Element) -> None:
        """Raise Refused for one that nothing can be put into at present: its text is being written."""
        good = self._now()[1]
        if good is not None and not good.complete(element.id):
            raise Refused(BROKEN)

    def with_texts(self, tree: ElementTree) -> ElementTree:
        """A tree of texts before with the present ones: what it knows of classes and settings stays."""
        found = self._again.get(id(tree))
        if found is None:
            found = self._again[id(tree)] = tree, replace(tree, texts=self.document.texts())
        return found[1]

    def _tree(self, root: Element) -> ElementTree:
        if root.id not in self._trees:
            self._trees[root.id] = ElementTree.of(root, self.document.texts())
        return self._trees[root.id]

    def find(self, m, kind: str, number: int) -> tuple[Element, ElementTree]:
        """The element that element `number` of a kind of the Model comes from. Raises Refused where it cannot be changed in a text."""
        if self.document.sealed:
            raise Refused(self.document.sealed)
        source = m.links.source(kind, number)
        found = self.element(source.element) if source is not None else None
        if found is None:
            self.main()
            broken = any(read.root is None for read in self._now()[0].read.attached.values())
            raise Refused("It is in no text" if source is None else BROKEN if broken else "It is not in the text any more")
        element, tree = found
        if element.tag in MAKERS and element.tag not in TAGS[kind]:
            raise Refused(MAKERS[element.tag])
        if element.tag not in TAGS[kind]:
            raise Refused(f"It is made by <{element.tag}>" if element.tag != "worldbody" else "The world stays where it is")
        check_text(element, tree)
        return element, tree

    def changeable(self, number: int) -> tuple[Element, ElementTree]:
        """The element with an id, which the Model has nothing of. Raises Refused where it cannot be changed in a text."""
        if self.document.sealed:
            raise Refused(self.document.sealed)
        found = self.element(number)
        if found is None:
            raise Refused("It is not in the text any more")
        check_text(*found)
        return found


def check_text(element: Element, tree: ElementTree) -> None:
    """Raise Refused for an element that cannot be changed where it is written."""
    around = next(tree.around(element), None)
    if around is not None and around.tag in ("composite", "flexcomp"):
        raise Refused(MAKERS[around.tag])
    origin = element.origin
    if origin.file not in tree.texts:
        raise Refused(f"{origin.file or 'Its text'} is not open")
    language = _LANGUAGE.search(tree.texts[origin.file])
    if (language is not None and language[1] == "robot") or not tree.texts[origin.file].startswith(f"<{element.tag}", origin.start):
        raise Refused("It is not written as MJCF, which alone can be edited here")
    if tree.global_frames:
        raise Refused('Its pose is written in global coordinates (compiler coordinate="global"), which are only read')
