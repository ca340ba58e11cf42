"""What can be moved: an element of the text as something with a pose in the running model.

    X = C F L M      world pose of what is drawn: C of its carrier (the body; for a body its parent) at the moment, F of the frames and copies around the element, L as written,
                     M of a mesh in the compiler's coordinates or of an aligned free body

F and M stay while an element is edited, so a motion D of the world is the local pose L' = (C F)^-1 D (C F) L, whatever the model does meanwhile. F is found from the compiled
pose, B = F L M, without going through frames and copies; what has no whole pose (joints, lights) goes through the frames of the text.
"""
from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from editor.notation.orientation import frame_of_ends, orientation
from editor.tools import rigid
from editor.tools.element_trees import ElementTree, ElementTrees, Refused
from physics.enums import CamLightMode, GeomType, JointType
from physics.expand.replicate import copies
from physics.rotation.orientation import OrientationError
from physics.spec.defaults import Attrs
from physics.spec.element import Element

__all__ = ["KINDS", "Moment", "Part", "Subject", "angle_unit", "engine_turns", "floats", "read_again", "subject_after", "subject_of", "subject_of_frame"]

FIELDS = MappingProxyType({"body": "body", "geom": "geom", "site": "site", "camera": "cam"})    # prefix of the Model's fields with the compiled pose
KINDS = ("body", "geom", "site", "camera", "light", "joint")
AIMED = MappingProxyType({"joint": "axis", "light": "dir"})     # attribute with a direction, of what has no whole orientation
CLOSE = 1e-5    # relative: of a compiled position and the same through the frames of the text
MOVED_BY_THE_ENGINE = (CamLightMode.TARGETBODY, CamLightMode.TARGETBODYCOM)
TRACKING = (CamLightMode.TRACK, CamLightMode.TRACKCOM)


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """An element and where it is. kind, number: what the Model has of it (number -1: a frame, which it has nothing of); frame: F, local: L in metres, base: B in the carrier
    when it was made (4, 4); scale: factor of lengths in the frames around it; copies: how many things of the Model come from the element; body: the carrier's number."""

    kind: str
    number: int
    element: Element
    tree: ElementTree
    attrs: Attrs
    frame: np.ndarray
    local: np.ndarray
    base: np.ndarray
    scale: float = 1.0
    copies: int = 1
    body: int = 0
    part: Part | None = None

    @property
    def beyond(self) -> np.ndarray:
        """M (4, 4)."""
        return rigid.inverse(self.frame @ self.local) @ self.base

    @property
    def label(self) -> str:
        """Kind and name, for the user."""
        name = f"{self.element.tag} {self.element.name}".strip()
        return self.part.label(self, name) if self.part is not None else name

    @property
    def key(self) -> tuple[int, str]:
        """The same for what is written into the same attributes: id of the element, and which part of it."""
        return self.element.id, self.part.key if self.part is not None else ""


