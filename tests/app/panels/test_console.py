"""The console, with keys typed into it, on the running model."""
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtTest import QTest

from physics.runtime import commands
from tests.app.workbench import Key

pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")      # of ipykernel, about itself
MODEL = """<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 .2 1"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping="1"/><geom name="arm" size=".05" pos=".3 0 0"/></body>
  </worldbody>
  <actuator><motor name="m" joint="hinge"/></actuator>
  <keyframe><key name="up" qpos="1"/></keyframe>
</mujoco>"""

MAIN = sys.modules["__main__"]      # before there is any console


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1300, 820))


@pytest.fixture
def console(bench):
    """enter(line): types it, and gives what the console has written since, when it is done. shell: IPython's."""
    panel = bench.panel("console")
    bench.wait(lambda: panel.text is not None and "In [1]:" in panel.text._control.toPlainText())
    control = panel.text._control

    def enter(line: str) -> str:
        before, number = control.toPlainText(), panel.text.shell.execution_count
        control.setFocus()
        QTest.keyClicks(control, line)
        QTest.keyClick(control, Key.Key_Return)
        bench.wait(lambda: panel.text.shell.execution_count > number and f"In [{number + 1}]: " in control.toPlainText())
        return control.toPlainText()[len(before) + len(line):].rsplit(f"In [{number + 1}]:", 1)[0].strip()

    enter.shell, enter.panel = panel.text.shell, panel
    return enter


def test_nothing_of_it_is_loaded_before_it_is_opened():
    code = "import app.wire, app.panels.table, sys; print([name for name in ('qtconsole', 'ipykernel', 'IPython') if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_model_data_values_and_selection_are_there_by_name(bench, console):
    assert console("m.nq, m.body('arm').id") .endswith("(1, 1)")
    assert console("bool(q('qpos[0]') == d.qpos[0]), q('xpos[\"arm\"]').shape").endswith("(True, (3,))")
    assert "did you mean" in console("q('qpoz')")
    console("ui.select('joint:hinge', 'arm')")
    assert [str(what) for what in bench.context.selection.elements] == ["joint hinge", "body arm"]
    assert console("[e.kind for e in sel]").endswith("['joint', 'body']")
    assert console("import physics; physics.jac_body(m, d, 1)[0].shape").endswith("(3, 1)")


def test_d_is_the_moment_of_each_input_and_of_each_command(bench, console):
    bench.runner.send(commands.Step(5))
    assert console("round(d.time, 4)").endswith("0.01")
    assert console("ui.step(10); round(d.time, 4)").endswith("0.03")
    assert console("ui.step_back(3); round(d.time, 4)").endswith("0.024")
    assert console("ui.run(); ui.pause(); d.time >= 0.024").endswith("True")
    assert console("ui.reset(); d.time").endswith("0.0") and console("ui.key('up'); float(d.qpos[0])").endswith("1.0")


def test_assigning_to_d_changes_nothing_of_the_run(bench, console):
    console("d.qpos[0] = 0.7")
    bench.runner.send(commands.Step(1))
    bench.wait(lambda: bench.snapshot.time > 0)
    assert bench.snapshot.qpos[0] < 0.1
    console("ui.set_state(qpos=[0.7], time=2)")
    bench.wait(lambda: bench.snapshot.qpos[0] == 0.7 and bench.snapshot.time == 2)
    assert "has the shape (1,), not (2,)" in console("ui.set_state(qpos=[1, 2])") and "did you mean 'qvel'" in console("ui.set_state(qvell=[1])")
    assert "finite" in console("ui.set_state(qpos=[float('nan')])")


def test_what_it_changes_goes_the_way_of_the_window(bench, console):
    console("ui.set_ctrl('m', 0.25)")
    bench.wait(lambda: bench.snapshot.ctrl[0] == 0.25)
    console("ui.set_option(timestep=0.001, gravity=(0, 0, -1), integrator='implicit')")
    bench.wait(lambda: bench.context.model.opt_timestep == 0.001)
    assert bench.context.model.opt_gravity[2] == -1 and {value.label for value in bench.snapshot.changed_values}
    console("ui.set('geom_rgba[arm]', (1, 0, 0, 1))")
    bench.wait(lambda: bench.context.model.geom_rgba[1].tolist() == [1, 0, 0, 1])
    console("ui.force('arm', (0, 0, 3))")
    bench.wait(lambda: bench.snapshot.xfrc_applied[1].tolist() == [0, 0, 3, 0, 0, 0])
    assert "did you mean 'timestep'" in console("ui.set_option(timstep=1)") and "no control 'n'" in console("ui.set_ctrl('n', 1)")
    console("ui.set_ctrl({'m': -0.5})")
    bench.wait(lambda: bench.snapshot.ctrl[0] == -0.5)


