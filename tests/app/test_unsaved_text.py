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
from editor.autosave import Autosave
from physics.runtime.runner import Runner
from tests.editor.left_behind import leave

LOST = 5.0      # seconds of typing that may be gone
TYPING = 6.0    # seconds of typing before the kill: longer than may be lost
TYPIST = """
import sys, time
from pathlib import Path
from PyQt6.QtCore import QCoreApplication, QTimer
from tests.app.test_unsaved_text import session_in
app = QCoreApplication([])
session = session_in(Path(sys.argv[1]))
letters = []
def key():
    letters.append(time.monotonic())
    main = session.document.main
    session.set_text(session.document.key, main.text + f"<!--{len(letters)}-->")
    print(len(letters), letters[-1], flush=True)
timer = QTimer()
timer.timeout.connect(key)
timer.start(100)    # steadily, with no pause as long as that of the copies
app.exec()
"""


def session_in(folder: Path) -> Session:
    """A session without a window; nothing runs."""
    os.environ["LINKWORK_STATE"] = str(folder)
    return Session(AppContext(SimulationClient(Runner()), Settings(str(folder / "s.ini")), VisOptions()))


def test_a_kill_in_the_middle_of_typing_loses_seconds_at_most(tmp_path):
    child = subprocess.Popen([sys.executable, "-c", TYPIST, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    typed = {}      # how many -> when
    try:
        while not typed or max(typed.values()) - min(typed.values()) < TYPING:
            count, when = child.stdout.readline().split()
            typed[int(count)] = float(when)
    finally:
        child.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        child.wait()
    found = Autosave(tmp_path / "unsaved").left_behind()
    assert found is not None, "nothing of the text is left"
    text = next(iter(found.files.values()))
    last = max(count for count in typed if f"<!--{count}-->" in text)
    assert killed - typed[last] < LOST


@pytest.fixture
def session(tmp_path, monkeypatch, qapp: QCoreApplication):
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path))
    made = session_in(tmp_path)
    yield made
    made.close()


def full(monkeypatch) -> None:
    """From now on the disk is full when a file is written."""
    def no_room(_handle, _mode):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("physics.files.atomic_write.os.fdopen", no_room)


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


def test_what_the_user_saves_is_on_disk_when_that_is_said(session, tmp_path, monkeypatch):
    path, synced = tmp_path / "m.xml", []
    path.write_text("<mujoco/>")
    assert session.open(path)
    session.set_text(session.document.key, "<mujoco><!-- mine --></mujoco>")
    monkeypatch.setattr("physics.files.atomic_write.os.fsync", synced.append)
    assert session.save() and len(synced) == 1


def test_what_a_crash_left_is_not_deleted_while_the_disk_is_full(session, tmp_path, monkeypatch):
    path = tmp_path / "m.xml"
    path.write_text("<mujoco/>")
    place = leave(tmp_path / "unsaved", str(path), {str(path): "<mujoco><!-- left --></mujoco>"})
    assert session.open(path) and session.recovery.place == place
    with monkeypatch.context() as patch:
        full(patch)
        assert session.restore() and session.recovery is None and "left" in session.document.main.text
        assert place.exists() and any("only in this window" in text for _, text in session._context.log_lines)
    session.autosave()
    assert not place.exists() and len(list(place.parent.glob("*.json"))) == 1      # this window's own


def test_a_save_that_fails_in_part_says_of_which_files(session, tmp_path, monkeypatch):
    path, part = tmp_path / "m.xml", tmp_path / "part.xml"
    path.write_text('<mujoco><include file="part.xml"/></mujoco>')
    part.write_text("<mujoco><option/></mujoco>")
    assert session.open(path)
    session.document.include(str(part))
    for key, file in session.document.files().items():
        session.set_text(key, file.text + "<!-- mine -->")
    titles = []
    session.title_changed.connect(titles.append)

    def write(target, data):
        if target == part:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        target.write_bytes(data)

    monkeypatch.setattr("editor.source_file.write_file", write)
    assert not session.save() and session.modified and titles
    said = [text for _, text in session._context.log_lines]
    assert "Saved m.xml" in said and "Not saved: part.xml: No space left on device" in said
