"""The command line: what opens the window, what does without, and what is imported when."""
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app import main
from app.start.command_line import HEADLESS_COMMANDS
from editor.autosave import Autosave

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("scipy", "trimesh", "numba", "llvmlite.ir", "pyqtgraph", "PyQt6.Qsci", "watchdog", "av", "PIL", "mujoco")
PROGRAM = f"""
import sys
from pathlib import Path
from app import main, wire
from app.context import AppContext

def first_frame(context):
    print("LOADED", [name for name in {HEAVY!r} if name in sys.modules], flush=True)
    QApplication.instance().quit()

from PyQt6.QtWidgets import QApplication
original = AppContext.__init__
def watched(self, *rest):
    original(self, *rest)
    self.first_frame.connect(lambda: first_frame(self))
AppContext.__init__ = watched
wire.KernelLoader.start = lambda self: None
sys.exit(main.main(sys.argv[1:]))
"""

MODEL = "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>"
INTERRUPTED = PROGRAM.split("def first_frame")[0] + """
from PyQt6.QtCore import QTimer
from app import wire
made, make = [], wire.Session
wire.Session = lambda *given, **more: made.append(make(*given, **more)) or made[0]

def first_frame(_context):
    session = made[0]
    session.set_text(session.document.key, session.document.main.text + "<!-- unsaved -->")
    QTimer.singleShot(0, lambda: print("READY", flush=True))

""" + PROGRAM[PROGRAM.index("from PyQt6.QtWidgets"):]


def environment(tmp_path, **more):
    kept = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    return {**kept, "LINKWORK_SETTINGS": str(tmp_path / "s.ini"), "LINKWORK_STATE": str(tmp_path), "PYTHONPATH": str(ROOT), **more}


def test_without_a_display_the_headless_commands_are_offered(tmp_path):
    done = subprocess.run([sys.executable, "-m", "app.main"], cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == ""
    for command in HEADLESS_COMMANDS:
        assert f"linkwork {command} " in done.stderr


def test_nothing_heavy_is_imported_before_the_first_frame(tmp_path):
    command = [sys.executable, "-c", PROGRAM, str(ROOT / "models" / "pendulum.xml"), "--size", "640x480"]
    done = subprocess.run(command, cwd=ROOT, env=environment(tmp_path, QT_QPA_PLATFORM="offscreen"), capture_output=True, text=True, timeout=60)
    assert "LOADED []" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program_in_order_and_keeps_unsaved_text(tmp_path, number):
    model = tmp_path / "m.xml"
    model.write_text(MODEL)
    command = [sys.executable, "-c", INTERRUPTED, str(model), "--size", "500x400", "--paused"]
    env = environment(tmp_path, QT_QPA_PLATFORM="offscreen")
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "READY\n"
        process.send_signal(number)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.stdout.close()
    kept = Autosave(tmp_path / "unsaved").left_behind(str(model))
    assert kept.files == {str(model): MODEL + "<!-- unsaved -->"} and model.read_text() == MODEL


def test_headless_commands_are_passed_on(monkeypatch):
    seen = []
    monkeypatch.setattr("app.headless.main", lambda arguments: seen.append(arguments) or 7)
    assert main.main(["check", "a.xml"]) == 7 and seen == [["check", "a.xml"]]


@pytest.mark.parametrize(("variables", "found"), [({}, False), ({"DISPLAY": ":1"}, True), ({"WAYLAND_DISPLAY": "w"}, True),
                                                  ({"QT_QPA_PLATFORM": "offscreen"}, True), ({"QT_QPA_PLATFORM": "xcb"}, False)])
def test_what_counts_as_a_display(monkeypatch, variables, found):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert main.has_display() is found


IMPORTS = """
import gc
if {off}:
    gc.disable()
from app.main import window_program
begun = []
gc.callbacks.append(lambda phase, _info: begun.append(phase))
program = window_program()
print(program.__name__, len(begun), gc.isenabled())
"""


@pytest.mark.parametrize(("off", "after"), [(False, True), (True, False)])
def test_pythons_collector_waits_for_the_imports(off, after):
    said = subprocess.run([sys.executable, "-c", IMPORTS.format(off=off)], capture_output=True, text=True, check=True).stdout.split()
    assert said == ["app.program", "0", str(after)]
