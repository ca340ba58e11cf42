"""A model that diverges: read why, see what helps beside the run, press it, and it runs on; another remedy in its place; all by real clicks, keys and wheel."""
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QScrollArea

from tests.app.workbench import NONE, Button, Key
from tests.journeys.hands import click, strike
from tests.physics.diagnostics.divergence_cases import FLAP, FLAP_VALUES


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "wing.xml"
    path.write_text(FLAP.format(**{**FLAP_VALUES, "stiffness": 1e5}))
    return workbench(path, size=(1300, 900))


def page_of(widget) -> QScrollArea:
    """The area in which a widget is scrolled."""
    area = widget.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    return area


def turn_wheel(area: QScrollArea, notches: int) -> None:
    """Turn the wheel over the middle of what is seen of a page, whatever lies there."""
    at = area.viewport().rect().center()
    under, place = area.viewport().childAt(at) or area.viewport(), area.viewport().mapToGlobal(at)
    while under is not None:        # what a widget does not take goes to its parent, as Qt does it for events of the window system
        event = QWheelEvent(QPointF(under.mapFromGlobal(place)), QPointF(place), QPoint(), QPoint(0, 120 * notches), Button.NoButton, NONE, Qt.ScrollPhase.NoScrollPhase, False)
        if QApplication.sendEvent(under, event) and event.isAccepted():
            break
        under = under.parentWidget()
    QApplication.processEvents()


def bring_into_view(bench, widget) -> None:
    """Turn the wheel of the page until the middle of a widget is seen."""
    area = page_of(widget)
    bench.wait(lambda: area.verticalScrollBar().maximum() > 0)      # it is laid out
    for _ in range(100):
        if widget.visibleRegion().contains(widget.rect().center()):
            QTest.qWait(100)        # the page may still be laid out anew
            if widget.visibleRegion().contains(widget.rect().center()):
                return
        below = widget.mapTo(area.viewport(), widget.rect().center()).y() > area.viewport().height() // 2
        before = area.verticalScrollBar().value()
        turn_wheel(area, -1 if below else 1)
        assert area.verticalScrollBar().value() != before, "the wheel does not move the page"
    raise AssertionError("it does not come into view")


def click_link(bench, label, where: str) -> None:
    """Move over a text until the pointer is on a link, and click."""
    QTest.qWait(300)        # it is laid out
    hovered = [""]
    label.linkHovered.connect(hovered.append)
    for y in range(4, label.height(), 6):
        for x in range(4, label.width(), 8):
            at = QPoint(x, y)
            if label.visibleRegion().contains(at):
                QTest.mouseMove(label, at)
                QApplication.processEvents()
                if hovered[-1] == where:
                    click(label, at)
                    return
    raise AssertionError(f"no link to {where} is seen")


def run_by_keys(bench) -> None:
    """A click into the view, beside the model, and Space."""
    click(bench.host, QPoint(12, bench.host.height() - 12))
    bench.wait(bench.host.hasFocus)
    strike(Key.Key_Space)


def test_a_stiff_spring_is_found_and_mended(bench):
    run_by_keys(bench)
    bench.wait(lambda: bench.snapshot.status == "diverged")
    end = bench.snapshot.time
    bench.wait(lambda: "divergence" in bench.docks.panels and bench.docks.panels["divergence"].isVisible())
    panel = bench.docks.panels["divergence"]
    bench.wait(lambda: panel.report is not None)
    assert "joint hinge" in panel.why.text() and "spring too stiff" in panel.why.text()
    click_link(bench, panel.why, f"joint:{bench.context.model.id('joint', 'hinge')}")
    bench.wait(lambda: bench.context.selection.active is not None and bench.context.selection.active.name == "hinge")
    row = next(row for row in panel.offers if "stiffness" in row.remedy.label)
    bench.wait(lambda: bench.application.divergence.work.over and "survives" in row.state.text())

    # what is offered, beside the run that stands still
    bring_into_view(bench, row.ghost)
    click(row.ghost)
    bench.wait(lambda: "beside: running" in row.state.text())
    ghost = bench.application.companions.rows[0]
    bench.wait(lambda: ghost.state.time > end + 0.2)
    assert bench.snapshot.time == end and len(bench.context.ghosts) == 1
    bring_into_view(bench, row.ghost)
    click(row.ghost)
    bench.wait(lambda: not bench.application.companions.rows)

    # and in the run itself
    bring_into_view(bench, row.apply)
    click(row.apply)
    bench.wait(lambda: bench.snapshot.time < end and not bench.snapshot.running and bench.snapshot.changed_values)
    run_by_keys(bench)
    bench.wait(lambda: bench.snapshot.time > end + 0.5)
    assert bench.snapshot.running

    # more damping in place of the softer spring
    other = next(row for row in panel.offers if row.label.font().bold() and "more damping" in row.remedy.label)
    bring_into_view(bench, other.apply)
    click(other.apply)
    stiffness = bench.context.model.jnt_stiffness
    bench.wait(lambda: not bench.snapshot.running and stiffness[bench.context.model.id("joint", "hinge")] == 1e5 and bench.snapshot.changed_values)
    assert bench.snapshot.time < end
    run_by_keys(bench)
    bench.wait(lambda: bench.snapshot.time > end + 0.5)
    assert bench.snapshot.running


def test_the_wheel_moves_the_page_over_its_curves(bench):
    run_by_keys(bench)
    bench.wait(lambda: bench.snapshot.status == "diverged")
    panel = bench.panel("divergence")
    bench.wait(lambda: panel.report is not None and bench.application.divergence.work.over)
    bring_into_view(bench, panel.curves.plot.viewport())
    area = page_of(panel)
    ranges = panel.curves.plot.viewRange()
    while panel.curves.plot.mapTo(area.viewport(), panel.curves.plot.rect().center()).y() > area.viewport().height() // 2:
        before = area.verticalScrollBar().value()
        turn_wheel(area, -1)
        assert area.verticalScrollBar().value() > before
    before = area.verticalScrollBar().value()
    turn_wheel(area, -1)        # the plot is under the pointer now
    assert area.verticalScrollBar().value() > before and panel.curves.plot.viewRange() == ranges
