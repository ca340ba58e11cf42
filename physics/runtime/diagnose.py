"""Words for what went wrong in a step: which quantity, which degree of freedom, which body, when."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.engine.advance import MAXVAL
from physics.enums import WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL, WarningType

TEXTS = (
    "the inertia matrix is nearly singular (dof {info})", "storage for contacts ran out", "storage for constraints ran out",
    "bad position (coordinate {info})", "bad velocity (dof {info})", "bad acceleration (dof {info})", "bad control {info}",
)


class Divergence(NamedTuple):
    """quantity 'position', 'velocity' or 'acceleration'; dof, joint and body by number (-1 unknown); value; time [s]; text."""

    quantity: str
    dof: int
    joint: int
    body: int
    value: float
    time: float
    text: str


def _named(m, kind: str, index: int) -> str:
    name = m.name(kind, index)
    return f"{kind} '{name}'" if name else f"{kind} {index}"


def _joint_of(m, quantity: str, index: int) -> int:
    """Joint that coordinate or dof `index` belongs to."""
    if quantity != "position":
        return int(m.dof_jntid[index])
    return int(np.searchsorted(m.jnt_qposadr, index, side="right") - 1)


def _culprit(m, d):
    """(quantity, index, values) of the first bad number: of what the step refused, else of the state after it."""
    refused = {WARN_BADQPOS: ("position", d.qpos), WARN_BADQVEL: ("velocity", d.qvel), WARN_BADQACC: ("acceleration", d.qacc)}.get(d.diverged)
    if refused:
        return refused[0], d.diverged_id, refused[1]
    for quantity, values in (("acceleration", d.qacc), ("velocity", d.qvel), ("position", d.qpos)):
        bad = np.nonzero(~(np.abs(values) < MAXVAL))[0]
        if len(bad):
            return quantity, int(bad[0]), values
    return None


def divergence(m, d) -> Divergence | None:
    """Why the last step was not completed, or None where no number is bad."""
    found = _culprit(m, d)
    if found is None:
        return None
    quantity, index, values = found
    joint = _joint_of(m, quantity, index)
    body = int(m.jnt_bodyid[joint])
    dof = int(m.jnt_dofadr[joint]) + (min(index - int(m.jnt_qposadr[joint]), 5) if quantity == "position" else index - int(m.jnt_dofadr[joint]))
    value = float(values[index])
    where = f"dof {dof} ({_named(m, 'joint', joint)} of {_named(m, 'body', body)})"
    text = f"The simulation diverged: the {quantity} of {where} became {value:g} at time {d.time:g} s"
    return Divergence(quantity, dof, joint, body, value, d.time, text)


def warning_text(kind: int, info: int) -> str:
    """A sentence for one of the engine's warnings."""
    return f"{WarningType(kind).name}: {TEXTS[kind].format(info=info)}"
