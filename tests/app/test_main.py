"""The command line: what opens the window, what does without, and what is imported when."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import main

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


def environment(tmp_path, **more):
    kept = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    return {**kept, "LINKWORK_SETTINGS": str(tmp_path / "s.ini"), "LINKWORK_STATE": str(tmp_path), "PYTHONPATH": str(ROOT), **more}


def test_without_a_display_the_headless_commands_are_offered(tmp_path):
    done = subprocess.run([sys.executable, "-m", "app.main"], cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == ""
    for command in main.HEADLESS_COMMANDS:
        assert f"linkwork {command} MODEL" in done.stderr


def test_nothing_heavy_is_imported_before_the_first_frame(tmp_path):
    command = [sys.executable, "-c", PROGRAM, str(ROOT / "models" / "pendulum.xml"), "--size", "640x480"]
    done = subprocess.run(command, cwd=ROOT, env=environment(tmp_path, QT_QPA_PLATFORM="offscreen"), capture_output=True, text=True, timeout=60)
    assert "LOADED []" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


def test_headless_commands_are_passed_on(monkeypatch):
    seen = []
    monkeypatch.setattr("app.headless.main", lambda arguments: seen.append(arguments) or 7)
    assert main.main(["check", "a.xml"]) == 7 and seen == [["check", "a.xml"]]


def test_arguments_of_the_window():
    chosen = main.parse_window_arguments(["m.xml", "--paused", "--size", "640x480", "--compat", "2.3"])
    assert (chosen.model, chosen.paused, chosen.size, chosen.compat) == (Path("m.xml"), True, "640x480", "2.3")
    with pytest.raises(SystemExit):
        main.parse_window_arguments(["m.xml", "--nonsense"])


@pytest.mark.parametrize(("variables", "found"), [({}, False), ({"DISPLAY": ":1"}, True), ({"WAYLAND_DISPLAY": "w"}, True), ({"QT_QPA_PLATFORM": "offscreen"}, True), ({"QT_QPA_PLATFORM": "xcb"}, False)])
def test_what_counts_as_a_display(monkeypatch, variables, found):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert main.has_display() is found
