"""A kill -9 during a drag: the next start has the text and its history of edits, but for the drag."""
import signal
import subprocess
import sys

import pytest

from tests.app.test_unsaved_text import session_in

MODEL = '<mujoco>\n  <worldbody>\n    <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/></body>\n  </worldbody>\n</mujoco>\n'
DRAGGING = """
import sys
from pathlib import Path
from PyQt6.QtCore import QCoreApplication, QTimer
from editor.edits.patch import Edit, Patch
from tests.app.test_unsaved_text import session_in
app = QCoreApplication([])
session = session_in(Path(sys.argv[1]))
session.open(Path(sys.argv[1]) / "m.xml")
key = session.document.main_key

def moved(number):
    at = session.document.main.text.index('pos="') + 5
    return Edit(f"move {number}", (Patch(key, at, session.document.main.text.index('"', at), f"{number} 0 1"),))

for number in (1, 2, 3):
    gesture = session.gesture()
    session.show(gesture, moved(number))
    session.end(gesture)
session.undo()
session.edit(moved(4))
session.undo()
gesture = session.gesture()
edit = moved(5)
ticks = []

def motion():
    ticks.append(1)
    session.show(gesture, Edit(edit.label, tuple(patch._replace(text=f"{5 + len(ticks)} 0 1") for patch in edit.patches)))
    if len(ticks) == 60:
        print("READY", flush=True)

timer = QTimer()
timer.timeout.connect(motion)
timer.start(16)
app.exec()
"""


def test_the_text_and_its_history_are_there_but_for_the_drag(tmp_path, monkeypatch, qapp):
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path))
    (tmp_path / "m.xml").write_text(MODEL)
    child = subprocess.Popen([sys.executable, "-c", DRAGGING, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "READY\n"
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    session = session_in(tmp_path)
    try:
        session.look_for_any_recovery()
        assert session.recovery is not None and session.restore()
        document = session.document
        assert document.path == tmp_path / "m.xml" and document.modified and document.main.text == MODEL.replace("0 0 1", "2 0 1")
        assert [entry.edit.label for entry in document.history.entries] == ["move 1", "move 2", "move 4"] and document.history.position == 2
        assert session.redo() and 'pos="4 0 1"' in document.main.text
        for _ in range(3):
            assert session.undo()
        assert document.main.text == MODEL and not document.modified and not session.undo()
        assert (tmp_path / "m.xml").read_text() == MODEL
    finally:
        session.close()
    assert not list((tmp_path / "unsaved").glob("*.json"))


@pytest.mark.parametrize("disk", ["gone", "changed"])
def test_a_file_that_is_another_by_then_is_told_of(tmp_path, monkeypatch, qapp, disk):
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path))
    path = tmp_path / "m.xml"
    path.write_text(MODEL)
    first = session_in(tmp_path)
    assert first.open(path)
    first.set_text(first.document.main_key, MODEL.replace("0 0 1", "2 0 1"))
    first.close(keep_unsaved=True)
    first._autosave._lock.close()
    path.unlink() if disk == "gone" else path.write_text(MODEL.replace('size=".1"', 'size=".3"').replace("0 0 1", "9 0 1"))
    session, asked = session_in(tmp_path), []
    session.conflict.connect(asked.append)
    try:
        session.look_for_any_recovery()
        assert session.restore()
        assert session.document.main.text == MODEL.replace("0 0 1", "2 0 1") and session.modified
        if disk == "changed":
            assert asked == [str(path)] and any("has changed on disk since" in text for _level, text in session._context.log_lines)
            session.take_disk(str(path))
            assert 'pos="9 0 1"' in session.document.main.text and session.undo() and 'pos="2 0 1"' in session.document.main.text
        else:
            assert session.save() and path.read_text() == MODEL.replace("0 0 1", "2 0 1")
    finally:
        session.close()
