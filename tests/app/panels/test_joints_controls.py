"""Joints and controls of every kind in their panels."""
import math

import numpy as np
import pytest

from app.panels.elements.values import steady
from physics.runtime import commands

MODEL = """<mujoco>
  <worldbody>
    <body name="box" pos="0 0 .5"><freejoint name="root"/><geom size=".1"/></body>
    <body pos="1 0 1">
      <joint name="shoulder" type="ball" range="0 90" limited="true"/><geom size=".1" pos="0 0 -.3"/>
      <body pos="0 0 -.6"><joint name="elbow" axis="0 1 0" range="-40 90" limited="true"/><joint name="rail" type="slide" axis="0 1 0"/><geom size=".1"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor name="turn" joint="elbow" ctrlrange="-2 3" ctrllimited="true"/><position name="hold" joint="rail" kp="40"/>
    <general name="lag" joint="elbow" dyntype="filter" dynprm=".1" gainprm="2"/><velocity name="spin" joint="elbow" kv="3"/>
  </actuator>
  <equality><joint name="tie" joint1="elbow" joint2="rail"/></equality>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1100, 700))


def test_a_free_joint_has_position_and_orientation(bench):
    panel = bench.panel("joints")
    panel.row("root z").enter(2.0)
    bench.wait(lambda: bench.snapshot.qpos[2] == 2.0)
    panel.row("root turn z").enter(math.pi / 2)
    bench.wait(lambda: bench.snapshot.qpos[3:7] == pytest.approx([math.sqrt(.5), 0, 0, math.sqrt(.5)]))
    assert bench.snapshot.qpos[:3].tolist() == [0, 0, 2]
    bench.wait(lambda: panel.row("root turn z").value == pytest.approx(math.pi / 2) and panel.row("root turn z").readout.text() == "90.0\u00b0")


def test_a_ball_joint_is_turned_about_each_axis_in_turn(bench):
    panel = bench.panel("joints")
    panel.row("shoulder turn x").enter(0.4)
    bench.wait(lambda: abs(bench.snapshot.qpos[8]) > 0)
    panel.row("shoulder turn y").enter(-0.3)
    angle = math.hypot(0.4, 0.3)
    bench.wait(lambda: bench.snapshot.qpos[7:11] == pytest.approx([math.cos(angle / 2), *(math.sin(angle / 2) / angle * np.array([0.4, -0.3, 0]))]))
    bench.wait(lambda: panel.row("shoulder turn x").value == pytest.approx(0.4) and panel.row("shoulder turn y").value == pytest.approx(-0.3))
    assert panel.row("shoulder turn x").slider.limits is not None


def test_coordinates_entered_in_one_breath_all_arrive(bench):
    panel = bench.panel("joints")
    for name, value in (("root x", 0.3), ("root z", 2.0), ("root turn y", 0.5), ("shoulder turn x", 0.4), ("shoulder turn z", -0.2)):
        panel.row(name).enter(value)
        bench.context.tell_snapshot()   # of before
    bench.wait(lambda: bench.snapshot.qpos[:7] == pytest.approx([0.3, 0, 2, math.cos(0.25), 0, math.sin(0.25), 0]))
    bench.wait(lambda: [panel.row(f"shoulder turn {axis}").value for axis in "xyz"] == pytest.approx([0.4, 0, -0.2]))


def test_a_joint_past_its_limit_is_shown_as_past(bench):
    panel = bench.panel("joints")
    panel.row("elbow").enter(1.7)
    bench.wait(lambda: bench.snapshot.qpos[11] == 1.7 and panel.row("elbow").slider.past)
    slider = panel.row("elbow").slider
    slider.setValue(slider.maximum())
    bench.wait(lambda: bench.snapshot.qpos[11] == pytest.approx(math.pi / 2))
    bench.wait(lambda: not panel.row("elbow").slider.past)


def test_force_unit_and_activation_stand_beside_each_control(bench):
    panel = bench.panel("controls")
    turn, hold, lag, spin = panel.rows
    turn.enter(1.5)
    hold.enter(0.1)
    bench.wait(lambda: turn.readout.text() == "1.500 N m" and hold.readout.text() == "4.000 N")
    assert turn.toolTip().startswith("turn: control from -2 to 3 N m") and "m (it has no range)" in hold.toolTip() and "rad/s" in spin.toolTip()
    lag.enter(1.0)
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.snapshot.time > 0.5)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running and lag.readout.text() == f"{steady(bench.snapshot.actuator_force[2])} N m  a {bench.snapshot.act[0]:.2g}")
    assert bench.snapshot.act[0] > 0.9


def test_panels_that_are_opened_while_paused_show_the_state(bench):
    bench.runner.send(commands.SetCtrl(1, 0.2))
    bench.wait(lambda: bench.snapshot.ctrl[1] == 0.2)
    panel = bench.panel("controls")
    bench.wait(lambda: panel.rows[1].value == 0.2)
    bench.wait(lambda: panel.rows[1].readout.text() == "8.000 N")


def test_a_panel_that_is_made_while_paused_shows_the_state(bench):
    """Nothing is published while nothing moves: what it shows is the newest state there is."""
    bench.runner.send(commands.SetQpos(12, 0.05))   # the rail
    bench.wait(lambda: bench.snapshot.qpos[12] == 0.05)
    bench.steady(lambda: bench.snapshot.number)
    published = bench.snapshot
    row = bench.panel("equality").list.row(0)
    bench.wait(lambda: row.readout.text() == "0.05")
    assert bench.snapshot is published


def test_an_equality_constraint_is_switched_and_shows_its_violation(bench):
    panel = bench.panel("equality")
    row = panel.list.row(0)
    bench.panel("joints").row("rail").enter(0.05)
    bench.panel("equality")
    bench.wait(lambda: row.readout.text() == "0.05")
    row.box.click()
    bench.wait(lambda: not bench.snapshot.eq_active[0] and row.readout.text() == "")


def test_rows_of_another_group_show_the_state_while_paused(bench):
    """The list was filled anew, its rows showed start values, and while paused no snapshot followed."""
    panel = bench.panel("joints")
    panel.row("elbow").enter(0.7)
    bench.wait(lambda: bench.snapshot.qpos[11] == 0.7)
    bench.wait(lambda: not bench.snapshot.running and panel.row("elbow").value == 0.7)
    options = bench.context.options
    for _ in range(2):
        options.jointgroup[0] = not options.jointgroup[0]
        bench.context.options_changed.emit()
    assert panel.row("elbow").value == 0.7 and panel.row("root z").value == 0.5
