"""Faders of a drive learnt by touching them and the sliders of controls."""
from itertools import count

import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest

from app.controllers.teleoperation import learning
from app.inputs.mapping.drive_mapping import DriveMapping
from app.inputs.sample import Sample
from app.panels.teleoperation.learn_line import TOUCH
from tests.app.workbench import Button, Key
from tests.journeys.hands import bring, choose, click

MODEL = """<mujoco>
  <worldbody>
    <body><joint name="a" range="-90 90"/><geom size=".1"/><body pos=".3 0 0"><joint name="b"/><geom size=".1"/></body></body>
  </worldbody>
  <actuator><position name="first" joint="a" ctrlrange="-1 1"/><position name="second" joint="b" ctrlrange="0 4"/></actuator>
</mujoco>
"""


class Faders:
    """Stands for a box of faders."""

    state = "ready: faders"

    def __init__(self, name):
        self.name, self.axes, self._number = name, {}, count(1)

    def start(self, put):
        self._put = put

    def stop(self):
        pass

    def feedback(self, strength, milliseconds, name=""):
        pass

    def move(self, **axes):
        self.axes = {**self.axes, **axes}
        self._put(Sample(self.name, "axes", next(self._number), axes=self.axes))


@pytest.fixture
def made(workbench, tmp_path, monkeypatch):
    monkeypatch.setattr(learning, "STILL", 0.05)
    path = tmp_path / "scene.xml"
    path.write_text(MODEL)
    bench = workbench(path, size=(1400, 900))
    bench.application.actions["workspace_teleoperate"].trigger()
    panel = bench.panel("teleoperation")
    bench.wait(lambda: panel.isVisible())
    for one in panel.control.mapping.drives:
        panel.control.remove(one.name)

    def drive(source="midi", **more):
        faders = Faders(source)
        panel.control.add(DriveMapping("faders", source, more.pop("kind", "controls"), **more))
        panel.control._begin().add(faders)
        bench.wait(lambda: len(panel.boxes) == 1 and panel.boxes[0].learning.learn.isVisible())
        bench.settled()
        return faders

    return bench, panel, drive


def pairs(panel):
    return dict(panel.control.mapping.drives[0].controls)


def press(bench, panel):
    bench.wait(lambda: not panel.boxes[0].learning.learn.visibleRegion().isEmpty())     # boxes are made anew with each pair
    bring(panel.boxes[0].learning.learn)
    click(panel.boxes[0].learning.learn)


def begin(bench, panel):
    press(bench, panel)
    bench.wait(lambda: panel.teaching.drive == "faders" and panel.boxes[0].learning.learn.text() == "End")


def test_a_fader_and_the_slider_that_are_touched_are_a_pair_and_escape_ends(made):
    bench, panel, drive = made
    faders = drive(controls={"cc1": ("second", 0.0, 4.0)})
    begin(bench, panel)
    assert panel.boxes[0].learning.note.text() == TOUCH
    faders.move(cc7=0.2, cc8=0.5)
    bench.pictures(2)
    bench.wait(lambda: (faders.move(cc7=faders.axes["cc7"] + 0.01), panel.teaching.axis == "cc7")[1])
    assert "cc7" in panel.boxes[0].learning.note.text() and "cc1" in pairs(panel)
    controls = bench.panel("controls")
    bench.wait(lambda: controls.isVisible() and len(controls.rows) == 2)
    slider = controls.rows[1].slider
    bring(slider)
    bench.settled()
    QTest.mousePress(slider, Button.LeftButton, pos=QPoint(slider.width() // 3, slider.height() // 2))
    QTest.mouseRelease(slider, Button.LeftButton, pos=QPoint(slider.width() // 3, slider.height() // 2))
    bench.wait(lambda: pairs(panel) == {"cc7": ("second", 0.0, 4.0)})
    assert panel.teaching.last == "cc7 sets second" and panel.teaching.drive
    bench.host.setFocus()
    QTest.keyClick(bench.host, Key.Key_Escape)
    bench.wait(lambda: not panel.teaching.drive)
    assert not panel.boxes[0].learning.learn.isChecked() and panel.boxes[0].moves.text() == "Controls: cc7 \u2192 second"


def test_the_hand_that_moves_on_after_a_pair_is_not_the_next_pair(made, monkeypatch):
    bench, panel, drive = made
    monkeypatch.setattr(learning, "STILL", 60.0)
    faders = drive()
    begin(bench, panel)
    choose(bench, panel.boxes[0].learning.control, "first")
    faders.move(cc7=0.2)
    bench.wait(lambda: panel.teaching._faders._from)
    faders.move(cc7=0.4)
    bench.wait(lambda: pairs(panel) == {"cc7": ("first", -1.0, 1.0)})
    faders.move(cc7=0.9, cc9=0.0)
    bench.wait(lambda: "cc9" in panel.teaching._faders._from)
    faders.move(cc9=0.3)
    bench.wait(lambda: panel.teaching.axis == "cc9")


def test_a_fader_that_was_learnt_takes_over_when_it_comes_past_the_control(made):
    bench, panel, drive = made
    faders = drive()
    panel.control.arm()
    bench.wait(lambda: panel.control.armed and panel.control.states[0].lamp != "disarmed")
    begin(bench, panel)
    choose(bench, panel.boxes[0].learning.control, "second")
    faders.move(cc7=0.2)
    bench.wait(lambda: panel.teaching._faders._from)
    faders.move(cc7=0.5)
    bench.wait(lambda: pairs(panel) == {"cc7": ("second", 0.0, 4.0)})
    press(bench, panel)
    bench.wait(lambda: panel.control.states[0].lamp == "armed")     # as before
    faders.move(cc7=0.4)
    bench.wait(lambda: panel.boxes[0].state.text() == "follows\ncc7 is at 40 %: bring it to 0 % to take over")
    bench.pass_time(0.05)
    assert bench.snapshot.ctrl[1] == 0.0
    faders.move(cc7=0.0)
    bench.pass_time(0.05)
    faders.move(cc7=0.25)
    bench.wait(lambda: bench.snapshot.ctrl[1] == 1.0 and panel.boxes[0].state.text() == "follows")


def test_a_drive_of_joints_becomes_one_of_controls_and_a_stick_goes_both_ways(made):
    bench, panel, drive = made
    faders = drive("pad:0", kind="joints", joints=("a", "b"))
    begin(bench, panel)
    choose(bench, panel.boxes[0].learning.control, "second")
    faders.move(leftx=0.0)
    bench.wait(lambda: panel.teaching._faders._from)
    faders.move(leftx=-0.8)
    bench.wait(lambda: pairs(panel) == {"leftx": ("second", 2.0, 4.0)})
    assert panel.control.mapping.drives[0].kind == "controls"


def test_what_has_no_faders_learns_nothing(made):
    bench, panel, drive = made
    drive()
    panel.control.change_source("faders", "keyboard")
    bench.wait(lambda: not panel.boxes[0].learning.learn.isVisible())
    assert not panel.teaching.begin("faders")


def test_another_source_ends_it(made):
    bench, panel, drive = made
    drive()
    begin(bench, panel)
    panel.control.change_source("faders", "keyboard")
    assert not panel.teaching.drive
