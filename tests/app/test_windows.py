"""Several windows in one process: each with a model, a thread and text of its own; what is closed is gone."""
import gc
import json
import sys
import threading
import weakref

import pytest
from PyQt6.QtCore import QCoreApplication, QEvent, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QMessageBox

import physics
from app.panels.table import PANELS
from app.program import Program
from app.settings import Settings
from physics.model.model import Model
from tests.app.workbench import CTRL, SHIFT, SLOW
from tests.editor.left_behind import leave

MODEL = "<mujoco model='{0}'><worldbody><light pos='0 0 3'/><body name='{0}' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


class Desk:
    """A Program with windows, driven by events."""

    def __init__(self, qtbot, folder):
        physics.ensure_kernels()
        self.qtbot, self.folder = qtbot, folder
        self.program = Program(Settings(str(folder / "settings.ini")))
        self.program.settings.set("run/start_running", False)

    def file(self, name: str):
        """A model file of that name."""
        path = self.folder / f"{name}.xml"
        if not path.exists():
            path.write_text(MODEL.format(name))
        return path

    def open(self, path=None):
        """A window on a file, with its first picture and its panels."""
        application = self.program.open_window(path)
        self.ready(application)
        return application

    def ready(self, application) -> None:
        """Wait until the window shows a model and its panels."""
        self.wait(lambda: application.context.model is not None and application.context.snapshot is not None)
        self.wait(lambda: application.window.layout_of_docks.filled)

    def wait(self, condition) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=SLOW)

    def close(self, application) -> None:
        """Close a window and let everything that follows happen."""
        application.window.close()
        self.wait(lambda: application not in self.program.windows)
        settle()

    def end(self) -> None:
        for application in list(self.program.windows):
            application.files.may_leave = lambda: True
            self.close(application)


def settle() -> None:
    """Let deferred deletions happen, and the collector run."""
    for _ in range(3):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