class Part(ABC):
    """What is dragged of an element whose pose is written otherwise than by pos and an orientation, or that has none: how it is read, written and drawn.

    name: which part of its element; modes: of gizmos ('move', 'rotate', 'scale') in which it has handles; drawn_by: modes in which the handles lie along what is drawn
    (with M), in the others along what is written."""

    name: ClassVar[str] = ""
    modes: ClassVar[tuple[str, ...]] = ()
    drawn_by: ClassVar[tuple[str, ...]] = ()

    @property
    def key(self) -> str:
        """Another for what is another part of the same element."""
        return self.name

    def label(self, subject: Subject, name: str) -> str:
        """What it is called, for the user; name: tag and name of the element."""
        return f"{self.name} of {name}"

    def refusal(self, mode: str) -> str:
        """Why there are no handles in one of the other modes."""
        return f"The {self.name} cannot be dragged so: choose {' or '.join(one.capitalize() for one in self.modes)}"

    def note(self, subject: Subject) -> str:
        """What else a drag changes, '' for nothing."""
        return ""

    def read(self, subject: Subject, tree: ElementTree, attrs: Attrs) -> tuple[np.ndarray, np.ndarray]:
        """(L, M) (4, 4) by the attributes. Raises Refused for numbers without meaning."""
        return subject.local, subject.beyond

    @abstractmethod
    def write(self, subject: Subject, motion, moment: Moment) -> Mapping[str, str | None]:
        """Attributes of the element by their new text after a motion (editor.tools.drag.Motion); None: to be taken away."""

    def present(self, subject: Subject, m, d, carrier: np.ndarray) -> np.ndarray:
        """X (4, 4) of what is drawn at a moment, in a carrier that is there."""
        return carrier @ subject.base

    def follow(self, subject: Subject, shown: Subject, moment: Moment) -> Iterator[tuple[int, np.ndarray]]:
        """(number, motion (4, 4) of the world) of bodies that float and go along. shown: the subject by what the text says after a motion."""
        yield from ()

    def things(self, subject: Subject, m) -> Iterator[tuple[str, int]]:
        """(kind, number) of what is drawn of it, which surfaces are snapped to without."""
        yield from ()

    def lines(self, subject: Subject, moment: Moment) -> Iterator[tuple[np.ndarray, str]]:
        """(points (n, 3) of the world, colour of a handle) of what is drawn to show it."""
        yield from ()


class Moment:
    """Where everything is at a moment (a Data or Snapshot of the Model m), computed when it is asked for first and kept: a Snapshot may be that of a later moment by then."""

    def __init__(self, m, d):
        self.m, self.d = m, d
        self._carriers: dict[int, np.ndarray] = {}
        self._bases: dict[int, np.ndarray] = {}
        self._bodies: dict[int, np.ndarray] = {}
        self._parents: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._pivots: dict[int, np.ndarray] = {}
        self._kept: list[Subject] = []      # so that no other gets the same id

    def carrier(self, subject: Subject) -> np.ndarray:
        """C (4, 4)."""
        if id(subject) not in self._carriers:
            self._kept.append(subject)
            self._carriers[id(subject)] = _carrier_of(self.m, self.d, subject, self.body(subject.body))
        return self._carriers[id(subject)]

    def parent(self, subject: Subject) -> tuple[np.ndarray, np.ndarray]:
        """C F (4, 4), in which it stands, and the inverse."""
        if id(subject) not in self._parents:
            made = self.carrier(subject) @ subject.frame
            self._parents[id(subject)] = made, rigid.inverse(made)
        return self._parents[id(subject)]

    def base(self, subject: Subject) -> np.ndarray:
        """X (4, 4) as it is with the attributes that the subject was made with: the same while what is shown of a drag comes and goes."""
        if id(subject) not in self._bases:
            self._bases[id(subject)] = _base_pose(self.m, self.d, subject, self.carrier(subject))
        return self._bases[id(subject)]

    def pivot(self, subject: Subject) -> np.ndarray:
        """X M^-1 (4, 4): as it is written."""
        if id(subject) not in self._pivots:
            plain = subject.part is None and subject.kind != "body"     # X = C F L M: the quicker way
            self._pivots[id(subject)] = self.parent(subject)[0] @ subject.local if plain else self.base(subject) @ rigid.inverse(subject.beyond)
        return self._pivots[id(subject)]

    def body(self, number: int) -> np.ndarray:
        """Pose (4, 4) of a body."""
        if number not in self._bodies:
            self._bodies[number] = rigid.pose_of_matrix(self.d.xpos[number], self.d.xmat[number])
        return self._bodies[number]


def subject_after(subject: Subject, trees: ElementTrees, quick: bool = False) -> Subject | None:
    """The subject with what the text says of its element now; None where that is gone, or says nothing that can be read. quick: as `read_again` has it."""
    try:
        return read_again(subject, trees, quick)
    except Refused:
        return None


