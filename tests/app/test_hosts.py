"""The view on Qt's own OpenGL widget, as on machines with a graphics card: in a process of its own with a display."""
import threading

import pytest
from PyQt6.QtCore import QTimer

import physics
from app.viewport import hosts
from app.viewport.hosts import ImageHost, make_host
from render.gpu import context
from tests.app.view_program import run_window

PROGRAM = """
bench = opened(size=(600, 400))     # stands still: pictures are alike where nothing else changes them
assert isinstance(bench.host, GLHost)
bench.pictures(3)
plain, without = bench.viewport.image(), bench.host.grabFramebuffer()
bench.application.overlay.show_info = True
bench.pictures(3)
again, with_text = bench.viewport.image(), bench.host.grabFramebuffer()
def differing(one, other):
    return sum(one.pixel(x, y) != other.pixel(x, y) for x in range(0, one.width()) for y in range(0, one.height()))
assert not plain.isNull() and with_text.size() == without.size() and again.size() == plain.size()
assert differing(with_text, without) > 500 and differing(again, plain) == 0, (differing(with_text, without), differing(again, plain))
bench.application.simulation.toggle_run()
bench.drag(QPointF(100, 100), QPointF(140, 110))
bench.docks.docks["source"].setFloating(True)
bench.pictures(3)
"""


def test_the_opengl_widget_draws_and_gives_pictures_without_text(tmp_path):
    run_window(PROGRAM, tmp_path, LINKWORK_HOST="gl")


class Painter:
    """Paints another colour each time. gate: what each picture waits for in the drawing thread, where there is one."""

    def __init__(self, gate=None):
        self.gate, self.asked, self.begun, self.seen, self.left, self.threads = gate, 0, threading.Event(), [], 0, set()

    def start(self, ctx):
        pass

    def stop(self):
        pass

    def capture(self):
        self.asked += 1
        return self.asked

    def draw(self, request, framebuffer, width, height):
        self.threads.add(threading.current_thread())
        self.begun.set()
        while self.gate is not None and not self.gate.wait(0.01):
            yield
        framebuffer.use()
        framebuffer.clear(*COLOURS[request % 2])
        yield

    def shown(self, request):
        self.seen.append(request)

    def overlay(self, painter):
        painter.fillRect(0, 0, 3, 3, painter.pen().color())


COLOURS = ((0.0, 0.0, 1.0, 1.0), (0.0, 0.5, 1.0, 1.0))
FIRST, SECOND = (0, 128, 255), (0, 0, 255)


def colour(host):
    image = host.grabFramebuffer()
    return None if image.isNull() else image.pixelColor(image.width() - 1, 5).getRgb()[:3]


def test_software_gl_gets_the_image_host(qtbot, monkeypatch):
    monkeypatch.delenv("LINKWORK_HOST", raising=False)
    painter = Painter()
    host = make_host(painter)
    qtbot.addWidget(host)
    if not isinstance(host, ImageHost):
        pytest.fail("tests are expected to run on software GL: set LIBGL_ALWAYS_SOFTWARE=1")
    host.show()
    for size in ((120, 80), (200, 60), (64, 64)):
        host.resize(*size)
        qtbot.waitUntil(lambda size=size: (host.grabFramebuffer().width(), host.grabFramebuffer().height()) == size)
        picture = host.grabFramebuffer()
        assert picture.pixelColor(5, 5).getRgb()[:3] == picture.pixelColor(60, 40).getRgb()[:3] == (FIRST if painter.seen[-1] % 2 else SECOND)
        assert host.grab().toImage().pixelColor(1, 1) != picture.pixelColor(1, 1)      # the overlay lies on it
    host.leave()


@pytest.fixture
def view(qtbot):
    """(host, painter): pictures are complete when the painter's gate is open."""
    painter = Painter(threading.Event())
    host = ImageHost(context.standalone(), painter)
    qtbot.addWidget(host)
    host.resize(40, 30)
    yield host, painter
    painter.gate.set()
    host.leave()


def test_a_picture_is_drawn_aside_and_the_last_one_stays_meanwhile(qtbot, view):
    host, painter = view
    host.grab()
    assert host.drawing and colour(host) is None
    host.ask()      # no other is begun
    painter.gate.set()
    qtbot.waitUntil(lambda: not host.drawing)
    assert colour(host) == FIRST and painter.seen == [1] and threading.current_thread() not in painter.threads
    painter.gate.clear()
    host.grab()     # shows it, and begins no other
    assert not host.drawing and painter.asked == 1
    host.ask()
    assert host.drawing and colour(host) == FIRST
    sizes = []
    painter.shown = lambda request: sizes.append((request, host.grabFramebuffer().width(), host.grabFramebuffer().height(), colour(host)))
    host.show()
    host.resize(60, 50)     # it is completed at the size it was begun with, and one of the new size follows
    host.grab()
    painter.gate.set()
    qtbot.waitUntil(lambda: len(sizes) == 2)
    assert sizes == [(2, 40, 30, SECOND), (3, 60, 50, FIRST)]


