"""The time axis of the timeline bar: the history, its marks, bookmarks and region, and the playhead, which the mouse and the keys move. Painted by axis_painter.py."""
from base64 import b64encode
from html import escape

from PyQt6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFont, QFontMetricsF, QPainter
from PyQt6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.history_scale import HistoryScale
from app.timeline.axis_range import AxisRange
from app.timeline.bookmarks import Bookmark, Bookmarks, HistoryPlace
from app.timeline.region import TimelineRegion
from app.windows.axis_painter import ABOVE, BELOW, BESIDE, FLAG, STRIP, TRACK, AxisPainter
from physics.runtime.snapshot import Snapshot

REACH = 5.0          # logical pixels, of a mark
SMALLER = 0.86       # of the font
ZOOM = 0.8           # of the entries that are left by one click of the wheel
WHEEL_CLICK = 120    # units of Qt's wheel
DRAG = 3.0           # logical pixels, from which on a press is a drag
PAGE = 0.1           # of what is shown
SCRUB, MARK_REGION, PAN, PAN_STRIP = "scrub", "region", "pan", "strip"   # what the mouse does while it is held


class TimelineAxis(QWidget):
    """Signals: scrubbed(number) an entry is wanted, by the mouse or a key; menu_wanted(number, bookmark or None, place on the screen) the right button asks what can be done."""

    scrubbed = pyqtSignal(int)
    menu_wanted = pyqtSignal(int, object, QPoint)

    def __init__(self, bookmarks: Bookmarks, region: TimelineRegion):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumWidth(110)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)    # a click leaves the keys with the view
        self.setAccessibleName("Time axis")
        self.bookmarks, self.region = bookmarks, region
        self.scale, self.range = HistoryScale(1, (0.0, 0.0), 1.0), AxisRange()
        self.place = HistoryPlace()
        self.flags: list[tuple[int, Bookmark]] = []      # bookmarks that are in the history, with their entries
        self.index = 0
        self._held = ""
        self._pressed = QPointF()
        self._from = 0.0        # where what is held was when it was pressed: an entry's number
        bookmarks.changed.append(self._bookmarks_changed)
        region.changed.append(self.update)

    def sizeHint(self) -> QSize:
        """Wide; as high as numbers over a track are, with room for flags between them."""
        return QSize(320, round(QFontMetricsF(self.small_font()).ascent() + ABOVE + TRACK + BELOW))

    def small_font(self) -> QFont:
        """The font of the numbers."""
        font = QFont(self.font())
        font.setPointSizeF(max(6.0, font.pointSizeF() * SMALLER))
        return font

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show a state's place in its history; a playhead that is being dragged stays with the hand."""
        self.scale, self.place = HistoryScale.of(snapshot), HistoryPlace.of(snapshot)
        if self._held != SCRUB:
            self.index = snapshot.history_index
        self.range.follow(self.scale, self.place.history_gone, self.place.history_gone + self.index, snapshot.running, bool(self._held))
        self._bookmarks_changed()

    def _bookmarks_changed(self) -> None:
        self.flags = self.bookmarks.shown(self.place)
        self.update()

    # ------------------------------------------------------------------ places

    @property
    def _per_entry(self) -> float:
        return max(1.0, self.width() - 2 * BESIDE) / self.range.span

    def x_of(self, index: float) -> float:
        """Where an entry lies [logical pixels], beside the widget where it is not shown."""
        return BESIDE + (index + self.place.history_gone - self.range.first) * self._per_entry

    def number_at(self, x: float) -> float:
        """The number of the entry at a place, with its fraction, whether there is one or not."""
        return self.range.first + (x - BESIDE) / self._per_entry

    def bookmark_at(self, x: float, y: float | None = None) -> Bookmark | None:
        """The bookmark whose flag is at a place; y None: on the track."""
        above = y is not None and y < self.height() - STRIP - TRACK
        reached = [(abs(self.x_of(index) - x), mark) for index, mark in self.flags if -REACH / 2 <= x - self.x_of(index) <= (FLAG + 1 if above else REACH / 2)]
        return min(reached, key=lambda found: found[0])[1] if reached else None

    def index_at(self, x: float, y: float | None = None) -> int:
        """The entry at a place; that of a bookmark or a mark nearby."""
        bookmark = self.bookmark_at(x, y)
        if bookmark is not None:
            return bookmark.number - self.place.history_gone
        for mark in self.scale.marks:
            if abs(self.x_of(mark.index) - x) <= REACH / 2:
                return mark.index
        return min(max(round(self.number_at(x)) - self.place.history_gone, 0), self.scale.length - 1)

    # ------------------------------------------------------------------ mouse

    def _in_strip(self, y: float) -> bool:
        """Whether a place is on the strip that shows which part of the history the axis shows."""
        return not self.range.fitted and y >= self.height() - STRIP

    def mousePressEvent(self, event) -> None:
        at, button = event.position(), event.button()
        self._pressed, self._from = at, self.number_at(at.x())
        if button == Qt.MouseButton.MiddleButton:
            self._held = PAN
        elif button == Qt.MouseButton.LeftButton and self._in_strip(at.y()):
            self._held = PAN_STRIP
            self._move(at)
        elif button == Qt.MouseButton.LeftButton and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._held = MARK_REGION
        elif button == Qt.MouseButton.LeftButton:
            self._held = SCRUB
            self._scrub(self.index_at(at.x(), at.y()))

    def mouseMoveEvent(self, event) -> None:
        at = event.position()
        if self._held:
            self._move(at)
        elif self._in_strip(at.y()):
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        else:
            self.unsetCursor()

    def mouseReleaseEvent(self, event) -> None:
        self._held = ""

    def mouseDoubleClickEvent(self, event) -> None:
        self._held = ""
        self.fit()

    def _move(self, at: QPointF) -> None:
        """The mouse is here, with a button held."""
        number = self.number_at(at.x())
        if self._held == PAN:
            self.range.pan(self._from - number)
        elif self._held == PAN_STRIP:
            start, span = self.range.whole
            middle = start + (at.x() - BESIDE) / max(1.0, self.width() - 2 * BESIDE) * span
            self.range.pan(middle - self.range.span / 2 - self.range.first)
        elif self._held == MARK_REGION and abs(at.x() - self._pressed.x()) >= DRAG:
            self.region.mark(self.place, self._from, number)
        elif self._held == SCRUB:
            beyond = min(at.x() - BESIDE, 0.0) + max(at.x() - self.width() + BESIDE, 0.0)
            self.range.pan(beyond / self._per_entry)    # the axis follows a hand that has left it
            self._scrub(self.index_at(min(max(at.x(), BESIDE), self.width() - BESIDE)))
        self.update()

    def _scrub(self, index: int) -> None:
        self.index = index
        self.update()
        self.scrubbed.emit(self.place.history_gone + index)

    def wheelEvent(self, event) -> None:
        across, up = event.angleDelta().x(), event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            across, up = across or up, 0
        if up:
            self.range.zoom(ZOOM ** (up / WHEEL_CLICK), self.number_at(event.position().x()))
        if across:
            self.range.pan(-across / WHEEL_CLICK * PAGE * self.range.span)
        self.update()
        event.accept()

    def contextMenuEvent(self, event) -> None:
        x, y = event.pos().x(), event.pos().y()
        number = self.place.history_gone + (self.index if event.reason() == event.Reason.Keyboard else self.index_at(x, y))
        self.menu_wanted.emit(number, self.bookmark_at(x, y), event.globalPos())

    def fit(self) -> None:
        """Show all of the history."""
        self.range.fit()
        self.update()

    # ------------------------------------------------------------------ keys

    def keyPressEvent(self, event) -> None:
        key, steps = event.key(), 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        page = max(1, round(PAGE * self.range.span))
        moved = {Qt.Key.Key_Left: -steps, Qt.Key.Key_Right: steps, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page,
                 Qt.Key.Key_Home: -self.scale.length, Qt.Key.Key_End: self.scale.length}.get(key)
        zoomed = {Qt.Key.Key_Plus: ZOOM, Qt.Key.Key_Equal: ZOOM, Qt.Key.Key_Minus: 1 / ZOOM}.get(key)
        if moved is not None:
            self._scrub(min(max(self.index + moved, 0), self.scale.length - 1))
            self.setAccessibleDescription(self._step_text(self.index))
        elif zoomed is not None:
            self.range.zoom(zoomed, self.place.history_gone + self.index)
            self.update()
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event) -> None:
        self.setAccessibleDescription(self._step_text(self.index))
        super().focusInEvent(event)

    # ------------------------------------------------------------------ what is told

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip(event.pos().x(), event.pos().y()), self)
            return True
        return super().event(event)

    def _step_text(self, index: int) -> str:
        return f"{self.scale.time_at(index):.4f} s, step {index + 1} of {self.scale.length}"

    def told(self, x: float, y: float | None = None) -> str:
        """What lies at a place: its time and the marks there."""
        index, bookmark = self.index_at(x, y), self.bookmark_at(x, y)
        lines = [bookmark.name] if bookmark is not None else []
        lines += [self._step_text(index)]
        lines += [mark.text for mark in self.scale.marks if mark.text and abs(self.x_of(mark.index) - x) <= REACH]
        region = self.region.within(self.place)
        if region is not None and region[0] <= index <= region[1]:
            first, last = region
            lines.append(f"Region of {last - first + 1} steps, {self.scale.clock(last) - self.scale.clock(first):.4g} s")
        return "\n".join(lines if bookmark is not None else [*lines, "Drag to go through the history, with Shift to mark a region; the wheel zooms"])

    def tip(self, x: float, y: float | None = None) -> str:
        """The same, with the picture of a bookmark."""
        bookmark = self.bookmark_at(x, y)
        if bookmark is None or not bookmark.thumbnail:
            return self.told(x, y)
        name, *lines = self.told(x, y).splitlines()
        picture = f'<img src="data:image/png;base64,{b64encode(bookmark.thumbnail).decode()}">'
        return "<br>".join([picture, f"<b>{escape(name)}</b>", *map(escape, lines)])

    # ------------------------------------------------------------------ painting

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        AxisPainter(self, painter).paint()
        painter.end()
