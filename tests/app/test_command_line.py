"""The command line of the window: what is refused before a window opens, and what each option does to the one that opens."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.headless.arguments import parser
from app.start.command_line import HEADLESS_COMMANDS, parse
from app.controllers.set_values import SetValue, commands_of, parse_set
from app.settings import Settings
from physics.runtime import commands

ROOT = Path(__file__).resolve().parents[2]
MODEL = """<mujoco model="asked">
  <worldbody>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 .2 1"/>
    <light pos="0 0 3"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="round" size=".1"/></body>
  </worldbody>
  <keyframe><key name="high" qpos="0 0 5 1 0 0 0"/></keyframe>
</mujoco>"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "asked.xml"
    path.write_text(MODEL)
    return path


def test_all_options_at_once(model):
    chosen = parse([str(model), str(model), "--paused", "--size", "640x480", "--compat", "2.3", "--camera", "side", "--key", "high", "--speed", "25%", "--panel", "watch",
                    "--panel", "Profiler", "--hide", "log", "--flag", "contact_point=on", "--flag", "shadow=off", "--flag", "joint", "--theme", "light",
                    "--font-scale", "150%", "--density", "wide", "--set", "option.timestep=0.001", "--set", "setting.view/hover=off", "--log", "x.txt",
                    "--fullscreen", "--reset-layout"])
    assert chosen.models == [model, model] and chosen.paused and chosen.size == (640, 480) and chosen.compat == "2.3" and chosen.speed == .25
    assert chosen.panels == ["watch", "profiler"] and chosen.hidden == ["log"] and chosen.flags == [("contact_point", True), ("shadow", False), ("joint", True)]
    assert chosen.settings == {"view/theme": "light", "view/font_scale": 150, "view/density": "wide", "view/hover": False, "log/file": "x.txt"}
    assert chosen.values == [SetValue("option", "timestep", .001)] and chosen.fullscreen and chosen.reset_layout
    assert parse(["--engine", "hard"]).values == [SetValue("option", "engine", 1)] and parse([]).values == []
    assert not parse([]).models and not hasattr(parse([]), "speed") and parse(["--speed", "max"]).speed is None


@pytest.mark.parametrize(("wrong", "said"), [
    (["--panel", "contrls"], "did you mean 'controls'"), (["--flag", "contact_pont=on"], "did you mean 'contact_point'"), (["--flag", "joint=maybe"], "neither on nor off"),
    (["--set", "option.timestp=1"], "did you mean 'timestep'"), (["--set", "option.gravity=1"], "3 are needed"), (["--set", "option.timestep=soon"], "no number"),
    (["--set", "visual.map.stifness=3"], "did you mean 'stiffness'"), (["--set", "geom_rgb[round]=1"], "did you mean 'geom_rgba'"), (["--set", "timestep"], "no '='"),
    (["--set", "option.integrator=euller"], "did you mean 'euler'"), (["--set", "setting.view/them=light"], "did you mean 'view/theme'"),
    (["--engine", "rigid"], "invalid choice: 'rigid'"), (["--set", "option.engine=rigid"], "soft, hard"), (["--theme", "pink"], "dark, light, system"), (["--font-scale", "1000"], "between 50 and 300"), (["--speed", "fast"], "no speed"), (["--speed", "99"], "no speed"),
    (["--workspace", "nonsense"], "no workspace and no file"), (["--workspace", "mine.toml"], "no file"), (["--size", "abc"], "abc"), (["--size", "640"], "640"),
    (["--script", "wave.py"], "no script 'wave.py'"), (["--script", "pyproject.toml"], "no Python file"), (["--size", "0x480"], "0x480"), (["--size", "640x-1"], "640x-1"), (["--nonsense"], "--nonsense")])
def test_what_is_wrong_is_said_with_the_nearest_right_name(wrong, said, capsys):
    with pytest.raises(SystemExit) as stop:
        parse(wrong)
    assert stop.value.code == 2 and said in capsys.readouterr().err


def test_a_file_that_is_not_there_is_said_with_the_nearest_one(model, capsys):
    with pytest.raises(SystemExit):
        parse([str(model.with_name("askd.xml"))])
    assert "did you mean 'asked.xml'" in capsys.readouterr().err


def test_every_command_without_a_window_is_one_for_the_program():
    made = next(action for action in parser()._actions if action.dest == "command").choices
    assert set(made) == set(HEADLESS_COMMANDS)


