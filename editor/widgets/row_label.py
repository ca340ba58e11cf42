"""The name in front of a value: cut with dots where it is too long, and a handle to drag the value by."""
from PyQt6.QtCore import QEvent, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PyQt6.QtWidgets import QLabel

from editor.widgets.endless_drag import EndlessDrag

FINE = 0.1   # of a pixel's step, with Shift


class RowLabel(QLabel):
    """Signals, where the label `scrubs`: grabbed() at the press, scrubbed(steps) with the pixels dragged since then; with Shift each counts a tenth; released(back) at the end,
    back: Esc or another button have gone back to 0."""

    grabbed = pyqtSignal()
    scrubbed = pyqtSignal(float)
    released = pyqtSignal(bool)

    def __init__(self, text: str = "", scrubs: bool = False):
        super().__init__(text)
        self.scrubs = scrubs
        self._held, self._steps = False, 0.0
        self._way = EndlessDrag()
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
        if self._held:      # another button gives it up
            self._end(back=True)
        elif self.scrubs and self.isEnabled() and event.button() == Qt.MouseButton.LeftButton:
            self._held, self._steps = True, 0.0
            self._way.begin(event)
            self.grabKeyboard()
            self.grabbed.emit()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self._held:
            super().mouseMoveEvent(event)
            return
        self._steps += self._way.move(event) * (FINE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0)
        self.scrubbed.emit(self._steps)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._end()
        super().mouseReleaseEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._held and event.key() == Qt.Key.Key_Escape:
            event.accept()      # no shortcut of the window takes it
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._held and event.key() == Qt.Key.Key_Escape:
            self._end(back=True)
        elif not self._held:
            super().keyPressEvent(event)

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self._end()

    def _end(self, back: bool = False) -> None:
        """The drag is over; back: it is taken back."""
        if not self._held:
            return
        self._held = False
        self.releaseKeyboard()
        if back and self._steps:
            self.scrubbed.emit(0.0)
        self.released.emit(back)
