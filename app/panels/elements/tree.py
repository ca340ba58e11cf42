"""All elements of a Model as a tree in arrays: what stands below what, and what a search leaves of it. No Qt.

    world -- joints, geoms, sites, cameras, lights, bodies -- ...
    Meshes -- ...    Materials -- ...    Tendons -- ...    and so on

Every element and every group is a node with a number; ROOT is above them all. Fifty thousand take some milliseconds.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.bridge.kinds import BODY_OF
from physics.model.elements import Element, element
from physics.model.model import Model

ROOT = -1
IN_BODIES = ("joint", "geom", "site", "camera", "light", "body")     # in this order below their body
GROUPS = (("mesh", "Meshes"), ("hfield", "Height fields"), ("skin", "Skins"), ("material", "Materials"), ("texture", "Textures"), ("tendon", "Tendons"),
          ("actuator", "Actuators"), ("sensor", "Sensors"), ("equality", "Equalities"), ("pair", "Contact pairs"), ("exclude", "Excludes"), ("key", "Keyframes"),
          ("numeric", "Numbers"), ("text", "Texts"), ("tuple", "Tuples"))
KINDS = (*IN_BODIES, *(kind for kind, _title in GROUPS))


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What of a tree is shown: children of node i are children[first[i + 1]:first[i + 2]], of ROOT from first[0]; row (n,): place of each node among its
    siblings, -1 where it is not shown; matches (n,): whether it is what was searched for, not only above it."""

    children: np.ndarray
    first: np.ndarray
    row: np.ndarray
    matches: np.ndarray

    def count(self, node: int) -> int:
        """Number of shown children of a node."""
        return int(self.first[node + 2] - self.first[node + 1])

    def child(self, node: int, row: int) -> int:
        """A child of a node."""
        return int(self.children[self.first[node + 1] + row])


class ElementTree:
    """The tree of one Model. Nodes of a kind follow each other from `start[kind]` on; those of the groups are the last."""

    def __init__(self, m: Model):
        self.model = m
        self.start: dict[str, int] = {}
        at = 0
        for kind in KINDS:
            self.start[kind], at = at, at + len(m.names[kind])
        self._starts = np.array([self.start[kind] for kind in KINDS])
        self.groups = tuple((kind, title) for kind, title in GROUPS if m.names[kind])
        self.first_group, self.count = at, at + len(self.groups)
        self.parent = self._parents()
        self.everything = self._arranged(np.ones(self.count, bool), np.ones(self.count, bool))

    def _parents(self) -> np.ndarray:
        m, parent = self.model, np.full(self.count, ROOT)
        bodies = self.start["body"]
        for kind, field in BODY_OF.items():
            parent[self.start[kind]:self.start[kind] + len(m.names[kind])] = bodies + getattr(m, field)
        parent[bodies + 1:bodies + m.nbody] = bodies + m.body_parentid[1:]
        for k, (kind, _title) in enumerate(self.groups):
            parent[self.start[kind]:self.start[kind] + len(m.names[kind])] = self.first_group + k
        return parent

    @property
    def structure(self) -> tuple:
        """Equal for Models whose trees look the same."""
        m = self.model
        return tuple(m.names[kind] for kind in KINDS), self.parent.tobytes()

    # ------------------------------------------------------------------ nodes

    def kind(self, node: int) -> str:
        """Kind of an element's node, of what is in a group for that of the group."""
        if node >= self.first_group:
            return self.groups[node - self.first_group][0]
        return KINDS[int(np.searchsorted(self._starts, node, "right")) - 1]    # of kinds that begin at one node the last is the one that has some

    def element(self, node: int) -> Element | None:
        """The element of a node; None for a group."""
        if node >= self.first_group:
            return None
        kind = self.kind(node)
        return element(self.model, kind, node - self.start[kind])

    def node(self, what: Element) -> int | None:
        """Node of an element; None for what is in no tree, as a contact."""
        if what.kind not in self.start or not 0 <= what.id < len(self.model.names[what.kind]):
            return None
        return self.start[what.kind] + what.id

    def text(self, node: int) -> str:
        """Name of an element, or kind and number; title of a group."""
        if node >= self.first_group:
            return self.groups[node - self.first_group][1]
        kind = self.kind(node)
        number = node - self.start[kind]
        return self.model.names[kind][number] or f"{kind} {number}"

    def key(self, node: int) -> tuple:
        """What a node is known by in the tree of another Model."""
        if node >= self.first_group:
            return "group", self.groups[node - self.first_group][0]
        kind = self.kind(node)
        return kind, self.model.names[kind][node - self.start[kind]] or node - self.start[kind]

    def above(self, node: int) -> list[int]:
        """The nodes above one, the nearest first."""
        out = []
        while (node := int(self.parent[node])) != ROOT:
            out.append(node)
        return out

    # ------------------------------------------------------------------ searching

    @cached_property
    def _searched(self) -> list[str]:
        """What is searched, per element: name, kind and number in small letters."""
        return [f"{name} {kind} {i}".lower() for kind in KINDS for i, name in enumerate(self.model.names[kind])]

    def search(self, text: str, kinds: Iterable[str] | None = None) -> Arrangement:
        """What has all words of the text in its name, kind or number and is of one of the kinds (None: of any), with all that is above it."""
        words, wanted = text.lower().split(), None if kinds is None else frozenset(kinds)
        if not words and (wanted is None or wanted >= frozenset(KINDS)):
            return self.everything
        matches = np.zeros(self.count, bool)
        searched = self._searched if words else None
        for kind in KINDS:
            first, end = self.start[kind], self.start[kind] + len(self.model.names[kind])
            if wanted is None or kind in wanted:
                matches[first:end] = True if searched is None else [all(word in said for word in words) for said in searched[first:end]]
        shown, fresh = matches.copy(), np.flatnonzero(matches)
        while len(fresh):
            fresh = np.unique(self.parent[fresh])
            fresh = fresh[fresh != ROOT]
            fresh = fresh[~shown[fresh]]
            shown[fresh] = True
        return self._arranged(shown, matches)

    def _arranged(self, shown: np.ndarray, matches: np.ndarray) -> Arrangement:
        nodes = np.flatnonzero(shown)
        parent = self.parent[nodes]
        order = np.argsort(parent, kind="stable")
        children, parent = nodes[order], parent[order]
        first = np.searchsorted(parent, np.arange(-1, self.count + 1))
        row = np.full(self.count, -1)
        row[children] = np.arange(len(children)) - first[parent + 1]
        return Arrangement(children, first, row, matches)