def test_mistakes_end_the_program_before_a_window_opens(model, tmp_path):
    env = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")} | {"PYTHONPATH": str(ROOT), "LINKWORK_SETTINGS": str(tmp_path / "s")}
    done = subprocess.run([sys.executable, "-m", "app.main", str(model), "--panel", "contrls"], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "controls" in done.stderr and "no display" not in done.stderr
    told = subprocess.run([sys.executable, "-m", "app.main", "--help"], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and all(word in told.stdout for word in ("simulation:", "what is drawn:", "window:", "appearance", "examples:", "render, run"))


@pytest.mark.parametrize(("path", "text", "command"), [
    ("option.gravity", "0 0 -1", commands.SetOption("gravity", (0.0, 0.0, -1.0))), ("opt.integrator", "implicitfast", commands.SetOption("integrator", 3)),
    ("visual.map.stiffness", "50", commands.SetVisual("map.stiffness", 50.0)), ("visual.global.fovy", "60", commands.SetVisual("global_.fovy", 60.0)),
    ("vis.rgba.haze", "1,0,0,1", commands.SetVisual("rgba.haze", (1.0, 0.0, 0.0, 1.0))), ("statistic.extent", "3", commands.SetField("stat_extent", 3.0)),
    ("geom_rgba[round]", "1 0 0 1", commands.SetField("geom_rgba", (1.0, 0.0, 0.0, 1.0), 0)), ("geom_rgba[0]", "1 0 0 1", commands.SetField("geom_rgba", (1.0, 0.0, 0.0, 1.0), 0))])
def test_values_become_commands(path, text, command, model):
    import physics

    assert commands_of(parse_set(path, text), physics.load(model)) == (command,)


JOINTS = """<mujoco>
  <worldbody>
    <body><freejoint name="root"/><geom size=".1"/>
      <body><joint name="shoulder" type="ball"/><geom size=".1" pos="0 0 1"/><body pos="0 0 1"><joint name="elbow"/><geom size=".1"/></body></body>
    </body>
  </worldbody>
  <actuator><motor name="pull" joint="elbow" ctrlrange="-1 1"/></actuator>
</mujoco>"""


@pytest.mark.parametrize(("path", "text", "rows"), [
    ("dof_damping[shoulder]", "1", (6, 7, 8)), ("dof_frictionloss[elbow]", "2", (9,)), ("dof_damping[8]", "1", (8,)), ("actuator_ctrlrange[pull]", "-2 2", (0,)),
    ("jnt_stiffness[elbow]", "3", (2,))])
def test_an_element_by_name_is_set_in_all_its_rows(path, text, rows):
    import physics

    found = commands_of(parse_set(path, text), physics.load_string(JOINTS))
    assert tuple(command.index for command in found) == rows and all(command == commands.SetField(path.partition("[")[0], found[0].value, command.index) for command in found)


def test_a_joint_that_is_not_there_is_said_with_the_nearest_one():
    import physics

    with pytest.raises(ValueError, match="no joint 'shouldr'; did you mean 'shoulder'"):
        commands_of(parse_set("dof_damping[shouldr]", "1"), physics.load_string(JOINTS))


# ---------------------------------------------------------------- in the window


class Started:
    """The program as the command line begins it, without its event loop."""

    def __init__(self, qtbot, folder):
        import physics
        from app.program import Program

        physics.ensure_kernels()
        self.qtbot = qtbot
        self.program = Program(Settings(str(folder / "settings.ini")))

    def open(self, *arguments):
        """The window (the last of several) that these arguments open, when its model is there."""
        from app.program import open_first

        chosen = parse(list(map(str, arguments)))
        for name, value in chosen.settings.items():
            self.program.settings.override(name, value)
        for number, path in enumerate(chosen.models):
            open_first(self.program, path, chosen, number)
        application = self.program.windows[-1]
        self.wait(lambda: application.context.model is not None and application.window.layout_of_docks.filled)
        return application

    def wait(self, condition):
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=20_000)

    def end(self):
        for application in list(self.program.windows):
            application.window.close()
        self.wait(lambda: not self.program.windows)


@pytest.fixture
def started(qtbot, tmp_path, monkeypatch, kept_context):
    kept_context.patch(monkeypatch)
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("app.thumbnails.cache_dir", lambda: str(tmp_path))
    made = Started(qtbot, tmp_path)
    yield made
    made.end()


def test_a_window_opens_as_it_was_asked_for(started, model):
    application = started.open(model, "--paused", "--camera", "side", "--speed", "0.5", "--panel", "watch", "--hide", "log", "--flag", "contact_point=on", "--flag",
                               "shadow=off", "--size", "1100x700", "--set", "setting.view/hover=off")
    docks, options = application.window.layout_of_docks.docks, application.context.options
    assert application.view_control.camera_index() == 0 and application.simulation.speed == .5
    assert docks["watch"].isVisible() and not docks["log"].isVisible()
    assert options["contact_point"] and not options["shadow"] and not application.viewport.hover.enabled
    assert (application.window.width(), application.window.height()) == (1100, 700)
    started.wait(lambda: application.context.snapshot.speed == .5)
    assert not application.context.snapshot.running and application.context.snapshot.time == 0
    started.program.settings.save()
    assert not Settings(str(started.program.settings._store.path)).get("view/hover") is False      # not remembered


WORKSPACE = """workspace = "inspect"
speed = 2
[camera]
kind = "free"
lookat = [0, 0, 1]
distance = 4
"""


def test_the_command_line_holds_over_a_workspace_file(started, model, tmp_path):
    (tmp_path / "mine.toml").write_text(WORKSPACE)
    application = started.open(model, "--paused", "--workspace", tmp_path / "mine.toml", "--camera", "side", "--speed", "0.5")
    assert application.window.workspaces.current.id == "inspect"
    assert application.view_control.camera_index() == 0 and application.simulation.speed == .5
    other = started.open(model, "--paused", "--workspace", tmp_path / "mine.toml")
    assert other.view_control.camera.distance == 4 and other.simulation.speed == 2


def test_real_time_on_the_command_line_holds_over_what_the_model_asks_for(started, model):
    model.write_text(MODEL.replace("<worldbody>", '<visual><global realtime="0.25"/></visual><worldbody>'))
    application = started.open(model, "--paused", "--speed", "1")
    assert application.simulation.speed == 1 and application.context.model.vis.global_.realtime == .25


def test_a_workspace_file_with_wrong_values_is_told_and_the_window_opens(started, model, tmp_path):
    """More wrong values: tests/app/windows/test_workspaces.py."""
    (tmp_path / "mine.toml").write_text('workspace = "inspect"\nspeed = "fast"\n')
    application = started.open(model, "--paused", "--workspace", tmp_path / "mine.toml")
    assert any(level == "error" and "mine.toml" in text for level, text in application.context.log_lines)
    assert application.window.workspaces.current.id == "simulate" and application.simulation.speed == 1


def test_values_hold_from_the_first_step_on_and_differ_from_the_file(started, model):
    application = started.open(model, "--set", "option.gravity=0 0 0", "--set", "option.timestep=0.001", "--set", "visual.map.stiffness=50", "--set", "geom_rgba[round]=1 0 0 1",
                               "--set", "geom_rgba[rond]=1 0 0 1")
    started.wait(lambda: application.context.snapshot.time > .05)       # it runs
    m, snapshot = application.context.model, application.context.snapshot
    assert m.opt_timestep == .001 and m.vis.map.stiffness == 50 and tuple(m.geom_rgba[0]) == (1, 0, 0, 1)
    assert snapshot.qpos[2] == 1 and not snapshot.qvel.any()      # it never fell
    assert {value.target for value in snapshot.changed_values} >= {"opt.gravity", "opt.timestep"}
    assert any("did you mean 'round'" in text for _level, text in application.context.log_lines)


def test_what_the_model_does_not_have_is_told_in_the_window(started, model):
    application = started.open(model, "--paused", "--camera", "sidde")
    assert any("there is no camera 'sidde'; did you mean 'side'?" in text for _level, text in application.context.log_lines)
    assert application.view_control.camera_index() == -2


def test_a_camera_follows_a_body(started, model):
    application = started.open(model, "--camera", "track:ball")
    assert application.view_control.camera_index() == -1 and application.view_control.camera.trackbodyid == 1


def test_it_starts_at_a_keyframe(started, model):
    application = started.open(model, "--paused", "--key", "high")
    started.wait(lambda: application.context.snapshot.qpos[2] == 5)
    other = started.open(model, "--paused", "--key", "hihg")
    assert any("there is no key 'hihg'; did you mean 'high'?" in text for _level, text in other.context.log_lines)


def test_scripts_act_from_the_first_step_on(started, model, tmp_path):
    (tmp_path / "a.py").write_text("import time\ntime.sleep(0.2)\ndef after_step(m, d): ui.log(f'step to {d.time:g}') if d.time < 0.005 else None\n")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.py").write_text("def on_load(m, d): ui.log('b is there')\n")
    application = started.open(model, "--script", tmp_path / "a.py", "--script", tmp_path / "more")
    started.wait(lambda: application.context.snapshot.time > .02)
    started.wait(lambda: {"a.py: step to 0.002", "a.py: step to 0.004", "b.py: b is there"} <= {text for _level, text in application.context.log_lines})
    assert application.window.layout_of_docks.docks["scripts"].isVisible()


def test_several_models_are_several_windows(started, model, tmp_path):
    second = tmp_path / "second.xml"
    second.write_text(MODEL.replace("asked", "second"))
    started.open(model, second, "--paused", "--theme", "dark", "--size", "500x400")
    assert [application.session.path for application in started.program.windows] == [model, second]
    first, last = started.program.windows
    assert first.window.pos() != last.window.pos()
