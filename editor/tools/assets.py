"""The size of what a geom shows: the scale of a mesh, the size of a height field. They are written into the asset, so that all its geoms follow.

A mesh is scaled after its refpos and refquat (MuJoCo XML reference, asset/mesh), in the frame that its geoms are written with: there its extents follow the scale, wherever
the compiler moves its centre and axes to.
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

import numpy as np

from editor.tools import rigid
from editor.tools.drag import Motion
from editor.tools.edits import quantum_for
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.gizmo import SCALE
from editor.tools.handles import HIGH
from editor.tools.shape_sizes import Parameter, SizedPart
from editor.tools.subject import Moment, Subject, compiled_pose, mesh_pose
from editor.tools.written import DIGITS_BEHIND, quantum_of, vector_text
from physics.enums import GeomType

__all__ = ["HField", "Mesh", "asset_of", "asset_subject"]

_SHOWN = MappingProxyType({int(GeomType.MESH): "mesh", int(GeomType.SDF): "mesh", int(GeomType.HFIELD): "hfield"})   # kind of the asset by the type of the geom
_FACTORS = tuple(Parameter(k, k, f"scale along {'xyz'[k]}", factor=True) for k in range(3))
_GROUND = (Parameter(0, 0, "radius along x"), Parameter(1, 1, "radius along y"), Parameter(2, 2, "elevation", sides=(1,)), Parameter(3, 2, "base", sides=(-1,)))


class Asset(SizedPart):
    """What assets have in common."""

    modes = (SCALE,)
    attribute = ""

    def label(self, subject: Subject, name: str) -> str:
        file = PurePosixPath((subject.attrs["file"] or "").replace("\\", "/")).stem      # which an asset without a name is named after
        return name if subject.element.name else f"{name} {file}".strip()

    def refusal(self, mode: str) -> str:
        return f"A {self.name} stands where its geoms do: only its size can be dragged (Scale)"

    def note(self, subject: Subject) -> str:
        return f"All {subject.copies} geoms of {subject.label} follow" if subject.copies > 1 else f"It is the {self.attribute} of {subject.label} that changes"

    def sizes(self, subject: Subject) -> np.ndarray:
        return np.asarray(subject.attrs[self.attribute], float)

    def write(self, subject: Subject, motion: Motion, moment: Moment) -> dict[str, str | None]:
        present = self.sizes(subject)
        wanted = np.array(motion.values) if motion.kind == "sizes" else motion.values[0] * present
        text = vector_text(subject.element.attrs.get(self.attribute), present, wanted, self.quantum(subject, motion, wanted))
        return {} if text is None else {self.attribute: text}

    def quantum(self, subject: Subject, motion: Motion, wanted: np.ndarray) -> float:
        """What the numbers are rounded to."""
        return min(quantum_for(motion, motion.step), quantum_of(float(wanted.min())))


@dataclass(frozen=True, slots=True, eq=False)
class Mesh(Asset):
    """low, high: extents (3,) of the mesh in the frame of its geoms, before it is scaled [unit of its file]."""

    low: np.ndarray
    high: np.ndarray
    name, attribute = "mesh", "scale"

    def parameters(self, subject: Subject) -> tuple[Parameter, ...]:
        return _FACTORS

    def reach(self, subject: Subject, parameter: Parameter, side: int) -> float:
        k = parameter.index
        ends = self.sizes(subject)[k] * np.array((self.low[k], self.high[k]))
        return float(max(side * ends[0], side * ends[1]))

    def quantum(self, subject: Subject, motion: Motion, wanted: np.ndarray) -> float:
        return quantum_of(float(np.abs(wanted).min()) / HIGH, DIGITS_BEHIND if motion.exact else 1)


class HField(Asset):
    """Half widths, elevation and base of a height field, whose geoms stand in the middle of it at elevation 0."""

    name, attribute = "height field", "size"

    def parameters(self, subject: Subject) -> tuple[Parameter, ...]:
        return _GROUND


HFIELD = HField()


def asset_of(m, geom: int) -> tuple[str, int] | None:
    """Kind and number of the asset whose size a geom has; None for a shape with a size of its own."""
    kind = _SHOWN.get(int(m.geom_type[geom]))
    return (kind, int(m.geom_dataid[geom])) if kind is not None and m.geom_dataid[geom] >= 0 else None


def asset_subject(trees: ElementTrees, m, kind: str, number: int, geom: int = -1) -> Subject:
    """The subject that a mesh or height field is, seen at one of its geoms by number (-1: the first). Raises Refused for one that no geom shows."""
    element, tree = trees.find(m, kind, number)
    same = {k for its_kind, k in m.links.items(element.id) if its_kind == kind}
    types = [type_ for type_, shown in _SHOWN.items() if shown == kind]
    geoms = np.flatnonzero(np.isin(m.geom_type, types) & np.isin(m.geom_dataid, list(same)))
    if not len(geoms):
        raise Refused(f"No geom shows this {kind}")
    geom = geom if geom in geoms else int(geoms[0])
    frame = compiled_pose(m, "geom", geom) @ rigid.inverse(mesh_pose(m, "geom", geom))
    part = Mesh(*_extents(m, int(m.geom_dataid[geom]))) if kind == "mesh" else HFIELD
    return Subject(kind, number, element, tree, tree.attrs(element), frame, np.eye(4), frame, 1.0, len(geoms), int(m.geom_bodyid[geom]), part)


def _extents(m, mesh: int) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest coordinates (3,) of a mesh's vertices in the frame of its geoms, before it is scaled."""
    start = int(m.mesh_vertadr[mesh])
    frame = rigid.pose(m.mesh_pos[mesh], m.mesh_quat[mesh])
    points = (np.asarray(m.mesh_vert[start:start + int(m.mesh_vertnum[mesh])], float) @ frame[:3, :3].T + frame[:3, 3]) / m.mesh_scale[mesh]
    return points.min(axis=0), points.max(axis=0)
