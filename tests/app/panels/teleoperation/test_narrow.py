"""Nothing of the workspace Teleoperate is cut in a small window."""
import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtWidgets import QAbstractButton, QScrollArea

from assets.locate import bundled_model
from tests.journeys.hands import click


@pytest.fixture
def small(workbench, request):
    bench = workbench(bundled_model(f"{getattr(request, 'param', 'two_arms')}.xml"), size=(1024, 640))
    bench.application.actions["workspace_teleoperate"].trigger()
    panel = bench.panel("teleoperation")
    bench.wait(lambda: panel.isVisible() and panel.boxes)
    return bench


@pytest.mark.parametrize("small, name", [("two_arms", "teleoperation"), ("hand", "teleoperation"), ("quadruped", "teleoperation"), ("two_arms", "demonstrations")], indirect=["small"])
def test_panels_are_as_narrow_as_their_place(small, name):
    panel = small.panel(name)
    if name == "teleoperation":
        for box in panel.boxes:
            box.fold(False)
        panel.times.fold(True)
    else:
        for section in (panel.how, panel.episodes, panel.recorded.folder):
            section.fold(True)
    area = panel.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    small.settled()
    small.wait(lambda: panel.width() <= area.viewport().width())
    assert not area.horizontalScrollBar().isVisible()
    buttons = [one for one in panel.findChildren(QAbstractButton) if one.isVisible()]
    assert len(buttons) > 4 and all(one.mapTo(panel, QPoint(one.width(), 0)).x() <= panel.width() for one in buttons)


def test_the_code_of_the_page_has_room_when_it_is_switched_on(small):
    pytest.importorskip("aiohttp")
    panel = small.panel("teleoperation")
    panel.show_pairing()
    dialog = panel.pairing
    low = dialog.height()
    small.application.teleoperation.serve(secure=True, port=0)
    dialog.look()
    small.wait(lambda: dialog.code.isVisible() and dialog.code.height() >= 220 and dialog.height() > low + 200)
    side = min(dialog.code.width(), dialog.code.height())
    assert side // len(dialog.code.rows) >= 4, "whole pixels for each module"
    assert dialog.fingerprint.text().replace("\n", "") == small.application.teleoperation.page.server.fingerprint and dialog.fingerprint.sizeHint().width() <= dialog.fingerprint.width()
    click(dialog.switch)
    small.wait(lambda: not dialog.code.isVisible() and dialog.height() < low + 100)
