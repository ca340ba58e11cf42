"""A processed mesh: the arrays of its part of the model, and what geoms need to know of it."""
from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np


class MeshError(ValueError):
    """A mesh that cannot be used; the text says why, with the numbers. hint: what to do about it."""

    def __init__(self, what: str, hint: str = ""):
        super().__init__(what)
        self.what, self.hint = what, hint


@dataclass(frozen=True)
class MeshOptions:
    """How a mesh is to be processed: the attributes of its element, and whether its hull is needed."""

    scale: tuple = (1.0, 1.0, 1.0)
    refpos: tuple = (0.0, 0.0, 0.0)
    refquat: tuple = (1.0, 0.0, 0.0, 0.0)
    smoothnormal: bool = False
    inertia: str = "legacy"
    maxhullvert: int = -1
    hull: bool = False

    @property
    def mirrors(self) -> bool:
        """Whether the scale turns right hands into left ones, or flattens the mesh."""
        return not self.scale[0] * self.scale[1] * self.scale[2] > 0


def _none(kind, width: int = 0):
    return field(default_factory=lambda: np.zeros((0, width) if width else 0, kind))


@dataclass
class MeshData:
    """A mesh in the frame of its centre of mass and principal axes; rows as in the fields mesh_* of the model, counted from the mesh's own first.

    pos, quat: that frame in the source's; box: half sizes of the box of equal inertia; low, high: corners of the bounding box; volume: [m3],
    the surface [m2] where inertia is 'shell'. faults: as mesh_faults.find_faults gives them. tree*: the tree of bounding boxes over the triangles (physics/compiler/mesh/bvh.py).
    """

    vert: np.ndarray = _none(np.float32, 3)
    face: np.ndarray = _none(np.int32, 3)
    normal: np.ndarray = _none(np.float32, 3)
    texcoord: np.ndarray = _none(np.float32, 2)
    facenormal: np.ndarray = _none(np.int32, 3)
    facetexcoord: np.ndarray = _none(np.int32, 3)
    graph: np.ndarray = _none(np.int32)
    extrema: np.ndarray = field(default_factory=lambda: np.zeros(27, np.int32))
    polyvert: np.ndarray = _none(np.int32)
    polyvertnum: np.ndarray = _none(np.int32)
    polynormal: np.ndarray = _none(np.float64, 3)
    polymap: np.ndarray = _none(np.int32)
    polymapnum: np.ndarray = _none(np.int32)
    treechild: np.ndarray = _none(np.int32, 2)
    treedepth: np.ndarray = _none(np.int32)
    treenode: np.ndarray = _none(np.int32)
    treebox: np.ndarray = _none(np.float64, 6)
    pos: np.ndarray = field(default_factory=lambda: np.zeros(3))
    quat: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    box: np.ndarray = field(default_factory=lambda: np.zeros(3))
    low: np.ndarray = field(default_factory=lambda: np.zeros(3))
    high: np.ndarray = field(default_factory=lambda: np.zeros(3))
    faults: np.ndarray = field(default_factory=lambda: np.array([0, -1, 0, -1, -1, 0, 0], np.int32))
    volume: float = 0.0

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything by name, numbers as arrays of one."""
        return {f.name: np.asarray(getattr(self, f.name)) for f in fields(self)}
