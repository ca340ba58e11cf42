"""One step looked through in the Inspect workspace, by mouse and keys alone."""
import pytest

from app.panels.pipeline.walk import OWNER
from tests.app.workbench import CTRL, Key
from tests.journeys.hands import click, click_view, geom_at, press_button, show_tab, strike

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


def test_a_step_is_gone_through_from_the_pose_to_the_next_state(bench):
    strike(Key.Key_2, CTRL)
    bench.wait(lambda: bench.window.layout_of_docks is not None and bench.actions["workspace_inspect"].isChecked())
    press_button(bench, "run")
    bench.wait(lambda: bench.snapshot.time > 0.1)
    panel = show_tab(bench, "Pipeline")
    assert "Pause" in panel.note.text()
    click(panel.pause)
    bench.wait(lambda: not bench.snapshot.running and panel.walk is not None)

    # a click on the rod: its formulas
    bench.pictures(3)       # the side is as wide as its texts by now
    click_view(bench, geom_at(bench, "rod"))
    bench.wait(lambda: bench.context.selection.bodyid == 2, timeout=5000)
    bench.wait(lambda: "body arm" in panel.text.toPlainText(), timeout=5000)
    click(panel.list.viewport(), panel.list.visualItemRect(panel.list.item(0, 0)).center())
    bench.wait(lambda: panel.number == 0)
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
