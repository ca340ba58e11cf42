"""The effective inertia of a servo's axis while a joint goes through its range: which joint that is, and the thread that moves it.

    Base of the panel, joint chosen --NewestWork--> study.inertia_of --> InertiaPart
"""
from __future__ import annotations

from PyQt6.QtCore import QObject, pyqtSignal

from app.panels.pipeline.newest_work import NewestWork
from app.panels.servos import choice, study
from app.panels.servos.curves_part import InertiaPart
from app.panels.servos.figures import inertia_unit
from app.panels.servos.study import Base
from physics.enums import JNT_HINGE


class InertiaSweep(QObject):
    """Signal: worked(): begun, or ended. joint: that goes through its range, -1: none yet; wanted: whether somebody looks at it."""

    worked = pyqtSignal()

    def __init__(self, part: InertiaPart, parent: QObject):
        super().__init__(parent)
        self.joint, self.wanted = -1, False
        self._part, self._base = part, None
        self._work = NewestWork("effective inertia", self, 0.3)
        self._work.done.connect(lambda found: self._show(*found))
        self._work.failed.connect(lambda _text: self.worked.emit())
        part.joint_chosen.connect(self._choose)

    @property
    def busy(self) -> bool:
        """Whether a curve is still to come."""
        return self._work.busy

    def give_up(self) -> None:
        """Another servo is looked at."""
        self._work.give_up()
        self._base = None

    def show(self, base: Base, anew: bool) -> None:
        """Of this servo in this pose; anew: the joint is to be one that matters to it."""
        self._base = base
        if anew:
            self.joint = choice.next_joint(base.m, base.start.axis.dofs[0])
        self._part.show_joints(choice.sweepable(base.m), self.joint)

    def look(self, wanted: bool) -> None:
        """Work the curve out, where somebody looks at it."""
        self.wanted = wanted
        base, joint = self._base, self.joint
        if base is not None and joint >= 0 and wanted:
            self._work.begin(lambda _stop: (base, joint, study.inertia_of(base, joint)))
            self.worked.emit()

    def _choose(self, joint: int) -> None:
        self.joint = joint
        self.look(self.wanted)

    def _show(self, base: Base, joint: int, curve) -> None:
        if base is self._base and joint == self.joint:
            turns = base.m.jnt_type[joint] == JNT_HINGE
            self._part.show_curve(curve, float(base.qpos[base.m.jnt_qposadr[joint]]), "rad" if turns else "m", inertia_unit(base.units))
        self.worked.emit()
