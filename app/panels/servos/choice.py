"""Which actuator is meant by what is selected, and which there are. No Qt."""
from __future__ import annotations

from collections.abc import Sequence

from physics.enums import TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON
from physics.model.elements import Element, element
from physics.model.model import Model
from physics.tuning.servos.axis import TURNING

OF_JOINTS = frozenset({TRN_JOINT, TRN_JOINTINPARENT})


def actuators_of(m: Model) -> tuple[Element, ...]:
    """All that have one output."""
    return tuple(element(m, "actuator", i) for i in range(m.nactuator) if m.actuator_outnum[i] == 1)


def actuator_for(m: Model, elements: Sequence[Element]) -> Element | None:
    """Of the selected elements, the last one active: an actuator itself; of a joint, a tendon or a body with joints the first that drives it."""
    for what in reversed(elements):
        found = _of(m, what)
        if found is not None:
            return element(m, "actuator", found)
    return None


def _of(m: Model, what: Element) -> int | None:
    if what.kind == "actuator":
        return what.id if m.actuator_outnum[what.id] == 1 else None
    if what.kind == "joint":
        return _driving(m, (what.id,))
    if what.kind == "tendon":
        return next((i for i in range(m.nactuator) if m.actuator_trntype[i] == TRN_TENDON and m.actuator_trnid[i, 0] == what.id), None)
    if what.kind == "body":
        first, count = int(m.body_jntadr[what.id]), int(m.body_jntnum[what.id])
        return _driving(m, range(first, first + count))
    return None


def _driving(m: Model, joints: Sequence[int]) -> int | None:
    return next((i for i in range(m.nactuator) if m.actuator_trntype[i] in OF_JOINTS and m.actuator_trnid[i, 0] in joints and m.actuator_outnum[i] == 1), None)


def label_of(what: Element) -> str:
    """As the chooser has it."""
    return what.name or f"actuator {what.id}"


def sweepable(m: Model) -> tuple[Element, ...]:
    """Hinges and slides, through whose range an inertia can be followed."""
    return tuple(element(m, "joint", j) for j in range(m.njnt) if m.jnt_type[j] in TURNING)


def next_joint(m: Model, dof: int) -> int:
    """The first hinge or slide beyond the joint of a degree of freedom: what moves its inertia most, else the joint itself."""
    j = int(m.dof_jntid[dof])
    body = int(m.jnt_bodyid[j])
    for other in range(j + 1, m.njnt):
        at = int(m.jnt_bodyid[other])
        while at > body:
            at = int(m.body_parentid[at])
        if at == body and m.jnt_type[other] in TURNING:
            return other
    return j
