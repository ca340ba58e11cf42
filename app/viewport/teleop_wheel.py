"""The wheel over the view while a drive is held: it changes the scale of its mapping in place of the camera's distance."""
from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import QEvent, QObject
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtWidgets import QWidget

CLICK = 120     # units of a wheel's click


class TeleopWheel(QObject):
    """zoom(clicks): changes the scale, up for more; whether anything is held: else the wheel is the view's."""

    def __init__(self, view: QWidget, zoom: Callable[[float], bool]):
        super().__init__(view)
        self._zoom = zoom
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A wheel that was taken reaches nobody else."""
        return event.type() == QEvent.Type.Wheel and isinstance(event, QWheelEvent) and self._zoom(event.angleDelta().y() / CLICK)
