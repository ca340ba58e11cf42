"""Axes, buttons and faders of a device, or control values that a script sends, to controls of the model."""
from __future__ import annotations

from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase, control_named
from app.inputs.mapping.soft_takeover import SoftTakeover, Waiting
from app.inputs.mapping.twist import value
from app.inputs.servos import control_index
from app.inputs.sample import Pose, Sample
from app.inputs.table import kind_of
from physics.model.model import Model
from physics.runtime.commands import SetCtrls


class ControlsDrive(DriveBase):
    """mapping.controls: axis -> (actuator, control at 0, control at 1); an axis of -1 is as far on the other side. A Sample of kind 'controls' gives values by the actuators' names.

    Faders stay where they were left, so their control may be elsewhere: each takes over only when it comes past the control's value."""

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        self._rows = tuple((axis, control_named(self, m, f"controls.{axis}", name, problems), low, high) for axis, (name, low, high) in self.mapping.controls.items())
        self._names = {name: control for i, name in enumerate(m.names["actuator"]) if name and (control := control_index(m, i)) >= 0}
        self._limits = {i: tuple(m.actuator_ctrlrange[i].tolist()) for i in range(m.nu) if m.actuator_ctrllimited[i]}
        self._soft = SoftTakeover() if kind_of(self.mapping.source).quiet else None
        self._last: dict[int, float] = {}
        return problems

    def begin(self, snapshot) -> list:
        """See Drive."""
        if self._soft is not None:
            self._soft.begin()
        self._last.clear()
        return []

    def act(self, target: Pose | None, sample: Sample, snapshot, h: float) -> list:
        """Controls that are other than what was last sent."""
        wanted: dict[int, float] = {}
        for axis, i, low, high in self._rows:
            at = value(sample, axis)
            if self._soft is None or low == high or self._soft.acts(axis, at, (float(snapshot.ctrl[i]) - low) / (high - low)):
                wanted[i] = low + at * (high - low)
        if sample.kind == "controls" and sample.joints:
            wanted |= {self._names[name]: number for name, number in sample.joints.items() if name in self._names}
        wanted = {i: self._clipped(i, number) for i, number in wanted.items()}
        wanted = {i: number for i, number in wanted.items() if self._last.get(i) != number}
        if not wanted:
            return []
        self._last |= wanted
        return [("", SetCtrls(tuple(self._last), tuple(self._last.values())))]

    def _clipped(self, i: int, number: float) -> float:
        low, high = self._limits.get(i, (float("-inf"), float("inf")))
        return min(max(number, low), high)

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """See Drive."""
        return self._soft.waiting if self._soft is not None else ()
