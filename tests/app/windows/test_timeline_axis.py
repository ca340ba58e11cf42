"""The time axis by hand: zoomed and moved by wheel, mouse and keys, regions dragged, a page turned while it runs."""
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QContextMenuEvent, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMenu

from app.timeline.region import Region
from app.windows.axis_painter import BESIDE
from tests.app.windows.test_timeline import MODEL, ran
from tests.app.workbench import CTRL, NONE, SHIFT, Key


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1100, 700))


@pytest.fixture
def axis(bench):
    ran(bench, 0.8)
    bench.wait(lambda: bench.window.timeline.axis.index == bench.snapshot.history_index)
    return bench.window.timeline.axis


def at(axis, index, y=None):
    return QPoint(round(axis.x_of(index)), axis.height() // 2 if y is None else y)


def wheel(axis, index, clicks, keys=NONE, across=0):
    place = QPointF(axis.x_of(index), axis.height() / 2)
    event = QWheelEvent(place, QPointF(axis.mapToGlobal(place.toPoint())), QPoint(), QPoint(across * 120, clicks * 120), Qt.MouseButton.NoButton, keys,
                        Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(axis, event)


def shown(axis):
    return axis.range.first, axis.range.first + axis.range.span


def test_the_wheel_zooms_about_the_pointer_and_a_double_click_shows_all_again(bench, axis):
    whole, x = shown(axis), axis.x_of(100)
    picture = axis.grab().toImage()
    wheel(axis, 100, 4)
    assert axis.range.span < 0.5 * (whole[1] - whole[0]) and axis.x_of(100) == pytest.approx(x) and axis.grab().toImage() != picture
    index = axis.index_at(x + 30)
    assert axis.x_of(index) == pytest.approx(x + 30, abs=axis._per_entry)
    QTest.mouseClick(axis, Qt.MouseButton.LeftButton, pos=QPoint(round(x) + 30, axis.height() // 2))
    bench.wait(lambda: bench.snapshot.history_index == index)
    QTest.mouseDClick(axis, Qt.MouseButton.LeftButton, pos=at(axis, 100))
    assert axis.range.fitted and shown(axis) == whole
    wheel(axis, 100, -3)
    assert axis.range.fitted, "there is no more"


def test_it_is_moved_by_shift_and_wheel_by_the_middle_button_and_by_the_strip_below(bench, axis):
    wheel(axis, 200, 6)
    before = shown(axis)
    wheel(axis, 200, -1, SHIFT)
    assert axis.range.first > before[0] and axis.range.span == pytest.approx(before[1] - before[0])
    wheel(axis, 200, 0, across=2)
    assert axis.range.first < before[0]
    x = axis.x_of(200)
    QTest.mousePress(axis, Qt.MouseButton.MiddleButton, pos=QPoint(round(x), 10))
    QTest.mouseMove(axis, QPoint(round(x) + 50, 10))
    QTest.mouseRelease(axis, Qt.MouseButton.MiddleButton, pos=QPoint(round(x) + 50, 10))
    assert axis.x_of(200) == pytest.approx(x + 50, abs=1)
    bottom = axis.height() - 2
    QTest.mouseClick(axis, Qt.MouseButton.LeftButton, pos=QPoint(round(BESIDE), bottom))
    assert axis.range.first == 0 and bench.snapshot.history_index == bench.snapshot.history_length - 1, "nobody was scrubbed"
    QTest.mousePress(axis, Qt.MouseButton.LeftButton, pos=QPoint(axis.width() // 2, bottom))
    start, span = axis.range.whole
    assert sum(shown(axis)) / 2 == pytest.approx(start + span / 2, abs=span / 100)
    QTest.mouseRelease(axis, Qt.MouseButton.LeftButton, pos=QPoint(axis.width() // 2, bottom))
    bench.actions["fit_timeline"].trigger()
    assert axis.range.fitted


def test_a_hand_that_leaves_the_axis_takes_it_along(bench, axis):
    axis.range.show(100, 150)
    QTest.mousePress(axis, Qt.MouseButton.LeftButton, pos=at(axis, 120))
    bench.wait(lambda: bench.snapshot.history_index == 120)
    QTest.mouseMove(axis, QPoint(axis.width() + 40, 5))
    assert axis.range.first > 100 and axis.index == pytest.approx(shown(axis)[1], abs=1)
    QTest.mouseRelease(axis, Qt.MouseButton.LeftButton, pos=QPoint(axis.width() + 40, 5))


def test_the_page_is_turned_while_it_runs(bench, axis):
    newest = bench.snapshot.history_length - 1
    axis.range.show(newest - 50, newest + 5)
    first = axis.range.first
    bench.actions["run"].trigger()
    bench.wait(lambda: axis.range.first > first)
    assert not axis.range.fitted and axis.range.span == pytest.approx(55)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)


def test_shift_and_a_drag_mark_a_region_that_is_painted_and_told(bench, axis):
    index, picture = bench.snapshot.history_index, axis.grab().toImage()
    QTest.mousePress(axis, Qt.MouseButton.LeftButton, SHIFT, at(axis, 100))
    QTest.mouseMove(axis, at(axis, 101) if axis.x_of(101) - axis.x_of(100) < 3 else at(axis, 100))
    assert bench.context.region.region is None, "a hand that trembles marks nothing"
    QTest.mouseMove(axis, at(axis, 250))
    region = bench.context.region.region
    assert region.first == pytest.approx(100, abs=2) and region.last == pytest.approx(250, abs=2)
    QTest.mouseMove(axis, QPoint(axis.width() + 100, 5))
    assert bench.context.region.region.last == bench.snapshot.history_length - 1, "no farther than the history"
    QTest.mouseMove(axis, at(axis, 40))
    QTest.mouseRelease(axis, Qt.MouseButton.LeftButton, SHIFT, at(axis, 40))
    region = bench.context.region.region
    assert region.first == pytest.approx(40, abs=2) and region.last == pytest.approx(100, abs=2)
    assert bench.snapshot.history_index == index, "marking moves nothing"
    assert axis.grab().toImage() != picture and f"Region of {region.last - region.first + 1} steps" in axis.told(axis.x_of(70)) and "Region" not in axis.told(axis.x_of(200))
    bench.actions["clear_region"].trigger()
    assert bench.context.region.region is None and axis.grab().toImage() == picture


def test_the_region_is_marked_from_the_playhead_too(bench, axis):
    newest = bench.snapshot.history_length - 1
    bench.application.simulation.scrub(50)
    bench.wait(lambda: bench.snapshot.history_index == 50)
    bench.actions["region_from"].trigger()
    assert bench.context.region.region == Region(50, newest)
    bench.application.simulation.scrub(90)
    bench.wait(lambda: bench.snapshot.history_index == 90)
    bench.actions["region_to"].trigger()
    assert bench.context.region.region == Region(50, 90)


def test_the_right_button_asks_what_can_be_done_there(bench, axis):
    asked = []
    axis.menu_wanted.connect(lambda number, mark, place: asked.append((number, mark)))
    QApplication.sendEvent(axis, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at(axis, 60), axis.mapToGlobal(at(axis, 60))))
    assert asked[0][0] == pytest.approx(60, abs=2) and asked[0][1] is None
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu) and "Region from here" in [action.text() for action in menu.actions()]
    menu.close()


def test_the_keys_move_the_playhead_and_the_axis(bench, axis):
    assert axis.accessibleName() == "Time axis" and axis.focusPolicy() == Qt.FocusPolicy.TabFocus
    newest = bench.snapshot.history_length - 1
    page = max(1, round(0.1 * axis.range.span))
    for key, keys, index in ((Key.Key_Home, NONE, 0), (Key.Key_Right, NONE, 1), (Key.Key_Right, SHIFT, 11), (Key.Key_PageDown, NONE, 11 + page),
                             (Key.Key_PageUp, NONE, 11), (Key.Key_Left, NONE, 10), (Key.Key_End, NONE, newest)):
        bench.press_key(key, keys, axis)
        bench.wait(lambda index=index: bench.snapshot.history_index == index)
    assert f"step {newest + 1} of" in axis.accessibleDescription()
    bench.press_key(Key.Key_Plus, NONE, axis)
    assert not axis.range.fitted
    bench.press_key(Key.Key_Minus, NONE, axis)
    bench.press_key(Key.Key_Minus, NONE, axis)
    assert axis.range.fitted
    bench.press_key(Key.Key_Plus, NONE, axis)
    bench.press_key(Key.Key_0, NONE, axis)
    assert axis.range.fitted


def test_a_click_leaves_the_keys_with_the_view(bench, axis):
    bench.host.setFocus()
    bench.wait(bench.host.hasFocus)
    QTest.mouseClick(axis, Qt.MouseButton.LeftButton, pos=at(axis, 20))
    assert bench.host.hasFocus()
    bench.press_key(Key.Key_B, CTRL)
    assert len(bench.context.bookmarks) == 1
