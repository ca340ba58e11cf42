"""Pictures are coarser while they change and fine at rest, where a graphics card is missing; the setting switches it off."""
import time

import numpy as np
import pytest
from PyQt6.QtCore import QPointF

from app.bridge.view import view_of
from physics.model.elements import element
from render.pace import DRAG_LEVELS, LEVELS, scale_at
from tests.app.workbench import NONE, Button

COARSE = len(LEVELS) - 2
REST = 0.5      # s without a picture that end a motion here: on a busy machine pictures of one motion may lie further apart than the program's own allows


@pytest.fixture
def bench(workbench, monkeypatch):
    from assets.locate import bundled_model

    monkeypatch.setattr('render.pace.SLOW', np.inf)      # however slow the machine is
    monkeypatch.setattr('render.pace.REST', REST)
    made = workbench(bundled_model('arm.xml'), size=(800, 600), adaptive=True)
    made.viewport._pace._judge = lambda *_: None      # levels are chosen here
    return made


def levels(bench, count):
    """Levels of the next pictures; of those that are given up for a newer one none."""
    seen, shown = [], bench.viewport.shown
    bench.viewport.shown = lambda picture: (seen.append(picture.level) if picture is not None else None, shown(picture))
    bench.wait(lambda: len(seen) >= count)
    bench.viewport.shown = shown
    return seen[:count]


def be_still(bench):
    """Wait until nothing has changed for so long that the next change is no part of a motion."""
    view = bench.viewport
    bench.wait(lambda: view.picture.level == 0 and not bench.host.drawing and not view._dirty and time.perf_counter() - view._pace._last > 1.1 * view._pace.rest)


def test_motion_is_coarse_and_rest_is_fine_again(bench):
    bench.wait(lambda: not bench.host.drawing)
    fine = bench.viewport.image()
    bench.viewport._pace.level = COARSE
    bench.actions['run'].trigger()
    bench.wait(lambda: bench.snapshot.running)
    assert levels(bench, 6)[1:] == [COARSE] * 5
    bench.actions['run'].trigger()
    bench.wait(lambda: not bench.snapshot.running and bench.viewport.picture.level == 0)
    assert bench.viewport.image().size() == fine.size()


def test_a_coarse_picture_shows_the_same_scene(bench):
    bench.pictures(2)
    fine = bench.viewport.image()
    bench.viewport._pace.level = COARSE
    bench.viewport._pace.ask = lambda _now, _dragged: COARSE
    bench.viewport._pace.due = lambda _now: False
    bench.pictures(3)
    coarse = bench.viewport.image()
    assert coarse.size() == fine.size()
    points = [(x, y) for x in range(4, fine.width(), 9) for y in range(4, fine.height(), 9)]
    near = [max(abs(a - b) for a, b in zip(fine.pixelColor(*p).getRgb(), coarse.pixelColor(*p).getRgb())) < 40 for p in points]
    assert 0.85 < np.mean(near) and coarse != fine
    at = bench.viewport.picture
    assert at.size == (fine.width(), fine.height()) and at.view == view_of(at.snapshot.model, at.snapshot, at.camera)


def test_a_single_change_is_drawn_fine_and_a_drag_coarse(bench):
    bench.viewport._pace.level = COARSE
    be_still(bench)
    bench.context.options.toggle('joint')
    bench.context.options_changed.emit()
    assert levels(bench, 1) == [0]
    be_still(bench)
    seen, shown = [], bench.viewport.shown
    bench.viewport.shown = lambda picture: (seen.append(picture.level) if picture is not None else None, shown(picture))
    stops = [QPointF(100 + 4 * k, 120) for k in range(40)]
    bench.drag(QPointF(100, 120), *stops, button=Button.LeftButton, modifiers=NONE, between=lambda: bench.qtbot.wait(20))
    assert COARSE in seen
    bench.wait(lambda: seen[-1] == 0)


