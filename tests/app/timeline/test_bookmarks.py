"""Bookmarks without a window: by number and branch, what becomes of them, how they are kept."""
from typing import NamedTuple

import pytest

from app.timeline.bookmarks import MOST, Bookmark, Bookmarks, HistoryPlace, branch_of, index_of, owner_of, time_name, why_gone


class State(NamedTuple):
    """What is read of a Snapshot of before there were branches."""

    history_gone: int = 0
    history_length: int = 100
    history_index: int = 50


def mark(number, branch=0, **values):
    return Bookmark(number, 0.01 * number, time_name(0.01 * number), branch, **values)


@pytest.fixture
def bookmarks():
    made = Bookmarks()
    for number in (30, 10, 70):
        made.add(mark(number))
    return made


def numbers(bookmarks):
    return [one.number for one in bookmarks.all]


def test_they_stand_in_the_order_of_the_history_and_tell_of_changes(bookmarks):
    told = []
    bookmarks.changed.append(lambda: told.append(numbers(bookmarks)))
    assert numbers(bookmarks) == [10, 30, 70] and len(bookmarks) == 3
    bookmarks.add(mark(50))
    bookmarks.remove([bookmarks.at(10)])
    bookmarks.remove([])
    assert told == [[10, 30, 50, 70], [30, 50, 70]], "a change that is none is not told"


def test_an_entry_has_one_bookmark_which_keeps_its_name(bookmarks):
    bookmarks.rename(bookmarks.at(30), "  touch\n down ")
    made = bookmarks.add(mark(30, thumbnail=b"new"))
    assert made == bookmarks.at(30) and made.name == "touch down" and made.thumbnail == b"new" and len(bookmarks) == 3
    assert bookmarks.add(mark(30)).thumbnail == b"new", "none is no better one"
    assert bookmarks.rename(made, " ").name == "0.300 s"


def test_who_holds_an_older_value_means_the_same_bookmark(bookmarks):
    held = bookmarks.at(10)
    bookmarks.set_thumbnail(held, b"picture")
    assert bookmarks.rename(held, "start").thumbnail == b"picture"
    bookmarks.remove([held])
    assert bookmarks.at(10) is None and bookmarks.rename(held, "gone") == held and len(bookmarks) == 2


def test_they_are_found_in_a_history_that_has_lost_its_beginning(bookmarks):
    state = State(history_gone=20, history_length=60, history_index=15)
    assert [(index, one.number) for index, one in bookmarks.shown(state)] == [(10, 30), (50, 70)]
    assert index_of(state, bookmarks.at(10)) is None and "any more" in why_gone(state, bookmarks.at(10)) and why_gone(state, bookmarks.at(30)) == ""


def test_the_next_and_the_one_before(bookmarks):
    assert bookmarks.beside(State(), 1).number == 70 and bookmarks.beside(State(), -1).number == 30
    assert bookmarks.beside(State(history_index=70), 1) is None and bookmarks.beside(State(history_index=70), -1).number == 30
    assert bookmarks.beside(State(history_index=10), -1) is None


def test_those_of_dropped_entries_stay_as_notes_and_make_room_for_others(bookmarks):
    assert bookmarks.lose_after(30) == 1 and bookmarks.lose_after(30) == 0
    lost = bookmarks.all[-1]
    assert lost.lost and lost.number == 70 and bookmarks.at(70) is None and "ran on" in why_gone(State(), lost)
    assert [one.number for _, one in bookmarks.shown(State())] == [10, 30]
    bookmarks.add(mark(70))
    assert [(one.number, one.lost) for one in bookmarks.all] == [(10, False), (30, False), (70, True), (70, False)]
    assert not bookmarks.at(70).lost
    bookmarks.remove([lost])
    assert len(bookmarks) == 3 and bookmarks.at(70) is not None


def test_those_of_another_branch_are_not_in_this_one(bookmarks):
    bookmarks.add(mark(20, branch=1))
    other = HistoryPlace(0, 100, 50, 1)
    assert branch_of(State()) == 0 and branch_of(other) == 1
    assert [one.number for _, one in bookmarks.shown(other)] == [20] and "branch" in why_gone(other, bookmarks.at(30))
    assert bookmarks.lose_after(0, branch=1) == 1 and [one.number for _, one in bookmarks.shown(State())] == [10, 30, 70]


def test_what_branches_share_belongs_to_the_oldest_of_them(bookmarks):
    """Branch 3 goes on from entry 60 of branch 2, and that from entry 40 of branch 0."""
    state = HistoryPlace(0, 100, 50, 3, ((2, 60), (0, 40)))
    assert [owner_of(state, number) for number in (0, 40, 41, 60, 61, 99)] == [0, 0, 2, 2, 3, 3]
    bookmarks.add(mark(50, branch=2))
    bookmarks.add(mark(70, branch=2))
    bookmarks.add(mark(80, branch=3))
    assert [(one.branch, one.number) for _, one in bookmarks.shown(state)] == [(0, 10), (0, 30), (2, 50), (3, 80)]
    assert "branch" in why_gone(state, bookmarks.at(70)) and "branch" in why_gone(state, bookmarks.at(70, 2))


def test_there_is_an_end_to_them():
    bookmarks = Bookmarks()
    bookmarks.replace_all(mark(number) for number in range(MOST))
    with pytest.raises(ValueError, match="delete some"):
        bookmarks.add(mark(MOST))
    bookmarks.add(mark(5, thumbnail=b"x"))
    assert len(bookmarks) == MOST


def test_they_are_kept_as_rows_and_taken_back(bookmarks):
    bookmarks.add(mark(40, branch=2, thumbnail=b"\x89PNG"))
    bookmarks.lose_after(50)
    other = Bookmarks()
    other.take_rows(bookmarks.rows())
    assert other.all == bookmarks.all
    other.take_rows([{"number": 3, "time": 1, "name": "short"}])
    assert other.all == (Bookmark(3, 1, "short"),)


@pytest.mark.parametrize(("row", "said"), [
    ({"number": 1, "time": 0.1}, "bookmark 1: 'name' is missing"), ({"number": "1", "time": 0.1, "name": "a"}, "bookmark 1: '1' is no 'number'"),
    ({"number": -1, "time": 0.1, "name": "a"}, "-1 is no 'number'"), ({"number": 1, "time": float("nan"), "name": "a"}, "nan is no 'time'"),
    ({"number": 1, "time": 0.1, "name": "a", "thumbnail": "text"}, "'text' is no 'thumbnail'"),
])
def test_damaged_rows_are_refused_with_their_place_and_change_nothing(bookmarks, row, said):
    before = bookmarks.all
    with pytest.raises(ValueError, match=said):
        bookmarks.take_rows([{"number": 0, "time": 0.0, "name": "fine"}, row])
    assert bookmarks.all == before
