"""New geoms by pointing: a base on what is under the pointer, then a height, as one Edit.

    Creation(shape, surface) --base(pointer)--> size in the surface --rise(pointer)--> height --> creation_edit(...)
"""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from editor.edits.element_patches import NewElement, insert_last
from editor.edits.patch import Edit
from editor.tools import rigid
from editor.tools.drag import grid_step
from editor.tools.element_trees import ElementTree, ElementTrees, Refused, check_text
from editor.tools.rays import Pointer, along_axis, on_plane, pixel_length
from editor.tools.subject import Moment, subject_of
from editor.tools.written import DIGITS_BEHIND, number_text, quantum_of
from physics.spec.element import Element
from physics.spec.names import Names

__all__ = ["Creation", "Parent", "SHAPES", "creation_edit", "parent_of"]

SHAPES = ("box", "sphere", "capsule", "cylinder", "ellipsoid", "plane")
CORNERS = ("box", "ellipsoid", "plane")     # drawn from corner to corner; the others from the middle
FLAT = ("sphere", "plane")                  # have no height of their own
LEAST_PIXELS = 2.0      # half a shape is at least that large
THIN = 0.05             # third size of a plane: the spacing of its grid


@dataclass(slots=True, eq=False)
class Creation:
    """A shape that is being drawn. frame: (4, 4) origin where the pointer was pressed, z along the normal of the surface; pixel: length of a pixel there [m]."""

    shape: str
    frame: np.ndarray
    pixel: float
    corner: np.ndarray = field(default_factory=lambda: np.zeros(2))
    height: float = 0.0
    exact: bool = False
    _from: float | None = None      # where the height was begun

    @classmethod
    def at(cls, shape: str, point, normal, pointer: Pointer, snap: bool = False) -> Creation:
        """Begin at a point (3,) of a surface with a unit normal. snap: to the grid of the world."""
        pixel = pixel_length(pointer.view, pointer.size, point)
        mat = rigid.smallest_turn((0.0, 0.0, 1.0), normal)
        point = np.asarray(point, float)
        if snap:
            step = grid_step(pixel)
            inside = np.round((mat.T @ point)[:2] / step) * step
            point = mat @ np.append(inside, (mat.T @ point)[2])
        return cls(shape, rigid.pose_of_matrix(point, mat), pixel, exact=snap)

    @property
    def is_flat(self) -> bool:
        """Whether it is complete when its base is."""
        return self.shape in FLAT

    def base(self, pointer: Pointer, snap: bool = False) -> None:
        """The base reaches to where the pointer meets the surface's plane."""
        hit = on_plane(pointer, self.frame[:3, 3], self.frame[:3, 2])
        if hit is None:
            return
        to = (self.frame[:3, :3].T @ (hit - self.frame[:3, 3]))[:2]
        if snap:
            step = grid_step(self.pixel)
            if self.shape in CORNERS:
                to = np.round(to / step) * step
            elif np.linalg.norm(to) > 0:
                to = to / np.linalg.norm(to) * max(step, round(float(np.linalg.norm(to)) / step) * step)
        self.corner, self.exact = to, snap

    def rise(self, pointer: Pointer, snap: bool = False) -> None:
        """The height follows the pointer along the normal; the first call begins it."""
        along = along_axis(pointer, self.middle, self.frame[:3, 2])
        if self._from is None:
            self._from = along
        self.height = along - self._from
        if snap:
            step = grid_step(self.pixel)
            self.height = round(self.height / step) * step
        self.exact = snap

    @property
    def middle(self) -> np.ndarray:
        """Of the base (3,) in the world."""
        inside = self.corner / 2 if self.shape in CORNERS else np.zeros(2)
        return self.frame[:3, 3] + self.frame[:3, :2] @ inside

    @property
    def size(self) -> tuple[float, ...]:
        """As the attribute size has it [m]."""
        least = LEAST_PIXELS * self.pixel
        a, b = (max(least, abs(float(x)) / 2) for x in self.corner)
        radius, half = max(least, float(np.linalg.norm(self.corner))), max(least, abs(self.height) / 2)
        if self.shape == "plane":
            return a, b, THIN
        if self.shape in CORNERS:
            return a, b, half
        return {"sphere": (radius,), "cylinder": (radius, half), "capsule": (radius, max(least, half - radius))}[self.shape]

    @property
    def pose(self) -> np.ndarray:
        """(4, 4) of the shape in the world: it stands on the surface."""
        size = self.size
        up = {"plane": 0.0, "sphere": size[0], "capsule": size[0] + size[-1]}.get(self.shape, size[-1])
        return rigid.pose_of_matrix(self.middle + (-up if self.height < 0 else up) * self.frame[:3, 2], self.frame[:3, :3])

    @property
    def text(self) -> str:
        """Its sizes for the user."""
        return f"{self.shape} " + " ".join(f"{x:.4g}" for x in self.size[:2 if self.shape == "plane" else 3]) + " m"


