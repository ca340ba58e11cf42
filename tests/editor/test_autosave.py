"""Unsaved text outlives a killed program, and only that."""
import os
import signal
import subprocess
import sys
from pathlib import Path

from editor.autosave import Autosave
from editor.document import Document
from editor.edits.patch import Edit, Patch
from editor.journal import Journal
from tests.editor.left_behind import leave

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys, time
from pathlib import Path
from tests.editor.test_autosave import kept
journal = kept(Path(sys.argv[1]), Path(sys.argv[2]))
print(journal.write_now(), flush=True)
time.sleep(60)
"""


def kept(folder, path):
    """A journal of a document with unsaved text."""
    document = Document.open(path)
    journal = Journal(folder)
    journal.follow(document)
    document.apply(Edit("typing", (Patch(document.main_key, 0, 0, "<!-- unsaved \u20ac -->"),)))
    return journal


def test_text_of_a_killed_program_is_found_once(tmp_path):
    path, folder = tmp_path / "m.xml", tmp_path / "unsaved"
    path.write_text("<mujoco/>")
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder), str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "True\n"
        mine = Autosave(folder)
        assert mine.left_behind() is None   # its program lives
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    found = mine.left_behind(str(path))
    assert found.files == {str(path): "<!-- unsaved \u20ac --><mujoco/>"} and mine.left_behind("/other.xml") is None and mine.left_behind().files == found.files
    found.discard()
    assert mine.left_behind() is None and os.listdir(folder) == []


def test_text_that_an_earlier_version_left_is_found_too(tmp_path):
    place = leave(tmp_path, "/m.xml", {"/m.xml": "unsaved \u20ac"})
    found = Autosave(tmp_path).left_behind("/m.xml")
    assert (found.place, found.files, found.journal) == (place, {"/m.xml": "unsaved \u20ac"}, None)
    assert found.settle() is None and os.listdir(tmp_path) == []


def test_what_is_not_wanted_any_more_is_forgotten_and_our_own_is_not_offered(tmp_path):
    path, folder = tmp_path / "m.xml", tmp_path / "unsaved"
    path.write_text("<mujoco/>")
    journal = kept(folder, path)
    assert journal.write_now() and len(os.listdir(folder)) == 2 and journal.left_behind() is None
    journal.drop()
    assert os.listdir(folder) == []
    journal.close()


def test_damaged_copies_and_full_disks_do_no_harm(tmp_path):
    (tmp_path / "m.xml").write_text("<mujoco/>")
    for i, text in enumerate(("", "[]", '{"key": 1}', '{"key": "k", "time": "x", "files": {}}', '{"key": "k", "time": 1, "files": 3}')):
        (tmp_path / f"{i}.json").write_text(text)
    assert Autosave(tmp_path).left_behind() is None
    (tmp_path / "file").write_text("")
    journal = kept(tmp_path / "file", tmp_path / "m.xml")
    assert not journal.write_now() and journal.problem
    journal.close()
    assert Autosave(tmp_path / "missing").left_behind() is None
