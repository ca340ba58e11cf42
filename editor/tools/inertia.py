"""A body's own inertia: where it is, its principal axes, and the box of the same mass and moments, dragged like a geom.

A box with half sizes a, b, c has the moments m/3 (b2 + c2), m/3 (a2 + c2), m/3 (a2 + b2). Of fullinertia L is the frame in which it is written, M its principal axes: a turn R
writes R I R'.
"""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from editor.tools import rigid
from editor.tools.drag import Motion
from editor.tools.edits import oriented, position_text, quantum_for, wanted_pose
from editor.tools.element_trees import ElementTree, ElementTrees, Refused
from editor.tools.modes import MODES
from editor.tools.handles import HIGH
from editor.tools.shape_lines import shape_lines
from editor.tools.shape_sizes import Parameter, SizedPart
from editor.tools.subject import CLOSE, Moment, Subject, aligns, frames_around, scale_around, written_pose
from editor.tools.written import DIGITS_BEHIND, MOST_DECIMALS, quantum_of, vector_text
from physics.rotation.quaternion import principal
from physics.spec.defaults import Attrs
from physics.spec.element import Element

__all__ = ["INERTIA", "Inertia", "half_sizes", "inertia_subject", "moments_of_box"]

_PARAMETERS = tuple(Parameter(k, k, f"half size along {'xyz'[k]}") for k in range(3))
ROUNDED = 1e-9      # of the largest number: less comes from rounding
_PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))      # of the numbers of fullinertia in the matrix


class Inertia(SizedPart):
    """The inertia of a subject whose element is an <inertial>, and whose number is that of its body."""

    name = "inertia"
    modes = drawn_by = MODES

    def label(self, subject: Subject, name: str) -> str:
        return f"inertia of {_body_of(subject.tree, subject.element).name or 'a body'}"

    def note(self, subject: Subject) -> str:
        return f"Edits change the inertia of all {subject.copies} copies" if subject.copies > 1 else ""

    def read(self, subject: Subject, tree: ElementTree, attrs: Attrs) -> tuple[np.ndarray, np.ndarray]:
        return _written(tree, attrs, subject.scale)

    def write(self, subject: Subject, motion: Motion, moment: Moment) -> dict[str, str | None]:
        if motion.kind in ("sizes", "factor"):
            return _resized(subject, motion)
        local = wanted_pose(subject, motion.delta, moment)
        out = position_text(subject, "pos", local[:3, 3], quantum_for(motion, motion.step / subject.scale))
        if not motion.turns:
            return out
        if _full(subject.attrs) is None:
            return out | oriented(subject, local[:3, :3])
        mat = local[:3, :3]
        return out | _full_text(subject, mat @ _matrix(_full(subject.attrs)) @ mat.T, DIGITS_BEHIND)

    def parameters(self, subject: Subject) -> tuple[Parameter, ...]:
        if not float(subject.attrs["mass"]) > 0:
            raise Refused("It has no mass, and so no size")
        return _PARAMETERS

    def sizes(self, subject: Subject) -> np.ndarray:
        return subject.scale * half_sizes(float(subject.attrs["mass"]), _moments(subject.attrs))

    def lines(self, subject: Subject, moment: Moment) -> Iterator[tuple[np.ndarray, str]]:
        frame, sizes = moment.base(subject), self.sizes(subject)
        for points in shape_lines("box", sizes, frame):
            yield points, "point"
        for k in range(3):
            yield np.array([frame[:3, 3] - sizes[k] * frame[:3, k], frame[:3, 3] + sizes[k] * frame[:3, k]]), "xyz"[k]


INERTIA = Inertia()


def inertia_subject(trees: ElementTrees, m, element: Element, body: int = -1) -> Subject:
    """The subject that an <inertial> is, of one of its bodies by number (-1: the first). Raises Refused for one that the model does without."""
    element, tree = trees.changeable(element.id)
    attrs = tree.attrs(element)
    bodies = [number for kind, number in m.links.items(_body_of(tree, element).id) if kind == "body"]
    if not bodies:
        raise Refused("Its body is not in the model that runs")
    words = [one.attrs["inertiafromgeom"] for one in tree.root.all("compiler") if "inertiafromgeom" in one.attrs]
    if words[-1:] == ["true"]:
        raise Refused('The model takes all inertia from its geoms (compiler inertiafromgeom="true"): this one does not count')
    body, scale = body if body in bodies else bodies[0], scale_around(tree, element)
    local, beyond = _written(tree, attrs, scale)
    base = rigid.pose(m.body_ipos[body], m.body_iquat[body])
    frame = base @ rigid.inverse(local @ beyond)
    if not aligns(tree, _body_of(tree, element)) and np.abs(frame - next(frames_around(tree, element))).max() > CLOSE * max(1.0, float(np.abs(frame).max())):
        raise Refused("The body that is compiled has another inertia: others are fused into it, or the compiler has mended it")
    return Subject("inertial", body, element, tree, attrs, frame, local, base, scale, len(bodies), body, INERTIA)


