"""The curve d(r) of solimp with handles to drag, where the contact is on it now and where it was. Painted by hand: a motion of a handle is seen at once."""
from __future__ import annotations

from collections import deque
from math import isfinite, isnan

import numpy as np
from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPalette, QPen, QPolygonF
from PyQt6.QtWidgets import QSizePolicy, QWidget

from app.panels.plots.curve import COLOURS
from app.panels.tuner.handles import NAMES, SIDEWAYS, Solimp, depth_reach, dragged, handle_points, impedance_span
from physics.tuning.law import impedance

LINES = 11              # of text, that it is high
POINTS = 240            # of the curve
TRAIL = 40              # operating points that are kept
HANDLE, NEAR = 5.0, 11.0        # logical pixels: of a handle, and how near a click must be
FINE = 0.1              # of a motion, with Shift
TIP = ("Impedance d over depth. Drag a handle to change solimp, with Shift ten times as finely; Esc takes it back.\n"
       "Filled dots: d0, dwidth, midpoint, power; triangle: width. The ring is where the contact is now.")


class ImpedancePlot(QWidget):
    """show_curve(), show_depth(). Signals: grabbed(), moved(solimp), dropped(), cancelled() of a drag."""

    grabbed = pyqtSignal()
    moved = pyqtSignal(tuple)
    dropped = pyqtSignal()
    cancelled = pyqtSignal()

    def __init__(self):
        super().__init__()
        self.solimp: Solimp | None = None
        self.written: Solimp | None = None      # in force, where it is another one
        self.unit = "m"
        self.trail: deque[float] = deque(maxlen=TRAIL)      # depths, newest last; NaN apart
        self.held = ""                          # handle that is dragged
        self._hovered = ""
        self._start: tuple[QPointF, float, float, Solimp] | None = None
        self._scale = (1.0, 1.0)                # of the picture in which the drag began [m, 1 per pixel]
        self._reach, self._span = depth_reach((0.9, 0.95, 0.001, 0.5, 2.0)), (0.0, 1.0)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(TIP)

    # ------------------------------------------------------------------ what it shows

    def show_curve(self, solimp: Solimp | None, written: Solimp | None = None, unit: str = "m") -> None:
        """The curve of this one; written: the one in force, drawn thinly where it is another."""
        if (solimp, written, unit) != (self.solimp, self.written, self.unit):
            self.solimp, self.written, self.unit = solimp, written, unit
            self._fit()
            self.update()

    def show_at_once(self, solimp: Solimp) -> None:
        """The curve of this one, painted within this turn: it is what a hand follows."""
        self.show_curve(solimp, self.written, self.unit)
        self.repaint()

    def show_depth(self, depth: float) -> None:
        """Where the contact is at this moment [m], NaN: nowhere."""
        if isnan(depth) and (not self.trail or isnan(self.trail[-1])):
            return
        self.trail.append(depth)
        self._fit()
        self.update()

    def forget(self) -> None:
        """No operating points: it is about something else."""
        self.trail.clear()
        self._fit()
        self.update()

    def _fit(self) -> None:
        """What the axes reach; while something is dragged they only grow."""
        if self.solimp is None:
            return
        reach, span = depth_reach(self.solimp, self.trail), impedance_span(self.solimp)
        if self.held:
            reach, span = max(reach, self._reach), (min(span[0], self._span[0]), max(span[1], self._span[1]))
        self._reach, self._span = reach, span

    # ------------------------------------------------------------------ places

    def sizeHint(self) -> QSize:
        return QSize(22 * self.fontMetrics().height(), LINES * self.fontMetrics().height())

    def _room(self) -> QRectF:
        metrics = self.fontMetrics()
        left, line = metrics.horizontalAdvance("0.9999") + 8, metrics.height()
        return QRectF(left, 0.5 * line + 4, max(20.0, self.width() - left - 14), max(20.0, self.height() - 2.9 * line - 6))

    def _places(self, depths: np.ndarray, ds: np.ndarray) -> QPolygonF:
        """Where points (n) of the curve are in the widget."""
        room, (low, high) = self._room(), self._span
        x = room.left() + depths * (room.width() / self._reach)
        y = room.bottom() - (ds - low) * (room.height() / (high - low))
        return QPolygonF(list(map(QPointF, x.tolist(), y.tolist())))

    def place(self, depth: float, d: float) -> QPointF:
        """Where a point of the curve is in the widget; d NaN: on the axis."""
        room = self._room()
        low, high = self._span
        y = room.bottom() if isnan(d) else room.bottom() - (d - low) / (high - low) * room.height()
        return QPointF(room.left() + depth / self._reach * room.width(), y)

    def handle_place(self, name: str) -> QPointF | None:
        """Where a handle is in the widget; None where it is not shown."""
        point = handle_points(self.solimp)[name] if self.solimp is not None else None
        return self.place(*point) if point is not None else None

    def _handle_at(self, at: QPointF) -> str:
        found, nearest = "", NEAR
        for name in NAMES:
            place = self.handle_place(name)
            if place is not None and (place - at).manhattanLength() <= nearest:
                found, nearest = name, (place - at).manhattanLength()
        return found

    # ------------------------------------------------------------------ dragging

    def mousePressEvent(self, event: QMouseEvent) -> None:
        name = self._handle_at(event.position()) if event.button() == Qt.MouseButton.LeftButton and self.isEnabled() else ""
        if not name:
            event.ignore()
            return
        room, point = self._room(), handle_points(self.solimp)[name]
        self._scale = self._reach / room.width(), (self._span[1] - self._span[0]) / room.height()
        self._start = event.position(), point[0], point[1], self.solimp
        self.held = name
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.grabbed.emit()
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.held:
            self._hover(self._handle_at(event.position()))
            return
        at, depth, d, solimp = self._start
        share = FINE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
        motion = event.position() - at
        wanted = dragged(solimp, self.held, depth + share * motion.x() * self._scale[0], d - share * motion.y() * self._scale[1])
        if wanted != self.solimp:
            self.moved.emit(wanted)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.held and event.button() == Qt.MouseButton.LeftButton:
            self._let_go()
            self.dropped.emit()

    def cancel(self) -> None:
        """Give the drag up."""
        if self.held:
            self._let_go()
            self.cancelled.emit()

    def _let_go(self) -> None:
        self.held, self._start = "", None
        self._fit()
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self.held and event.key() == Qt.Key.Key_Escape:
            event.accept()      # no shortcut of the window takes it
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.held:
            self.cancel()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event) -> None:
        super().leaveEvent(event)
        self._hover("")

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self.cancel()

    def _hover(self, name: str) -> None:
        if name != self._hovered:
            self._hovered = name
            shape = Qt.CursorShape.SizeHorCursor if name in SIDEWAYS else Qt.CursorShape.SizeVerCursor
            self.setCursor(shape) if name else self.unsetCursor()
            self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    # ------------------------------------------------------------------ painting

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self.palette().base())
        if self.solimp is not None:
            self._paint_axes(painter)
            painter.save()
            painter.setClipRect(self._room().adjusted(-HANDLE - 2, -HANDLE - 2, HANDLE + 2, HANDLE + 2))
            if self.written is not None and self.written != self.solimp:
                self._paint_curve(painter, self.written, QPen(self.palette().color(QPalette.ColorRole.PlaceholderText), 1.0, Qt.PenStyle.DashLine))
            self._paint_curve(painter, self.solimp, QPen(QColor(COLOURS[1]), 2.0))
            self._paint_trail(painter)
            painter.restore()
            self._paint_handles(painter)
        painter.end()

    def _paint_axes(self, painter: QPainter) -> None:
        room, metrics = self._room(), self.fontMetrics()
        text, faint = self.palette().color(QPalette.ColorRole.Text), self.palette().color(QPalette.ColorRole.Text)
        faint.setAlpha(40)
        for value in ticks(*self._span, 4):
            y = self.place(0.0, value).y()
            painter.setPen(QPen(faint, 1.0))
            painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
            painter.setPen(text)
            painter.drawText(QRectF(0, y - metrics.height(), room.left() - 5, 2 * metrics.height()), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{value:.4g}")
        factor, unit = scaled_unit(self._reach, self.unit)
        for value in ticks(0.0, factor * self._reach, 5):
            x = self.place(value / factor, 0.0).x()
            painter.setPen(QPen(faint, 1.0))
            painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
            painter.setPen(text)
            painter.drawText(QRectF(x - 40, room.bottom() + 5, 80, metrics.height() + 2), Qt.AlignmentFlag.AlignHCenter, f"{value:.4g}")
        below = QRectF(room.left(), self.height() - metrics.height() - 2, room.width(), metrics.height())
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, f"depth r [{unit}]")
        painter.setPen(QPen(text, 1.0))
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        painter.drawLine(room.bottomLeft(), room.topLeft())
        painter.drawText(QRectF(room.left() + 5, room.top() - 3, room.width(), metrics.height()), Qt.AlignmentFlag.AlignLeft, "impedance d")

    def _paint_curve(self, painter: QPainter, solimp: Solimp, pen: QPen) -> None:
        depth = np.linspace(0.0, self._reach, POINTS)
        d = impedance(solimp, -depth)[0]
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(self._places(depth, d))

    def _paint_trail(self, painter: QPainter) -> None:
        """Older points fainter; the present one as a ring with a line to the axis."""
        depths = [(k, depth) for k, depth in enumerate(self.trail) if isfinite(depth)]
        if not depths:
            return
        known = np.array([depth for _k, depth in depths])
        colour, values = QColor(COLOURS[0]), impedance(self.solimp, -known)[0]
        painter.setPen(Qt.PenStyle.NoPen)
        for (k, _depth), at in zip(depths, self._places(known, values), strict=True):
            colour.setAlpha(30 + round(150 * (k + 1) / len(self.trail)))
            painter.setBrush(colour)
            painter.drawEllipse(at, 2.5, 2.5)
        if isfinite(self.trail[-1]):
            at = self.place(self.trail[-1], float(values[-1]))
            painter.setPen(QPen(QColor(COLOURS[0]), 1.0, Qt.PenStyle.DotLine))
            painter.drawLine(at, QPointF(at.x(), self._room().bottom()))
            painter.setPen(QPen(QColor(COLOURS[0]), 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(at, HANDLE + 1, HANDLE + 1)

    def _paint_handles(self, painter: QPainter) -> None:
        metrics, room = self.fontMetrics(), self._room()
        accent, text = self.palette().color(QPalette.ColorRole.Highlight), self.palette().color(QPalette.ColorRole.Text)
        for name in sorted(NAMES, key=lambda name: name in (self.held, self._hovered)):     # what is said of one lies on top
            place = self.handle_place(name)
            if place is None:
                continue
            marked = name in (self.held, self._hovered)
            painter.setPen(QPen(text if marked else self.palette().color(QPalette.ColorRole.Base), 1.5))
            painter.setBrush(accent if self.isEnabled() else self.palette().color(QPalette.ColorRole.PlaceholderText))
            if name == "width":
                painter.drawPolygon(QPolygonF([place + QPointF(0, -HANDLE - 2), place + QPointF(HANDLE + 1, HANDLE), place + QPointF(-HANDLE - 1, HANDLE)]))
            else:
                painter.drawEllipse(place, HANDLE, HANDLE)
            if marked:
                said = f"{name} {self.solimp[NAMES.index(name)]:.4g}"
                wide = metrics.horizontalAdvance(said)
                x = min(max(place.x() + 10, room.left()), room.right() - wide)
                y = place.y() + metrics.height() + 4 if place.y() < room.top() + 1.5 * metrics.height() else place.y() - 8
                y = min(y, room.bottom() - 4)
                behind = self.palette().color(QPalette.ColorRole.Base)
                behind.setAlpha(210)
                painter.fillRect(QRectF(x - 2, y - metrics.ascent(), wide + 4, metrics.height()), behind)
                painter.setPen(text)
                painter.drawText(QPointF(x, y), said)


def ticks(low: float, high: float, count: int) -> list[float]:
    """Round numbers between two, about so many."""
    span = high - low
    if not span > 0.0:
        return [low]
    step = 10.0 ** np.floor(np.log10(span / count))
    step *= next((factor for factor in (1.0, 2.0, 5.0) if factor * step * count >= span), 10.0)
    first = np.ceil(low / step - 1e-9)
    return [float(round(k * step, 12)) + 0.0 for k in np.arange(first, np.floor(high / step + 1e-9) + 1)]


def scaled_unit(reach: float, unit: str) -> tuple[float, str]:
    """(factor, unit) in which numbers up to this one are read well."""
    if unit == "rad":
        return (1e3, "mrad") if reach < 0.1 else (1.0, "rad")
    return (1e6, "um") if reach < 1e-4 else (1e3, "mm") if reach < 0.5 else (1.0, "m")
