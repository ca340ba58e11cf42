"""A plot that is painted into a buffer, in a turn of the event loop of its own.

Qt paints all that is to be painted of a window in one go. With several plots, of 8 to 60 ms each, the window would stand still for as long as all of them
take whenever it is resized or uncovered; so it shows each plot's buffer, and the plots are painted one after the other.
"""
import time

import pyqtgraph as pg
from PyQt6.QtGui import QPainter, QPixmap
from PyQt6.QtWidgets import QGraphicsView

from app.panels.in_turn import InTurn
from app.panels.live_panel import in_front


class BufferedPlot(pg.PlotWidget):
    """Without pyqtgraph's menu and buttons. seconds: of processor time that it took to paint last."""

    seconds = 0.0
    _fixed = False

    def __init__(self, in_turn: InTurn, **options):
        self._in_turn = in_turn
        self._buffer = QPixmap()
        self._painting = self._showing = False
        super().__init__(**options, enableMenu=False)
        self.hideButtons()
        self.setAcceptDrops(False)      # pyqtgraph lets Qt complain about what is dragged across the window
        self.viewport().setAcceptDrops(False)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)     # it is painted whole

    def fix_ranges(self) -> None:
        """Neither drags nor the wheel, which scrolls what the plot stands in, change what it shows."""
        self._fixed = True
        self.setMouseEnabled(False, False)

    def wheelEvent(self, event) -> None:
        """Zoom, where that is wanted."""
        if self._fixed:
            event.ignore()
        else:
            super().wheelEvent(event)

    def paintEvent(self, event) -> None:
        """Show the buffer, as large as the plot is now, and have the plot painted again where the buffer was not painted just now."""
        if self._painting:
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        if self._buffer.isNull():
            painter.fillRect(self.viewport().rect(), self.backgroundBrush())
        else:
            painter.drawPixmap(self.viewport().rect(), self._buffer)
        if not self._showing:
            self._in_turn.post(self, self._paint)

    def _paint(self) -> None:
        if not in_front(self):
            return      # a paint event follows when it is
        begun = time.thread_time()
        ratio, size = self.devicePixelRatioF(), self.viewport().size()
        if self._buffer.size() != size * ratio or self._buffer.devicePixelRatioF() != ratio:
            self._buffer = QPixmap(size * ratio)
            self._buffer.setDevicePixelRatio(ratio)
        self._painting = True
        self.viewport().render(self._buffer)
        self._painting = False
        self.seconds = time.thread_time() - begun
        self._showing = True
        self.viewport().repaint()   # `update` would be one with that of a change that comes before it
        self._showing = False


def pause_ms(least: int, share: float, seconds: float, plots) -> int:
    """Until the next drawing [ms], so that a drawing that took so many seconds, and painting it, take this share of the time at most."""
    return max(least, round(1000 * (seconds + sum(plot.seconds for plot in plots)) / share))
