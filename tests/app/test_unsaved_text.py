"""What was typed outlives a kill -9 in the middle of typing, and a full disk takes nothing."""
import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PyQt6.QtCore import QCoreApplication

from app.bridge.options import VisOptions
from app.context import AppContext
from app.session import Session
from app.settings import Settings
from app.simulation_client import SimulationClient
from editor.autosave import Autosave, Recovered, read_copy
from physics.runtime.runner import Runner

LOST = 5.0      # seconds of typing that may be gone
KEY = 0.1       # seconds from key to key, with no pause as long as that of the copies
WAIT = 120.0    # seconds that a loaded machine may take until the second copy
TYPIST = """
import sys
from pathlib import Path
from PyQt6.QtCore import QCoreApplication, QTimer
from tests.app.test_unsaved_text import session_in
app = QCoreApplication([])
session = session_in(Path(sys.argv[1]))
typed = 0
def key():
    global typed
    typed += 1
    main = session.document.main
    session.set_text(session.document.key, main.text + f"<!--{typed}-->")
    print(typed, flush=True)
timer = QTimer()
timer.timeout.connect(key)
timer.start(int(1000 * float(sys.argv[2])))
app.exec()
"""


def session_in(folder: Path) -> Session:
    """A session without a window; nothing runs."""
    os.environ["LINKWORK_STATE"] = str(folder)
    return Session(AppContext(SimulationClient(Runner()), Settings(str(folder / "s.ini")), VisOptions()))


def last_key(folder: Path) -> int:
    """The number of the last key whose letters are in the copy on disk; 0 where there is none."""
    texts = [text for place in folder.glob("unsaved/*.json") for text in (read_copy(place) or Recovered(place, "", 0, {})).files.values()]
    return max((int(text.rpartition("<!--")[2].partition("-->")[0]) for text in texts), default=0)


def test_a_kill_in_the_middle_of_typing_loses_seconds_at_most(tmp_path):
    """The copies' timer began anew at each key, so that steady typing put the copy off for ever."""
    child = subprocess.Popen([sys.executable, "-c", TYPIST, str(tmp_path), str(KEY)], stdout=subprocess.PIPE, text=True)
    typed, kept, end = 0, set(), time.monotonic() + WAIT
    try:
        while len(kept) < 2 or typed == max(kept):      # two copies while it goes on, and keys behind the last one
            assert time.monotonic() < end, f"{typed} keys, copies {kept}"
            typed = int(child.stdout.readline())
            kept |= {last_key(tmp_path)} - {0}
    finally:
        child.send_signal(signal.SIGKILL)
        typed = max([typed, *map(int, child.stdout.read().split())])
        child.wait()
    assert Autosave(tmp_path / "unsaved").left_behind() is not None, "nothing of the text is offered"
    assert (typed - last_key(tmp_path)) * KEY < LOST


@pytest.fixture
def session(tmp_path, monkeypatch, qapp: QCoreApplication):
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path))
    made = session_in(tmp_path)
    yield made
    made.close()


def full(monkeypatch) -> None:
    """From now on the disk is full when what was written shall reach it."""
    def no_room(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("physics.files.atomic_write.os.fsync", no_room)


def test_a_full_disk_is_reported_once_and_the_text_stays(session, tmp_path, monkeypatch):
    path = tmp_path / "m.xml"
    path.write_text("<mujoco/>")
    assert session.open(path)
    session.set_text(session.document.key, "<mujoco><!-- mine --></mujoco>")
    full(monkeypatch)
    session.autosave()
    session.autosave()
    lines = [text for _, text in session._context.log_lines if "No space left" in text]
    assert len(lines) == 1 and "only in this window" in lines[0]
    assert not session.save() and any("Not saved" in text and "No space left" in text for _, text in session._context.log_lines)
    assert session.document.main.text == "<mujoco><!-- mine --></mujoco>" and session.modified
    assert path.read_text() == "<mujoco/>" and not list(tmp_path.glob(".m.xml*"))       # the file is as it was, nothing half beside it
    monkeypatch.undo()
    assert session.save() and path.read_text() == "<mujoco><!-- mine --></mujoco>"
