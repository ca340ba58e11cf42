"""What went wrong in the steps so far, in words: the engine's warnings with their elements, and why a step was refused."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.enums import WARN_BADCTRL, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL, WARN_INERTIA, WarningType
from physics.model.data import Data
from physics.model.model import Model

_WHAT = ("the inertia matrix is nearly singular", "storage for contacts ran out", "storage for constraint rows ran out", "bad position",
         "bad velocity", "bad acceleration", "bad control")


class Fault(NamedTuple):
    """A kind of warning (physics.enums.WarningType), how often it came up, and the last element at fault in words."""

    kind: WarningType
    count: int
    element: str

    def __str__(self) -> str:
        where = f" at {self.element}" if self.element else ""
        return f"{_WHAT[self.kind]}{where} ({self.kind.name}, {self.count} times)"


def faults(m: Model, d: Data) -> tuple[Fault, ...]:
    """The warnings since the last reset."""
    return tuple(Fault(WarningType(k), int(n), element_of(m, k, int(d.warning_lastinfo[k]))) for k, n in enumerate(d.warning_number) if n)


def refusal(m: Model, d: Data) -> str:
    """Why the last step did not happen, '' when it did."""
    return f"{_WHAT[d.diverged]} at {element_of(m, d.diverged, d.diverged_id)}" if d.diverged else ""


def element_of(m: Model, kind: int, info: int) -> str:
    """The joint or actuator that a warning's number is about, '' for warnings about none."""
    if kind == WARN_BADQPOS:
        return _named(m, "joint", int(np.searchsorted(m.jnt_qposadr, info, side="right") - 1))
    if kind in (WARN_BADQVEL, WARN_BADQACC, WARN_INERTIA):
        return _named(m, "joint", int(m.dof_jntid[info]))
    if kind == WARN_BADCTRL:
        return _named(m, "actuator", int(np.searchsorted(m.actuator_ctrladr, info, side="right") - 1))
    return ""


def _named(m: Model, kind: str, index: int) -> str:
    if not 0 <= index < len(m.names[kind]):
        return ""
    name = m.name(kind, index)
    return f"{kind} '{name}'" if name else f"{kind} {index}"