def read_again(subject: Subject, trees: ElementTrees, quick: bool = False) -> Subject:
    """The subject with what the text says of its element now. What it stands in must be as it was; quick: and all default classes, as during a drag. Raises Refused where it is
    gone, or what is written cannot be read."""
    if quick:
        element, tree = trees.written(subject.element.id), trees.with_texts(subject.tree)
    else:
        element, tree = trees.element(subject.element.id) or (None, subject.tree)
    if element is None:
        raise Refused("It is not in the text any more")
    attrs = tree.attrs(element)
    local, beyond = (written_pose(tree, attrs, subject.kind, subject.scale), subject.beyond) if subject.part is None else subject.part.read(subject, tree, attrs)
    return replace(subject, element=element, tree=tree, attrs=attrs, local=local, base=subject.frame @ local @ beyond)


def subject_of(trees: ElementTrees, m, kind: str, number: int) -> Subject:
    """The subject that element `number` of a kind of the Model is. Raises Refused for what has no pose, or whose pose is not written."""
    if kind not in KINDS:
        raise Refused("It has no pose of its own")
    if kind == "body" and number == 0:
        raise Refused("The world stays where it is")
    element, tree = trees.find(m, kind, number)
    if element.tag == "freejoint" or (kind == "joint" and m.jnt_type[number] == JointType.FREE):
        raise Refused("A free joint has neither anchor nor axis: move its body")
    attrs = tree.attrs(element)
    same = [k for its_kind, k in m.links.items(m.links.source(kind, number).element) if its_kind == kind]
    scale = scale_around(tree, element)
    local = written_pose(tree, attrs, kind, scale)
    if kind in AIMED or _is_moved_by_compiler(tree, kind, attrs):
        frame, base = _through_text(m, kind, number, tree, element, local, same)
    else:
        base = compiled_pose(m, kind, number)
        frame = base @ rigid.inverse(local @ mesh_pose(m, kind, number))
    body = number if kind == "body" else int(getattr(m, f"{_prefix(kind)}_bodyid")[number])
    return Subject(kind, number, element, tree, attrs, frame, local, base, scale, len(same), int(m.body_parentid[number]) if kind == "body" else body)


def subject_of_frame(trees: ElementTrees, m, element: Element) -> Subject:
    """The subject that a <frame> of the text is, found by something that stands in it. Raises Refused for one that holds nothing of the Model."""
    if trees.document.sealed:
        raise Refused(trees.document.sealed)
    found = trees.element(element.id)
    if found is None:
        raise Refused("It is not in the text any more")
    tree, inside = found[1], [(element, np.eye(4))]
    scale = scale_around(tree, element)
    while inside:
        holder, pose = inside.pop()
        for child in holder.children:
            if child.tag == "frame":
                inside.append((child, pose @ written_pose(tree, tree.attrs(child), "frame", scale_around(tree, child))))
            elif child.tag == "replicate":
                inside.append((child, pose))        # its first copy stands where it does
            elif child.tag in KINDS and child.tag != "joint" and (item := _first_item(m, child)) is not None:
                held = subject_of(trees, m, *item)
                local = written_pose(tree, tree.attrs(element), "frame", scale)
                own = held.frame @ rigid.inverse(pose)
                return Subject("frame", -1, element, tree, tree.attrs(element), own @ rigid.inverse(local), local, own, scale, held.copies, held.body)
    raise Refused("There is nothing in this frame that is drawn")


def _first_item(m, element: Element) -> tuple[str, int] | None:
    return next((item for item in m.links.items(element.id) if item[0] == element.tag), None)


# ------------------------------------------------------------------ as written

def written_pose(tree: ElementTree, attrs: Attrs, kind: str, scale: float) -> np.ndarray:
    """L (4, 4) [m] of an element's attributes. Raises Refused for numbers without meaning."""
    ends = attrs["fromto"] if kind in ("geom", "site") and attrs.given("fromto") else None
    if ends is not None:
        return rigid.pose(*frame_of_ends(scale * np.asarray(ends)))
    pos = np.zeros(3) if attrs.get("pos") is None else scale * np.asarray(attrs["pos"], float)
    if kind in AIMED:
        way = np.asarray(attrs[AIMED[kind]], float)
        return rigid.pose_of_matrix(pos, rigid.smallest_turn((0.0, 0.0, 1.0), way if np.linalg.norm(way) > 1e-12 else (0.0, 0.0, 1.0)))
    try:
        return rigid.pose(pos, orientation(attrs, tree.settings))
    except OrientationError as problem:
        raise Refused(str(problem)) from None


