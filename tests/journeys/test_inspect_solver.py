"""From a paused scene to why its solver takes as long as it does: by mouse and keys alone."""
import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest

from app.panels.pipeline.iterate_markers import OWNER
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import choose, click, press_button, show_tab, strike, type_keys
from tests.oracle.corpus import REPOSITORY


@pytest.fixture
def bench(workbench):
    return workbench(REPOSITORY / "models" / "heap.xml", size=(1500, 950))


def tab(bench, panel, title: str) -> None:
    """Click a tab of the panel."""
    bar = panel.tabs.tabBar()
    i = next(k for k in range(bar.count()) if bar.tabText(k).startswith(title))
    click(bar, bar.tabRect(i).center())
    bench.wait(lambda: panel.tabs.currentIndex() == i)


def retyped(box, text: str) -> None:
    """Click into an editable box and type in place of what is there, and Return."""
    click(box.lineEdit())
    strike(Key.Key_A, CTRL)
    type_keys(text)
    strike(Key.Key_Return)


@pytest.fixture
def panel(bench):
    """The panel with the trace of a heap at rest, its largest island chosen."""
    strike(Key.Key_2, CTRL)
    bench.wait(lambda: bench.window.top_bar.tabs.currentIndex() == 1 and bench.docks.filled)
    press_button(bench, "run")
    bench.wait(lambda: bench.snapshot.time > 0.8)
    press_button(bench, "run")
    bench.wait(lambda: not bench.snapshot.running)
    panel = show_tab(bench, "Solver")
    bench.wait(lambda: panel.traced is not None and panel.traced.trace.problem.nefc > 0)
    trace = panel.traced.trace

    # the largest island
    busiest = int(np.argmax(np.bincount(trace.problem.efc_island)))
    choose(bench, panel.island, panel.island.itemText(busiest + 1))
    assert panel.plots.active.states.shape[0] == len(trace.problem.island_rows(busiest))
    return panel


def choose_last(bench, panel) -> None:
    """The last iterate, by keys in the table."""
    tab(bench, panel, "Table")
    click(panel.table.viewport(), panel.table.visualRect(panel.table.model().index(0, 0)).center())
    bench.wait(panel.table.hasFocus)
    strike(Key.Key_End, CTRL)
    bench.wait(lambda: panel._place == panel.table.model().rowCount() - 1)
    assert bench.context.markers._frames[OWNER].elements > 0


def test_a_solve_is_traced_and_its_iterates_looked_at(bench, panel):
    # a click into the plot of costs chooses the start: its forces are drawn
    plot = panel.plots.plots[0]
    view = plot.getViewBox()
    there = plot.mapFromScene(view.mapViewToScene(QPointF(0.0, view.viewRect().center().y())))
    QTest.mouseClick(plot.viewport(), Button.LeftButton, NONE, QPoint(there.x(), there.y()))
    bench.wait(lambda: panel._place == 0)
    assert panel.tabs.tabText(2) == "Rows (0)"

    # the table by keys: down to the last iterate, and a copy
    choose_last(bench, panel)
    strike(Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text().startswith("k\tStage\tCost\t")

    # the forces in the view are switched off and on
    click(panel.forces, QPoint(8, panel.forces.height() // 2))
    assert OWNER not in bench.context.markers._frames
    click(panel.forces, QPoint(8, panel.forces.height() // 2))
    assert bench.context.markers._frames[OWNER].elements > 0

    # it runs on: the forces go, the figures stay
    press_button(bench, "run")
    bench.wait(lambda: OWNER not in bench.context.markers._frames and panel.told.text().startswith("The simulation runs"))
    assert f"those of t = {panel.traced.time:g} s" in panel.told.text()
    assert panel.table.model().rowCount() > 1
    press_button(bench, "run")


def test_another_solver_is_compared(bench, panel):
    choose_last(bench, panel)

    # with conjugate gradients
    click(panel.compare, QPoint(8, panel.compare.height() // 2))
    bench.wait(lambda: panel.traced.beside is not None and panel.traced.beside.solver == "CG")
    choose(bench, panel.cone, "PYRAMIDAL")
    bench.wait(lambda: panel.traced.beside is not None and panel.traced.beside.cone == "PYRAMIDAL")
    assert panel.traced.trace.cone == "ELLIPTIC" and panel._place == panel.table.model().rowCount() - 1
    choose(bench, panel.cone, panel.cone.itemText(0))
    bench.wait(lambda: panel.traced.beside.cone == "ELLIPTIC")

    # a limit of iterations is typed; no number is refused with a word
    for text, said in (("2", "2 iterations"), ("few", "'few' is no number that can be used")):
        retyped(panel.iterations, text)
        bench.wait(lambda said=said: said in panel.told.text())
    assert panel.traced.beside.options["opt_iterations"] == 2
    retyped(panel.iterations, "100")
    bench.wait(lambda: panel.traced.beside.options["opt_iterations"] == 100)

    # both ways on the landscape
    tab(bench, panel, "Landscape")
    bench.wait(lambda: panel.landscape.landscape is not None and len(panel.landscape.landscape.beside) == len(panel.traced.beside.of_island(panel.chosen_island)))
    first = panel.landscape.landscape
    choose(bench, panel.landscape.plane, "Two degrees of freedom")
    bench.wait(lambda: panel.landscape.landscape is not first and panel.landscape.first.isVisible())
