"""What a compile leaves behind of which parameters are read again: trees, items, and what all fields were."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import numpy as np

from physics.compiler.build import Build
from physics.compiler.compile import take_apart
from physics.compiler.derived import length_range
from physics.compiler.items import Item
from physics.compiler.live.scratch import Scratch
from physics.compiler.mesh.mesh_data import MeshData
from physics.mjcf.reader import ReadResult
from physics.model.changes.field_changes import FieldChange, image_of
from physics.model.model import Model
from physics.spec.defaults import Resolver
from physics.spec.element import Element


_OF_MESHES = ("vert", "face", "normal", "texcoord", "facenormal", "facetexcoord", "graph", "polyvert", "polyvertnum", "polynormal", "polymap", "polymapnum", "treechild",
              "treedepth", "treenode", "treebox")     # what a mesh has by the thousand, and geoms do not ask for


def _forget_assets(build: Build) -> None:
    """Let go of vertices, pixels and rows, which the Model has: only how many there are is still asked for."""
    lighter: dict[int, MeshData] = {}      # by what they stand for, which others may have too
    for mesh in build.items["mesh"]:
        mesh.__dict__.pop("tree", None)
        if mesh.data is not None:
            full = mesh.data
            mesh.data = lighter[id(full)] = lighter.get(id(full)) or _lighter(full)
    for geom in build.items["geom"]:
        geom.mesh = lighter.get(id(geom.mesh), geom.mesh)
    for texture in build.items["texture"]:
        texture.pixels = np.broadcast_to(np.uint8(0), (texture.pixels.size,))
    build.fields.rows.clear()
    build.fields.pieces.clear()


def _lighter(mesh: MeshData) -> MeshData:
    """A mesh without what geoms do not ask for. One that was read from the disk lies in the memory of all of its arrays."""
    return replace(mesh, **{name: _blank(array) if name in _OF_MESHES else np.array(array) for name, array in vars(mesh).items() if isinstance(array, np.ndarray)})


def _blank(array: np.ndarray) -> np.ndarray:
    """As many zeros, in the memory of one."""
    return np.broadcast_to(np.zeros((), array.dtype), array.shape)


class Left(Protocol):
    """What a run of the passes left (last_run.py)."""

    few: bool

    def changes(self, new: Mapping[int, Element]) -> tuple[FieldChange, ...] | None:
        """What the Model with these changed elements has that the kept one has not."""

    def close(self) -> None:
        """Let go of everything."""


class Basis:
    """Of one good compile. image: all numbers of its Model as they were compiled. For one thread at a time; `close` when it is not needed any more."""

    def __init__(self, read: ReadResult, build: Build, model: Model):
        self.read, self.build = read, build
        self._known_ids: frozenset[int] | None = None      # of the text's elements, once somebody asks
        self.image = image_of(model)
        self.names, self.places, self.view_only = model.names, model.places, model.view_only
        self.root = build.source.expanded.root
        source = build.source
        self.resolver = source.resolver if source.root is self.root else Resolver(self.root)
        self.scratch: Scratch | None = None     # made with the first rerun
        self.last: Left | None = None        # what that left, or a later one
        self.issues = frozenset((issue.severity, issue.what) for issue in build.problems.issues)
        self.simulates = bool(length_range.find_wanted(build, length_range.options(build)))     # lengths of actuators, on which nearly everything acts
        known = self.resolver.context
        self.copies_at: dict[tuple[str, int], list[Element]] = {}     # by where the element of the text begins
        for made in self.root.walk():
            if made.id in known:
                self.copies_at.setdefault((made.origin.file, made.origin.start), []).append(made)
        self.items: Mapping[int, tuple[str, Item]] = {      # (kind, item) by the id of its element
            item.element.id: (kind, item) for kind, items in build.items.items() for item in items if item.element is not None and item.element.id in known}
        self.alike: dict[tuple, list[Element]] = {}    # elements of items by what they have from classes
        for number, (_kind, item) in self.items.items():
            spec, around, _parent = known[number]
            self.alike.setdefault((spec, item.element.attrs.get("class") or around), []).append(item.element)

        if not self.simulates:
            _forget_assets(build)

    def put_last(self, left: Left | None) -> None:
        """What a run of the passes has left takes the place of what the one before did."""
        before, self.last = self.last, left
        if before is not None:
            before.close()

    def close(self) -> None:
        """Let go of everything, piece by piece."""
        self.put_last(None)
        take_apart(self.build)
        vars(self).clear()
