"""Plots are painted one after the other, each in a turn of the event loop of its own; the window shows what was painted last."""
import numpy as np
import pytest
from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtWidgets import QVBoxLayout, QWidget

from app.panels.in_turn import InTurn
from app.panels.plots.buffered_plot import BufferedPlot


@pytest.fixture
def column(qtbot, monkeypatch):
    """A window of three plots, and (plot, turn) of each time that one was painted."""
    painted, turn = [], [0]
    paint = BufferedPlot._paint

    def count(plot):
        painted.append((plot, turn[0]))
        paint(plot)

    monkeypatch.setattr(BufferedPlot, "_paint", count)
    in_turn, window = InTurn(), QWidget()
    in_turn._timer.timeout.connect(lambda: turn.__setitem__(0, turn[0] + 1))
    qtbot.addWidget(window)
    layout, plots = QVBoxLayout(window), [BufferedPlot(in_turn) for _ in range(3)]
    for plot in plots:
        layout.addWidget(plot)
        plot.plot(np.arange(50.0), np.sin(np.arange(50.0)), pen="r")
    window.in_turn, window.plots, window.painted = in_turn, plots, painted
    window.resize(400, 600)
    window.show()
    qtbot.waitExposed(window)
    rest(qtbot, window)
    return window


def rest(qtbot, window):
    """Wait until no plot is painted any more."""
    def resting():
        before = len(window.painted)
        qtbot.wait(50)
        return len(window.painted) == before and not window.in_turn._waiting

    qtbot.waitUntil(resting)
    window.painted.clear()


def picture(plot):
    """What a plot shows, and what it is."""
    size = plot.viewport().size()
    shown, drawn = (QImage(size, QImage.Format.Format_RGB32) for _ in range(2))
    shown.fill(0)
    plot.viewport().render(shown)
    painter = QPainter(drawn)
    painter.fillRect(plot.viewport().rect(), plot.backgroundBrush())
    painter.setRenderHints(plot.renderHints())
    plot.render(painter, QRectF(plot.viewport().rect()), plot.viewport().rect())
    painter.end()
    return shown, drawn


def test_each_is_painted_in_a_turn_of_its_own_after_the_window(column, qtbot):
    column.repaint()
    for plot in column.plots:
        plot.viewport().repaint()
    assert column.painted == []         # the window shows the buffers
    qtbot.waitUntil(lambda: len(column.painted) == 3)
    turns = [turn for _plot, turn in column.painted]
    assert {plot for plot, _turn in column.painted} == set(column.plots) and len(set(turns)) == 3
    qtbot.wait(100)
    assert len(column.painted) == 3     # to show a buffer is no reason to paint again


def test_what_is_shown_is_what_the_plot_draws(column, qtbot):
    for change in (lambda plot: None, lambda plot: plot.plot(np.arange(50.0), np.cos(np.arange(50.0)), pen="g"), lambda plot: plot.setBackground("w"),
                   lambda _plot: column.resize(520, 480)):
        change(column.plots[1])
        rest(qtbot, column)
        shown, drawn = picture(column.plots[1])
        assert shown == drawn
        rest(qtbot, column)


def test_a_change_that_comes_while_the_buffer_is_shown_is_painted_too(column, qtbot):
    plot = column.plots[0]
    curve = plot.plot(pen="b")
    plot.viewport().update()
    for k in range(5):
        curve.setData(np.arange(20.0), np.arange(20.0) * k)
        plot._paint()       # consumes the update of the change before, not that of the next one
        curve.setData(np.arange(20.0), np.arange(20.0) * (k + 2))
    rest(qtbot, column)
    shown, drawn = picture(plot)
    assert shown == drawn


def test_a_hidden_plot_is_not_painted(column, qtbot):
    plot = column.plots[2]
    plot.viewport().repaint()
    plot.hide()
    plot.seconds = -1.0
    qtbot.wait(50)
    assert plot.seconds == -1.0
    plot.show()
    qtbot.waitUntil(lambda: plot.seconds > 0)
