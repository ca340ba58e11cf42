"""The view on Qt's own OpenGL widget, as on machines with a graphics card: in a process of its own with a display."""
import pytest

from app.viewport.hosts import ImageHost, make_host
from render.gpu import context
from tests.app.view_program import run_window

PROGRAM = """
bench = opened(size=(600, 400), running=True)
assert isinstance(bench.host, GLHost)
bench.application.overlay.show_info = True
bench.pictures(3)
def colours(image):
    return {image.pixel(x, y) & 0xFFFFFF for x in range(0, image.width()) for y in range(0, image.height())}
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
            yield

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


class Slow:
    """Paints another colour each time, in steps that take a second each by its own clock."""

    STEPS = 6

    def __init__(self):
        self.now, self.pictures, self.steps = 0.0, 0, 0

    def start(self, ctx):
        pass

    def stop(self):
        pass

    def draw(self, framebuffer, width, height):
        self.pictures += 1
        colour = COLOURS[self.pictures % 2]
        for _ in range(self.STEPS):
            self.now += 1.0
            self.steps += 1
            yield
        framebuffer.use()
        framebuffer.clear(*colour)

    def overlay(self, painter):
        pass


COLOURS = ((0.0, 0.0, 1.0, 1.0), (0.0, 1.0, 0.0, 1.0))


@pytest.fixture
def slow_view(qtbot):
    """(host, painter): the first picture takes several turns of the event loop."""
    painter = Slow()
    host = ImageHost(context.standalone(), painter, clock=lambda: painter.now)
    qtbot.addWidget(host)
    host.resize(40, 30)
    yield host, painter
    host.leave()


def colour(host):
    return host.grabFramebuffer().pixelColor(5, 5).getRgb()[:3]


def test_a_slow_picture_takes_a_step_in_each_turn_and_the_last_one_stays_meanwhile(qtbot, slow_view):
    host, painter = slow_view
    host.grab()
    assert host.drawing and painter.steps == 1 and host.grabFramebuffer().isNull()
    for step in range(2, Slow.STEPS + 1):
        host._go_on()
        assert painter.steps == step
    host._go_on()
    assert not host.drawing and colour(host) == (0, 255, 0)
    host.grab()      # shows it, and begins no other
    assert not host.drawing and painter.pictures == 1
    host.grab()
    assert host.drawing and painter.pictures == 2 and colour(host) == (0, 255, 0)
    host.resize(60, 50)     # it is completed at the size it was begun with
    qtbot.waitUntil(lambda: colour(host) == (0, 0, 255))
    assert (host.grabFramebuffer().width(), host.grabFramebuffer().height()) == (40, 30)


def test_who_takes_the_context_finds_the_picture_complete(slow_view):
    host, painter = slow_view
    host.grab()
    with host.current() as ctx:
        assert not host.drawing and painter.steps == Slow.STEPS and ctx.error == "GL_NO_ERROR"
    assert colour(host) == (0, 255, 0)


def test_a_view_that_goes_leaves_its_picture_undone(slow_view):
    host, painter = slow_view
    host.grab()
    host.leave()
    host._go_on()
    host.grab()
    assert not host.drawing and painter.steps == 1
