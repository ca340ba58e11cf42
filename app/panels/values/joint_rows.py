"""The rows that joints have in a panel: one for a hinge or slide, three turns for a ball joint, position and three turns for a free one.

An orientation is shown as its rotation vector (axis times angle) from the world, or for a ball joint from the parent: three angles that name each
orientation once and move on smoothly, up to half a turn.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editor.widgets.slider_row import RowSpec
from physics.enums import JNT_BALL, JNT_FREE, JNT_HINGE, JNT_SLIDE
from physics.runtime.joint_coordinates import joint_coordinates, qpos_slice

HALF_RANGE = 1.0   # of a slide without limits [m]
AXES = "xyz"
SOURCES = ("jnt_type", "jnt_qposadr", "jnt_limited", "jnt_range", "jnt_group", "qpos0", "stat_center", "stat_extent")   # fields that rows are made of, beside names
ANGLE_ROOM, LENGTH_ROOM = "-000.0\u00b0", ""


@dataclass(frozen=True, slots=True)
class JointRow:
    """One row: joint, its type, address in qpos of the joint's first coordinate; component: number among the joint's rows; turns: whether it is an angle."""

    joint: int
    kind: int
    adr: int
    component: int
    turns: bool
    spec: RowSpec

    @property
    def scalar(self) -> bool:
        """Whether the row is one coordinate of qpos as it is."""
        return self.kind in (JNT_HINGE, JNT_SLIDE)


def joint_rows(m, joints: Sequence[int]) -> list[JointRow]:
    """Rows of these joints of a Model, in their order."""
    rows: list[JointRow] = []
    for j in joints:
        kind, adr = int(m.jnt_type[j]), int(m.jnt_qposadr[j])
        if kind in (JNT_HINGE, JNT_SLIDE):
            rows.append(JointRow(j, kind, adr, 0, kind == JNT_HINGE, _scalar_spec(m, j, kind == JNT_HINGE)))
            continue
        start = joint_coordinates(m.qpos0[qpos_slice(m, j)])
        for c in range(len(start)):
            turns = kind == JNT_BALL or c >= 3
            rows.append(JointRow(j, kind, adr, c, turns, _component_spec(m, j, c, turns, float(start[c]))))
    return rows


def joint_name(m, j: int) -> str:
    """Its name, or its number."""
    return m.names["joint"][j] or f"joint {j}"


def _scalar_spec(m, j: int, turns: bool) -> RowSpec:
    limited, half = bool(m.jnt_limited[j]), math.pi if turns else HALF_RANGE
    low, high = m.jnt_range[j] if limited else (-half, half)
    unit = "rad" if turns else "m"
    tip = f"{joint_name(m, j)}: from {low:.4g} to {high:.4g} {unit}" + ("" if limited else " (it has no limits)")
    return RowSpec(joint_name(m, j), float(low), float(high), float(m.qpos0[m.jnt_qposadr[j]]), tip, limited=limited, readout=ANGLE_ROOM if turns else LENGTH_ROOM)


def _component_spec(m, j: int, c: int, turns: bool, start: float) -> RowSpec:
    axis, name = AXES[c % 3], joint_name(m, j)
    if turns:
        limited = bool(m.jnt_limited[j]) and m.jnt_type[j] == JNT_BALL
        half = float(m.jnt_range[j, 1]) if limited else math.pi
        tip = f"{name}: {axis} of the rotation vector (axis times angle) [rad]" + (f"; the whole angle is limited to {half:.4g}" if limited else "")
        return RowSpec(f"{name} turn {axis}", -half, half, start, tip, limited=limited, readout=ANGLE_ROOM)
    centre, extent = float(m.stat_center[c]), float(m.stat_extent)
    return RowSpec(f"{name} {axis}", centre - extent, centre + extent, start, f"{name}: {axis} of the position [m]", readout=LENGTH_ROOM)


class JointValues:
    """What rows show of a state, worked out for a row when it is asked for."""

    def __init__(self, rows: Sequence[JointRow], qpos):
        """qpos: copied, as a snapshot's are valid for a moment."""
        self._rows, self._qpos = rows, np.array(qpos)
        self._joints: dict[int, np.ndarray] = {}     # coordinates of those of several that were asked for
        self._entered: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> float:
        row = self._rows[number]
        if number in self._entered:
            return self._entered[number]
        if row.scalar:
            return float(self._qpos[row.adr])
        if row.joint not in self._joints:
            self._joints[row.joint] = joint_coordinates(self._qpos[row.adr:row.adr + (7 if row.kind == JNT_FREE else 4)])
        return float(self._joints[row.joint][row.component])

    def __setitem__(self, number: int, value: float) -> None:
        self._entered[number] = value
