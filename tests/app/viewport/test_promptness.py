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


def given_up(bench, progress: float, prompt: bool, hurried: bool = False) -> bool:
    """Whether a picture of which so much is drawn is given up."""
    view, asked = bench.viewport, []
    view._hurried, view._resting = hurried, False
    stand_in = type("Host", (), {"drawing": True, "progress": progress, "give_up": lambda self: asked.append(1)})()
    view.host, real = stand_in, view.host
    try:
        view.frame(True, prompt)
    finally:
        view.host = real
    return bool(asked)


def test_only_a_picture_that_has_just_been_begun_is_given_up_and_never_two_in_a_row(bench):
    assert given_up(bench, 0.2, True)
    assert not given_up(bench, 0.9, True)
    assert not given_up(bench, 0.2, False)
    assert not given_up(bench, 0.2, True, hurried=True)
    bench.viewport.shown(bench.viewport.picture)
    assert not bench.viewport._hurried


def test_what_waits_for_the_picture_under_way_is_begun_when_that_is_there(bench, monkeypatch):
    """No tick comes, and the picture was quick: without that the change would be seen with the next tick."""
    bench.application._frames.setInterval(1_000_000)
    view, begun, real = bench.viewport, [], bench.viewport.host.ask
    monkeypatch.setattr(type(view.host), "progress", property(lambda _host: 0.9))        # every picture is too far to be given up

    def ask():
        real()
        begun.append(view.host.drawing)
        if len(begun) == 1:
            bench.context.runner.send(commands.SetCtrl(0, 0.75))
            while bench.snapshot.ctrl[0] != 0.75:       # while it is drawn, whose end is told in a later turn
                bench.application._frame(prompt=True)

    view.host.ask = ask
    bench.context.runner.send(commands.SetCtrl(0, 0.125))
    bench.wait(lambda: view.picture.snapshot.ctrl[0] == 0.75)
    view.host.ask = real
    assert begun[:2] == [True, True] and not view._awaited


def test_how_far_a_picture_is_by_the_time_that_the_last_one_took(bench):
    host, now = bench.host, time.perf_counter()
    assert host._all_steps > 1 and host.progress == 1 and 0 < host._took < 60
    bench.wait(lambda: not host.drawing)
    host._steps, host._took, host._began = 1, 1000.0, now - 250.0
    assert host.progress == pytest.approx(0.25, abs=0.05)
    host._steps = host._all_steps       # what is left cannot be given up
    assert host.progress == 1


def test_the_next_picture_is_begun_when_this_one_has_been_painted(bench, monkeypatch):
    view, order = bench.viewport, []
    bench.application._frames.setInterval(1_000_000)
    view.frame_due.connect(lambda: order.append("due"))
    view.painted.connect(lambda _picture: order.append("painted"))
    view._awaited = True
    view.shown(view.picture)
    assert not order
    bench.host.update()
    bench.wait(lambda: len(order) >= 2)
    assert order[:2] == ["painted", "due"]
    view._awaited = True
    view.shown(None)        # left away: nothing will be painted
    assert order[2:3] == ["due"]


def test_a_panel_that_is_on_top_is_not_raised_again(bench, monkeypatch):
    """That costs a layout and a paint of all panels, 20 ms, which a slider that is set by a script would wait for."""
    bench.settled()
    bench.docks.show("controls")
    bench.wait(lambda: not bench.docks.docks["controls"].visibleRegion().isEmpty())
    bench.settled()
    raised = []
    monkeypatch.setattr("app.windows.dock_layout.put_on_top", raised.append)
    assert bench.docks.show("controls") is bench.docks.panels["controls"] and not raised


def test_a_picture_gives_way_once_to_what_the_next_one_waits_for(bench):
    asked = []
    bench.host.gives_way = lambda: asked.append(1) or len(asked) < 4
    shown = []
    bench.viewport.painted.connect(shown.append)
    bench.viewport.refresh()
    bench.wait(lambda: shown)
    assert len(asked) >= 4
    bench.host.gives_way = lambda: True        # for ever: a picture comes all the same
    shown.clear()
    bench.viewport.refresh()
    bench.wait(lambda: shown)