def scale_around(tree: ElementTree, element: Element) -> float:
    """Factor of lengths that the frames around an element make."""
    factor = 1.0
    for node in tree.around(element):
        if node.tag == "frame" and "scale" in node.attrs:
            factor *= float(tree.attrs(node)["scale"][0])
    return factor


def frames_around(tree: ElementTree, element: Element) -> Iterator[np.ndarray]:
    """F (4, 4) of an element in its body by what is written around it, once for each copy that the replicates there make, in the order of the copies."""
    steps: list[list[np.ndarray]] = []
    for node in tree.around(element):
        if node.tag in ("body", "worldbody"):
            break
        if node.tag == "frame":
            steps.insert(0, [written_pose(tree, tree.attrs(node), "frame", scale_around(tree, node))])
        elif node.tag == "replicate":
            steps.insert(0, [rigid.pose(*(np.array(text.split(), float) for text in pair)) for pair in copies(node, tree.settings)])
    for poses in product(*steps):
        out = np.eye(4)
        for pose in poses:
            out = out @ pose
        yield out


def _through_text(m, kind: str, number: int, tree: ElementTree, element: Element, local: np.ndarray, same: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """(F, B) of what the compiled pose does not tell it of."""
    candidates = list(frames_around(tree, element))
    if kind in FIELDS:
        return candidates[same.index(number) % len(candidates)], compiled_pose(m, kind, number)
    pos = getattr(m, f"{_prefix(kind)}_pos")[number]
    room = CLOSE * max(1.0, float(np.abs(pos).max()))
    for frame in candidates:
        if np.abs((frame @ local)[:3, 3] - pos).max() <= room:
            return frame, frame @ local
    raise Refused("Where it stands cannot be told from its text")


def _is_moved_by_compiler(tree: ElementTree, kind: str, attrs: Attrs) -> bool:
    """Whether the compiler moves a frame by what the Model does not keep: of a shape to the mesh that it is fitted to, of a free body into its inertial frame."""
    if kind == "geom":
        return bool(attrs["mesh"]) and attrs["type"] not in ("mesh", "sdf")
    return kind == "body" and aligns(tree, attrs.element)


def aligns(tree: ElementTree, element: Element) -> bool:
    """Whether the compiler moves the frame of a body into its inertial frame."""
    joints = [child for child in element.walk() if child.tag in ("freejoint", "joint")]
    if len(joints) != 1 or any(child.tag == "body" for child in element.walk() if child is not element):
        return False
    attrs, named = tree.attrs(joints[0]), joints[0].tag == "freejoint"
    if not named and attrs["type"] != "free":
        return False
    word = attrs.get("align", "auto") if named else "auto"
    return word == "true" or (word == "auto" and any(compiler.attrs.get("alignfree") == "true" for compiler in tree.root.all("compiler")))


# ------------------------------------------------------------------ in the Model

def _prefix(kind: str) -> str:
    return {"joint": "jnt", "light": "light"}.get(kind) or FIELDS[kind]


def compiled_pose(m, kind: str, number: int) -> np.ndarray:
    """B (4, 4) of the Model now."""
    prefix = FIELDS[kind]
    return rigid.pose(getattr(m, f"{prefix}_pos")[number], getattr(m, f"{prefix}_quat")[number])


def mesh_pose(m, kind: str, number: int) -> np.ndarray:
    """M (4, 4) of a geom that shows a mesh: meshes are moved into the frame of their centre and principal axes."""
    mesh = int(m.geom_dataid[number]) if kind == "geom" and m.geom_type[number] in (GeomType.MESH, GeomType.SDF) else -1
    return rigid.pose(m.mesh_pos[mesh], m.mesh_quat[mesh]) if mesh >= 0 else np.eye(4)


def _carrier_of(m, d, subject: Subject, frame: np.ndarray) -> np.ndarray:
    """C (4, 4) at a moment (a Data or Snapshot of a Model with the same elements). frame: pose (4, 4) of its body."""
    kind, number = subject.kind, subject.number
    if kind == "joint":
        return _before_later_joints(m, d, number, frame)
    if kind in ("camera", "light"):
        prefix = _prefix(kind)
        if getattr(m, f"{prefix}_mode")[number] in TRACKING:    # keeps its orientation, and how it lies to what it follows, of the start
            mat = rest_rotation(m, subject.body)
            pos = (d.cam_xpos if kind == "camera" else d.light_xpos)[number] - mat @ getattr(m, f"{prefix}_pos")[number]
            return rigid.pose_of_matrix(pos, mat)
    return frame


def rest_rotation(m, body: int) -> np.ndarray:
    """Rotation matrix (3, 3) of a body at the start of the model."""
    out = np.eye(3)
    while body:
        out = rigid.pose((0.0, 0.0, 0.0), m.body_quat[body])[:3, :3] @ out
        body = int(m.body_parentid[body])
    return out


def _before_later_joints(m, d, joint: int, frame: np.ndarray) -> np.ndarray:
    """The frame of a joint's body without what the joints behind it, and it itself, do: there the anchor and axis are as they are compiled."""
    body = int(m.jnt_bodyid[joint])
    last = int(m.body_jntadr[body] + m.body_jntnum[body]) - 1
    for k in range(last, joint - 1, -1):
        frame = rigid.inverse(_joint_motion(m, d, k)) @ frame
    return frame


def _joint_motion(m, d, joint: int) -> np.ndarray:
    """What a joint does in the world (4, 4), away from the start of the model. Source: MuJoCo documentation, Computation chapter, "Kinematic tree"."""
    kind, adr = int(m.jnt_type[joint]), int(m.jnt_qposadr[joint])
    anchor, axis = np.asarray(d.xanchor[joint]), np.asarray(d.xaxis[joint])
    if kind == JointType.BALL:
        own = rigid.pose((0.0, 0.0, 0.0), d.qpos[adr:adr + 4])[:3, :3]
        mat = np.reshape(d.xmat[m.jnt_bodyid[joint]], (3, 3))      # only slides may follow a ball, so xmat = R q, and q in the world is R q R' = xmat q xmat'
        return rigid.about(anchor, mat @ own @ mat.T)
    moved = float(d.qpos[adr] - m.qpos0[adr])
    return rigid.shift(moved * axis) if kind == JointType.SLIDE else rigid.about(anchor, rigid.turn(axis, moved))


def _base_pose(m, d, subject: Subject, carrier: np.ndarray) -> np.ndarray:
    if subject.part is not None:
        return subject.part.present(subject, m, d, carrier)
    if subject.kind != "body":
        return carrier @ subject.base
    body = subject.number
    present = rigid.pose_of_matrix(d.xpos[body], d.xmat[body])
    if floats(m, body):
        return present
    rest = carrier @ compiled_pose(m, "body", body)     # what the joints do follows it
    return carrier @ subject.base @ rigid.inverse(rest) @ present


def floats(m, body: int) -> bool:
    """Whether a body's pose is a part of the state: a free joint, or a mocap body."""
    joint = int(m.body_jntadr[body])
    return int(m.body_mocapid[body]) >= 0 or (joint >= 0 and m.jnt_type[joint] == JointType.FREE)


def engine_turns(m, subject: Subject) -> bool:
    """Whether the engine computes where a camera or light looks."""
    return subject.kind in ("camera", "light") and getattr(m, f"{_prefix(subject.kind)}_mode")[subject.number] in MOVED_BY_THE_ENGINE


def angle_unit(subject: Subject) -> float:
    """How much an angle of one radian is as the file writes it."""
    return math.degrees(1.0) if subject.tree.degrees else 1.0
