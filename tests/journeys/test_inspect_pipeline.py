"""One step looked through in the Inspect workspace, by mouse and keys alone."""
import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest

from app.panels.pipeline.walk import OWNER
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import click, click_view, geom_at, press_button, show_tab, strike, turn_wheel

MODEL = """<mujoco model="swing">
  <option timestep="0.002"><flag energy="enable"/></option>
  <visual><global azimuth="100" elevation="-15"/></visual>
  <statistic center="0 0 .5" extent="1.4"/>
  <worldbody>
    <light pos="0 0 4"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="ball" pos="-.5 0 .1"><freejoint name="free"/><geom name="ball" size=".1" mass="2"/></body>
    <body name="arm" pos=".4 0 .9">
      <joint name="hinge" axis="0 1 0" damping=".05"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .3 0 -.3" size=".05"/>
    </body>
  </worldbody>
  <actuator><position name="hold" joint="hinge" kp="5"/></actuator>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "swing.xml").write_text(MODEL)
    return workbench(tmp_path / "swing.xml", size=(1500, 950))


@pytest.fixture
def panel(bench):
    """The panel with the walk of a state in which the run was paused by its own button."""
    strike(Key.Key_2, CTRL)
    bench.wait(lambda: bench.window.layout_of_docks is not None and bench.actions["workspace_inspect"].isChecked())
    press_button(bench, "run")
    bench.wait(lambda: bench.snapshot.time > 0.1)
    panel = show_tab(bench, "Pipeline")
    assert "Pause" in panel.note.text()
    click(panel.pause)
    bench.wait(lambda: not bench.snapshot.running and panel.walk is not None)
    bench.pictures(3)       # the side is as wide as its texts by now
    return panel


def choose_stage(bench, panel, number: int) -> None:
    """Click a stage in the list, where it is in sight, else by the key End or Home and the arrows."""
    item = panel.list.item(number, 0)
    if not panel.list.viewport().visibleRegion().contains(panel.list.visualItemRect(item).center()):
        click(panel.list.viewport(), panel.list.visualItemRect(panel.list.itemAt(QPoint(5, 5))).center())
        bench.wait(panel.list.hasFocus)
        while panel.list.currentRow() != number:
            strike(Key.Key_Down if panel.list.currentRow() < number else Key.Key_Up)
    else:
        click(panel.list.viewport(), panel.list.visualItemRect(item).center())
    bench.wait(lambda: panel.number == number)


def test_a_step_is_gone_through_from_the_pose_to_the_next_state(bench, panel):
    # a click on the rod: its formulas
    click_view(bench, geom_at(bench, "rod"))
    bench.wait(lambda: bench.context.selection.bodyid == 2, timeout=5000)
    bench.wait(lambda: "body arm" in panel.text.toPlainText(), timeout=5000)
    choose_stage(bench, panel, 0)
    seen = []
    while panel.walk[panel.number].number < 20:
        seen.append(panel.walk[panel.number].name)
        before = panel.number
        strike(Key.Key_Period)
        assert panel.number > before
        assert OWNER in bench.context.markers._frames
    assert seen[:3] == ["kinematics", "com", "tendon"] and "solve" in seen and "energy" in seen and "sensors" not in seen
    assert [ghost.label for ghost in bench.context.ghosts] == ["next step"] and "qpos'" in panel.text.toPlainText()

    # the next state that was shown is the one that comes
    expected = panel.walk.after(20).qpos.tolist()
    time = bench.snapshot.time
    click(panel.take)
    bench.wait(lambda: panel.walk is not None and panel.walk.time > time)
    assert bench.snapshot.qpos.tolist() == expected and panel.number == 0 and bench.context.ghosts == ()
    press_button(bench, "run")
    bench.wait(lambda: bench.snapshot.running and panel.walk is None and OWNER not in bench.context.markers._frames)


def test_a_field_is_opened_a_matrix_clicked_and_the_solver_asked(bench, panel):
    # the forces of the rod's joint: one field is opened, and stays open over a step
    choose_stage(bench, panel, 11)
    view = panel.fields
    written = view.topLevelItem(0)
    damper = next(written.child(k) for k in range(written.childCount()) if written.child(k).text(0) == "qfrc_damper")
    while not view.viewport().visibleRegion().contains(view.visualItemRect(damper).center()):
        turn_wheel(view.viewport(), -1)
    rect = view.visualItemRect(damper)
    click(view.viewport(), QPoint(rect.left() - view.indentation() // 2, rect.center().y()))
    assert view.value_of("qfrc_damper", "hinge")
    time, value = bench.snapshot.time, view.value_of("qfrc_damper", "hinge")
    click(panel.take)
    bench.wait(lambda: panel.walk is not None and panel.walk.time > time)
    choose_stage(bench, panel, 11)
    assert view.value_of("qfrc_damper", "hinge") not in ("", value)

    # the mass matrix: a click on the joint's entry selects it
    choose_stage(bench, panel, 3)
    bar = panel.tabs.tabBar()
    click(bar, bar.tabRect(1).center())
    bench.wait(lambda: not panel.matrix.visibleRegion().isEmpty())
    click(panel.matrix, panel.matrix.centre_of(6, 6))
    bench.wait(lambda: bench.context.selection.active is not None and bench.context.selection.active.name == "hinge")
    assert "dof hinge" in panel.text.toPlainText() and panel.target().dof == 6

    # from the constraint space to the solver's panel, by the link in the text
    choose_stage(bench, panel, 18)
    text = panel.text
    turn_wheel(text.viewport(), -30)
    link = next(QPoint(x, y) for y in range(text.viewport().height() - 1, 0, -4) for x in range(2, text.viewport().width(), 6)
                if text.anchorAt(QPoint(x, y)).startswith("panel:"))
    QTest.mouseClick(text.viewport(), Button.LeftButton, NONE, link)
    bench.wait(lambda: "solver" in bench.docks.panels and not bench.docks.panels["solver"].visibleRegion().isEmpty())
    solver = bench.docks.panels["solver"]
    bench.wait(lambda: solver.traced is not None)
    assert solver.traced.time == panel.walk.time == bench.snapshot.time and OWNER in bench.context.markers._frames
