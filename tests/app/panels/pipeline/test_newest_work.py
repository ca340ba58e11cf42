"""Work in a thread: of what is asked for one after the other the newest counts, and a long piece makes the next one wait."""
import threading

import pytest
from PyQt6.QtCore import QObject

from app.panels.pipeline.newest_work import NewestWork


@pytest.fixture
def make(qtbot):
    owner, made = QObject(), []

    def start(share: float = 1.0):
        work, told = NewestWork("tested", owner, share), []
        work.done.connect(lambda result: told.append(result))
        work.failed.connect(lambda text: told.append(f"failed: {text}"))
        made.append(work)
        return work, told

    yield start
    for work in made:
        work.end()


def test_only_the_newest_is_told_and_what_waits_is_replaced(make, qtbot):
    work, told = make()
    go, begun = threading.Event(), []
    work.begin(lambda _stop: go.wait(20) and "first")
    work.begin(lambda _stop: begun.append("second"))
    work.begin(lambda _stop: "third")
    assert work.busy
    go.set()
    qtbot.waitUntil(lambda: told == ["third"])
    assert not begun and not work.busy


def test_what_is_given_up_is_not_told_and_failures_are_words(make, qtbot):
    work, told = make()
    go = threading.Event()
    work.begin(lambda _stop: go.wait(20))
    work.give_up()
    go.set()
    qtbot.waitUntil(lambda: not work.busy)

    def fails(_stop):
        raise ValueError("no such thing")

    work.begin(fails)
    qtbot.waitUntil(lambda: told == ["failed: no such thing"])


def test_after_a_piece_the_next_waits_for_its_share_of_the_time(make, qtbot):
    work, told = make(share=1e-4)
    work.begin(lambda _stop: sum(range(100_000)))
    qtbot.waitUntil(lambda: len(told) == 1)
    work.begin(lambda _stop: "next")
    assert work.busy and work._thread is None and work._late.isActive()
    work._free_at = 0.0         # its time has come
    work._late.timeout.emit()
    qtbot.waitUntil(lambda: told[1:] == ["next"])
