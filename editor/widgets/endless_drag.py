"""Dragging sideways beyond the edges of the screen: there the pointer goes on from the other side."""
from __future__ import annotations

from PyQt6.QtGui import QCursor, QGuiApplication, QMouseEvent

__all__ = ["EndlessDrag"]

EDGE, INSIDE = 1, 3     # logical pixels from the side of the screen: the pointer is at it; where it is put


class EndlessDrag:
    """How far the pointer goes sideways while a button is held, in logical pixels: begin(event) at the press, move(event) with each motion since the one before.

    Where the window system does not let the pointer be put elsewhere (Wayland) it stays at the edge, and goes no further."""

    def __init__(self):
        self._x = 0.0       # where the pointer was last, in the screen
        self._jump = 0.0    # how far it was put away last; 0: not yet

    def begin(self, event: QMouseEvent) -> None:
        """The button is pressed."""
        self._x, self._jump = event.globalPosition().x(), 0.0

    def move(self, event: QMouseEvent) -> float:
        """The pointer has moved, to the right by so much."""
        at = event.globalPosition()
        moved, self._x = at.x() - self._x, at.x()
        if self._jump:      # events from before it was put away may come after it
            moved -= self._jump * round(moved / self._jump)
        screen = QGuiApplication.screenAt(at.toPoint())
        if screen is not None:
            self._turn_round(at, screen.geometry().left(), screen.geometry().right())
        return moved

    def _turn_round(self, at, left: int, right: int) -> None:
        to = right - INSIDE if at.x() <= left + EDGE else left + INSIDE if at.x() >= right - EDGE else None
        if to is not None:
            self._jump, self._x = abs(to - at.x()), float(to)
            QCursor.setPos(to, round(at.y()))
