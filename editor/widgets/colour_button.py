"""A colour as a field of it: a click opens the colour dialog, which changes it while one looks for the right one."""
from __future__ import annotations

from PyQt6.QtCore import QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QPainter
from PyQt6.QtWidgets import QAbstractButton, QColorDialog, QWidget

SAME = 1 / 510      # half a step of eight bits
TILE = 5   # logical pixels of the squares behind what can be seen through


class ColourButton(QAbstractButton):
    """Three or four numbers from 0 to 1 (more than 1 is shown as 1). Signals: edited(tuple) at each change in the dialog, and at its Cancel with what it was."""

    edited = pyqtSignal(tuple)

    def __init__(self, title: str, size: int = 4):
        super().__init__()
        self._title, self._size = title, size
        self.value: tuple[float, ...] = (0.0,) * size
        self._before = self.value
        self._dialog: QColorDialog | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedWidth(34)
        self.setToolTip(f"{title}: choose a colour")
        self.clicked.connect(lambda _checked=False: self.open())

    def sizeHint(self) -> QSize:
        return QSize(34, self.fontMetrics().height() + 6)

    @property
    def dialog(self) -> QColorDialog | None:
        """The dialog while it is open."""
        return self._dialog

    def show_value(self, value) -> None:
        """Show a colour that comes from elsewhere."""
        value = tuple(float(v) for v in value)
        if value != self.value:
            self.value = value
            self.update()

    def colour(self) -> QColor:
        """The value as Qt has it."""
        return QColor.fromRgbF(*(min(max(v, 0.0), 1.0) for v in self.value))

    def open(self) -> None:
        """Open the dialog beside the window; the program goes on."""
        if self._dialog is not None:
            self._dialog.raise_()
            return
        self._before = self.value
        dialog = self._dialog = QColorDialog(self.colour(), self.window() if isinstance(self.window(), QWidget) else None)
        dialog.setOption(QColorDialog.ColorDialogOption.ShowAlphaChannel, self._size == 4)
        dialog.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog, True)
        dialog.setWindowTitle(self._title)
        dialog.setModal(False)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.currentColorChanged.connect(self._changed)
        dialog.rejected.connect(lambda: self._take(self._before))
        dialog.destroyed.connect(self._closed)
        dialog.show()

    def _closed(self, *_) -> None:
        self._dialog = None

    def _changed(self, colour: QColor) -> None:
        """Channels that the dialog has not changed keep their numbers, which may be more than 1."""
        was, found = self.colour().getRgbF(), colour.getRgbF()
        self._take(tuple(kept if abs(now - before) < SAME else round(now, 4) for kept, before, now in zip(self.value, was, found, strict=False)))

    def _take(self, value: tuple) -> None:
        if value != self.value:
            self.show_value(value)
            self.edited.emit(value)

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(1.5, 2.5, -1.5, -2.5)
        if self._size == 4 and self.value[3] < 1:
            painter.save()
            painter.setClipRect(frame)
            painter.fillRect(frame, QColor("#ffffff"))
            for x in range(0, self.width(), TILE):
                for y in range(0, self.height(), TILE):
                    if (x + y) // TILE % 2:
                        painter.fillRect(x, y, TILE, TILE, QColor("#b0b0b0"))
            painter.restore()
        painter.setBrush(self.colour())
        painter.setPen(self.palette().highlight().color() if self.hasFocus() or self.underMouse() else self.palette().mid().color())
        painter.drawRoundedRect(frame, 2, 2)
        painter.end()
