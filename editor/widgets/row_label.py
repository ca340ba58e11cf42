"""The name in front of a value: cut with dots where it is too long, and a handle to drag the value by."""
from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QMouseEvent, QPainter
from PyQt6.QtWidgets import QLabel

FINE = 0.1   # of a pixel's step, with Shift


class RowLabel(QLabel):
    """Signals, where the label `scrubs`: grabbed() at the press, scrubbed(steps) with the pixels dragged since then; with Shift each counts a tenth."""

    grabbed = pyqtSignal()
    scrubbed = pyqtSignal(float)

    def __init__(self, text: str = "", scrubs: bool = False):
        super().__init__(text)
        self.scrubs = scrubs
        self._at: float | None = None   # where the pointer was last, while it drags
        self._steps = 0.0
        if scrubs:
            self.setCursor(Qt.CursorShape.SizeHorCursor)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, event) -> None:
        wide = self.fontMetrics().horizontalAdvance(self.text())
        if wide <= self.width():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.width())
        painter.drawText(self.rect(), int(self.alignment()), text)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.scrubs and self.isEnabled() and event.button() == Qt.MouseButton.LeftButton:
            self._at, self._steps = event.position().x(), 0.0
            self.grabbed.emit()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._at is None:
            super().mouseMoveEvent(event)
            return
        x = event.position().x()
        self._steps += (x - self._at) * (FINE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0)
        self._at = x
        self.scrubbed.emit(self._steps)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._at = None
        super().mouseReleaseEvent(event)
