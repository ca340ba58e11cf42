"""A model does not behave: the status bar says that there is advice, its panel what it is about, and a link shows the element."""
import pytest
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication

from tests.app.panels.diagnostics.advised import SINKING, click_link, hasten
from tests.journeys.hands import click, press_button, show_tab, turn_wheel


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "sinking.xml").write_text(SINKING)
    return workbench(tmp_path / "sinking.xml", size=(1400, 900))


def test_from_the_number_in_the_status_bar_to_the_element(bench):
    hasten(bench)
    press_button(bench, "run")
    status = bench.window.status.advice
    bench.wait(lambda: bench.snapshot.running and status.isVisible())
    click(status)
    bench.wait(lambda: "advice" in bench.docks.panels and not bench.docks.panels["advice"].visibleRegion().isEmpty())
    panel = bench.docks.panels["advice"]
    bench.wait(lambda: "deep_contact" in panel.rows)
    row = panel.rows["deep_contact"]
    plate = next(k for k, what in enumerate(row.advice.elements) if what.name == "plate")
    click_link(bench, row.label, str(plate))
    assert [what.name for what in bench.context.selection.elements] == ["plate"]
    seen = bench.docks.panels.get("inspector")
    inspector = seen if seen is not None and not seen.visibleRegion().isEmpty() else show_tab(bench, "Inspector")
    bench.wait(lambda: "plate" in inspector.title.text())
    turn_wheel(panel.area.viewport(), 20)       # back from the links at the end of the text
    click(row.dismiss)
    bench.wait(lambda: not status.isVisible() and not panel.rows)
    assert panel.again.isVisible() and panel.summary.text() == "Nothing else to advise."
    click(panel.again)
    bench.wait(lambda: "deep_contact" in panel.rows and status.isVisible())
    click(panel.copy_all)
    assert QGuiApplication.clipboard().text().startswith("Contacts deeper than their geoms: ")
    assert bench.snapshot.running and QApplication.activeModalWidget() is None and QApplication.activePopupWidget() is None
