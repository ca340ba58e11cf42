"""A plot that knows what painting it costs, for who paces what is drawn in it."""
import time

import pyqtgraph as pg


class TimedPlot(pg.PlotWidget):
    """seconds: of processor time that it took to paint last."""

    seconds = 0.0

    def paintEvent(self, event) -> None:
        begun = time.thread_time()
        super().paintEvent(event)
        self.seconds = time.thread_time() - begun


def pause_ms(least: int, share: float, seconds: float, plots) -> int:
    """Until the next drawing [ms], so that a drawing that took so many seconds, and painting it, take this share of the time at most."""
    return max(least, round(1000 * (seconds + sum(plot.seconds for plot in plots)) / share))