def test_the_window_answers_while_a_picture_is_drawn(qtbot, view):
    host, painter = view
    host.grab()
    assert painter.begun.wait(20)
    turns, timer = [], QTimer()
    timer.timeout.connect(lambda: turns.append(host.drawing))
    timer.start(1)
    qtbot.waitUntil(lambda: len(turns) > 20)
    assert all(turns)


def test_who_takes_the_context_finds_the_picture_complete(qtbot, view):
    host, painter = view
    host.grab()
    assert painter.begun.wait(20)
    threading.Timer(0.1, painter.gate.set).start()
    with host.current() as ctx:
        assert painter.gate.is_set() and ctx.error == "GL_NO_ERROR"
    qtbot.waitUntil(lambda: not host.drawing)
    assert colour(host) == FIRST


def test_jobs_are_done_in_turn_in_the_drawing_thread_and_their_results_come_back(qtbot, view):
    host, painter = view
    host.grab()
    done, told = [], []

    def job(ctx):
        done.append((ctx.error, threading.current_thread(), painter.gate.is_set()))
        return len(done)

    host.run(job, lambda result: told.append((result, threading.current_thread())))
    host.run(job)
    assert painter.begun.wait(20) and not done
    painter.gate.set()
    qtbot.waitUntil(lambda: len(done) == 2 and len(told) == 1)
    assert told == [(1, threading.current_thread())] and all(error == "GL_NO_ERROR" and after for error, _, after in done)
    assert {thread for _, thread, _ in done} == painter.threads


def test_what_the_driver_keeps_is_freed_once_when_pictures_have_ended(qtbot, view, monkeypatch):
    host, painter = view
    monkeypatch.setattr(hosts, "QUIET_MS", 1500)
    emptied = []
    monkeypatch.setattr(hosts, "empty_bins", lambda calls: emptied.append((threading.current_thread(), painter.asked, calls.ctx.error)))
    painter.gate.set()
    host.grab()
    for count in range(2, 5):
        qtbot.waitUntil(lambda: not host.drawing)
        host.ask()
        assert painter.asked == count and not emptied
    qtbot.waitUntil(lambda: bool(emptied))
    assert not host._quiet.isActive()       # once
    qtbot.wait(100)
    assert [(asked, error) for _, asked, error in emptied] == [(4, "GL_NO_ERROR")] and emptied[0][0] in painter.threads


def test_nothing_is_freed_in_a_view_that_has_left(qtbot, view, monkeypatch):
    host, painter = view
    monkeypatch.setattr(hosts, "QUIET_MS", 60_000)
    emptied = []
    monkeypatch.setattr(hosts, "empty_bins", emptied.append)
    painter.gate.set()
    host.grab()
    qtbot.waitUntil(lambda: not host.drawing)
    assert host._quiet.isActive()
    host.leave()
    assert not host._quiet.isActive()
    host._empty_bins()      # as one that had been due already
    qtbot.wait(100)
    assert not emptied


def test_what_a_job_raises_is_raised_in_the_gui_thread(qtbot, view):
    host, painter = view
    painter.gate.set()
    with qtbot.captureExceptions() as raised:
        host.run(lambda _ctx: 1 / 0)
        qtbot.waitUntil(lambda: len(raised) > 0)
    assert raised[0][0] is ZeroDivisionError
    host.ask()
    qtbot.waitUntil(lambda: painter.seen == [1])


def test_a_picture_that_the_painter_gives_up_leaves_the_last_one(qtbot, view):
    host, painter = view
    painter.gate.set()
    host.ask()
    qtbot.waitUntil(lambda: painter.seen == [1])

    def given_up(*_args):
        yield
        return False

    painter.draw = given_up
    host.ask()
    qtbot.waitUntil(lambda: painter.seen == [1, None])
    assert colour(host) == FIRST and not host.drawing


def test_a_picture_that_nobody_wants_any_more_ends_at_its_next_pause(qtbot, view):
    host, painter = view
    host.ask()
    assert painter.begun.wait(20)
    host.give_up()
    qtbot.waitUntil(lambda: painter.seen == [None])
    assert colour(host) is None and not host.drawing
    painter.gate.set()
    host.ask()
    qtbot.waitUntil(lambda: painter.seen == [None, 2])
    assert colour(host) == SECOND


def test_a_view_that_goes_leaves_its_picture_undone(qtbot, view):
    host, painter = view
    host.grab()
    assert painter.begun.wait(20)
    host.leave()
    host.run(lambda _ctx: painter.seen.append("job"))
    host.ask()
    host.grab()
    qtbot.wait(50)
    assert not host.drawing and not painter.seen and painter.asked == 1


def test_who_draws_in_the_thread_of_the_window_does_not_wait_there_for_visuals(workbench, monkeypatch):
    bench = workbench(None)
    for aside in (True, False):
        monkeypatch.setattr(bench.host, "aside", aside)
        model = physics.load_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
        rest = bench.application._model_compiled(model)
        assert callable(rest) is aside, "on its way the model is drawn by whoever may wait, and by nobody else"
        if rest is not None:
            rest()
        assert bench.context.prepared.ready().model is model
