"""Changes of files are noticed however they are written, once per burst."""
import os
import shutil
import threading
import time
import weakref

import pytest

from editor.watcher import Watcher

QUIET = 0.4     # s that end a burst here: a busy machine may write a file in goes further apart than the program's own time
SHORT = 0.1     # the same where it does not matter whether one burst is taken for two


class Told:
    """Collects calls of a watcher."""

    def __init__(self):
        self.calls, self._bell = [], threading.Condition()

    def __call__(self, paths):
        with self._bell:
            self.calls.append(paths)
            self._bell.notify()

    def wait(self, count=1, timeout=30.0):
        """The calls, once there are so many (or the time is over)."""
        with self._bell:
            self._bell.wait_for(lambda: len(self.calls) >= count, timeout)
        return list(self.calls)


def heard(watcher, folder):
    """Wait until the watcher has heard of all that was written in a watched folder, and no burst is open."""
    seen, dispatch, mark = threading.Event(), watcher.dispatch, folder / "mark"

    def noting(event):
        dispatch(event)
        if os.fsdecode(event.src_path) == str(mark):
            seen.set()

    watcher.dispatch = noting
    mark.write_text("")
    assert seen.wait(30.0)
    watcher.dispatch = dispatch
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join()


@pytest.fixture
def watched(tmp_path, monkeypatch):
    monkeypatch.setattr("editor.watcher.QUIET_SECONDS", QUIET)
    told = Told()
    watcher = Watcher(told)
    path = tmp_path / "m.xml"
    path.write_text("0")
    watcher.watch([path]).result()
    yield path, told, watcher
    watcher.close()


def write_in_place(path):
    path.write_text("1")


def rename_over(path):
    new = path.with_name(".m.xml.swp")
    new.write_text("1")
    os.replace(new, path)


def move_away_and_write(path):
    os.rename(path, path.with_suffix(".bak"))
    path.write_text("1")


@pytest.mark.parametrize("write", [write_in_place, rename_over, move_away_and_write])
def test_a_change_is_reported_once(watched, write):
    path, told, watcher = watched
    write(path)
    assert told.wait() == [{path}]
    heard(watcher, path.parent)
    assert len(told.calls) == 1


def test_a_burst_is_one_call(watched, tmp_path):
    path, told, watcher = watched
    part = tmp_path / "part.xml"
    part.write_text("")
    watcher.watch([path, part]).result()
    for i in range(6):
        path.write_text(str(i))
        rename_over(part)
    assert {name for call in told.wait() for name in call} >= {path}
    heard(watcher, tmp_path)
    assert len(told.calls) <= 2 and set().union(*told.calls) == {path, part}


def test_other_files_and_reading_are_nobodys_business(watched):
    path, told, watcher = watched
    path.with_name("other.xml").write_text("x")
    path.read_text()
    heard(watcher, path.parent)
    assert told.calls == []


def test_the_watch_moves_to_other_folders(watched, tmp_path):
    path, told, watcher = watched
    folder = tmp_path / "deep"
    folder.mkdir()
    watcher.watch([folder / "m.xml", tmp_path / "gone" / "m.xml"]).result()   # neither is there yet, one folder never
    path.write_text("not watched any more")
    (folder / "m.xml").write_text("new")
    assert told.wait() == [{folder / "m.xml"}]
    watcher.watch([]).result()
    (folder / "m.xml").write_text("newer")
    time.sleep(2 * QUIET)
    assert len(told.calls) == 1


def test_nobody_waits_until_a_folder_has_been_left(watched, tmp_path):
    path, told, watcher = watched
    gate, leave = threading.Event(), watcher._observer.unschedule

    def slow(watch) -> None:        # as where a file was renamed just now
        gate.wait(20)
        leave(watch)

    watcher._observer.unschedule = slow
    folder = tmp_path / "deep"
    folder.mkdir()
    moved = watcher.watch([folder / "m.xml"])
    assert not moved.done()
    path.write_text("not watched any more")
    gate.set()
    moved.result()
    (folder / "m.xml").write_text("new")
    assert told.wait() == [{folder / "m.xml"}]


def test_what_changes_before_a_folder_is_watched_is_told(watched, tmp_path):
    _path, told, watcher = watched
    gate, move = threading.Event(), watcher._move_to

    def slow(folders):
        gate.wait(20)
        return move(folders)

    watcher._move_to = slow
    folder = tmp_path / "deep"
    folder.mkdir()
    for name in ("m.xml", "part.xml"):
        (folder / name).write_text("old")
    moved = watcher.watch([folder / "m.xml", folder / "part.xml"])
    rename_over(folder / "m.xml")
    gate.set()
    moved.result()
    assert told.wait() == [{folder / "m.xml"}]


