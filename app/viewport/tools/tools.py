"""The one active tool of a view."""
from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PyQt6.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt6.QtGui import QPainter

from app.controllers.click import Click
from physics.runtime.snapshot import Snapshot
from render.scene.camera import View


class Tool(Protocol):
    """A tool from when it is chosen until it ends. It may also have clicked(thing, click): True where an answered click of the view was meant for it."""

    cursor: Qt.CursorShape

    def event(self, event: QEvent) -> bool:
        """See a mouse event of the view; True where it was meant for the tool."""

    def paint(self, painter: QPainter, snapshot: Snapshot, view: View) -> None:
        """Draw over the picture [logical pixels]; snapshot, view: what is seen in it, which may be a little older than the newest."""

    def escape(self) -> bool:
        """Esc: take back what is under way; False where nothing is, and the tool ends."""

    def end(self) -> None:
        """It is no longer the active one."""

    @property
    def done(self) -> bool:
        """Whether it has ended."""


class Tools(QObject):
    """Handlers of the tools' actions. make: {name: makes the tool}. Signals: changed() when another tool is active, or its drawing has changed; begun() when one is chosen: it wants the keys."""

    changed, begun = pyqtSignal(), pyqtSignal()

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self.make: dict[str, Callable[[], Tool]] = {}
        self.active: Tool | None = None
        self.name = ""      # of the active one

    def box_select(self) -> None:
        """Select by a box that is dragged next."""
        self.begin("box select")

    def measure(self) -> None:
        """Measure between points that are clicked next; again: no more."""
        if self.active is not None and self.name == "measure":
            self.cancel()
        else:
            self.begin("measure")

    def pose(self, on: bool) -> None:
        """Drag bodies by inverse kinematics, until it is ended."""
        if on:
            self.begin("pose")
        elif self.name == "pose":
            self.cancel()

    def choose(self, name: str) -> None:
        """Make a tool the active one; again: none is."""
        if self.active is not None and self.name == name:
            self.cancel()
        else:
            self.begin(name)

    def begin(self, name: str) -> None:
        """Make a tool the active one."""
        self._end()
        self.active, self.name = self.make[name](), name
        self.changed.emit()
        self.begun.emit()

    def cancel(self) -> None:
        """No tool is active."""
        self._end()
        self.changed.emit()

    def _end(self) -> None:
        ended, self.active, self.name = self.active, None, ""
        if ended is not None:
            ended.end()

    def event(self, event: QEvent) -> bool:
        """See an event of the view; True where the active tool, or its cancelling, takes it."""
        tool, kind = self.active, event.type()
        if tool is None:
            return False
        if kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and event.key() == Qt.Key.Key_Escape:
            event.accept()      # before Esc means something else
            if kind == QEvent.Type.KeyPress:
                if not tool.escape():
                    self.cancel()
                self.changed.emit()
            return True
        taken = tool.event(event)
        if taken:
            if tool.done:
                self._end()
            self.changed.emit()
        return taken

    def clicked(self, thing, click: Click) -> bool:
        """An answered click of the view (app.viewport.hover.Thing or None); True where the active tool takes it."""
        clicked = getattr(self.active, "clicked", None)
        taken = clicked is not None and clicked(thing, click)
        if taken:
            self.changed.emit()
        return taken

    def paint(self, painter: QPainter, snapshot: Snapshot, view: View) -> None:
        """Draw the active tool over the picture that is seen."""
        if self.active is not None:
            self.active.paint(painter, snapshot, view)
