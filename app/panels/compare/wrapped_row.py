"""Widgets side by side, in as many lines as the width asks for."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, QRect, QSize
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QSizePolicy, QWidget

GAP = 4     # logical pixels between two widgets, and two lines


class WrappedRow(QWidget):
    """As high as its lines; each widget as wide as it wants to be, and never wider than the row."""

    def __init__(self, *widgets: QWidget):
        super().__init__()
        self._widgets = widgets
        for widget in widgets:
            widget.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.minimumHeight())

    def _arrange(self) -> None:
        """Place them, line after line, each in the middle of its line."""
        lines: list[list[tuple[QWidget, QSize]]] = [[]]
        x, room = 0, max(1, self.width())
        for widget in self._widgets:
            if widget.isHidden():
                continue
            wanted = widget.sizeHint().expandedTo(widget.minimumSize()).boundedTo(widget.maximumSize()).boundedTo(QSize(room, 10_000))
            if x and x + wanted.width() > room:
                lines.append([])
                x = 0
            lines[-1].append((widget, wanted))
            x += wanted.width() + GAP
        y = 0
        for line in lines:
            high, x = max((size.height() for _widget, size in line), default=0), 0
            for widget, size in line:
                widget.setGeometry(QRect(x, y + (high - size.height()) // 2, size.width(), size.height()))
                x += size.width() + GAP
            y += high + GAP
        if y - GAP != self.height():
            self.setFixedHeight(max(0, y - GAP))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_widgets"):
            self._arrange()
        return done
