"""The panel Measure: the list of measurements, mass of the selection, torque that holds the pose."""
import threading

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest

import physics
from app.panels.posing import nearest_worker
from app.panels.posing.measure import RowTree
from app.panels.posing.measure_rows import Row
from app.posing.measurements import Picked
from physics.model.elements import element
from physics.runtime import commands

MODEL = """<mujoco><option gravity="0 0 -10"/><worldbody><geom name="floor" type="plane" size="3 3 .1"/>
  <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0"/><geom name="upper" type="box" size=".01 .01 .01" pos=".5 0 0" mass="2"/>
    <body name="lower" pos="1 0 0"><joint name="elbow" axis="0 1 0"/><geom name="lower" type="box" size=".01 .01 .01" pos=".5 0 0" mass="1"/></body></body>
  <body name="loose" pos="0 2 1"><joint name="idle" type="slide" axis="0 0 1"/><geom name="loose" size=".1" mass="3"/></body></worldbody>
  <actuator><position name="shoulder" joint="shoulder" kp="400"/><motor name="elbow" joint="elbow" ctrlrange="-4 4" ctrllimited="true"/></actuator></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1200, 900))


@pytest.fixture
def panel(bench):
    return bench.panel("measure")


def click(widget):
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def picked(bench, geom):
    m, snapshot = bench.context.model, bench.snapshot
    g = m.id("geom", geom)
    return Picked.at(m, snapshot, snapshot.geom_xpos[g], element(m, "geom", g), int(m.geom_bodyid[g]))


def measured(bench, *geoms):
    measuring = bench.application.measuring
    measuring.finish()
    for geom in geoms:
        measuring.add(picked(bench, geom))
    item = measuring.current
    bench.wait(lambda: item.nearest is not None)
    return item


def rows_of(panel, k):
    top = panel.list.topLevelItem(k)
    return {top.child(c).text(0): top.child(c).text(1) for c in range(top.childCount())}


def test_measurements_are_listed_copied_plotted_and_removed(bench, panel):
    assert "click two points" in panel.note.text() and panel.note.isVisible() and not panel.clear.isEnabled()
    measured(bench, "lower", "loose")
    other = measured(bench, "upper", "floor")
    bench.wait(lambda: panel.list.topLevelItemCount() == 2 and "nearest" in rows_of(panel, 1))
    assert rows_of(panel, 1)["distance"] == "1.118 m" and rows_of(panel, 1)["nearest"] == "0.99 m" and not panel.plot.isEnabled()
    panel.list.topLevelItem(0).child(3).setSelected(True)
    assert panel.plot.isEnabled() and panel.remove.isEnabled()
    click(panel.plot)
    plots = bench.docks.panels["plots"]
    bench.wait(lambda: len(plots.texts) == 1)
    assert plots.texts[0].startswith('(point(body("loose"), ') and not plots.note.text()
    click(panel.copy)
    assert "geom lower to geom loose" in QGuiApplication.clipboard().text() and "dz\t" in QGuiApplication.clipboard().text()
    click(panel.remove)
    bench.wait(lambda: panel.list.topLevelItemCount() == 1)
    assert bench.application.measuring.items == [other]
    click(panel.clear)
    assert panel.note.isVisible() and not bench.application.measuring.items


def test_what_has_no_distance_is_told(bench, panel):
    bench.source.editor().replace_text(MODEL.replace("<body name=\"loose\"", '<geom name="wall" type="plane" size="1 1 1" euler="90 0 0" pos="0 4 0"/><body name="loose"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model.id("geom", "wall") >= 0 and bench.snapshot.model is bench.context.model)
    bench.panel("measure")
    item = measured(bench, "wall", "floor")
    assert "no distance is known" in item.nearest.problem
    bench.wait(lambda: any("no distance is known" in text for text in rows_of(panel, 0)))


def test_mass_of_the_selection_and_of_all(bench, panel):
    bench.wait(lambda: panel.answer is not None)
    assert "all 3 bodies" in panel.of.text() and panel.mass.texts()["Mass"] == "6 kg"
    bench.context.select_elements([element(bench.context.model, "body", 1)])
    bench.wait(lambda: panel.mass.texts()["Mass"] == "3 kg")
    assert panel.of.text() == "2 bodies"
    QTest.mouseClick(panel.subtree, Qt.MouseButton.LeftButton, pos=QPoint(8, panel.subtree.height() // 2))
    bench.wait(lambda: panel.mass.texts()["Mass"] == "2 kg")
    assert panel.mass.texts()["Centre"].split()[:3] == ["0.5", "0", "1"] and panel.of.text() == "1 body"
    moment = 2 / 3 * 0.01 ** 2 * 2
    assert panel.mass.texts()["Inertia x"].split() == [f"{moment:.3g}", "0", "0"] and panel.mass.texts()["Moment 3"] == f"{moment:.4g} kg m2"


def test_the_pose_is_held_by_the_controls_that_it_says(bench, panel):
    panel.hold_section.fold(True)
    bench.wait(lambda: panel.hold is not None and panel.dofs.topLevelItemCount() == 3)
    missing = [panel.dofs.topLevelItem(k).toolTip(1) for k in range(3)]
    assert panel.dofs.texts() == {"shoulder": "-25 N m", "elbow": "-5 N m", "idle": "30 N"} and missing == ["", "", "30 N of it can be given by no actuator"]
    assert panel.dofs.topLevelItem(2).foreground(0) != panel.dofs.topLevelItem(0).foreground(0)
    controls = panel.actuators.texts()
    assert controls == {"shoulder": "-0.0625", "elbow": "-5"} and panel.actuators.texts(2) == {"shoulder": "", "elbow": "125 %"}
    assert panel.actuators.topLevelItem(1).foreground(0).color().red() > 150 and "1 degree of freedom cannot" in panel.hold_note.text() and "beyond" in panel.hold_note.text()
    click(panel.set_controls)
    bench.wait(lambda: bench.snapshot.ctrl.tolist() == pytest.approx([-0.0625, -4]), )
    bench.runner.send(commands.SetQpos(1, np.pi / 2))       # the lower arm hangs
    bench.wait(lambda: abs(float(panel.dofs.texts()["elbow"].split()[0])) < 1e-6)
    assert float(panel.dofs.texts()["shoulder"].split()[0]) == pytest.approx(-20, abs=1e-3)
    click(panel.set_controls)
    bench.wait(lambda: bench.snapshot.ctrl[1] == pytest.approx(0, abs=1e-6))
    start = bench.snapshot.qpos[:2].copy()
    bench.runner.send(commands.Run())
    bench.pass_time(0.5)
    assert np.abs(bench.snapshot.qpos[:2] - start).max() < 1e-3


def test_the_angle_between_two_axes(bench, panel):
    m = bench.context.model
    bench.context.select_elements([element(m, "joint", 0), element(m, "joint", 2)])
    assert panel.axes.isVisible() and panel.axes.text().endswith("joint shoulder and joint idle: 90\u00b0")
    bench.context.select_elements([element(m, "joint", 0)])
    assert not panel.axes.isVisible()


def test_a_folded_section_asks_for_nothing(bench, panel):
    bench.wait(lambda: panel.answer is not None)
    assert panel.hold is None
    panel.mass_section.fold(False)
    bench.runner.send(commands.Run())
    bench.wait(lambda: panel._question.bodies is None)
    bench.pass_time(0.4)
    panel.answer = None
    bench.pass_time(0.2)
    assert panel.answer is None


def test_a_free_body_has_six_rows(bench, panel):
    bench.session.new()
    bench.wait(lambda: bench.context.model.id("body", "ball") > 0)
    panel.hold_section.fold(True)
    bench.wait(lambda: panel.hold is not None and panel.dofs.topLevelItemCount() == 6)
    assert "turn x" in panel.dofs.topLevelItem(3).text(0) and not panel.actuators.isVisible()


def test_nearest_points_hold_up_neither_the_steps_nor_the_window(bench, panel, monkeypatch):
    """While the nearest points of two things are looked for the run goes on, and what is found is that of the poses that were shown."""
    look, begun, go_on = nearest_worker.look_nearest, threading.Event(), threading.Event()

    def slow(*args):
        begun.set()
        assert go_on.wait(30)
        return look(*args)

    monkeypatch.setattr(nearest_worker, "look_nearest", slow)
    measuring = bench.application.measuring
    for geom in ("upper", "floor"):
        measuring.add(picked(bench, geom))
    bench.wait(begun.is_set)
    bench.runner.send(commands.Run())
    bench.pass_time(0.3)
    assert measuring.current.nearest is None
    go_on.set()
    bench.wait(lambda: measuring.current.nearest is not None)
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running)
    d = physics.Data(bench.context.model)
    d.qpos[:] = bench.snapshot.qpos
    physics.kinematics(bench.context.model, d)
    want = physics.geom_distance(bench.context.model, d, "upper", "floor", 10.0).dist
    bench.wait(lambda: abs(measuring.current.nearest.dist - want) < 1e-9)


@pytest.mark.parametrize("width", [180, 320])
def test_names_are_not_cut_for_the_sake_of_figures(qtbot, width):
    tree = RowTree(("Of", "Value", "Further"), "table")
    qtbot.addWidget(tree)
    tree.resize(width, 120)
    tree.show()
    tree.show_rows([Row((name, "-123.4567890123 4567.89012345", "0.00012345678901")) for name in ("Mass", "Centre", "Inertia x")])
    room = [tree.columnWidth(column) for column in range(3)]
    assert room[0] >= min(tree.sizeHintForColumn(0), 0.44 * tree.viewport().width()) and sum(room) <= tree.viewport().width()
