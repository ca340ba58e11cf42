"""Panels beside the running model: what they show, and what they send."""
import numpy as np
import pytest

from physics.enums import DisableBit, EnableBit, Integrator
from physics.runtime import commands

MODEL = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="ball" pos="0 0 .5"><freejoint/><geom name="ball" size=".1"/></body>
    <body name="arm" pos="1 0 1">
      <joint name="elbow" axis="0 1 0" range="-40 90" limited="true"/><joint name="rail" type="slide" axis="0 1 0" group="4"/>
      <geom name="rod" size=".1" pos="0 0 -.3"/>
    </body>
  </worldbody>
  <actuator><motor name="turn" joint="elbow" ctrlrange="-2 3" ctrllimited="true"/><motor joint="rail" group="1"/></actuator>
  <keyframe><key name="home"/><key name="away" qpos="0 0 2 1 0 0 0 1 .2" time="3"/></keyframe>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1000, 700))


def test_controls_set_show_filter_and_clear(bench):
    panel = bench.panel("controls")
    first, second = panel.rows
    assert (first.name, second.name) == ("turn", "actuator 1")
    first.slider.setValue(first.slider.maximum())
    bench.wait(lambda: bench.snapshot.ctrl[0] == 3)
    second.enter(0.25)
    bench.wait(lambda: bench.snapshot.ctrl[1] == 0.25)
    bench.runner.send(commands.SetCtrl(0, 1.5))
    bench.wait(lambda: first.value == 1.5)
    panel.filter.setText("TUR")
    assert first.isVisible() and not second.isVisible()
    bench.actions["clear_controls"].trigger()
    bench.wait(lambda: first.value == 0 and not bench.snapshot.ctrl.any())
    panel.filter.clear()
    bench.wait(lambda: second.isVisible() and second.value == 0)
    group = bench.panel("physics").groups[1]
    group.click()
    bench.wait(lambda: bench.context.model.opt.disableactuator == 2)
    bench.panel("controls")
    bench.runner.send(commands.Reset())
    bench.wait(lambda: not second.slider.isEnabled() and first.slider.isEnabled())


def test_joints_write_while_paused_and_follow_while_running(bench):
    panel = bench.panel("joints")
    assert [row.name for row in panel.rows.values()] == ["elbow"]   # the rail's group is hidden
    row = panel.rows[7]
    row.slider.setValue(row.slider.maximum())
    bench.wait(lambda: bench.snapshot.qpos[7] == pytest.approx(np.pi / 2))
    bench.context.options.group("joint")[4] = True
    bench.context.options_changed.emit()
    assert [row.name for row in panel.rows.values()] == ["elbow", "rail"]
    bench.actions["run"].trigger()
    bench.wait(lambda: not panel.rows[7].slider.isEnabled() and panel.rows[7].value < 1.5)
    bench.actions["run"].trigger()
    bench.wait(lambda: panel.rows[7].slider.isEnabled())


def test_physics_options_change_the_running_model(bench):
    panel, option = bench.panel("physics"), bench.context.model.opt
    panel.numbers["timestep", 0].edited.emit(0.004)
    bench.wait(lambda: option.timestep == 0.004)
    panel.numbers["gravity", 2].edited.emit(-1.5)
    bench.wait(lambda: option.gravity[2] == -1.5)
    box = panel.choices["integrator"]
    box.setCurrentIndex(box.findData(int(Integrator.IMPLICITFAST)))
    box.activated.emit(box.currentIndex())
    bench.wait(lambda: option.integrator == Integrator.IMPLICITFAST)
    panel.flags["disable", int(DisableBit.CONTACT)].click()
    bench.wait(lambda: option.disableflags & DisableBit.CONTACT)
    panel.flags["enable", int(EnableBit.OVERRIDE)].click()
    panel.sliders["o_solref", 0].enter(0.05)
    bench.wait(lambda: option.enableflags & EnableBit.OVERRIDE and option.o_solref[0] == 0.05)
    panel.flags["disable", int(DisableBit.CONTACT)].click()
    bench.wait(lambda: not option.disableflags & DisableBit.CONTACT)


def test_the_override_goes_back_to_the_formats_defaults(bench):
    panel, option = bench.panel("physics"), bench.context.model.opt
    for (name, index), row in panel.sliders.items():
        before = float(np.ravel(getattr(option, name))[index or 0])   # the model gives none: the defaults
        row.enter(row.value + 0.001)
        bench.wait(lambda name=name, index=index, before=before: np.ravel(getattr(option, name))[index or 0] != before)
        row.reset.click()
        bench.wait(lambda name=name, index=index, before=before: np.ravel(getattr(option, name))[index or 0] == before)


def test_impossible_options_are_refused_and_shown_as_they_are(bench):
    panel, option = bench.panel("physics"), bench.context.model.opt
    before = option.enableflags
    box = panel.flags["enable", int(EnableBit.SPECULATIVE)]   # until there are speculative contacts
    box.click()
    bench.wait(lambda: bench.logged("SetFlag"))
    bench.wait(lambda: not box.isChecked() and option.enableflags == before)


