"""Where bodies that float are put by a drag: their state is in no text, so it is sent beside the edit, and taken back when that is undone.

    while paused all that floats is put where its model's pose goes; while running only mocap bodies, which nothing else moves
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PyQt6.QtCore import QObject

from app.context import AppContext
from editor.edits.patch import Edit
from editor.tools.drag import Motion
from editor.tools.edits import states_of
from editor.tools.subject import Moment, Subject
from physics.runtime import commands

MOST = 100      # drags whose states are known


@dataclass(frozen=True, slots=True)
class FloatingPoses:
    """qpos: (nq,), nan where a drag puts nothing; mocaps: (mocap body, position (3,), quaternion (4,))."""

    qpos: tuple[float, ...] = ()
    mocaps: tuple[tuple[int, tuple[float, ...], tuple[float, ...]], ...] = ()

    @classmethod
    def of(cls, subjects: Sequence[Subject], shown: Sequence[Subject], motion: Motion, moment: Moment) -> FloatingPoses:
        """After a motion that begins at a moment. shown: the subjects by what the text says after it."""
        m, mocaps = moment.m, []
        qpos = np.full(m.nq, np.nan)
        for body, pose in states_of(subjects, shown, motion, moment):
            if m.body_mocapid[body] >= 0:
                mocaps.append((int(m.body_mocapid[body]), tuple(pose[:3].tolist()), tuple(pose[3:].tolist())))
            else:
                adr = int(m.jnt_qposadr[m.body_jntadr[body]])
                qpos[adr:adr + 7] = pose
        return cls(tuple(qpos.tolist()) if np.isfinite(qpos).any() else (), tuple(mocaps))

    def send(self, context: AppContext, paused: bool) -> None:
        """Have the bodies there; paused: also those that would fall from there at once. Not where another Model runs by now, which has no such bodies."""
        m = context.model
        if m is None or len(self.qpos) not in (0, m.nq) or any(number >= m.nmocap for number, _pos, _quat in self.mocaps):
            return
        for number, pos, quat in self.mocaps:
            context.runner.latest(f"mocap {number}", commands.MoveMocap(number, pos, quat))
        if self.qpos and paused:
            context.runner.latest("gizmo", commands.SetPose(self.qpos))


class MovedStates(QObject):
    """Of the drags of a window."""

    def __init__(self, context: AppContext, session, parent: QObject):
        super().__init__(parent)
        self._context, self._session = context, session
        self._states: dict[tuple, tuple[FloatingPoses, FloatingPoses]] = {}     # by the patches of the drag's edit: before and after it
        session.moved.connect(self._moved)
        session.document_opened.connect(self._states.clear)

    def note(self, edit: Edit, before: FloatingPoses, after: FloatingPoses) -> None:
        """A drag has ended, with this edit."""
        if edit.patches and (after.qpos or after.mocaps):
            self._states[edit.patches] = before, after
            while len(self._states) > MOST:
                del self._states[next(iter(self._states))]

    def _moved(self, done: Edit) -> None:
        """An edit was undone, or done again."""
        history, snapshot = self._session.document.history, self._context.snapshot
        if history.next is not None and history.next.inverse.patches == done.patches:
            poses = self._states.get(history.next.edit.patches, (None, None))[0]
        else:
            poses = self._states.get(done.patches, (None, None))[1]
        if poses is not None:
            poses.send(self._context, snapshot is not None and not snapshot.running)
