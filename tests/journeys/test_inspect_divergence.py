"""A model that diverges: read why, press what helps, and it runs on; all by real events."""
import pytest
from PyQt6.QtWidgets import QScrollArea

from tests.app.workbench import Key
from tests.journeys.hands import click
from tests.physics.diagnostics.divergence_cases import FLAP, FLAP_VALUES


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "wing.xml"
    path.write_text(FLAP.format(**{**FLAP_VALUES, "stiffness": 1e5}))
    return workbench(path, size=(1300, 900))


def bring_into_view(bench, widget):
    """Turn the wheel of the page until it is seen."""
    area = widget.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    area.ensureWidgetVisible(widget)
    bench.wait(lambda: widget.visibleRegion().contains(widget.rect().center()))


def test_a_stiff_spring_is_found_and_mended(bench):
    bench.wait(bench.host.hasFocus)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.status == "diverged")
    end = bench.snapshot.time
    bench.wait(lambda: "divergence" in bench.docks.panels and bench.docks.panels["divergence"].isVisible())
    panel = bench.docks.panels["divergence"]
    bench.wait(lambda: panel.report is not None)
    assert "joint hinge" in panel.why.text() and "spring too stiff" in panel.why.text()
    row = next(row for row in panel.offers if "stiffness" in row.remedy.label)
    bench.wait(lambda: "survives" in row.state.text())
    bring_into_view(bench, row.apply)
    click(row.apply)
    bench.wait(lambda: bench.snapshot.time < end and not bench.snapshot.running and bench.snapshot.changed_values)
    bench.host.setFocus()
    bench.wait(lambda: not bench.application.simulation.running)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.time > end + 0.5)
    assert bench.snapshot.running
