"""The painted time axis of the timeline bar: the history, its marks, and the playhead, which the mouse drags."""
from types import MappingProxyType

from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette, QPen, QPolygonF
from PyQt6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.history_scale import HistoryScale, nice_step
from physics.runtime.snapshot import Snapshot

BESIDE = 9.0         # logical pixels left and right of the track
TRACK = 5.0          # its height
TICK_ROOM = 72.0     # logical pixels between two numbers
REACH = 5.0          # of a mark
SMALLER = 0.86       # of the font
SHAPES = MappingProxyType({"start": "line", "load": "line", "reset": "line", "keyframe": "diamond", "edit": "triangle"})   # of marks, by kind


class TimelineAxis(QWidget):
    """Signal: scrubbed(index) while the mouse presses and drags."""

    scrubbed = pyqtSignal(int)

    def __init__(self):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumWidth(110)
        self.setMouseTracking(True)
        self.scale = HistoryScale(1, (0.0, 0.0), 1.0)
        self.index = 0
        self._held = False

    def sizeHint(self) -> QSize:
        """Wide; as high as numbers over a track are."""
        return QSize(320, round(QFontMetricsF(self._small()).height() + TRACK + 10))

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show a state's place in its history; a playhead that is being dragged stays with the hand."""
        self.scale = HistoryScale.of(snapshot)
        if not self._held:
            self.index = snapshot.history_index
        self.update()

    # ------------------------------------------------------------------ places

    @property
    def _entries(self) -> int:
        """How many entries the whole width stands for: a round number of seconds, so that the axis stands still most of the time."""
        span = (self.scale.length - 1) * self.scale.timestep
        return max(self.scale.length - 1, round(nice_step(span, 1) / self.scale.timestep), 1) if span > 0 else 1

    def x_of(self, index: float) -> float:
        """Where an entry lies [logical pixels]."""
        return BESIDE + (self.width() - 2 * BESIDE) * index / self._entries

    def index_at(self, x: float) -> int:
        """The entry at a place; that of a mark nearby."""
        for mark in self.scale.marks:
            if abs(self.x_of(mark.index) - x) <= REACH / 2:
                return mark.index
        wanted = round((x - BESIDE) / max(1.0, self.width() - 2 * BESIDE) * self._entries)
        return min(max(wanted, 0), self.scale.length - 1)

    # ------------------------------------------------------------------ mouse

    def mousePressEvent(self, event) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._held = True
            self._scrub(event.position().x())

    def mouseMoveEvent(self, event) -> None:
        if self._held:
            self._scrub(event.position().x())

    def mouseReleaseEvent(self, event) -> None:
        self._held = False

    def _scrub(self, x: float) -> None:
        self.index = self.index_at(x)
        self.update()
        self.scrubbed.emit(self.index)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.told(event.pos().x()), self)
            return True
        return super().event(event)

    def told(self, x: float) -> str:
        """What lies at a place: its time and the marks there."""
        index = self.index_at(x)
        lines = [f"{self.scale.time_at(index):.4f} s, step {index + 1} of {self.scale.length}"]
        lines += [mark.text for mark in self.scale.marks if mark.text and abs(self.x_of(mark.index) - x) <= REACH]
        return "\n".join([*lines, "Drag to go through the history"])

    # ------------------------------------------------------------------ painting

    def _small(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(6.0, font.pointSizeF() * SMALLER))
        return font

    def paintEvent(self, _event) -> None:
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small())
        middle = self.height() - 8.0
        track = QRectF(BESIDE, middle - TRACK / 2, self.width() - 2 * BESIDE, TRACK)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(QPalette.ColorRole.Base))
        painter.drawRoundedRect(track, TRACK / 2, TRACK / 2)
        ink, accent = palette.color(QPalette.ColorRole.WindowText), palette.color(QPalette.ColorRole.Highlight)
        known = QRectF(track.left(), track.top(), self.x_of(self.scale.length - 1) - track.left(), TRACK)
        painter.setBrush(faint(ink, 90))
        painter.drawRoundedRect(known, TRACK / 2, TRACK / 2)
        self._paint_ticks(painter, ink, track.top())
        for mark in self.scale.marks:
            if mark.index == 0:
                continue   # where all begins
            self._paint_mark(painter, SHAPES.get(mark.kind, "line"), self.x_of(mark.index), middle, ink)
        self._paint_playhead(painter, self.x_of(self.index), middle, accent)
        painter.end()

    def _paint_ticks(self, painter: QPainter, ink: QColor, bottom: float) -> None:
        metrics, free = QFontMetricsF(painter.font()), 0.0
        painter.setPen(faint(ink, 150))
        for index, text in self.scale.ticks(self._entries, max(1, int(self.width() / TICK_ROOM))):
            x, wide = self.x_of(index), metrics.horizontalAdvance(text)
            painter.drawLine(QPointF(x, bottom - 4), QPointF(x, bottom - 1))
            left = min(max(x - wide / 2, 1.0), self.width() - wide - 1)
            if left >= free:
                painter.drawText(QPointF(left, bottom - 6), text)
                free = left + wide + 6

    def _paint_mark(self, painter: QPainter, shape: str, x: float, middle: float, ink: QColor) -> None:
        if shape == "line":
            painter.setPen(QPen(faint(ink, 220), 1.4))
            painter.drawLine(QPointF(x, middle - 6), QPointF(x, middle + 6))
            return
        points = ((0, -4.5), (4.5, 0), (0, 4.5), (-4.5, 0)) if shape == "diamond" else ((-4, 4.5), (4, 4.5), (0, -3.5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawPolygon(QPolygonF([QPointF(x + dx, middle + dy) for dx, dy in points]))

    def _paint_playhead(self, painter: QPainter, x: float, middle: float, accent: QColor) -> None:
        painter.setPen(QPen(accent, 1.6))
        painter.drawLine(QPointF(x, 1), QPointF(x, middle))
        painter.setBrush(accent)
        painter.drawEllipse(QPointF(x, middle), 5.0, 5.0)


def faint(colour: QColor, alpha: int) -> QColor:
    """The same, seen through."""
    seen = QColor(colour)
    seen.setAlpha(alpha)
    return seen
