"""The panel Teleoperation by real events: arming, keys of the view, letting go, what is kept beside the model."""
from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.inputs.mapping.dead_man import Lamp
from app.inputs.mapping.mapping_file import read
from app.inputs.sample import Sample
from app.panels.teleoperation.pairing_dialog import OFF
from app.panels.teleoperation.panel import EMPTY
from tests.app.panels.teleoperation.visiting import Visiting
from tests.app.workbench import NONE, Button, Key
from tests.journeys.hands import bring, click, enter

MODEL = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="target" mocap="true" pos="0 0 .5"><geom type="box" size=".05 .05 .05" contype="0" conaffinity="0"/></body>
    <body name="thing" pos="0 0 .5"><freejoint/><geom size=".04"/></body>
  </worldbody>
  <equality><weld body1="thing" body2="target"/></equality>
</mujoco>
"""
EMPTY_MODEL = "<mujoco><worldbody><geom type='plane' size='1 1 .1'/></worldbody></mujoco>"


@pytest.fixture
def made(workbench, tmp_path):
    path = tmp_path / "scene.xml"
    path.write_text(MODEL)
    bench = workbench(path, size=(1400, 900))
    bench.application.actions["workspace_teleoperate"].trigger()
    panel = bench.panel("teleoperation")
    bench.wait(lambda: panel.isVisible() and panel.boxes)
    return bench, panel


def lamp(panel):
    return panel.control.states[0].lamp


def armed(bench, panel):
    click(panel.boxes[0].arm)
    bench.wait(lambda: lamp(panel) is Lamp.ARMED and panel.arm.isChecked())


def place(bench):
    return np.array(bench.context.snapshot.xpos[bench.context.model.id("body", "target")])


def test_keys_move_the_likeliest_thing_and_escape_lets_go(made):
    bench, panel = made
    assert [box.name.text() for box in panel.boxes] == ["target"] and panel.keys.isVisible() and lamp(panel) is Lamp.DISARMED
    click(panel.arm)
    bench.wait(lambda: lamp(panel) is Lamp.ARMED and panel.boxes[0].dot.lamp is Lamp.ARMED)
    assert panel.arm.text() == "Let go" and bench.host.hasFocus() and bench.application.actions["arm"].isChecked() 
    bench.wait(lambda: bench.context.snapshot.running)
    before = place(bench)
    QTest.keyPress(bench.host, Key.Key_E)
    bench.wait(lambda: place(bench)[2] > before[2] + 0.02)
    QTest.keyRelease(bench.host, Key.Key_E)
    QTest.keyClick(bench.host, Key.Key_Escape)
    bench.wait(lambda: lamp(panel) is Lamp.DISARMED and not panel.arm.isChecked() and not panel.boxes[0].arm.isChecked())
    held = bench.steady(lambda: tuple(place(bench).tolist()))
    QTest.keyPress(bench.host, Key.Key_E)
    QTest.keyRelease(bench.host, Key.Key_E)
    bench.pictures(3)
    assert tuple(place(bench).tolist()) == held


def test_letters_are_the_views_again_after_it_let_go(made):
    bench, panel = made
    armed(bench, panel)
    contacts = bench.application.actions["flag_contact_point"]
    before = contacts.isChecked()
    QTest.keyClick(bench.host, Key.Key_C)
    bench.pictures(2)
    assert contacts.isChecked() == before
    click(panel.boxes[0].arm)
    bench.wait(lambda: not panel.control.armed and not panel.control.keys.armed)
    bench.host.setFocus()
    bench.wait(bench.host.hasFocus)

    def toggled() -> bool:      # by one of the presses: a window without a window manager has its keys a moment later
        QTest.keyClick(bench.host, Key.Key_C)
        return contacts.isChecked() != before

    bench.wait(toggled)


def test_scale_speed_and_source_are_changed_kept_and_read_again(made):
    bench, panel = made
    box = panel.boxes[0]
    click(box.more)
    bring(box.scale)
    enter(bench, box.scale, "2.5")
    assert panel.control.mapping.drives[0].scale[0] == 2.5 and panel.boxes[0] is box and panel.save.isEnabled()
    enter(bench, box.speed, "0.3")
    bench.wait(lambda: panel.control.mapping.drives[0].limits.speed == 0.3)
    bench.wait(lambda: panel.boxes[0].details.isVisible())      # what was opened stays so
    panel.control.change_source("target", "pad:0")
    assert panel.boxes[0].source.currentData() == "pad:0" and not panel.keys.isVisible()
    click(panel.save)
    bench.wait(lambda: not panel.save.isEnabled())
    path = bench.session.document.path.with_suffix(".teleop.toml")
    assert read(path) == panel.control.mapping
    panel.control.remove("target")
    assert panel.note.text() == EMPTY and not panel.arm.isEnabled()
    assert panel.control.load() and panel.control.mapping == read(path) and panel.boxes


def test_a_wrong_file_is_told_and_what_was_derived_serves(made):
    bench, panel = made
    path = bench.session.document.path.with_suffix(".teleop.toml")
    path.write_text('[[drive]]\nname = "a"\nsource = "keyboard"\nkind = "mocap"\nspeed = 3\n')
    assert not panel.control.load()
    assert "line 5" in panel.note.text() and [one.mocap for one in panel.control.mapping.drives] == ["target"]


def test_what_is_offered_is_added_once_more_under_another_name(made):
    bench, panel = made
    panel.menu.aboutToShow.emit()
    texts = [action.text() for action in panel.menu.actions()]
    assert texts[0] == "Mocap body: target" and any(text.startswith("Spring") for text in texts)
    panel.menu.actions()[0].trigger()
    assert [box.name.text() for box in panel.boxes] == ["target", "target 2"]


def test_a_device_that_goes_away_holds_and_is_lost(made):
    bench, panel = made

    class Stick:
        name, state = "script", "ready: a stick"

        def start(self, put):
            self.put = put

        def stop(self):
            pass

        def feedback(self, strength, milliseconds, name=""):
            pass

    stick = Stick()
    panel.control.change_source("target", "script")
    panel.control._begin().add(stick)
    bench.wait(lambda: panel.boxes[0].arm.isVisible() and panel.boxes[0].source.currentData() == "script")
    bench.settled()
    click(panel.boxes[0].arm)
    number = iter(range(1, 10**6))

    def sent(x, tracked=True):
        stick.put(Sample("script", "axes", next(number), axes={"x": x}, tracked=tracked))

    def pushed() -> None:       # anew where this process had no time for so long that the drive was lost
        sent(0.0 if lamp(panel) is Lamp.LOST else 1.0)

    before = place(bench)
    bench.wait(lambda: (pushed(), np.linalg.norm(place(bench) - before) > 0.02)[1])
    bench.wait(lambda: (pushed(), panel.boxes[0].state.text() == "follows")[1])
    bench.wait(lambda: (pushed(), "total" in panel.control.latency())[1])
    bench.wait(lambda: (sent(0.0, False), lamp(panel) is Lamp.LOST)[1])
    bench.wait(lambda: "lost" in panel.boxes[0].state.text())


def wheel(bench, clicks):
    at = QPointF(bench.host.width() / 2, bench.host.height() / 2)
    QApplication.sendEvent(bench.host, QWheelEvent(at, QPointF(bench.host.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, 120 * clicks), Button.NoButton, NONE, Qt.ScrollPhase.NoScrollPhase, False))


def test_the_wheel_changes_the_scale_of_what_is_held_and_else_the_views(made):
    bench, panel = made
    armed(bench, panel)
    view = bench.application.view_control
    QTest.keyPress(bench.host, Key.Key_E)
    bench.wait(lambda: panel.control.states[0].engaged)
    camera = view.camera
    wheel(bench, -2)
    assert panel.control.mapping.drives[0].scale[0] == pytest.approx(0.5 ** 0.5) and view.camera == camera
    bench.wait(lambda: panel.boxes[0].state.text() == "follows, \u00d7 0.71" and panel.boxes[0].scale.number == pytest.approx(0.5 ** 0.5, abs=1e-3))
    wheel(bench, -40)
    bench.wait(lambda: panel.control.states[0].scale == 0.25)
    QTest.keyRelease(bench.host, Key.Key_E)
    bench.wait(lambda: not panel.control.states[0].engaged)
    wheel(bench, 1)
    assert panel.control.mapping.drives[0].scale[0] == 0.25 and view.camera != camera


def test_what_waits_for_its_trigger_is_told(made):
    bench, panel = made
    box = panel.boxes[0]
    state = panel.control.states[0]
    box.show_state(replace(state, lamp=Lamp.ARMED, following=True, waiting=("trigger is at 0 %: bring it to 80 % to take over",)))
    assert box.state.text() == "follows\ntrigger is at 0 %: bring it to 80 % to take over"


def test_another_model_begins_with_its_own(made, tmp_path):
    bench, panel = made
    armed(bench, panel)
    path = tmp_path / "empty.xml"
    path.write_text(EMPTY_MODEL)
    bench.session.open(path)
    bench.wait(lambda: not panel.boxes and not panel.control.armed)
    assert panel.note.text() == EMPTY and not panel.control.keys.armed


def test_a_visitor_of_the_page_is_let_in_by_a_click_and_moves_what_it_drives(made):
    bench, panel = made
    pytest.importorskip("aiohttp")
    panel.control.change_source("target", "xr:right")
    assert panel.control.mapping.drives[0].frame == "world"     # who wears a headset stands in the model
    panel.control.change("target", clutch="always")
    assert not panel.control.arm() and "Pair" in panel.note.text() and panel.control.page is None      # nothing is served that was not switched on
    click(panel.pair)
    dialog = panel.pairing
    bench.wait(dialog.isVisible)
    dialog.where.setCurrentIndex(1)     # without a certificate: this machine alone
    assert dialog.where.currentData() == ("127.0.0.1", False) and dialog.note.text() == OFF and not dialog.code.isVisible()
    click(dialog.switch)
    bench.wait(lambda: dialog.code.isVisible() and dialog.code.rows and dialog.address.text().startswith("http://127.0.0.1:"))
    origin, _, token = dialog.address.text().partition("/#")
    with Visiting(origin, token) as visitor:
        bench.wait(lambda: dialog.visitors.count() == 1 and dialog.visitors.itemAt(0).widget().isVisible())
        assert not visitor.welcome.is_set()
        click(dialog.visitors.itemAt(0).widget().admit)
        bench.wait(visitor.welcome.is_set)
        bench.wait(lambda: "controls" in dialog.present.text())
        panel.control.arm()
        before, number = place(bench), iter(range(1, 10**6))

        def moved() -> bool:
            visitor.pose("right", (0.0, 0.0, 0.002 * next(number)))
            return place(bench)[2] > before[2] + 0.03

        bench.wait(moved)
    bench.wait(lambda: panel.control.states[0].lamp in (Lamp.HOLDING, Lamp.LOST))
    click(dialog.switch)
    bench.wait(lambda: panel.control.page is None and not dialog.code.isVisible())
    dialog.close()