@pytest.fixture
def desk(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("app.thumbnails.cache_dir", lambda: str(tmp_path))
    made = Desk(qtbot, tmp_path)
    yield made
    made.end()


def test_two_windows_run_two_models(desk):
    first, second = desk.open(desk.file("one")), desk.open(desk.file("two"))
    assert first.context.model.names["body"][1] == "one" and second.context.model.names["body"][1] == "two"
    for application in (first, second):
        application.simulation.toggle_run()
    desk.wait(lambda: all(a.context.snapshot.time > .05 for a in (first, second)))
    second.actions["run"].trigger()
    desk.wait(lambda: not second.context.snapshot.running)
    assert first.context.snapshot.running
    first.context.select_body(1)
    assert first.context.selection.bodyid == 1 and second.context.selection.bodyid == 0


def test_a_model_runs_when_it_is_opened_where_the_settings_say_so(desk):
    first = desk.open(desk.file("one"))
    assert not first.context.snapshot.running
    desk.program.settings.set("run/start_running", True)
    first.files.open(desk.file("two"))
    desk.wait(lambda: first.context.snapshot.running and first.context.snapshot.time > 0)


def test_a_new_window_opens_by_its_key_beside_the_other(desk):
    first = desk.open(desk.file("one"))
    first.window.resize(500, 400)
    first.viewport.host.setFocus()
    QTest.keyClick(first.viewport.host, Qt.Key.Key_N, CTRL | SHIFT)
    desk.wait(lambda: len(desk.program.windows) == 2)
    second = desk.program.windows[1]
    assert second.window.isVisible() and second.window.pos() != first.window.pos() and second.window.size() == first.window.size()
    assert second.session.path is None and second.welcome.page.isVisible()      # models to choose from
    second.welcome.page.models.chosen.emit(desk.file("two"))
    desk.ready(second)
    assert second.session.path == desk.file("two") and not second.welcome.page.isVisible() and first.session.path == desk.file("one")


def test_a_model_opens_in_a_new_window(desk, monkeypatch):
    first = desk.open(desk.file("one"))
    monkeypatch.setattr("app.controllers.files.ask_for_file", lambda *_: desk.file("two"))
    first.actions["open_in_new_window"].trigger()
    second = desk.program.windows[1]
    assert second.session.path == desk.file("two") and first.session.path == desk.file("one")


def test_windows_on_the_same_document_have_numbers_in_their_titles(desk):
    path = desk.file("one")
    first, second = desk.open(path), desk.open(path)
    assert first.window.windowTitle() == "one.xml - Linkwork" and second.window.windowTitle() == "one.xml [2] - Linkwork"
    third = desk.open(desk.file("two"))
    assert third.window.windowTitle() == "two.xml - Linkwork"
    desk.close(first)
    assert second.window.windowTitle() == "one.xml - Linkwork"


def test_what_one_window_saves_the_other_on_the_same_document_takes_up(desk):
    path = desk.file("one")
    first, second = desk.open(path), desk.open(path)
    first.session.set_text(first.session.document.key, path.read_text().replace("size='.1'", "size='.25'"))
    assert first.session.modified and not second.session.modified
    assert first.session.save()
    desk.wait(lambda: second.context.model.geom_size[0, 0] == .25)


def test_a_closed_window_ends_its_threads_and_frees_its_model(desk):
    first = desk.open(desk.file("one"))
    desk.wait(lambda: first.session._watcher is not None and first.session._watcher._watches)     # all of its threads are there
    settle()
    before, models = threads(), live_models()
    for _round in range(3):
        application = desk.open(desk.file("two"))
        for panel in PANELS:
            assert application.window.layout_of_docks.show(panel.id) is not None
        application.viewport.tools.pose(True)      # which has a thread of its own
        application.simulation.toggle_run()
        desk.wait(lambda: application.context.snapshot.time > 0)
        watched = [weakref.ref(thing) for thing in (application.context.model, application, application.viewport, application.session, application.window)]
        desk.close(application)
        del application
        settle()
        gone(desk, watched)
        desk.wait(lambda: threads() <= before)
        assert live_models() <= models
    assert first.context.snapshot is not None and first.viewport.host.isVisible()


def test_a_closed_window_ends_and_frees_its_scripts(desk, tmp_path):
    first = desk.open(desk.file("one"))
    desk.wait(lambda: first.session._watcher is not None and first.session._watcher._watches)
    settle()
    before, finders = threads(), list(sys.meta_path)
    (tmp_path / "gains_of_mine.py").write_text("kp = 1\n")
    (tmp_path / "s.py").write_text("import gains_of_mine\ngain = ui.slider('g', 0, 1)\ndef control(m, d): pass\ndef draw(markers): pass\n"
                                   "def after_step(m, d):\n    while d.time > 0.1: pass\n")
    application = desk.open(desk.file("two"))
    assert application.scripts.open(tmp_path / "s.py")
    desk.wait(lambda: [script.state for script in application.scripts.set.scripts] == ["on"])
    application.simulation.toggle_run()
    desk.wait(lambda: (hanging := application.scripts.set.hanging()) is not None and hanging[1] > 0.05)     # closed while a function hangs
    script = application.scripts.set.scripts[0]
    watched = [weakref.ref(thing) for thing in (application, application.context.model, script.loaded.module, script)]
    desk.close(application)
    assert not application.runner.alive     # it was stopped, not waited for
    del application, script
    gone(desk, watched)
    desk.wait(lambda: threads() <= before)
    assert sys.meta_path == finders and "gains_of_mine" not in sys.modules


def test_what_was_made_of_a_workspace_in_one_window_outlives_what_another_writes(desk):
    first, second = desk.open(desk.file("one")), desk.open(desk.file("two"))
    second.window.workspaces.choose("edit")
    second.window.layout_of_docks.show("watch")
    first.window.workspaces.choose("inspect")
    second.window.remember()
    first.window.remember()     # knows nothing of the other's "edit"
    first.window.workspaces.choose("simulate")
    second.window.workspaces.choose("simulate")
    second.window.layout_of_docks.show("equality")
    second.window.remember()
    first.window.workspaces.choose("inspect")
    records = json.loads(desk.program.settings.get("window/workspaces"))["records"]
    assert set(records) == {"simulate", "inspect", "edit"} and "watch" in records["edit"]["open"] and "equality" in records["simulate"]["open"]
    third = desk.open(desk.file("one"))
    desk.wait(lambda: "equality" in third.window.layout_of_docks.record()["open"])
    third.window.workspaces.choose("edit")
    assert "watch" in third.window.layout_of_docks.record()["open"]


def gone(desk, watched) -> None:
    """Wait until nothing of a closed window is left; a thread of it may have a last piece of work to end."""
    def left() -> list:
        settle()
        return [type(thing()).__name__ for thing in watched if thing() is not None]

    desk.wait(lambda: not left())


def threads() -> int:
    """Threads of the windows: physics, compiler, watcher ... (not those that give memory back)."""
    return sum(thread.name != "give back" for thread in threading.enumerate())


def live_models() -> int:
    """Models in memory."""
    return sum(isinstance(thing, Model) for thing in gc.get_objects())


def test_quitting_asks_for_the_unsaved_text_of_each_window(desk, monkeypatch):
    first, second, third = (desk.open(desk.file(name)) for name in ("one", "two", "three"))
    for application in (first, third):
        application.session.set_text(application.session.document.key, "<mujoco/>")
    asked, answers = [], [QMessageBox.StandardButton.Discard, QMessageBox.StandardButton.Cancel]
    monkeypatch.setattr(QMessageBox, "question", lambda window, *_: asked.append(window) or answers.pop(0))
    second.actions["quit"].trigger()
    assert asked == [third.window, first.window]
    desk.wait(lambda: desk.program.windows == [first])      # the one that the user wanted to keep


def test_a_copy_of_unsaved_text_is_kept_for_each_window(desk, tmp_path):
    first, second = desk.open(desk.file("one")), desk.open(desk.file("one"))
    for application, word in ((first, "mine"), (second, "yours")):
        application.session.set_text(application.session.document.key, f"<mujoco><!-- {word} --></mujoco>")
        application.session.autosave()
    texts = [path.read_text() for path in (tmp_path / "state" / "unsaved").glob("*.json")]
    assert len(texts) == 2 and any("mine" in text for text in texts) and any("yours" in text for text in texts)
    assert first.session.recovery is None and second.session.recovery is None      # a living window's copy is nobody's to take


def test_text_that_a_crash_left_is_offered_in_every_window_until_one_settles_it(desk, tmp_path):
    path = desk.file("one")
    leave(tmp_path / "state" / "unsaved", str(path), {str(path): "<mujoco><!-- left --></mujoco>"})
    first, second = desk.open(path), desk.open(path)
    assert first.session.recovery is not None and second.session.recovery is not None
    second.session.restore()
    assert "left" in second.session.document.main.text
    assert first.session.recovery is None and second.session.recovery is None and "left" not in first.session.document.main.text
