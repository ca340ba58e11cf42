"""What went wrong in the steps so far, in words: which quantity, of which joint and body, when. Scripts and the window say the same."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.enums import ENGINE_HARD, MAXVAL, WARN_BADCTRL, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL, WARN_INERTIA, WarningType
from physics.model.data import Data
from physics.model.model import Model

UNSOLVED = 2    # of hard_status
DIVERGED = (WARN_BADQPOS, WARN_BADQVEL, WARN_BADQACC)   # with these a step does not happen
_WHAT = ("the inertia matrix is nearly singular", "storage for contacts ran out", "storage for constraint rows ran out", "bad position",
         "bad velocity", "bad acceleration", "bad control")
_QUANTITY = ("position", "velocity", "acceleration")   # of DIVERGED


class CountedWarning(NamedTuple):
    """A kind of warning (physics.enums.WarningType), how often it came up, and the last element at fault in words."""

    kind: WarningType
    count: int
    element: str

    def __str__(self) -> str:
        where = f" at {self.element}" if self.element else ""
        return f"{_WHAT[self.kind]}{where} ({self.kind.name}, {self.count} times)"


class Divergence(NamedTuple):
    """quantity 'position', 'velocity' or 'acceleration'; dof, joint and body by number (-1 unknown); value; time [s]; text."""

    quantity: str
    dof: int
    joint: int
    body: int
    value: float
    time: float
    text: str


def in_words(kind: int) -> str:
    """What a kind of warning says."""
    return _WHAT[kind]


def warnings(m: Model, d: Data) -> tuple[CountedWarning, ...]:
    """The warnings since the last reset."""
    return tuple(counted(m, d, k) for k, n in enumerate(d.warning_number.tolist()) if n)


def counted(m: Model, d: Data, kind: int) -> CountedWarning:
    """One kind of warning as it stands now. d: a Data, or what carries its warning_number and warning_lastinfo (a Snapshot)."""
    return CountedWarning(WarningType(kind), int(d.warning_number[kind]), element_of(m, kind, int(d.warning_lastinfo[kind])))


def step_error(m: Model, d: Data) -> str:
    """Why the last step did not happen, '' when it did."""
    found = divergence(m, d) if d.diverged else None
    return found.text if found else ""


def divergence(m: Model, d: Data) -> Divergence | None:
    """The first bad number: of what the last step was refused for, else of the state as it is; None where no number is bad."""
    found = _first_bad(d)
    if found is None:
        return None
    kind, index, value = found
    quantity, joint = _QUANTITY[DIVERGED.index(kind)], _joint_of(m, kind, index)
    # a free joint has 7 coordinates for its 6 dofs: its last one is told as the last dof
    dof = int(m.jnt_dofadr[joint]) + min(index - int(m.jnt_qposadr[joint]), 5) if kind == WARN_BADQPOS else index
    text = f"The simulation diverged: the {quantity} of dof {dof} ({element_of(m, kind, index)}) became {value:g} at time {d.time:g} s"
    if d.diverged and m.opt_engine == ENGINE_HARD and d.hard_status == UNSOLVED:    # the number is no bad one: it belongs to the dof whose residual is the largest
        text = (f"The hard engine could not solve the step at time {d.time:g} s: residual {d.hard_rv:.1e}, complementarity {d.hard_kv:.1e} J, worst at dof {dof} "
                f"({element_of(m, kind, index)}). Try a smaller time step, or the soft engine")
    return Divergence(quantity, dof, joint, int(m.jnt_bodyid[joint]), value, d.time, text)


def _first_bad(d: Data) -> tuple[int, int, float] | None:
    """(kind of warning, index, value) of what is bad."""
    if d.diverged in DIVERGED:
        values = (d.qpos, d.qvel, d.qacc)[DIVERGED.index(d.diverged)]
        return d.diverged, d.diverged_id, float(values[d.diverged_id])
    for kind, values in ((WARN_BADQACC, d.qacc), (WARN_BADQVEL, d.qvel), (WARN_BADQPOS, d.qpos)):
        bad = np.flatnonzero(~(np.abs(values) < MAXVAL))
        if len(bad):
            return kind, int(bad[0]), float(values[bad[0]])
    return None


def element_of(m: Model, kind: int, info: int) -> str:
    """The joint, with its body, or the actuator that a warning's number is about; '' for warnings about none."""
    if kind in (*DIVERGED, WARN_INERTIA):
        joint = _joint_of(m, kind, info)
        return f"{_named(m, 'joint', joint)} of {_named(m, 'body', int(m.jnt_bodyid[joint]))}"
    if kind == WARN_BADCTRL:
        return _named(m, "actuator", int(np.searchsorted(m.actuator_ctrladr, info, side="right") - 1))
    return ""


def _joint_of(m: Model, kind: int, info: int) -> int:
    """The joint of a coordinate (bad position) or of a dof."""
    return int(np.searchsorted(m.jnt_qposadr, info, side="right") - 1) if kind == WARN_BADQPOS else int(m.dof_jntid[info])


def _named(m: Model, kind: str, index: int) -> str:
    name = m.name(kind, index)
    return f"{kind} '{name}'" if name else f"{kind} {index}"
