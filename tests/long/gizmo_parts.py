"""What tests/long/gizmos.py asks of the parts of elements that have no pose of their own: where the engine has them, a motion, and where they must be after it.

A part is told by numbers: points of the world [m], lengths, or moments of inertia as a share of the largest.
"""
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from editor.document import Document
from editor.tools import rigid
from editor.tools.anchors import equality_subjects
from editor.tools.assets import asset_subject
from editor.tools.drag import Motion
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.inertia import inertia_subject
from editor.tools.spacing import replicate_subjects
from editor.tools.subject import Moment, Subject
from physics.enums import EqType, ObjType

REACH = np.array(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))      # points that tell a frame


@dataclass
class Case:
    """A subject; found(m, d): the numbers that tell where it is; motion(subject, moment, random, extent): one to try; after(numbers, motion): what they must be."""

    subject: Subject
    found: Callable
    motion: Callable
    after: Callable
    is_there: Callable = lambda moment, subject, numbers: 0.0
    length: float = 0.0     # what deviations are compared with, 0: the extent of the model

    @property
    def label(self) -> str:
        return self.subject.label

    def away(self, moment: Moment) -> float:
        """How far it is from where the engine has it."""
        return self.is_there(moment, self.subject, self.found(moment.m, moment.d))

    def wanted(self, moment: Moment, random, extent: float) -> tuple[Motion, np.ndarray]:
        motion = self.motion(self.subject, moment, random, extent)
        return motion, self.after(self.found(moment.m, moment.d), motion)

    def size(self, extent: float) -> float:
        return self.length or extent


def _elements(document: Document, tag: str) -> Iterator:
    for root in document.version().trees():
        yield from (one for one in root.walk() if one.tag == tag)


def _tried(refused: Counter, make, *given):
    try:
        return make(*given)
    except Refused as why:
        refused[str(why)] += 1
        return None


def _shift(subject, moment, random, extent) -> Motion:
    return Motion("rigid", rigid.shift(0.05 * extent * random.normal(size=3)), exact=True, step=1e-3)


def _turn(subject, moment, random, extent) -> Motion:
    pivot = moment.base(subject)[:3, 3]
    return Motion("rigid", rigid.shift(0.05 * extent * random.normal(size=3)) @ rigid.about(pivot, rigid.turn(random.normal(size=3), random.uniform(-1, 1))), exact=True, step=1e-3)


def _sizes(subject, moment, random, extent) -> Motion:
    return Motion("sizes", values=tuple(subject.part.sizes(subject) * random.uniform(0.5, 2.0, len(subject.part.sizes(subject)))), exact=True, step=1e-3)


def _points_moved(points: np.ndarray, motion: Motion) -> np.ndarray:
    return points @ motion.delta[:3, :3].T + motion.delta[:3, 3]


def _frame_points(frame: np.ndarray) -> np.ndarray:
    return REACH @ frame[:3, :3].T + frame[:3, 3]


def _off(moment: Moment, subject: Subject, points: np.ndarray) -> float:
    return float(np.abs(_frame_points(moment.base(subject))[:len(points)] - points).max())


# ------------------------------------------------------------------ inertias

def inertias(document: Document, m, refused: Counter) -> Iterator[Case]:
    """Place of the centre, and the inertia in the world, of which principal axes may be named otherwise."""
    for element in _elements(document, "inertial"):
        subject = _tried(refused, inertia_subject, ElementTrees(document), m, element)
        if subject is not None:
            body, largest = subject.number, float(m.body_inertia[subject.number].max()) or 1.0

            def found(m, d, body=body, largest=largest):
                mat = d.ximat[body].reshape(3, 3)
                return np.vstack((d.xipos[body], mat @ np.diag(m.body_inertia[body] / largest) @ mat.T))

            yield Case(subject, found, _turn, _inertia_moved, lambda moment, subject, numbers: _off(moment, subject, numbers[:1]))


def _inertia_moved(numbers: np.ndarray, motion: Motion) -> np.ndarray:
    mat = motion.delta[:3, :3]
    return np.vstack((_points_moved(numbers[:1], motion), mat @ numbers[1:] @ mat.T))


# ------------------------------------------------------------------ sizes

def meshes(document: Document, m, refused: Counter) -> Iterator[Case]:
    """Least and largest coordinates in the frame of a geom, and where that is in its body."""
    for number in range(m.nmesh):
        subject = _tried(refused, asset_subject, ElementTrees(document), m, "mesh", number)
        if subject is not None:
            def found(m, d, number=number):
                start, frame = m.mesh_vertadr[number], rigid.pose(m.mesh_pos[number], m.mesh_quat[number])
                points = m.mesh_vert[start:start + m.mesh_vertnum[number]] @ frame[:3, :3].T + frame[:3, 3]
                return np.sort(np.array((points.min(axis=0), points.max(axis=0))), axis=0)

            def after(numbers, motion, subject=subject):
                return np.sort(numbers * np.array(motion.values) / subject.part.sizes(subject), axis=0)

            yield Case(subject, found, _sizes, after, length=float(np.abs(found(m, None)).max()))


def hfields(document: Document, m, refused: Counter) -> Iterator[Case]:
    """The four sizes."""
    for number in range(m.nhfield):
        subject = _tried(refused, asset_subject, ElementTrees(document), m, "hfield", number)
        if subject is not None:
            yield Case(subject, lambda m, d, number=number: np.array(m.hfield_size[number]), _sizes, lambda numbers, motion: np.array(motion.values),
                       lambda moment, subject, numbers: float(np.abs(subject.part.sizes(subject) - numbers).max()), float(m.hfield_size[number].max()))


# ------------------------------------------------------------------ constraints

def equalities(document: Document, m, refused: Counter) -> Iterator[Case]:
    """Anchors as points of the world, the pose that a weld holds as a frame."""
    for number in range(m.neq):
        for subject in _tried(refused, equality_subjects, ElementTrees(document), m, number) or ():
            if m.eq_objtype[number] == ObjType.SITE:
                continue        # a site like others
            anchor = subject.part.name == "anchor"
            first = slice(3, 6) if not anchor else slice(0, 3)

            def found(m, d, number=number, body=subject.body, anchor=anchor, first=first):
                data = m.eq_data[number]
                own = rigid.pose(data[first]) if anchor else rigid.pose(data[first], data[6:10])
                return _frame_points(rigid.pose_of_matrix(d.xpos[body], d.xmat[body]) @ own)[:1 if anchor else 4]

            yield Case(subject, found, _shift if anchor else _turn, _points_moved, _off)
            assert m.eq_type[number] in (EqType.CONNECT, EqType.WELD)


# ------------------------------------------------------------------ copies

def replicates(document: Document, m, refused: Counter) -> Iterator[Case]:
    """Where the copy that is dragged has something."""
    prefix = {"body": "", "geom": "geom_", "site": "site_", "camera": "cam_"}
    for element in _elements(document, "replicate"):
        for subject in _tried(refused, replicate_subjects, ElementTrees(document), m, element) or ():
            kind, number = subject.part.held

            def found(m, d, kind=kind, number=number):
                return _frame_points(rigid.pose_of_matrix(getattr(d, f"{prefix[kind]}xpos")[number], getattr(d, f"{prefix[kind]}xmat")[number]))

            yield Case(subject, found, _turn, _points_moved, _off)


PARTS = MappingProxyType({"inertia": inertias, "mesh": meshes, "hfield": hfields, "equality": equalities, "replicate": replicates})
