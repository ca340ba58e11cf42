"""The view on Qt's own OpenGL widget, as on machines with a graphics card: in a process of its own with a display."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.viewport.hosts import ImageHost, make_host

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys, time
from pathlib import Path
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QSurfaceFormat
from PyQt6.QtWidgets import QApplication
from app.viewport.hosts import GLHost, surface_format
QSurfaceFormat.setDefaultFormat(surface_format())
QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
app = QApplication([])
from tests.app.workbench import Workbench

class Wait:
    def waitUntil(self, condition, timeout):
        end = time.monotonic() + timeout / 1000
        while not condition():
            assert time.monotonic() < end, "waited too long"
            app.processEvents()

bench = Workbench(Wait(), Path(sys.argv[1]), Path("models/pendulum.xml"), size=(600, 400), running=True)
assert isinstance(bench.host, GLHost)
bench.pictures(3)
def colours(image):
    return {image.pixel(x, y) & 0xFFFFFF for x in range(0, image.width()) for y in range(0, image.height() // 5)}
with_text, plain = colours(bench.host.grabFramebuffer()), colours(bench.viewport.image())
assert 0xFFFFFF in with_text and 0xFFFFFF not in plain and len(plain) > 10, (len(with_text), len(plain))
bench.drag(QPointF(100, 100), QPointF(140, 110))
bench.docks.docks["source"].setFloating(True)
bench.pictures(3)
print("all well", flush=True)
import os
os._exit(0)
"""


def test_the_opengl_widget_draws_and_gives_pictures_without_text(tmp_path):
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        xvfb = shutil.which("xvfb-run")
        assert xvfb, "this test needs a display or xvfb-run (apt install xvfb); ./test.sh brings one"
        command = [xvfb, "-a", "-s", "-screen 0 1280x800x24 +extension GLX", *command]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LINKWORK_HOST": "gl", "LINKWORK_STATE": str(tmp_path)}
    env.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=90)
    assert "all well" in done.stdout, done.stdout + done.stderr


def test_software_gl_gets_the_image_host(qtbot, monkeypatch):
    class Painter:
        def start(self, ctx):
            self.ctx = ctx

        def draw(self, framebuffer, width, height):
            framebuffer.use()
            framebuffer.clear(0.0, 0.5, 1.0, 1.0)

        def overlay(self, painter):
            painter.fillRect(0, 0, 10, 10, painter.pen().color())

    monkeypatch.delenv("LINKWORK_HOST", raising=False)
    host = make_host(Painter())
    qtbot.addWidget(host)
    if not isinstance(host, ImageHost):
        pytest.fail("tests are expected to run on software GL: set LIBGL_ALWAYS_SOFTWARE=1")
    for size in ((120, 80), (200, 60), (64, 64)):
        host.resize(*size)
        host.repaint()
        host.grab()
        picture = host.grabFramebuffer()
        assert (picture.width(), picture.height()) == size
        assert picture.pixelColor(5, 5).getRgb()[:3] == picture.pixelColor(60, 40).getRgb()[:3] == (0, 128, 255)
