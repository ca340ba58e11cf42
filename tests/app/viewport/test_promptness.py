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
