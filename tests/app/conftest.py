"""Fixtures: the real window, in settings and folders of the test's own."""
import pytest
from PyQt6.QtCore import QCoreApplication, QEvent
from PyQt6.QtWidgets import QTableView

from tests.app.kept_context import KeptContext
from tests.app.workbench import Workbench


@pytest.fixture(scope="session")
def kept_context():
    """What windows of this process draw with, one after the other."""
    return KeptContext()


@pytest.fixture
def workbench(qtbot, tmp_path, monkeypatch, kept_context):
    """workbench(model, **options): the program's window, closed at the end of the test."""
    kept_context.patch(monkeypatch)
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("app.thumbnails.cache_dir", lambda: str(tmp_path))
    made = []

    def make(model=None, **options) -> Workbench:
        made.append(Workbench(qtbot, tmp_path, model, **options))
        return made[-1]

    yield make
    for bench in made:
        bench.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)       # outside of an event loop Qt would wait for the next one, in which the next window is made


@pytest.fixture
def enlarge(workbench):
    """enlarge(bench, table): texts twice as large, until the end of the test; waits until the rows of an open table are as high as they need."""
    enlarged = []

    def twice(bench: Workbench, table: QTableView) -> None:
        height = table.fontMetrics().height()
        enlarged.append(bench)
        bench.settings.set("view/font_scale", 200)
        bench.wait(lambda: table.fontMetrics().height() > 1.5 * height)
        bench.wait(lambda: table.rowHeight(0) >= table.fontMetrics().height())

    yield twice
    for bench in enlarged:
        bench.settings.reset("view/font_scale")
