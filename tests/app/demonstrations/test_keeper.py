"""Nothing of demonstrations is lost: by closing, by another document, by a full disk, by kill -9 in the middle of anything."""
import threading
from pathlib import Path

import pytest

from app.demonstrations import keeper as module, reaper
from app.demonstrations.keeper import Keeper, finish_left
from app.demonstrations.replay import replay
from app.demonstrations.session import Session
from app.demonstrations.sources import found, opened, told
from physics.recording.errors import RecordingError
from physics.recording.spool import Spool
from physics.runtime import commands as c
from tests.app.demonstrations.killed import check_killed
from tests.app.demonstrations.live import Live
from tests.app.demonstrations.made import PATH

PHASES = ("open", "rewound")        # tests/long/demonstrations.py has all of them


@pytest.fixture
def live():
    made = Live()
    yield made
    made.close()


def begun(live, folder):
    """(Session, Keeper) of a run that is kept."""
    keeper = Keeper(live.runner, folder, "pusher.xml")
    keeper.keep_model(live.model, {PATH: live.text})
    keeper.begin()
    live.open()
    return Session(live.runner, keeper), keeper


def test_closing_leaves_a_file_with_all_episodes(live, tmp_path):
    session, keeper = begun(live, tmp_path)
    for k in range(2):
        session.reset()
        session.start("push")
        live.runner.send(c.SetCtrl(0, 0.2 + k))
        live.step(60)
        session.succeed()
    session.start()
    live.step(20)
    (path,) = keeper.close()
    assert path.name.startswith("pusher-") and not list((tmp_path / "unfinished").iterdir())
    with opened(path) as of:
        assert [(one.outcome, one.steps) for one in of.episodes] == [("success", 60), ("success", 60), ("open", 20)] and all(one.same for one in replay(of))
        assert of.recording.model(of.recording.running).texts == {PATH: live.text}
    assert found([tmp_path]) == [path] and [one.outcome for one in told(path)[1]] == ["success", "success", "open"]


def test_each_document_has_a_file_of_its_own(live, tmp_path):
    import physics

    session, keeper = begun(live, tmp_path)
    session.start()
    live.step(10)
    assert keeper.flush()
    live.runner.send(c.SwapModel(physics.load_string(live.text), document=2))
    live.step(5)
    paths = keeper.close()
    assert len(paths) == len(set(paths)) == 2 and [len(told(path)[1]) for path in paths] == [1, 0]


def test_a_full_disk_is_told_once_and_all_of_it_is_written_afterwards(live, tmp_path, monkeypatch):
    said = []
    session, keeper = begun(live, tmp_path)
    keeper._tell = lambda level, text: said.append(text)
    session.start()
    live.step(10)
    assert keeper.flush()

    def full(*_):
        raise OSError(28, "No space left on device")

    append = Spool.append
    monkeypatch.setattr(Spool, "append", full)
    live.step(10)
    keeper.flush(0.2)
    keeper.flush(0.2)
    monkeypatch.setattr(Spool, "append", append)
    session.succeed()
    live.settle()
    (path,) = keeper.close()
    assert len(said) == 1 and "No space left" in said[0]
    assert [(one.outcome, one.steps) for one in told(path)[1]] == [("success", 20)]


@pytest.mark.parametrize("phase", PHASES)
def test_a_kill_loses_no_more_than_a_second(tmp_path, phase):
    check_killed(tmp_path, phase)
    assert finish_left(tmp_path) == []


def test_a_run_that_is_recorded_now_is_left_alone(live, tmp_path):
    session, keeper = begun(live, tmp_path)
    session.start()
    live.step(5)
    assert keeper.flush() and finish_left(tmp_path) == []
    assert len(keeper.close()) == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_file_appears_whole_or_not_at_all(live, tmp_path, monkeypatch):
    """Though the program ends while it is made."""
    session, keeper = begun(live, tmp_path)
    session.start()
    live.step(5)
    seen = []

    def ends(wanted, progress, stopping):
        Path(wanted["file"]).write_bytes(b"half")
        seen.append(list(tmp_path.glob("*.h5")))
        raise SystemExit

    make = module.convert
    with monkeypatch.context() as patch:
        patch.setattr(module, "convert", ends)
        assert keeper.close() == []
    assert seen == [[]] and not list(tmp_path.glob("*.h5"))
    keeper._window._lock.close()        # as the system does for a program that has ended
    stops = []
    monkeypatch.setattr(module, "convert", lambda *asked: (stops.append(asked[2]()), make(*asked))[1])
    assert finish_left(tmp_path, stopping=lambda: True) == [] and not list(tmp_path.glob("*.h5")) and not stops
    (path,) = finish_left(tmp_path)
    assert path.stat().st_size and len(told(path)[1]) == 1 and stops == [False] and not list((tmp_path / "unfinished").iterdir())


def test_two_files_never_take_the_same_name(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    module.put(tmp_path / "a", tmp_path / "c")
    with pytest.raises(FileExistsError):
        module.put(tmp_path / "b", tmp_path / "c")
    assert (tmp_path / "c").read_text() == "a"


def test_a_window_that_closes_waits_for_no_file(live, tmp_path, monkeypatch):
    session, keeper = begun(live, tmp_path)
    session.start()
    live.step(5)
    held, make = threading.Event(), module.convert
    monkeypatch.setattr(module, "convert", lambda *asked: (held.wait(), make(*asked))[1])
    keeper.leave()
    live.close()
    assert keeper._thread.is_alive() and not list(tmp_path.glob("*.h5"))
    held.set()
    reaper.wait()
    (path,) = tmp_path.glob("*.h5")
    assert keeper.files == [path] and [one.steps for one in told(path)[1]] == [5] and not list((tmp_path / "unfinished").iterdir())


def test_what_no_file_can_be_made_of_stays(live, tmp_path, monkeypatch):
    said = []
    session, keeper = begun(live, tmp_path)
    keeper._tell = lambda level, text: said.append(text)
    session.start()
    live.step(5)

    def fails(*_):
        raise RecordingError("no room")

    monkeypatch.setattr(module, "convert", fails)
    assert keeper.close() == [] and "stays as it is" in said[0]
    (run,) = found([tmp_path])
    assert len(told(run)[1]) == 1 and not list(tmp_path.glob("*.h5"))