def test_the_window_does_what_it_says(bench, console, tmp_path):
    console("ui.camera('side')")
    assert bench.application.view_control.camera_index() == 0
    console("ui.camera('free')")
    assert bench.application.view_control.camera_index() == -2
    console("ui.plot('qpos[0]', 'qvel[0]')")
    bench.wait(lambda: bench.docks.panels["plots"].texts == ("qpos[0]", "qvel[0]"))
    console("ui.panel('plots')")    # charts are drawn while they are seen
    bench.runner.send(commands.Step(40))
    bench.wait(lambda: bench.snapshot.time > 0.07 and bench.snapshot.trace.pieces)
    assert console("[a.shape for a in q.trace('qpos[0]')]").endswith("[(40,), (40,)]") and "ui.plot('qacc[0]')" in console("q.trace('qacc[0]')")
    console("ui.action('info')")
    assert bench.application.overlay.show_info and "did you mean 'info'" in console("ui.action('infoo')")
    console("ui.log('hello')")
    assert bench.logged("hello")
    (tmp_path / "s.py").write_text("def control(m, d): d.ctrl[0] = 0.75\n")
    console(f"ui.script('{tmp_path}/s.py')")
    bench.wait(lambda: bench.application.scripts.set.scripts[0].state == "on")
    (tmp_path / "n.xml").write_text(MODEL.replace('name="arm" pos', 'name="leg" pos'))
    console(f"ui.open('{tmp_path}/n.xml')")
    bench.wait(lambda: "leg" in bench.context.model.names["body"])
    assert console("m.body('leg').id, d.model is m").endswith("(1, True)")


def test_an_error_is_shown_and_the_next_input_runs(bench, console):
    assert "ZeroDivisionError" in console("1/0")
    assert console("6*7").endswith("42")
    assert console("print('text')") == "text"


def test_an_endless_input_is_interrupted_from_the_terminal(bench, console):
    before = signal.getsignal(signal.SIGINT)
    console("import threading, os, signal")
    said = console("threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start(); all(True for _ in iter(int, 1))")
    assert "KeyboardInterrupt" in said and signal.getsignal(signal.SIGINT) == before
    assert console("1+1").endswith("2")


def test_a_script_that_hangs_is_told_instead_of_waiting_for_ever(bench, console, tmp_path, monkeypatch):
    monkeypatch.setattr("app.console.names.PATIENCE", 0.2)
    (tmp_path / "s.py").write_text("def on_load(m, d):\n    while True: pass\n")
    bench.application.scripts.open(tmp_path / "s.py")
    bench.wait(lambda: bench.application.scripts.set.hanging() is not None)
    begun = time.monotonic()
    assert "Stop scripts" in console("1+1") and time.monotonic() - begun < 10
    bench.application.scripts.stop()
    bench.wait(lambda: bench.application.scripts.set.hanging() is None)
    assert console("2+2").endswith("4")


def test_exit_puts_the_panel_away(bench, console):
    QTest.keyClicks(console.panel.text._control, "exit()")
    QTest.keyClick(console.panel.text._control, Key.Key_Return)
    bench.wait(lambda: bench.docks.docks["console"].isHidden())


def test_the_program_is_what_it_was_beside_it(bench, console):
    console("x = 1")
    assert sys.modules["__main__"] is MAIN and "ipython" not in str(sys.excepthook).lower() and sys.stdout is not None


def test_two_windows_have_names_of_their_own(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    first, second = workbench(tmp_path / "m.xml"), workbench(tmp_path / "m.xml")
    panels = []
    for bench in (first, second):
        panel = bench.panel("console")
        bench.wait(lambda panel=panel: panel.text is not None)
        panels.append(panel)
    panels[0].text.shell.run_cell("mine = m")
    assert "mine" not in panels[1].text.shell.user_ns and panels[0].text.shell.user_ns["mine"] is first.context.model
    panels[1].text.shell.run_cell("ui.step(3)")
    second.wait(lambda: np.isclose(second.snapshot.time, 0.006))
    assert first.snapshot.time == 0


def test_without_the_packages_it_says_what_it_needs(bench, monkeypatch):
    monkeypatch.setattr("app.panels.console.TEXT", "app.console.no_such_module")
    panel = bench.panel("console")
    bench.wait(lambda: "pip install qtconsole ipykernel" in panel.note.text())