def test_every_number_and_flag_of_the_options_is_there(bench):
    panel, model = bench.panel("physics"), bench.context.model
    known = {name for name, _ in panel.numbers} | set(panel.choices) | {name for name, _ in panel.sliders} | {"hard_kappa"}
    assert known == {name.removeprefix("opt_") for name in model.fields() if name.startswith("opt_")} - {"disableflags", "enableflags", "disableactuator"}
    assert len(panel.flags) == len(DisableBit) + len(EnableBit)


def test_noise_moves_the_actuators_and_leaves_the_users_controls(bench):
    panel = bench.panel("simulation")
    panel.scale.enter(0.5)
    panel.rate.enter(0.1)
    bench.wait(lambda: bench.snapshot.noise == (0.5, 0.1))
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.snapshot.ctrl_noise.any())
    assert not bench.snapshot.ctrl.any()   # the user's controls stay the user's


def test_watch_shows_fields_by_name(bench):
    panel = bench.panel("watch")
    assert panel.watch("xpos") and not panel.watch("xpo")
    assert "no field 'xpo'" in panel.note.text()
    bench.wait(lambda: panel.cell("xpos[1, 2]") == "0.5" and panel.cell("qpos[2]") == "0.5")
    assert panel.owner("xpos[1, 2]") == "ball" and panel.owner("qpos[7]") == "elbow"


def test_visual_panel_and_keys_share_their_switches(bench):
    panel = bench.panel("visual")
    panel.flags["contact_point"].click()
    assert bench.context.options["contact_point"] and bench.actions["flag_contact_point"].isChecked()
    bench.actions["flag_shadow"].trigger()
    assert not panel.flags["shadow"].isChecked()
    panel.groups["geom", 0].click()
    assert not bench.context.options.geomgroup[0]
    panel.depth.setValue(3)
    assert bench.context.options.bvh_depth == 3
    assert {"equality", "island", "range_finder", "body_tree", "mesh_tree"} <= panel.flags.keys()


def test_forces_and_motion_are_switched_by_panel_and_menu_and_explained_in_the_view(bench):
    panel, options = bench.panel("visual"), bench.context.options
    assert not bench.viewport.picture.scene.legend
    panel.flags["linear_velocity"].click()
    bench.actions["flag_joint_limit"].trigger()
    assert panel.flags["joint_limit"].isChecked() and bench.actions["flag_linear_velocity"].isChecked()
    bench.pictures(2)
    rows = bench.application.overlay.legend
    assert [row.what for row in rows] == ["Range of a joint", "Its present value", "Velocity of bodies"]
    before = rows[-1].scale
    panel.kind.setCurrentText("speed")
    panel.factor.setValue(10)
    panel.kind.setCurrentText("force")
    assert options.factors["speed"] == 10 and panel.factor.value() == options.factors["force"] == 1
    bench.pictures(2)
    assert bench.application.overlay.legend[-1].scale != before and "m/s" in before
    with_legend = bench.window.grab().toImage()
    panel.flags["linear_velocity"].click()
    bench.actions["flag_joint_limit"].trigger()
    bench.pictures(2)
    assert not bench.application.overlay.legend and bench.window.grab().toImage() != with_legend


def test_trails_follow_the_run_and_end_with_a_reset(bench):
    bench.actions["flag_body_trail"].trigger()
    bench.actions["run"].trigger()
    bench.pass_time(0.3)
    track = bench.context.view_state.track
    bench.wait(lambda: track.count > 3)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    bench.actions["reset"].trigger()
    bench.wait(lambda: track.count == 1)


def test_the_log_counts_repetitions(bench):
    panel = bench.panel("log")
    for _ in range(3):
        bench.context.log("warning", "a <odd> & b")
    lines = panel.toPlainText().splitlines()
    assert lines[-1].endswith("a <odd> & b  (x3)") and "odd" not in "".join(lines[:-1])


def test_panels_follow_another_model(bench, tmp_path):
    for name in ("controls", "joints", "equality", "watch", "physics", "simulation"):
        bench.panel(name)
    (tmp_path / "n.xml").write_text("<mujoco><worldbody><body><joint name='only'/><geom size='.1'/></body></worldbody></mujoco>")
    bench.session.open(tmp_path / "n.xml")
    bench.wait(lambda: bench.context.model.nq == 1 and bench.snapshot.model is bench.context.model)
    bench.pictures(3)
    assert bench.docks.panels["controls"].rows == [] and [row.name for row in bench.docks.panels["joints"].rows.values()] == ["only"]
    assert not bench.logged("Unexpected")


def test_the_look_is_one_switch_in_menu_panel_and_settings(bench):
    panel, action = bench.panel("visual"), bench.actions["physical_look"]
    assert not action.isChecked() and panel.look.currentText() == "classic"
    action.trigger()
    assert bench.context.options.look == panel.look.currentText() == bench.context.settings.get("view/look") == "physical"
    panel.look.setCurrentText("classic")
    panel.look.activated.emit(0)
    assert bench.context.options.look == bench.context.settings.get("view/look") == "classic" and not action.isChecked()
