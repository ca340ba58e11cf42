"""The view on Qt's own OpenGL widget, as on machines with a graphics card: in a process of its own with a display."""
import pytest

from app.viewport.hosts import ImageHost, make_host
from tests.app.view_program import run_window

PROGRAM = """
bench = opened(size=(600, 400), running=True)
assert isinstance(bench.host, GLHost)
bench.pictures(3)
def colours(image):
    return {image.pixel(x, y) & 0xFFFFFF for x in range(0, image.width()) for y in range(0, image.height() // 5)}
with_text, plain = colours(bench.host.grabFramebuffer()), colours(bench.viewport.image())
assert 0xFFFFFF in with_text and 0xFFFFFF not in plain and len(plain) > 10, (len(with_text), len(plain))
bench.drag(QPointF(100, 100), QPointF(140, 110))
bench.docks.docks["source"].setFloating(True)
bench.pictures(3)
"""


def test_the_opengl_widget_draws_and_gives_pictures_without_text(tmp_path):
    run_window(PROGRAM, tmp_path, LINKWORK_HOST="gl")


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
