"""Which numbers of a size say what, where they are grabbed, and which shapes have ends."""
from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from editor.tools.element_trees import Refused
from editor.tools.subject import Part, Subject

__all__ = ["Knob", "Parameter", "SizedPart", "ends_of", "knobs_of", "parameters_of", "sizes_of"]

SITE_SIZE = 0.005    # what a site's size is where less than three numbers are given


class Parameter(NamedTuple):
    """index: in the attribute size; axis: of the shape; name: in words; capped: how many times the first size lies beyond it along the axis; sides: of the axis on which there is a
    knob; factor: it is no length but multiplies one."""

    index: int
    axis: int
    name: str
    capped: float = 0.0
    sides: tuple[int, ...] = (1, -1)
    factor: bool = False


class Knob(NamedTuple):
    """parameter: its place among those of the shape; axis, side: where it is; reach: how far the shape reaches there [m]; name: in words."""

    parameter: int
    axis: int
    side: int
    reach: float
    name: str


class SizedPart(Part):
    """A part with sizes of its own."""

    def parameters(self, subject: Subject) -> tuple[Parameter, ...]:
        """Those that can be dragged. Raises Refused where there are none."""
        raise Refused(f"The {self.name} has no size")

    def sizes(self, subject: Subject) -> np.ndarray:
        """The numbers that they are."""
        return np.zeros(0)

    def reach(self, subject: Subject, parameter: Parameter, side: int) -> float:
        """How far the shape reaches on a side [m]."""
        return float(self.sizes(subject)[parameter.index])


_ROUND = Parameter(0, 0, "radius")
_THREE = tuple(Parameter(k, k, f"half size along {'xyz'[k]}") for k in range(3))
PARAMETERS = MappingProxyType({
    "sphere": (_ROUND,), "capsule": (_ROUND, Parameter(1, 2, "half length", 1.0)), "cylinder": (_ROUND, Parameter(1, 2, "half length")),
    "box": _THREE, "ellipsoid": _THREE, "plane": _THREE[:2]})
ENDED = ("capsule", "cylinder")     # shapes that are dragged by their ends, however they are written


def parameters_of(subject: Subject) -> tuple[Parameter, ...]:
    """The sizes that can be dragged. Raises Refused where there are none."""
    if isinstance(subject.part, SizedPart):
        return subject.part.parameters(subject)
    if subject.kind not in ("geom", "site"):
        what = "A body has no size: select its geoms or sites" if subject.kind == "body" else f"A {subject.element.tag} has no size"
        raise Refused(what)
    attrs = subject.attrs
    word = attrs["type"]
    if word == "hfield":
        raise Refused("The size of a height field is that of its asset")
    if word in ("mesh", "sdf"):
        raise Refused(f"The size of a {word} is that of its asset: change the scale of mesh \"{attrs['mesh']}\"")
    if attrs.get("mesh"):
        raise Refused(f"Its size is computed from mesh \"{attrs['mesh']}\": change fitscale")
    known = PARAMETERS[word]
    if attrs.given("fromto"):
        return tuple(one for one in known if one.index == 0 or (word in ("box", "ellipsoid") and one.index == 1))
    if word == "plane":
        sizes = sizes_of(subject)
        known = tuple(one for one in known if sizes[one.index] > 0)
        if not known:
            raise Refused("An infinite plane has no size: give it one in Properties")
    return known


def sizes_of(subject: Subject) -> np.ndarray:
    """The sizes in force [m], of shapes three; of what is given by its ends also those that follow from them."""
    if isinstance(subject.part, SizedPart):
        return subject.part.sizes(subject)
    given = subject.attrs["size"]
    sizes = np.full(3, SITE_SIZE if subject.kind == "site" else 0.0)
    if given is not None:
        sizes[:min(3, len(given))] = given[:3]
    sizes *= subject.scale
    ends = subject.attrs["fromto"] if subject.attrs.given("fromto") else None
    if ends is not None:
        sizes[2 if subject.attrs["type"] in ("box", "ellipsoid") else 1] = 0.5 * subject.scale * np.linalg.norm(np.subtract(ends[:3], ends[3:]))
    return sizes


def knobs_of(subject: Subject) -> list[Knob]:
    """Where sizes are grabbed. Raises Refused where there are none."""
    parameters = parameters_of(subject)     # refuses what has no size
    sizes = sizes_of(subject)

    def reach(one: Parameter, side: int) -> float:
        return subject.part.reach(subject, one, side) if isinstance(subject.part, SizedPart) else float(sizes[one.index] + one.capped * sizes[0])

    return [Knob(k, one.axis, side, reach(one, side), one.name) for k, one in enumerate(parameters) for side in one.sides]


def ends_of(subject: Subject) -> np.ndarray | None:
    """(2, 3) the ends of the axis of a shape in its own frame, first the one at +z [m]; None for a shape that is not dragged by them."""
    if subject.kind not in ("geom", "site") or subject.part is not None or subject.attrs.get("mesh"):
        return None
    word, sizes = subject.attrs["type"], sizes_of(subject)
    if subject.attrs.given("fromto") and word in PARAMETERS:
        half = sizes[2 if word in ("box", "ellipsoid") else 1]
    elif word in ENDED:
        half = sizes[1]
    else:
        return None
    return np.array([(0.0, 0.0, half), (0.0, 0.0, -half)])
