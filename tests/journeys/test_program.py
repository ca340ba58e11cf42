"""The program around the models: settings that act at once and everywhere, windows that live by themselves."""
import pytest
from PyQt6.QtCore import QPoint, QTimer
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMessageBox

from app.settings import Settings
from tests.app.test_windows import Desk
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key
from tests.journeys.hands import choose, click, press_button, retype, strike, type_keys, write

BALL = """<mujoco model="ball">
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".1"/></body>
  </worldbody>
</mujoco>
"""
SWING = """<mujoco model="swing">
  <worldbody>
    <light pos="0 0 3"/>
    <body name="swing" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom name="rod" type="capsule" fromto="0 0 0 .4 0 0" size=".04"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def desk(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("app.thumbnails.cache_dir", lambda: str(tmp_path))
    (tmp_path / "ball.xml").write_text(BALL)
    (tmp_path / "swing.xml").write_text(SWING)
    made = Desk(qtbot, tmp_path)
    made.program.settings.add_recent(tmp_path / "swing.xml")
    yield made
    for name in ("view/theme", "view/font_scale"):
        made.program.settings.reset(name)
    made.end()


class Hands:
    """A window of the desk as the helpers of tests.journeys.hands want it."""

    def __init__(self, desk, application):
        self.wait, self.application = desk.wait, application
        self.window, self.actions, self.session, self.context = application.window, application.actions, application.session, application.context
        self.docks, self.host = application.window.layout_of_docks, application.viewport.host

    @property
    def snapshot(self):
        """The newest snapshot."""
        return self.context.snapshot

    def take_keys(self) -> None:
        """The user goes to this window, with the keys in its view."""
        self.window.raise_()
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)
        self.host.setFocus()
        self.wait(self.host.hasFocus)


def beside(desk, first: Hands, name: str) -> Hands:
    """Another window by Ctrl+Shift+N, on a model found among those opened lately."""
    first.take_keys()
    strike(Key.Key_N, CTRL | SHIFT)
    desk.wait(lambda: len(desk.program.windows) > 1)
    made = desk.program.windows[-1]
    search = made.welcome.page.models.search
    desk.wait(lambda: not search.visibleRegion().isEmpty() and made.window.isActiveWindow())
    click(search)
    desk.wait(search.hasFocus)
    type_keys(name)
    strike(Key.Key_Return)
    desk.ready(made)
    return Hands(desk, made)


def test_settings_act_at_once_and_are_remembered(desk, tmp_path):
    first = Hands(desk, desk.open(tmp_path / "ball.xml"))
    first.take_keys()
    strike(Key.Key_Comma, CTRL)
    dialog = first.application.program_control.settings_dialog
    desk.wait(lambda: dialog.isVisible() and dialog.search.hasFocus())
    type_keys("colours")
    desk.wait(lambda: not dialog.rows["run/start_running"].isVisibleTo(dialog))
    choose(first, dialog.rows["view/theme"].field.widget, "Light")
    desk.wait(lambda: first.window.palette().window().color().lightness() > 128)

    dialog.search.clear()
    type_text(desk, dialog, "size of texts")
    before = QApplication.font().pointSizeF()
    size = dialog.rows["view/font_scale"].field.widget
    desk.wait(lambda: size.height() > 10 and size.visibleRegion().contains(size.rect().center()))
    write(first, dialog.rows["view/font_scale"].field.widget, "125")
    assert QApplication.font().pointSizeF() == pytest.approx(1.25 * before)
    type_text(desk, dialog, "adaptive")
    view = first.application.viewport
    assert view._adapts() == view.renderer.calls.unlocked
    box = dialog.rows["view/adaptive"].field.widget
    desk.wait(lambda: not box.visibleRegion().isEmpty())
    click(box, QPoint(8, box.height() // 2))
    assert not view._adapts()
    strike(Key.Key_Escape)
    desk.wait(lambda: not dialog.isVisible())

    second = beside(desk, first, "swing")
    assert not second.application.viewport._adapts() and second.window.palette().window().color().lightness() > 128
    assert second.application.overlay.scale == 1.25 and first.application.overlay.scale == 1.25
    assert second.window.font().pointSizeF() == pytest.approx(1.25 * before)
    desk.program.settings.save()
    again = Settings(str(tmp_path / "settings.ini"))        # the next start
    assert (again.get("view/theme"), again.get("view/font_scale"), again.get("view/adaptive")) == ("light", 125, False)


def type_text(desk, dialog, text: str) -> None:
    """Search for something else in the dialog."""
    click(dialog.search)
    desk.wait(dialog.search.hasFocus)
    dialog.search.selectAll()
    type_keys(text)


def test_two_windows_live_by_themselves(desk, tmp_path, monkeypatch):
    first = Hands(desk, desk.open(tmp_path / "ball.xml"))
    second = beside(desk, first, "swing")
    assert (first.window.windowTitle(), second.window.windowTitle()) == ("ball.xml - Linkwork", "swing.xml - Linkwork")
    for hands in (first, second):
        hands.take_keys()
        strike(Key.Key_Space)
    desk.wait(lambda: first.snapshot.time > 0.1 and second.snapshot.time > 0.1)
    assert len(first.snapshot.qpos) == 7 and len(second.snapshot.qpos) == 1
    strike(Key.Key_Space)       # of the second
    desk.wait(lambda: not second.snapshot.running)
    still, now = second.snapshot.time, first.snapshot.time
    desk.wait(lambda: first.snapshot.time > now + 0.1)
    assert second.snapshot.time == still and first.snapshot.running

    strike(Key.Key_3, CTRL)
    desk.wait(lambda: second.docks.filled and "properties" in second.docks.panels and not second.docks.panels["properties"].visibleRegion().isEmpty())
    second.docks.show("source")
    desk.wait(lambda: not second.docks.panels["source"].visibleRegion().isEmpty())
    retype(second, second.docks.panels["source"].editor(), 'size=".04"', 'size=".06"')
    desk.wait(lambda: second.context.model.geom_size[0, 0] == 0.06)
    assert second.window.windowTitle() == "*swing.xml - Linkwork" and not first.session.modified

    asked = []
    answer(asked, QMessageBox.StandardButton.Cancel)
    strike(Key.Key_W, CTRL)
    assert "not saved" in asked.pop() and second.window.isVisible() and len(desk.program.windows) == 2
    answer(asked, QMessageBox.StandardButton.Save)
    strike(Key.Key_W, CTRL)
    desk.wait(lambda: len(desk.program.windows) == 1)
    assert asked and 'size=".06"' in (tmp_path / "swing.xml").read_text()

    now = first.snapshot.time
    desk.wait(lambda: first.snapshot.time > now + 0.1)
    assert first.snapshot.running and (tmp_path / "ball.xml").read_text() == BALL
    first.take_keys()
    press_button(first, "run")
    desk.wait(lambda: not first.snapshot.running)
    answer(asked := [], QMessageBox.StandardButton.Discard)
    strike(Key.Key_W, CTRL)
    desk.wait(lambda: not desk.program.windows)
    assert not asked      # nothing of it was unsaved


def answer(asked: list[str], button) -> None:
    """Click a button of the next question, as soon as it is there, and note what it asked."""
    def look(tries: int = 2000) -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            asked.append(box.text())
            QTest.mouseClick(box.button(button), Button.LeftButton, NONE)
        elif tries:
            QTimer.singleShot(10, lambda: look(tries - 1))

    QTimer.singleShot(0, look)
