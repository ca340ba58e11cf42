"""A window's run on the disk, without a window: files that are made while it closes, full disks, and what is left of runs that were not closed."""
import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

import physics
from app.recordings import folders
from app.recordings import recorder as module
from app.recordings.folders import WindowFolder, left_runs
from app.recordings.recorder import Recorder
from physics.recording import file
from physics.recording.spool import Spool
from physics.runtime import commands
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.physics.recording.made import rich

TEXT = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.fixture
def running(tmp_path):
    """(Recorder, Runner, what it tells) of a run that is written."""
    physics.ensure_kernels()
    runner, told = Runner(Simulation(ready=True)), []
    made = Recorder(runner, tmp_path / "recordings", lambda level, text: told.append((level, text)))
    model = physics.load_string(TEXT)
    made.keep_model(model, {"/x/a.xml": TEXT})
    runner.start()
    made.begin(1000)
    runner.send(commands.SwapModel(model))
    runner.send(commands.Step(50))
    yield made, runner, told
    made.close()
    runner.stop()


def wait(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_file_is_completed_though_the_window_is_closed_meanwhile(running, tmp_path, monkeypatch):
    made, _runner, _told = running
    assert made.flush()
    go_on, answers = threading.Event(), []
    from app.recordings import conversion

    convert = conversion.convert
    monkeypatch.setattr(conversion, "convert", lambda *given: (go_on.wait(20), convert(*given)))
    made.save(tmp_path / "a.h5", {}, lambda share: None, answers.append)
    wait(lambda: made._saving)
    made.close()
    assert list(made.home.iterdir())
    go_on.set()
    wait(lambda: answers)
    assert answers == [""] and len(file.load(tmp_path / "a.h5").line.track) == 51
    assert list(made.home.iterdir()) == []


def test_a_full_disk_is_told_once_and_tried_again(running, monkeypatch):
    made, runner, told = running
    assert made.flush() and made.folder is not None
    append = Spool.append

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Spool, "append", full)
    made.flush()
    made.flush()
    assert [level for level, _text in told] == ["warning"] and "No space left on device" in told[0][1] and made.folder is None
    monkeypatch.setattr(module, "AGAIN", 0.0)
    made.flush()
    assert len(told) == 1
    monkeypatch.setattr(Spool, "append", append)
    runner.send(commands.Step(5))
    made.flush()
    assert told[-1] == ("info", "The run is kept on the disk again") and made.folder is not None
    from physics.recording.recover import recover

    found = recover(made.folder)
    assert len(found.line.track) == 56 and found.models[0].texts == {"/x/a.xml": TEXT}
    assert found.inputs[0].startswith('["install"')


def test_what_cannot_be_opened_is_told_in_words(running, tmp_path):
    made, _runner, _told = running
    answers = []
    (tmp_path / "a.h5").write_bytes(b"Linkwork recording 1\n" + bytes(2000))
    made.open(tmp_path / "a.h5", lambda share: None, answers.append)
    made.open(tmp_path / "none.h5", lambda share: None, answers.append)
    wait(lambda: len(answers) == 2)
    assert all(isinstance(answer, str) for answer in answers) and any("cut short" in answer for answer in answers) and any("none.h5" in answer for answer in answers)
    file.save(rich(), tmp_path / "b.h5")        # its models are none
    made.open(tmp_path / "b.h5", lambda share: None, answers.append)
    wait(lambda: len(answers) == 3)
    assert str(tmp_path / "b.h5") in answers[2]


def left(home: Path, name: str, age: float = 0.0, size: int = 0) -> Path:
    """A run whose window is gone."""
    window = WindowFolder(home)
    folder = window.next_run()
    spool = Spool(folder)
    spool.append(replace(rich(), about={"name": name}))
    spool.close()
    if size:
        (folder / "rows.00009").write_bytes(os.urandom(size))
    window._lock.close()
    for path in folder.iterdir():
        os.utime(path, (time.time() - age, time.time() - age))
    return folder


def test_runs_that_were_not_closed_are_found_the_newest_first_and_old_ones_go(tmp_path):
    old, first, second = left(tmp_path, "old.xml", folders.MAX_AGE + 10), left(tmp_path, "first.xml", 100), left(tmp_path, "second.xml", 50)
    living = WindowFolder(tmp_path)
    found = left_runs(tmp_path, 1 << 30)
    assert [(run.name, run.folder) for run in found] == [("second.xml", second), ("first.xml", first)]
    assert not old.parent.exists() and living.path.exists()
    found[0].discard()
    assert not second.exists() and [run.name for run in left_runs(tmp_path, 1 << 30)] == ["first.xml"]
    living.close()
    assert not living.path.exists()


def test_runs_that_take_too_much_room_go_the_oldest_first(tmp_path):
    for k in range(3):
        left(tmp_path, f"{k}.xml", 100 * k, 100_000)
    assert [run.name for run in left_runs(tmp_path, 250_000)] == ["0.xml", "1.xml"] and len(list(tmp_path.iterdir())) == 2
    assert [run.name for run in left_runs(tmp_path, 10)] == ["0.xml"]


def test_folders_without_a_state_go(tmp_path):
    window = WindowFolder(tmp_path)
    Spool(window.next_run()).close()
    window._lock.close()
    (tmp_path / "stray").mkdir()
    assert left_runs(tmp_path, 1 << 30) == [] and list(tmp_path.iterdir()) == [] and left_runs(tmp_path / "none", 1) == []
