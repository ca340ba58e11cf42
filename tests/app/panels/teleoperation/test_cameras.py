"""Cameras as pictures in the view of the workspace Teleoperate: chosen in its panel, kept apart from those of other workspaces."""
import tomllib

import pytest

from tests.journeys.hands import bring, click

CAMERAS = "".join(f'<camera name="{name}" pos="0 -{k + 2} 1" xyaxes="1 0 0 0 0 1"/>' for k, name in enumerate(("front", "left", "right", "wrist")))
MODEL = f'<mujoco><worldbody><geom type="plane" size="2 2 .1"/><body name="b" pos="0 0 1"><freejoint/><geom size=".1"/></body>{CAMERAS}</worldbody></mujoco>'
WITHOUT = '<mujoco><worldbody><body name="b"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'


def opened(workbench, path):
    bench = workbench(path, size=(1400, 900))
    bench.actions["workspace_teleoperate"].trigger()
    panel = bench.panel("teleoperation")
    bench.wait(lambda: panel.isVisible() and panel.filled)
    return bench, panel


def test_the_first_ones_are_shown_chosen_in_the_panel_and_kept_with_the_workspace(workbench, tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(MODEL)
    bench, panel = opened(workbench, path)
    insets, switches = bench.viewport.insets, panel.cameras.switches
    assert insets.cameras == (0, 1, 2) and [switch.text() for switch in switches] == ["front", "left", "right", "wrist"]
    assert [switch.isChecked() for switch in switches] == [True, True, True, False] and panel.views.isVisible()
    bench.settled()
    for switch in (switches[0], switches[3]):
        bring(switch)
        click(switch)
    assert insets.cameras == (1, 2, 3)
    bench.pictures(2)
    assert [placed.title for placed in insets.placed] == ["left", "right", "wrist"]
    bench.actions["workspace_simulate"].trigger()
    assert insets.cameras == ()
    insets.show_camera(0)
    bench.actions["workspace_teleoperate"].trigger()
    assert insets.cameras == (1, 2, 3) and not switches[0].isChecked()
    bench.close()
    again, panel = opened(workbench, path)
    assert again.viewport.insets.cameras == (1, 2, 3)
    for camera in (1, 2, 3):
        again.viewport.insets.show_camera(camera, False)
    assert not any(switch.isChecked() for switch in panel.cameras.switches)
    again.actions["workspace_simulate"].trigger()
    assert again.viewport.insets.cameras == (0,)
    again.actions["workspace_teleoperate"].trigger()
    assert again.viewport.insets.cameras == ()      # none is a choice, too
    again.close()
    last, _panel = opened(workbench, path)
    assert last.viewport.insets.cameras == ()


@pytest.mark.parametrize("first", [MODEL, WITHOUT])
def test_a_model_without_cameras_has_none(workbench, tmp_path, first):
    for name, text in (("m.xml", first), ("other.xml", WITHOUT if first is MODEL else MODEL)):
        (tmp_path / name).write_text(text)
    bench, panel = opened(workbench, tmp_path / "m.xml")
    insets = bench.viewport.insets
    assert insets.cameras == ((0, 1, 2) if first is MODEL else ()) and panel.views.isVisible() == (first is MODEL)
    bench.session.open(tmp_path / "other.xml")
    bench.wait(lambda: bench.context.model.ncam == (0 if first is MODEL else 4))
    bench.wait(lambda: panel.views.isVisible() == (first is not MODEL))
    assert insets.cameras == (() if first is MODEL else (0, 1, 2))


def test_a_file_of_the_workspace_names_them(workbench, tmp_path):
    path, file = tmp_path / "m.xml", tmp_path / "w.toml"
    path.write_text(MODEL)
    bench, _panel = opened(workbench, path)
    insets, workspaces = bench.viewport.insets, bench.window.workspaces
    insets.choose([3, 1])
    assert workspaces.save(file) and tomllib.loads(file.read_text())["cameras"] == ["left", "wrist"]
    insets.choose([])
    workspaces.choose("simulate")
    assert workspaces.load(file) and insets.cameras == (1, 3)
    file.write_text(file.read_text().replace('["left", "wrist"]', '["none", "front"]'))
    assert workspaces.load(file) and insets.cameras == (0,)
    file.write_text(file.read_text().replace('["none", "front"]', '["front", true]'))
    assert not workspaces.load(file) and insets.cameras == (0,)