def half_sizes(mass: float, moments) -> np.ndarray:
    """(3,) half sizes [m] of the box of a mass with principal moments."""
    a, b, c = (float(x) for x in moments)
    return np.sqrt(np.maximum(1.5 / max(mass, 1e-300) * np.array((b + c - a, a + c - b, a + b - c)), 0.0))


def moments_of_box(mass: float, sizes) -> np.ndarray:
    """(3,) principal moments of a box."""
    a, b, c = np.square(np.asarray(sizes, float))
    return mass / 3 * np.array((b + c, a + c, a + b))


# ------------------------------------------------------------------ as written

def _body_of(tree: ElementTree, element: Element) -> Element:
    return next((node for node in tree.around(element) if node.tag == "body"), element)


def _full(attrs: Attrs) -> np.ndarray | None:
    return np.asarray(attrs["fullinertia"], float) if attrs["fullinertia"] is not None else None


def _moments(attrs: Attrs) -> np.ndarray:
    """Principal moments (3,) in the order of the axes."""
    full = _full(attrs)
    if full is not None:
        return np.asarray(principal(tuple(full.tolist()))[1])
    return np.zeros(3) if attrs["diaginertia"] is None else np.asarray(attrs["diaginertia"], float)


def _written(tree: ElementTree, attrs: Attrs, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """(L, M)."""
    full = _full(attrs)
    axes = np.eye(4) if full is None else rigid.pose((0.0, 0.0, 0.0), principal(tuple(full.tolist()))[0])
    return written_pose(tree, attrs, "inertial", scale), axes


def _matrix(full) -> np.ndarray:
    out = np.zeros((3, 3))
    for value, (i, j) in zip(full, _PLACES, strict=True):
        out[i, j] = out[j, i] = value
    return out


def _full_text(subject: Subject, mat: np.ndarray, behind: int) -> dict[str, str | None]:
    """fullinertia of a matrix, with digits enough to be one that a body can have, where the matrix is one: of thin plates and rods the sum of two moments is the third."""
    present, own, wanted = _full(subject.attrs), subject.element.attrs.get("fullinertia"), np.array([mat[place] for place in _PLACES])
    largest = float(np.abs(wanted).max())
    kept, quantum = _lack(wanted) > ROUNDED * largest, quantum_of(largest / HIGH, behind)      # of no body: by balanceinertia the compiler makes something else of it
    while (text := vector_text(own, present, wanted, quantum)) is not None and not kept and (lack := _lack(text.split())) > 0 and quantum > 10.0 ** -MOST_DECIMALS:
        quantum /= 10
    if text is not None and not kept and lack > 0:
        wanted[:3] += quantum * np.ceil(2 * lack / quantum + 1)      # as little more about each axis as rounding has taken
        text = vector_text(own, present, wanted, quantum)
    return {} if text is None else {"fullinertia": text}


def _lack(full) -> float:
    """How much the sum of two principal moments lies below the third, or one below zero; negative where none does."""
    a, b, c = principal(tuple(float(number) for number in full))[1]
    return max(a - b - c, -c)


def _resized(subject: Subject, motion: Motion) -> dict[str, str | None]:
    """Moments of another box of the same mass."""
    sizes = np.array(motion.values) if motion.kind == "sizes" else motion.values[0] * INERTIA.sizes(subject)
    moments = moments_of_box(float(subject.attrs["mass"]), sizes / subject.scale)
    behind = DIGITS_BEHIND if motion.exact else 2
    if _full(subject.attrs) is not None:
        axes = subject.beyond[:3, :3]
        return _full_text(subject, axes @ np.diag(moments) @ axes.T, behind)
    quantum = quantum_of(float(moments.max()) / HIGH, behind)
    while quantum > 10.0 ** -MOST_DECIMALS and not _fit(np.round(moments / quantum)):
        quantum /= 10
    text = vector_text(subject.element.attrs.get("diaginertia"), _moments(subject.attrs), moments, quantum)
    return {} if text is None else {"diaginertia": text}


def _fit(moments: np.ndarray) -> bool:
    """Whether a body can have principal moments."""
    return bool((2 * moments <= moments.sum()).all() and (moments > 0).all())
