"""Unsaved text outlives a killed program, and only that."""
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from editor import autosave
from editor.autosave import Autosave, read_copy
from physics.files.atomic_write import write_file

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys, time
from pathlib import Path
from editor.autosave import Autosave
copies = Autosave(Path(sys.argv[1]))
print(copies.keep("/m.xml", {"/m.xml": "unsaved \u20ac"}), flush=True)
time.sleep(60)
"""


def test_text_of_a_killed_program_is_found_once(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "True\n"
        mine = Autosave(tmp_path)
        assert mine.left_behind() is None   # its program lives
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    found = mine.left_behind("/m.xml")
    assert found.files == {"/m.xml": "unsaved \u20ac"} and mine.left_behind("/other.xml") is None and mine.left_behind() == found
    found.discard()
    assert mine.left_behind() is None and os.listdir(tmp_path) == []


def test_saved_text_needs_no_copy(tmp_path):
    copies = Autosave(tmp_path)
    assert copies.keep("k", {"k": "text"}) and len(os.listdir(tmp_path)) == 2
    assert copies.left_behind() is None   # our own is not offered
    assert copies.keep("k", {}) and os.listdir(tmp_path) == []


def test_damaged_copies_and_full_disks_do_no_harm(tmp_path):
    for i, text in enumerate(("", "[]", '{"key": 1}', '{"key": "k", "time": "x", "files": {}}', '{"key": "k", "time": 1, "files": 3}')):
        (tmp_path / f"{i}.json").write_text(text)
    copies = Autosave(tmp_path)
    assert copies.left_behind() is None
    (tmp_path / "file").write_text("")
    assert not Autosave(tmp_path / "file").keep("k", {"k": "text"})
    assert Autosave(tmp_path / "missing").left_behind() is None


def test_work_goes_on_while_the_disk_takes_long(tmp_path, monkeypatch):
    slow, told = threading.Event(), []

    def write(*arguments, **options) -> None:
        slow.wait(20)
        write_file(*arguments, **options)

    monkeypatch.setattr(autosave, "write_file", write)
    copies = Autosave(tmp_path)
    copies.keep_aside("k", {"k": "old"}, told.append)
    copies.keep_aside("k", {"k": "new"}, told.append)
    assert not told and not list(tmp_path.glob("*.json"))
    slow.set()
    copies.drop()       # after all that was asked for before
    assert told == ["", ""] and os.listdir(tmp_path) == []
    assert copies.keep("k", {"k": "newest"}) and read_copy(*tmp_path.glob("*.json")).files == {"k": "newest"}
    (tmp_path / "file").write_text("")
    full = Autosave(tmp_path / "file")
    full.keep_aside("k", {"k": "text"}, told.append)
    full.drop()
    assert told[2:] and told[2] == full.problem != ""