def test_what_follows_a_hand_is_drawn_coarser_than_what_moves_by_itself(bench):
    bench.viewport._pace._costs.clear()
    bench.viewport._pace._fine = 0.1        # s that a fine picture is known to take
    be_still(bench)
    gesture = bench.session.gesture()
    assert bench.viewport.dragged()
    bench.viewport._pace._fine = 0.1
    bench.context.options.toggle('joint')
    bench.context.options_changed.emit()
    assert levels(bench, 1) == [DRAG_LEVELS]
    bench.session.end(gesture)
    assert not bench.viewport.dragged()
    be_still(bench)
    bench.context.options.toggle('joint')
    bench.context.options_changed.emit()
    assert levels(bench, 1) == [0]


def test_a_motion_with_few_pictures_a_second_is_coarse_throughout(bench):
    bench.settings.set('view/frame_cap', 1)
    assert bench.viewport._pace.interval > 1.9 * REST
    bench.viewport._pace.level = COARSE
    bench.actions['run'].trigger()
    bench.wait(lambda: bench.snapshot.running)
    assert levels(bench, 3)[1:] == [COARSE] * 2


def test_a_change_is_drawn_coarse_and_then_fine_where_fine_takes_long(bench, monkeypatch):
    be_still(bench)
    monkeypatch.setattr('render.pace.SLOW', 0.0)
    bench.viewport._pace.level = COARSE
    bench.context.options.toggle('joint')
    seen, shown = [], bench.viewport.shown
    bench.viewport.shown = lambda picture: (seen.append(picture.level) if picture is not None else None, shown(picture))
    bench.context.options_changed.emit()
    bench.wait(lambda: 0 in seen)
    assert seen[0] == COARSE


def test_a_fine_picture_gives_way_when_motion_goes_on(bench):
    be_still(bench)
    draw, begun = bench.viewport._drawer.draw, []

    def endless(picture, *target):
        begun.append(picture.level)
        while picture.level == 0:
            time.sleep(0.002)
            yield
        return (yield from draw(picture, *target))

    bench.viewport._pace.level = COARSE
    bench.viewport._pace.done(COARSE, 0.01, time.perf_counter())
    bench.viewport._drawer.draw = endless
    # whatever else changes until then (a panel, the note at the pointer) is drawn coarsely, and a fine picture that gave way to it is not the one that is meant
    bench.wait(lambda: begun and begun[-1] == 0 and bench.host.drawing and not bench.host._given_up)
    before = len(begun)
    bench.viewport.refresh()
    bench.wait(lambda: len(begun) > before)
    assert begun[before] == COARSE
    bench.viewport._drawer.draw = draw


def test_the_outline_is_as_wide_while_moving_as_at_rest(bench):
    bench.context.select_elements((element(bench.context.model, 'geom', 0),))
    bench.viewport._pace.ask = lambda _now, _dragged: 0
    bench.pictures(2)
    width = bench.viewport.picture.scene.outline.width
    bench.viewport._pace.ask = lambda _now, _dragged: COARSE
    bench.viewport._pace.due = lambda _now: False
    bench.pictures(2)
    assert bench.viewport.picture.scene.outline.width == pytest.approx(width * scale_at(COARSE))    # of a picture that is scaled up


def test_the_setting_keeps_every_picture_fine(bench):
    bench.settings.set('view/adaptive', False)
    bench.viewport._pace.level = COARSE
    bench.actions['run'].trigger()
    bench.wait(lambda: bench.snapshot.running)
    assert levels(bench, 4) == [0] * 4


def test_another_model_begins_fine_and_an_edit_goes_on(bench, tmp_path):
    from assets.locate import bundled_model

    bench.viewport._pace.level = COARSE
    session = bench.session
    session.set_text(session.document.key, session.document.main.text.replace('</worldbody>', '<geom size="0.01"/></worldbody>'))
    session.apply()
    geoms = bench.context.model.ngeom
    bench.wait(lambda: bench.context.model.ngeom == geoms + 1)
    assert bench.viewport._pace.level == COARSE
    session.open(bundled_model('pendulum.xml'), run=False)
    bench.wait(lambda: 'pendulum' in str(bench.context.model.source[0]))
    assert bench.viewport._pace.level == 0