@dataclass(frozen=True, slots=True, eq=False)
class Parent:
    """Where something new is to stand: element None where the model has no worldbody yet; pose: (4, 4) of what is written in it, in the world."""

    element: Element | None
    tree: ElementTree
    pose: np.ndarray


def parent_of(trees: ElementTrees, moment: Moment, body: int = 0) -> Parent:
    """A body of the Model, or the world. Raises Refused where its text cannot be changed."""
    if body:
        one = subject_of(trees, moment.m, "body", body)
        trees.check_complete(one.element)
        return Parent(one.element, one.tree, moment.base(one) @ rigid.inverse(one.beyond))
    if trees.document.sealed:
        raise Refused(trees.document.sealed)
    tree = trees.main()
    world = next((child for child in tree.root.children if child.tag == "worldbody" and child.origin.file in tree.texts), None)   # one that is not open cannot be written to
    trees.check_complete(world if world is not None else tree.root)
    check_text(world if world is not None else tree.root, tree)
    return Parent(world, tree, np.eye(4))


def creation_edit(creation: Creation, parent: Parent, as_body: bool = False) -> tuple[Edit, tuple[str, str]]:
    """(the edit that writes the shape into its parent, kind and name of what is new); as_body: as a geom in a new body with a free joint."""
    names = Names(parent.tree.root)
    quantum = quantum_of(creation.pixel, DIGITS_BEHIND if creation.exact else 1)
    local = rigid.inverse(parent.pose) @ creation.pose
    place = {"pos": _text(local[:3, 3], quantum)}
    if float(np.abs(local[:3, :3] - np.eye(3)).max()) > 1e-9:
        place["quat"] = _text(rigid.quat_of(local), 1e-6)
    size = _text(creation.size, min(quantum, quantum_of(min(creation.size))))
    geom = {"name": names.unique("geom", creation.shape), **_class_beside(parent), "type": creation.shape, "size": size}
    if as_body:
        made = "body", names.unique("body", creation.shape)
        body = NewElement("body", {"name": made[1], **place}, (NewElement("freejoint"), NewElement("geom", geom)))
    else:
        made = "geom", geom["name"]
        body = NewElement("geom", {**geom, **place})
    element = parent.element
    if element is None:
        element, body = parent.tree.root, NewElement("worldbody", {}, (body,))
    text = parent.tree.texts[element.origin.file]
    return Edit(f"New {creation.shape}", (insert_last(text, element, body),)), made


def _class_beside(parent: Parent) -> dict[str, str]:
    """The default class that the last geom beside it names."""
    beside = [child for child in (parent.element.children if parent.element is not None else ()) if child.tag == "geom"]
    return {"class": beside[-1].attrs["class"]} if beside and "class" in beside[-1].attrs else {}


def _text(values, quantum: float) -> str:
    return " ".join(number_text(float(value), quantum) for value in values)
