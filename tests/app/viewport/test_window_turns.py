"""A picture is not drawn while the window cannot show it."""
import threading
import time

import pytest

from app.viewport import window_turns
from app.viewport.hosts import ImageHost
from app.viewport.window_turns import WindowTurns
from render.gpu import context


@pytest.fixture
def long(monkeypatch):
    """Nothing but a next turn ends the waiting soon."""
    monkeypatch.setattr(window_turns, "MOST", 60.0)


class Stepping:
    """Draws in many steps of a millisecond; steps: how many so far."""

    def __init__(self):
        self.steps, self.begun, self.seen = 0, threading.Event(), []

    def start(self, *_args):
        pass

    stop = overlay = start

    def capture(self):
        return object()

    def draw(self, request, framebuffer, width, height):
        for _ in range(100):
            self.steps += 1
            time.sleep(0.001)
            self.begun.set()
            yield

    def shown(self, request):
        self.seen.append(request)


@pytest.fixture
def host(qtbot, long):
    painter = Stepping()
    made = ImageHost(context.standalone(), painter)
    qtbot.addWidget(made)
    yield made, painter
    made.leave()


def busy(seconds: float) -> None:
    """A turn of the window that takes so long; other threads can run."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        time.sleep(0.001)


def test_drawing_stands_still_in_a_long_turn_and_goes_on_after_it(host, qtbot):
    view, painter = host
    view.ask()
    assert painter.begun.wait(20)
    busy(2 * window_turns.LONG)
    held = painter.steps
    busy(0.3)
    assert painter.steps <= held + 1 < 100
    qtbot.waitUntil(lambda: painter.steps == 100 and bool(painter.seen), timeout=20_000)


def test_who_waits_for_the_context_or_gives_the_picture_up_does_not_wait_for_the_next_turn(host):
    view, painter = host
    view.ask()
    assert painter.begun.wait(20)
    busy(3 * window_turns.LONG)
    with view.current():        # would take a minute
        assert painter.steps == 100
    view._asked = None
    view.ask()
    busy(3 * window_turns.LONG)
    begun = painter.steps
    view.give_up()
    view._thread.end()      # when the picture has ended
    assert painter.steps <= begun + 1


def test_turns_are_long_only_while_nothing_happens(qtbot):
    turns = WindowTurns()
    turns.watch(True)
    busy(2 * window_turns.LONG)
    assert turns.long
    qtbot.waitUntil(lambda: not turns.long, timeout=20_000)
    turns.watch(False)


def test_a_turn_is_waited_for_once(qtbot, monkeypatch):
    monkeypatch.setattr(window_turns, "MOST", 0.2)
    turns = WindowTurns()
    turns.watch(True)
    waited = []
    for _ in range(20):
        begun = time.perf_counter()
        turns.wait(lambda: False)
        waited.append(time.perf_counter() - begun)
        busy(2 * window_turns.LONG if not waited[1:] else 0)
    assert sum(waited) < 1.0 and max(waited) > 0.05
    turns.watch(False)


def test_turns_are_looked_at_for_as_long_as_it_is_needed(qtbot):
    turns, needed = WindowTurns(), [True]
    turns.watch(True, lambda: bool(needed))
    qtbot.wait(50)
    assert turns._timer.isActive()
    needed.clear()
    qtbot.waitUntil(lambda: not turns._timer.isActive(), timeout=20_000)