@pytest.mark.skipif(os.name == "nt", reason="links need rights")
def test_what_changes_before_a_folder_behind_a_link_is_watched_is_told(watched, tmp_path):
    _path, told, watcher = watched
    (tmp_path / "src").mkdir()
    (tmp_path / "shelf").symlink_to(tmp_path / "src", target_is_directory=True)
    path = tmp_path / "shelf" / "m.xml"
    path.write_text("old")
    gate = threading.Event()
    watcher._folders.submit(gate.wait, 20)      # something else is under way
    moved = watcher.watch([path])
    path.write_text("newer")
    gate.set()
    moved.result()
    assert told.wait() == [{path}]


def test_a_closed_watcher_keeps_nobody_and_tells_nothing(tmp_path):
    class Listener:
        def changed(self, paths):
            raise AssertionError(paths)

    listener = Listener()
    watcher, kept = Watcher(listener.changed), weakref.ref(listener)
    (tmp_path / "m.xml").write_text("old")
    watcher.watch([tmp_path / "m.xml"]).result()
    (tmp_path / "m.xml").write_text("new")
    watcher.close()
    del listener
    assert kept() is None


def test_a_file_asked_for_while_its_folder_is_still_being_taken_is_not_missed(tmp_path):
    a, b = tmp_path / "a", tmp_path / "b"
    for file in (a, b):
        file.write_text("old")
    told = Told()
    watcher = Watcher(told)
    try:
        watcher._folders.submit(time.sleep, 0.3)    # the machine is slow
        watcher.watch([a])
        watcher.watch([a, b])
        b.write_text("newer")
        assert told.wait() == [{b}]
    finally:
        watcher.close()


@pytest.fixture
def watching(monkeypatch):
    """(watcher, what it told) of no files yet."""
    monkeypatch.setattr("editor.watcher.QUIET_SECONDS", SHORT)
    told = Told()
    watcher = Watcher(told)
    yield watcher, told
    watcher.close()


def told_of(told, path, do, tries=60):
    """Whether a file is told of once something was done to it."""
    before = len(told.calls)
    do()
    for _ in range(tries):
        if any(path in call for call in told.calls[before:]):
            return True
        told.wait(len(told.calls) + 1, timeout=0.5)
    return False


def settle(watcher, told):
    """Wait until no burst is open and nothing of folders is under way."""
    count = -1
    while count != len(told.calls):
        count = len(told.calls)
        time.sleep(2 * SHORT)
        watcher._folders.submit(lambda: None).result()


@pytest.mark.parametrize("again", [False, True])
def test_a_folder_that_was_deleted_and_made_anew_is_watched_again(watching, tmp_path, again):
    watcher, told = watching
    folder = tmp_path / "deep" / "out"
    path = folder / "m.xml"
    folder.mkdir(parents=True)
    path.write_text("old")
    watcher.watch([path]).result()
    assert told_of(told, path, lambda: (path.unlink(), folder.rmdir(), folder.parent.rmdir()))
    settle(watcher, told)
    if again:       # somebody compiles while it is not there
        watcher.watch([path]).result()

    def make():
        folder.mkdir(parents=True)
        path.write_text("new")

    assert told_of(told, path, make)
    settle(watcher, told)
    for text in ("newer", "newest"):
        assert told_of(told, path, lambda text=text: path.write_text(text))
    shutil.rmtree(folder)       # and at once made anew, as exporters do
    folder.mkdir()
    path.write_text("again")
    settle(watcher, told)
    assert told_of(told, path, lambda: path.write_text("and again"))


@pytest.mark.skipif(os.name == "nt", reason="links need rights")
def test_what_changes_where_a_link_leads_is_told(watching, tmp_path):
    watcher, told = watching
    for name in ("src", "install", "more"):
        (tmp_path / name).mkdir()
    real, path = tmp_path / "src" / "m.xml", tmp_path / "install" / "m.xml"
    real.write_text("old")
    (tmp_path / "more" / "middle.xml").symlink_to("../src/m.xml")
    path.symlink_to(tmp_path / "more" / "middle.xml")
    (tmp_path / "shelf").symlink_to(tmp_path / "src", target_is_directory=True)
    beside = tmp_path / "shelf" / "part.xml"
    watcher.watch([path, beside]).result()
    assert told_of(told, path, lambda: real.write_text("new"))
    assert told_of(told, path, lambda: rename_over(real))
    assert told_of(told, beside, lambda: (tmp_path / "src" / "part.xml").write_text("new"))
    other = tmp_path / "more" / "other.xml"
    other.write_text("other")

    def lead_elsewhere():
        (tmp_path / "install" / "next").symlink_to(other)
        os.replace(tmp_path / "install" / "next", path)

    assert told_of(told, path, lead_elsewhere)
    settle(watcher, told)
    assert told_of(told, path, lambda: other.write_text("newer"))
