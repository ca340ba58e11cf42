"""Which part of a history the time axis shows."""
import pytest

from app.history_scale import HistoryScale
from app.timeline.axis_range import LEAST, AxisRange


def scale(length):
    return HistoryScale(length, (0.0, 0.01 * (length - 1)), 0.01)


@pytest.fixture
def shown():
    made = AxisRange()
    made.follow(scale(1001), 0, 1000)
    return made


def test_all_is_shown_over_a_round_time_until_somebody_zooms(shown):
    assert shown.fitted and (shown.first, shown.span) == (0, 1000)
    shown.follow(scale(1101), 0, 1100, running=True)
    assert (shown.first, shown.span) == (0, 2000), "the axis stands still most of the time"
    shown.follow(scale(1101), 50, 1150, running=True)
    assert (shown.first, shown.span) == (50, 2000)


def test_zooming_leaves_the_entry_beneath_the_pointer_where_it_is(shown):
    for _ in range(5):
        before = (300 - shown.first) / shown.span
        shown.zoom(0.8, 300)
        assert (300 - shown.first) / shown.span == pytest.approx(before)
    assert not shown.fitted and shown.span == pytest.approx(1000 * 0.8**5)
    for _ in range(100):
        shown.zoom(0.8, 300)
    assert shown.span == LEAST and shown.first <= 300 <= shown.first + LEAST
    for _ in range(100):
        shown.zoom(1.25, 300)
    assert shown.fitted and (shown.first, shown.span) == (0, 1000)


def test_panning_ends_where_the_history_does(shown):
    shown.pan(50)
    assert shown.fitted, "all of it cannot be moved"
    shown.show(400, 500)
    assert (shown.first, shown.span) == (400, 100)
    shown.pan(-1e6)
    assert (shown.first, shown.span) == (0, 100)
    shown.pan(1e6)
    assert (shown.first, shown.span) == (900, 100)
    shown.fit()
    assert shown.fitted and shown.span == 1000


def test_a_playhead_that_runs_out_of_the_axis_turns_the_page(shown):
    shown.show(900, 1000)
    shown.follow(scale(1051), 0, 1050, running=True)
    assert shown.first == pytest.approx(1040) and shown.span == 100, "a tenth of a page before it"
    shown.follow(scale(1071), 0, 1070, running=True)
    assert shown.first == pytest.approx(1040), "and then the axis stands still"


def test_who_looks_elsewhere_while_it_runs_is_left_alone(shown):
    shown.show(100, 200)
    shown.follow(scale(1011), 0, 1010, running=True)
    assert (shown.first, shown.span) == (100, 100)
    shown.follow(scale(1011), 0, 1010)
    assert shown.first == 100, "nothing moved"
    shown.follow(scale(1011), 0, 1009)
    assert shown.first == pytest.approx(1009 - 90), "a step while it is paused is to be seen"


def test_nothing_moves_beneath_the_hand(shown):
    shown.show(100, 200)
    shown.follow(scale(1001), 0, 150)
    shown.follow(scale(1001), 0, 500, held=True)
    assert shown.first == 100


def test_a_part_whose_entries_are_dropped_moves_on(shown):
    shown.show(0, 100)
    shown.follow(scale(1001), 300, 350, running=True)
    assert shown.first == 300 and shown.span == 100


def test_a_short_history_is_always_whole():
    shown = AxisRange()
    shown.follow(scale(1), 0, 0)
    shown.zoom(0.5, 0)
    assert shown.fitted and shown.span == 1
