"""Bookmarks without a window: by number and branch, what becomes of them, how they are kept."""
from typing import NamedTuple

import pytest

from app.timeline.bookmarks import MOST, Bookmark, Bookmarks, HistoryPlace, branch_of, branch_with, index_of, time_name, why_gone
from physics.runtime.history.branches import BranchInfo


class State(NamedTuple):
    """What is read of a Snapshot of before there were branches."""

    history_gone: int = 0
    history_length: int = 100
    history_index: int = 50


def mark(number, branch=1, **values):
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


def test_those_of_another_branch_are_not_in_this_one(bookmarks):
    bookmarks.add(mark(20, branch=2))
    other = HistoryPlace(0, 100, 50, 2)
    assert branch_of(State()) == 1 and branch_of(other) == 2
    assert [one.number for _, one in bookmarks.shown(other)] == [20] and "branch" in why_gone(other, bookmarks.at(30))


def test_entries_before_a_fork_are_of_both_branches():
    bookmarks = Bookmarks()
    for branch, number in ((1, 10), (1, 30), (2, 25), (3, 40), (2, 60)):
        bookmarks.add(mark(number, branch=branch))
    # 1 parted from the line (3) after 20, 2 parted from 1 after 28
    branches = (BranchInfo(1, 0, 20, 40, 0, 1, "start", "start"), BranchInfo(2, 1, 28, 40, 0, 1, "run", "x"), BranchInfo(3, 0, 20, 40, 0, 1, "run", "y", True))
    state = HistoryPlace(0, 61, 50, 3, branches)
    assert [(one.branch, one.number) for _, one in bookmarks.shown(state)] == [(1, 10), (3, 40)]
    assert [branch_with(state, one.branch, one.number) for one in bookmarks.all] == [3, 1, 1, 2, 3] and not any(why_gone(state, one) for one in bookmarks.all)
    assert branch_with(state, 9, 3) is None and "forgotten" in why_gone(state, mark(3, branch=9))


def test_there_is_an_end_to_them():
    bookmarks = Bookmarks()
    bookmarks.replace_all(mark(number) for number in range(MOST))
    with pytest.raises(ValueError, match="delete some"):
        bookmarks.add(mark(MOST))
    bookmarks.add(mark(5, thumbnail=b"x"))
    assert len(bookmarks) == MOST


def test_they_are_kept_as_rows_and_taken_back(bookmarks):
    bookmarks.add(mark(40, branch=2, thumbnail=b"\x89PNG"))
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
