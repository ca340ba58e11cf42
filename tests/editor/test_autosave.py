"""Unsaved text outlives a killed program, and only that."""
import os
import signal
import subprocess
import sys
from pathlib import Path

from editor.autosave import Autosave

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
