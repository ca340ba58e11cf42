"""What the user sets is seen as soon as it can be: a picture that has just been begun is given up for it, once in a row, and the window looks at once."""
import time

import pytest

from assets.locate import bundled_model
from physics.runtime import commands


@pytest.fixture
def bench(workbench):
    made = workbench(bundled_model("arm.xml"), size=(700, 500))
    made.wait(lambda: not made.host.drawing and not made.viewport._dirty)
    return made


def test_the_window_looks_when_what_was_set_is_there(bench):
    bench.application._frames.setInterval(1_000_000)        # no tick will come
    bench.context.runner.send(commands.SetCtrl(0, 0.5))
    bench.wait(lambda: bench.viewport.picture.snapshot.ctrl[0] == 0.5)


def test_looking_on_asks_for_no_picture(bench):
    told = []
    bench.runner.on_input = lambda: told.append(1)
    seen = []
    bench.context.runner.send(commands.Visit(lambda _m, _d: seen.append(1)))
    bench.wait(lambda: seen)
    bench.context.runner.send(commands.SetCtrl(0, 0.25))
    bench.wait(lambda: told)
    assert len(told) == 1


def given_up(bench, began: float, prompt: bool, hurried: bool = False) -> bool:
    """Whether a picture of the usual 50 s that was begun so long ago [s] is given up."""
    view, asked = bench.viewport, []
    view._pace._costs.extend([50.0] * 5)
    view._began, view._hurried, view._resting = time.perf_counter() - began, hurried, False
    stand_in = type("Host", (), {"drawing": True, "give_up": lambda self: asked.append(1)})()
    view.host, real = stand_in, view.host
    try:
        view.frame(True, prompt)
    finally:
        view.host = real
    return bool(asked)


def test_only_a_picture_that_has_just_been_begun_is_given_up_and_never_two_in_a_row(bench):
    assert given_up(bench, 10.0, True)
    assert not given_up(bench, 45.0, True)
    assert not given_up(bench, 10.0, False)
    assert not given_up(bench, 10.0, True, hurried=True)
    bench.viewport.shown(bench.viewport.picture)
    assert not bench.viewport._hurried


def test_what_waits_for_the_picture_under_way_is_begun_when_that_is_there(bench):
    """No tick comes, and the picture was quick: without that the change would be seen with the next tick."""
    bench.application._frames.setInterval(1_000_000)
    view = bench.viewport
    view._pace._costs.extend([1e-9] * 5)         # every picture is too far to be given up
    begun, real = [], view.host.ask

    def ask():
        real()
        begun.append(view.host.drawing)
        if len(begun) == 1:
            bench.context.runner.send(commands.SetCtrl(0, 0.75))
            while not view._awaited:             # while it is drawn, whose end is told in a later turn
                bench.application._frame(prompt=bench.application.client.poll(figures=False))

    view.host.ask = ask
    bench.context.runner.send(commands.SetCtrl(0, 0.125))
    bench.wait(lambda: view.picture.snapshot.ctrl[0] == 0.75)
    view.host.ask = real
    assert begun[:2] == [True, True] and not view._awaited


def test_the_next_tick_comes_when_a_picture_between_two_may_be_there(bench):
    frames, begun = bench.application._frames, []
    frames.setInterval(1_000_000)
    frames.start = lambda: begun.append(bench.host.drawing)
    bench.context.runner.send(commands.SetCtrl(0, 0.5))
    bench.wait(lambda: bench.viewport.picture.snapshot.ctrl[0] == 0.5)
    assert begun and all(begun)
