"""The active set as a picture: a line per constraint row, a column per iterate, coloured by the row's state."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPen
from PyQt6.QtWidgets import QSizePolicy, QToolTip, QWidget

# by ConstraintState; Okabe and Ito, Color Universal Design (2008)
COLOURS = ("#999999", "#56b4e9", "#e69f00", "#d55e00", "#009e73")
NAMES = ("satisfied", "quadratic", "linear -", "linear +", "cone")
MARGIN = 3


class ActiveSet(QWidget):
    """Signals: chosen(column) a column was clicked."""

    chosen = pyqtSignal(int)

    def __init__(self):
        super().__init__()
        self.states = np.zeros((0, 0), np.int8)     # (rows, iterates)
        self._tip: Callable[[int, int], str] = lambda row, column: ""
        self._column = -1
        self._image = QImage()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_states(self, states: np.ndarray, tip: Callable[[int, int], str]) -> None:
        """states (rows, iterates); tip(row, iterate): what is told at the pointer."""
        self.states, self._tip = states, tip
        self._paint_image()

    def mark(self, column: int) -> None:
        """Frame a column; -1: none."""
        self._column = column
        self.update()

    def _paint_image(self) -> None:
        rows, columns = self.states.shape
        colours = np.array([QColor(name).rgb() for name in COLOURS], np.uint32)
        pixels = np.ascontiguousarray(colours[self.states])
        self._image = QImage(pixels.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGB32).copy() if self.states.size else QImage()
        self.update()

    def _room(self) -> QRectF:
        return QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)

    def place(self, at: QPointF) -> tuple[int, int] | None:
        """Row and column there, None outside."""
        room, (rows, columns) = self._room(), self.states.shape
        if not self.states.size or not room.contains(at):
            return None
        return min(rows - 1, int((at.y() - room.y()) / room.height() * rows)), min(columns - 1, int((at.x() - room.x()) / room.width() * columns))

    def centre_of(self, row: int, column: int) -> QPointF:
        """Where a cell is."""
        room, (rows, columns) = self._room(), self.states.shape
        return QPointF(room.x() + (column + 0.5) * room.width() / columns, room.y() + (row + 0.5) * room.height() / rows)

    def paintEvent(self, event) -> None:
        painter, room = QPainter(self), self._room()
        painter.fillRect(self.rect(), self.palette().base())
        if self._image.isNull():
            painter.setPen(self.palette().placeholderText().color())
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, "no constraint rows")
            return
        painter.drawImage(room, self._image)
        rows, columns = self.states.shape
        width, height = room.width() / columns, room.height() / rows
        painter.setPen(QPen(self.palette().base().color(), 1))
        if width >= 4:
            painter.drawLines([part for k in range(1, columns) for part in (QPointF(room.x() + k * width, room.top()), QPointF(room.x() + k * width, room.bottom()))])
        if height >= 5:
            painter.drawLines([part for k in range(1, rows) for part in (QPointF(room.left(), room.y() + k * height), QPointF(room.right(), room.y() + k * height))])
        if 0 <= self._column < columns:
            painter.setPen(QPen(self.palette().text().color(), 2))
            painter.drawRect(QRectF(room.x() + self._column * width, room.y(), width, room.height()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        where = self.place(event.position())
        if event.button() == Qt.MouseButton.LeftButton and where is not None:
            self.chosen.emit(where[1])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        where = self.place(event.position())
        QToolTip.showText(event.globalPosition().toPoint(), self._tip(*where) if where is not None else "", self)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, 120)

    def minimumSizeHint(self) -> QSize:
        return QSize(90, 70)


def legend() -> str:
    """The colours with their names."""
    return " ".join(f'<span style="color:{colour}">\u25a0</span>\u00a0{name.replace(" ", chr(160))}' for colour, name in zip(COLOURS, NAMES, strict=True))
