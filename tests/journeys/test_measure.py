"""Measure a robot and make it hold its pose, by clicks and keys alone."""
import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QToolButton

from physics.quantities.quantity import compile_quantity
from tests.app.workbench import SHIFT, Key
from tests.journeys.hands import choose_in_menu, click, click_view, geom_at, show_tab, strike

MODEL = """<mujoco model="arm"><visual><global azimuth="90" elevation="-10"/></visual><statistic center="0 0 1" extent="2.4"/><worldbody>
  <light pos="0 -2 4" dir="0 .3 -1"/><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="upper" pos="-.6 0 1.2"><joint name="shoulder" axis="0 1 0" damping="1"/><geom name="upper" type="capsule" fromto="0 0 0 .6 0 0" size=".08" mass="2"/>
    <body name="lower" pos=".6 0 0"><joint name="elbow" axis="0 1 0" damping="1"/><geom name="lower" type="capsule" fromto="0 0 0 .5 0 0" size=".06" mass="1"/></body></body>
  <body name="box" pos=".3 0 .2"><geom name="box" type="box" size=".2 .2 .2"/></body></worldbody>
  <actuator><motor name="shoulder" joint="shoulder" gear="20"/><motor name="elbow" joint="elbow" gear="5"/></actuator></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "arm.xml").write_text(MODEL)
    bench = workbench(tmp_path / "arm.xml", size=(1400, 950))
    strike(Key.Key_2, Qt.KeyboardModifier.ControlModifier)     # Inspect
    bench.wait(lambda: bench.docks.docks["measure"].isVisible() or "measure" in bench.docks.panels)
    bench.settled()     # else a click goes where the view was
    bench.pictures()
    return bench


def row_of(panel, name):
    """The row of a figure of the first measurement; None where there is none."""
    top = panel.list.topLevelItem(0)
    return next((top.child(k) for k in range(top.childCount()) if top.child(k).text(0) == name), None)


def test_distance_angle_and_the_torque_that_holds(bench):
    panel = show_tab(bench, "Measure")
    click(panel.start)
    bench.wait(lambda: bench.viewport.tools.active is not None)
    measuring = bench.application.measuring
    for count, name in enumerate(("lower", "box"), 1):
        click_view(bench, geom_at(bench, name))
        bench.wait(lambda count=count: measuring.current is not None and len(measuring.current.points) == count)
    item = measuring.current
    bench.wait(lambda: item.nearest is not None and panel.list.topLevelItemCount() == 1 and panel.list.topLevelItem(0).childCount() >= 5)
    assert item.nearest.dist == pytest.approx(1.2 - 0.4 - 0.06, abs=1e-4)
    shown = {panel.list.topLevelItem(0).child(k).text(0): panel.list.topLevelItem(0).child(k).text(1) for k in range(5)}
    assert shown["nearest"] == "0.74 m" and shown["distance"].endswith(" m")
    click_view(bench, geom_at(bench, "upper"))
    bench.wait(lambda: len(item.points) == 3)
    bench.wait(lambda: any(panel.list.topLevelItem(0).child(k).text(0) == "angle" for k in range(panel.list.topLevelItem(0).childCount())))
    strike(Key.Key_Return)
    strike(Key.Key_Escape)
    assert bench.viewport.tools.active is None and measuring.items == [item]

    dock = bench.docks.docks["measure"]
    dock.widget().ensureWidgetVisible(panel.hold_section)
    bench.wait(lambda: not panel.hold_section.visibleRegion().isEmpty())
    click(panel.hold_section.findChild(QToolButton))        # its title
    bench.wait(lambda: panel.hold is not None and panel.actuators.topLevelItemCount() == 2)
    start = bench.snapshot.qpos.copy()
    dock.widget().ensureWidgetVisible(panel.set_controls)
    bench.wait(lambda: not panel.set_controls.visibleRegion().isEmpty())
    click(panel.set_controls)
    bench.wait(lambda: np.abs(bench.snapshot.ctrl).min() > 0.1)
    bench.host.setFocus()
    bench.wait(bench.host.hasFocus)
    strike(Key.Key_Space)
    bench.pass_time(1.0)
    assert np.abs(bench.snapshot.qpos - start).max() < 1e-3, "it stays where it is"
    ends = item.nearest.ends(bench.snapshot)
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(0.74, abs=1e-3)
    strike(Key.Key_Space)


def test_the_angle_is_drawn_over_time_and_the_selection_is_weighed(bench):
    """Three clicks are an angle, whose row is plotted; then a click selects a body, whose mass with the box's is shown."""
    panel = show_tab(bench, "Measure")
    click(panel.start)
    bench.wait(lambda: bench.viewport.tools.active is not None)
    measuring = bench.application.measuring
    for count, name in enumerate(("lower", "upper", "box"), 1):
        click_view(bench, geom_at(bench, name))
        bench.wait(lambda count=count: measuring.current is not None and len(measuring.current.points) == count)
    bench.wait(lambda: row_of(panel, "angle") is not None)
    strike(Key.Key_Return)
    strike(Key.Key_Escape)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualItemRect(row_of(panel, "angle")).center())
    click(panel.plot)
    bench.wait(lambda: "plots" in bench.docks.panels and len(bench.docks.panels["plots"].texts) == 1)
    plots = bench.docks.panels["plots"]
    bench.press_key(Key.Key_Space)
    bench.pass_time(0.3)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)
    assert plots.texts[0].startswith("deg(atan2(") and not plots.note.text()
    shown = compile_quantity(bench.context.model, plots.texts[0])
    assert float(shown.of_snapshot(bench.snapshot)) == pytest.approx(np.degrees(measuring.items[0].angle(bench.snapshot))) and shown.unit == "deg"

    bench.docks.docks["measure"].widget().ensureWidgetVisible(panel.mass)
    bench.settled()     # the charts have made the view lower: what is clicked is where the picture of that size shows it
    bench.pictures(2)
    click_view(bench, geom_at(bench, "lower"))
    bench.wait(lambda: panel.of.text() == "1 body" and panel.mass.texts()["Mass"] == "1 kg")
    click_view(bench, geom_at(bench, "box"), Qt.KeyboardModifier.ControlModifier)
    bench.wait(lambda: panel.of.text() == "2 bodies")
    mass = float(bench.context.model.body_mass[[bench.context.model.id("body", name) for name in ("lower", "box")]].sum())
    bench.wait(lambda: panel.mass.texts()["Mass"] == f"{mass:.4g} kg")
    moments = [float(panel.mass.texts()[f"Moment {k}"].split()[0]) for k in (1, 2, 3)]
    assert 0 < moments[0] <= moments[1] <= moments[2]


def test_the_tool_is_in_the_menu_and_measures_while_it_runs(bench):
    choose_in_menu(bench, "&Selection", "Measure")
    bench.wait(lambda: bench.viewport.tools.active is not None)
    measuring = bench.application.measuring
    bench.host.setFocus()
    for count, name in enumerate(("lower", "floor"), 1):
        point = geom_at(bench, name) if name == "lower" else geom_at(bench, "box") + (geom_at(bench, "box") - geom_at(bench, "upper")) * 0.4
        click_view(bench, point)
        bench.wait(lambda count=count: measuring.current is not None and len(measuring.current.points) == count)
    item = measuring.current
    assert item.points[1].thing.name == "floor"
    before = item.figures(bench.snapshot)[0].value
    strike(Key.Key_Space)
    bench.pass_time(0.4)        # the arm falls
    strike(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running and item.nearest is not None)
    assert abs(item.figures(bench.snapshot)[0].value - before) > 0.05
    strike(Key.Key_M, SHIFT)
    assert bench.viewport.tools.active is None
    QTest.qWait(1)
