"""The element of the text that something of a Model comes from, with what surrounds it there: parents, default classes, units of angles.

A model that is attached is a tree of its own, read from its own file: its elements are not in the tree of the document's main file.
"""
from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from physics.expand.replicate import angle_settings
from physics.mjcf import reader
from physics.spec.defaults import Attrs, Resolver
from physics.spec.element import Element

__all__ = ["ElementTree", "ElementTrees", "Refused"]

TAGS = MappingProxyType({"body": ("body",), "geom": ("geom",), "site": ("site",), "camera": ("camera",), "light": ("light",), "joint": ("joint", "freejoint"), "frame": ("frame",)})
MAKERS = MappingProxyType({"composite": "It is made by <composite>: change its attributes, or expand it into elements", "flexcomp": "It is made by <flexcomp>: change its attributes",
                           "replicate": "It is made by <replicate>: change what is replicated"})


class Refused(ValueError):
    """Why something cannot be moved, in words for the user."""


@dataclass(frozen=True, slots=True, eq=False)
class ElementTree:
    """A tree that was read from texts. degrees, eulerseq: how its angles are written."""

    root: Element
    texts: Mapping[str, str]
    resolver: Resolver
    degrees: bool
    eulerseq: str
    global_frames: bool

    @classmethod
    def of(cls, root: Element, texts: Mapping[str, str]) -> ElementTree:
        """Of a root element."""
        degrees, sequence = angle_settings(root)
        words = [element.attrs["coordinate"] for element in root.all("compiler") if "coordinate" in element.attrs]
        return cls(root, texts, Resolver(root), degrees, sequence, words[-1:] == ["global"])

    def attrs(self, element: Element) -> Attrs:
        """Values in force of an element. Raises Refused for one that the language does not know."""
        if element.id not in self.resolver.context:
            raise Refused(f"<{element.tag}> cannot stand where it does")
        return self.resolver.attrs(element)

    def around(self, element: Element) -> Iterator[Element]:
        """What an element stands in, innermost first."""
        node = self.resolver.context[element.id][2] if element.id in self.resolver.context else None
        while node is not None:
            yield node
            node = self.resolver.context[node.id][2]


@dataclass(slots=True)
class ElementTrees:
    """Trees of a document's present texts (editor.document.Document), each read when it is needed first."""

    document: object
    _trees: dict[str, ElementTree | None] = field(default_factory=dict)

    def main(self) -> ElementTree:
        """That of the document. Raises Refused while its text is no XML."""
        if "" not in self._trees:
            version = self.document.version()
            root = version.root
            self._trees[""] = ElementTree.of(root, self.document.texts()) if root is not None and root.tag == "mujoco" else None
        tree = self._trees[""]
        if tree is None:
            raise Refused("The text cannot be read as a model at present: mend it first")
        return tree

    def of_file(self, file: str) -> ElementTree | None:
        """That of the model in another file of the document, for one that is attached; None where there is none."""
        if file not in self._trees:
            texts = self.document.texts()
            root = None
            if file in texts:
                root = reader.read_text(texts[file], file, os.path.dirname(file), {key: text for key, text in texts.items() if key != file}).root
            self._trees[file] = ElementTree.of(root, texts) if root is not None and root.tag == "mujoco" else None
        return self._trees[file]

    def find(self, m, kind: str, number: int) -> tuple[Element, ElementTree]:
        """The element that element `number` of a kind of the Model comes from. Raises Refused where it cannot be changed in a text."""
        if self.document.sealed:
            raise Refused(self.document.sealed)
        element, tree = self._linked(m, kind, number) or self._placed(m, kind, number)
        if element.tag in MAKERS and element.tag not in TAGS[kind]:
            raise Refused(MAKERS[element.tag])
        if element.tag not in TAGS[kind]:
            raise Refused(f"It is made by <{element.tag}>" if element.tag != "worldbody" else "The world stays where it is")
        origin = element.origin
        if origin.file not in tree.texts or not tree.texts[origin.file].startswith(f"<{element.tag}", origin.start):
            raise Refused("It is not written as MJCF, which alone can be edited here" if origin.file in tree.texts else f"{origin.file or 'Its text'} is not open")
        if tree.global_frames:
            raise Refused('Its pose is written in global coordinates (compiler coordinate="global"), which are only read')
        return element, tree

    def _linked(self, m, kind: str, number: int) -> tuple[Element, ElementTree] | None:
        """By the links that the compiler has made, where it has."""
        links = getattr(m, "links", None)
        source = links.source(kind, number) if links is not None else None
        element = self.document.version().element(source.element) if source is not None else None
        return (element, self.main()) if element is not None else None

    def _placed(self, m, kind: str, number: int) -> tuple[Element, ElementTree]:
        """By its place in the text."""
        places = m.places.get(kind, ())
        place = places[number] if number < len(places) else None
        if place is None or not place.file:
            raise Refused("It is in no text")
        tree = self.main()
        found = next((element for element in tree.root.walk() if element.origin[:3] == place), None)
        if found is None and (other := self.of_file(place.file)) is not None:
            tree, found = other, next((element for element in other.root.walk() if element.origin[:3] == place), None)
        if found is None:
            raise Refused("The text has changed since the model that runs was made from it")
        return found, tree
