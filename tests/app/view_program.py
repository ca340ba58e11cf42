"""A window in a process of its own, as tests need it that choose the host, the scale of the screen or what the driver is."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAD = """
import os, sys, time
from pathlib import Path
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QSurfaceFormat
from PyQt6.QtWidgets import QApplication, QMainWindow
from app.viewport.hosts import GLHost, ImageHost, surface_format
QSurfaceFormat.setDefaultFormat(surface_format())
QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts, "TEST_ALONE" not in os.environ)
app = QApplication([])
from tests.app.workbench import Workbench
from tests.render.gl_objects import living

class Wait:
    def waitUntil(self, condition, timeout):
        end = time.monotonic() + timeout / 1000
        while not condition():
            assert time.monotonic() < end, "waited too long"
            app.processEvents()
            time.sleep(0.001)       # a loop that turns without pause keeps the interpreter from the drawing thread

def opened(model="models/pendulum.xml", **options):
    return Workbench(Wait(), Path(sys.argv[1]), Path(model), **options)
"""
TAIL = """
print("all well", flush=True)
os._exit(0)
"""


def run_window(program: str, folder: Path, **environment: str) -> str:
    """Run a program that begins with HEAD under a display; what it printed. Fails unless it came to its end."""
    command = [sys.executable, "-c", HEAD + program + TAIL, str(folder)]
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        xvfb = shutil.which("xvfb-run")
        assert xvfb, "this test needs a display or xvfb-run (apt install xvfb); ./test.sh brings one"
        command = [xvfb, "-a", "-s", "-screen 0 1280x800x24 +extension GLX", *command]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LINKWORK_STATE": str(folder), **environment}
    env.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=90)
    assert "all well" in done.stdout, done.stdout + done.stderr
    return done.stdout
