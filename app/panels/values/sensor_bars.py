"""Bars for any number of sensor readings, grouped by type. Only what is seen is painted."""
from __future__ import annotations

import numpy as np
from PyQt6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PyQt6.QtWidgets import QAbstractScrollArea, QApplication, QToolTip

from app.panels.quantity_drag import drag
from app.panels.values.sensor_readings import Reading, value_of
from editor.widgets.section import matches

COLOURS = tuple(map(QColor, ("#6fb1ff", "#9fd6a8", "#e0a82e", "#e08ad0", "#e8791e", "#8fd3e8", "#c0a6ff", "#d9d9d9", "#e87a7a", "#b5c95a")))   # by type, in turn
SATURATED = QColor("#d9463c")
NAME_SHARE, NUMBER_ROOM = 0.38, "-0.000e-00"


class SensorBars(QAbstractScrollArea):
    """Rows: a title for each type (a click folds it), below it a bar for each reading. Signals: chosen(sensor) by a click on a bar."""

    chosen = pyqtSignal(int)

    def __init__(self):
        super().__init__()
        self._groups: dict[str, list[Reading]] = {}
        self._folded: set[str] = set()
        self._units: dict[str, str] = {}
        self._text = ""
        self._rows: list[tuple[str, Reading | None]] = []   # (type, reading, or None for the title)
        self._values = np.zeros(0)
        self._peaks: dict[int, float] = {}                  # by sensor: largest magnitude seen
        self._pressed: tuple[QPoint, Reading] | None = None     # where the mouse was pressed, and on which
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    # ------------------------------------------------------------------ content

    def set_groups(self, groups: dict[str, list[Reading]]) -> None:
        """Show these readings."""
        self._groups, self._values, self._peaks = groups, np.zeros(0), {}
        units = {kind: {reading.unit for reading in rows} for kind, rows in groups.items()}
        self._units = {kind: found.pop() if len(found) == 1 else "" for kind, found in units.items()}   # beside the title, where all of a type have one
        self._lay_out()

    def filter(self, text: str) -> None:
        """Show only readings that match by name, component or type."""
        self._text = text
        self._lay_out()

    def show_values(self, sensordata) -> None:
        """The present numbers."""
        self._values = np.array(sensordata)
        for readings in self._groups.values():
            for reading in readings:
                if reading.cutoff <= 0 and reading.adr + reading.count <= len(self._values):
                    size = abs(value_of(reading, self._values))
                    if np.isfinite(size) and size > self._peaks.get(reading.sensor, 0.0):
                        self._peaks[reading.sensor] = size
        self.viewport().update()

    @property
    def rows(self) -> list[str]:
        """What is shown, from the top: titles of types and of readings."""
        return [kind if reading is None else reading.title for kind, reading in self._rows]

    def text(self, title: str) -> str:
        """Number and unit shown for a reading. Raises StopIteration where there is none of that title."""
        return self._value_text(next(reading for _kind, reading in self._rows if reading is not None and reading.title == title))

    def share(self, title: str) -> float:
        """How long a reading's bar is, from -1 to 1."""
        return self._share(next(reading for _kind, reading in self._rows if reading is not None and reading.title == title))

    def _lay_out(self) -> None:
        self._rows = []
        for kind, readings in self._groups.items():
            shown = [reading for reading in readings if matches(self._text, reading.title, kind)]
            if shown:
                self._rows.append((kind, None))
                if kind not in self._folded or self._text:
                    self._rows += [(kind, reading) for reading in shown]
        self._set_scroll_bar()
        self.viewport().update()

    # ------------------------------------------------------------------ what is where

    @property
    def _line(self) -> int:
        return self.fontMetrics().height() + 5

    def _set_scroll_bar(self) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(0, len(self._rows) * self._line - height))
        bar.setPageStep(height)
        bar.setSingleStep(self._line)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._set_scroll_bar()

    def _row_at(self, at: QPoint) -> tuple[str, Reading | None] | None:
        number = (at.y() + self.verticalScrollBar().value()) // self._line
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def row_place(self, title: str) -> QPoint:
        """Middle of the row with that title, in the viewport."""
        return QPoint(self.viewport().width() // 2, self.rows.index(title) * self._line + self._line // 2 - self.verticalScrollBar().value())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position().toPoint())
        self._pressed = None
        if row is None or event.button() != Qt.MouseButton.LeftButton:
            return
        kind, reading = row
        if reading is not None:
            self._pressed = event.position().toPoint(), reading
        if reading is None:
            self._folded ^= {kind}
            self._lay_out()
        else:
            self.chosen.emit(reading.sensor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A reading that is dragged away goes where quantities are taken."""
        if self._pressed is not None and (event.position().toPoint() - self._pressed[0]).manhattanLength() >= QApplication.startDragDistance():
            reading, self._pressed = self._pressed[1], None
            drag(self, [f"sensordata[{reading.adr + k}]" for k in range(reading.count)])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None

    def reading_at(self, at: QPoint) -> Reading | None:
        """The reading at a place of the viewport."""
        row = self._row_at(at)
        return row[1] if row is not None else None

    def viewportEvent(self, event: QEvent) -> bool:
        """Explain the reading under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            reading = self.reading_at(event.pos())
            QToolTip.showText(event.globalPos(), self._explained(reading) if reading is not None else "", self)
            return True
        return super().viewportEvent(event)

    def _explained(self, reading: Reading) -> str:
        scale = f"cutoff {reading.cutoff:g} {reading.unit}" if reading.cutoff > 0 else f"largest so far {self._peaks.get(reading.sensor, 0.0):.4g} {reading.unit}"
        return f"{reading.title}: {self._value_text(reading)}\nthe whole bar: {scale.rstrip()}\nsensordata[{reading.adr}]"

    # ------------------------------------------------------------------ numbers and painting

    def _value(self, reading: Reading) -> float | None:
        return value_of(reading, self._values) if reading.adr + reading.count <= len(self._values) else None

    def _value_text(self, reading: Reading) -> str:
        value = self._value(reading)
        return "" if value is None else f"{value:.4g} {reading.unit}".rstrip()

    def _share(self, reading: Reading) -> float:
        value, whole = self._value(reading) or 0.0, reading.cutoff if reading.cutoff > 0 else self._peaks.get(reading.sensor, 0.0)
        return float(np.clip(value / whole, -1.0, 1.0)) if whole > 0 and np.isfinite(value) else 0.0

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first = self.verticalScrollBar().value() // self._line
        kinds = list(self._groups)
        mixed = [reading.unit for kind, rows in self._groups.items() if not self._units[kind] for reading in rows]
        value_width = self.fontMetrics().horizontalAdvance(f"{NUMBER_ROOM} {max(mixed, key=len, default='')}")
        for number in range(first, min(len(self._rows), first + self.viewport().height() // self._line + 2)):
            kind, reading = self._rows[number]
            area = QRect(4, number * self._line - self.verticalScrollBar().value(), self.viewport().width() - 8, self._line)
            if reading is None:
                self._paint_title(painter, area, kind)
            else:
                self._paint_reading(painter, area, reading, COLOURS[kinds.index(kind) % len(COLOURS)], self._units[kind], value_width)
        painter.end()

    def _paint_title(self, painter: QPainter, area: QRect, kind: str) -> None:
        font = QFont(self.font())
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(self.palette().windowText().color())
        arrow = "\u25b8" if kind in self._folded and not self._text else "\u25be"
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, f"{arrow} {kind}")
        unit = QRect(area)
        unit.setRight(area.right() - 2)
        painter.setFont(self.font())
        painter.drawText(unit, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._units[kind])
        painter.setFont(self.font())

    def _paint_reading(self, painter: QPainter, area: QRect, reading: Reading, colour: QColor, unit: str, value_width: int) -> None:
        name_width = round(NAME_SHARE * area.width())
        name = QRect(area.left() + 10, area.top(), name_width - 14, area.height())
        value = QRect(area.right() - value_width, area.top(), value_width, area.height())
        bar = QRectF(area.left() + name_width, area.top() + 4, max(10, area.width() - name_width - value_width - 6), area.height() - 8)
        painter.setPen(self.palette().windowText().color())
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, self.fontMetrics().elidedText(reading.title, Qt.TextElideMode.ElideMiddle, name.width()))
        painter.drawText(value, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._value_text(reading).removesuffix(f" {unit}") if unit else self._value_text(reading))
        painter.setPen(Qt.PenStyle.NoPen)
        ground = QColor(self.palette().windowText().color())
        ground.setAlphaF(0.12)
        painter.setBrush(ground)
        painter.drawRoundedRect(bar, 2, 2)
        zero = bar.left() if reading.positive else bar.center().x()
        share = self._share(reading)
        end = zero + share * (bar.right() - zero if share >= 0 else zero - bar.left())
        painter.setBrush(SATURATED if reading.cutoff > 0 and abs(share) >= 1 else colour)
        painter.drawRect(QRectF(min(zero, end), bar.top(), abs(end - zero), bar.height()))
        painter.fillRect(QRectF(zero - 0.5, bar.top() - 1, 1, bar.height() + 2), self.palette().windowText().color())
