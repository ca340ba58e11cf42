"""What a killed program leaves: the text and all that can be undone, but for the gesture under way."""
import os
import threading

import pytest

from editor import journal as module
from editor.autosave import Autosave, read_copy
from editor.document import Document
from editor.edits.gesture import Gesture
from editor.edits.patch import Edit, Patch
from editor.journal import Journal
from editor.replay import replay

MAIN = '<mujoco>\r\n  <include file="part.xml"/>\r\n  <worldbody><geom name="größe 😀" size=".1"/></worldbody>\r\n</mujoco>\r\n'
PART = "<x>\n  <worldbody><body name='b'/></worldbody>\n</x>\n"


@pytest.fixture
def opened(tmp_path):
    """(document, its journal, the folder of journals)."""
    (tmp_path / "m.xml").write_bytes(MAIN.encode())
    (tmp_path / "part.xml").write_text(PART)
    document = Document.open(tmp_path / "m.xml")
    document.include(str(tmp_path / "part.xml"))
    journal = Journal(tmp_path / "unsaved")
    journal.follow(document)
    yield document, journal, tmp_path / "unsaved"
    journal.close()


def put(document, name, old, new, label="edit", merge=None):
    key = next(key for key in document.files() if key.endswith(name))
    at = document.files()[key].text.index(old)
    document.apply(Edit(label, (Patch(key, at, at + len(old), new),), merge))
    return key


def left(folder):
    """What another program finds, once the one that wrote it has died."""
    copies = [read_copy(place) for place in folder.glob("*.json")]
    assert len(copies) == 1
    return copies[0]


def same(found, document):
    history, kept = document.history, found.journal.history
    assert {key: text for key, text in found.journal.texts.items()} == {key: document.all_texts()[key] for key in found.journal.texts}
    assert found.files == {key: file.text for key, file in document.files().items() if file.modified}
    assert kept.position == history.position and [entry.edit.label for entry in kept.entries] == [entry.edit.label for entry in history.entries]
    for key in found.journal.texts:
        assert kept.saved_position(key) == history.saved_position(key), key


def test_the_text_its_history_and_what_is_saved_come_back(opened):
    document, journal, folder = opened
    put(document, "m.xml", ".1", ".2", "first")
    assert journal.write_now()
    same(left(folder), document)
    put(document, "part.xml", "'b'", "'c'", "second")
    document.save()
    for k, letter in enumerate("abc"):
        put(document, "m.xml", "<mujoco" + "abc"[:k], "<mujoco" + "abc"[:k] + letter, "typing", "word")
    document.undo()
    document.undo()
    assert journal.write_now()
    found = left(folder)
    same(found, document)
    assert len(found.journal.history.entries) == 3 and found.journal.history.position == 1
    again = Document.open(document.main.path)
    assert again.restore(found.journal) == []
    assert again.texts() == document.texts() and again.modified
    for step in ("redo", "redo", "undo", "undo", "undo"):
        getattr(again, step)()
        getattr(document, step)()
        assert again.texts() == document.texts()
    assert {key: file.modified for key, file in again.files().items()} == {key: file.modified for key, file in document.files().items()}


def test_nothing_of_a_gesture_is_kept_before_its_end(opened):
    document, journal, folder = opened
    put(document, "m.xml", ".1", ".2")
    assert journal.write_now()
    before = document.main.text
    gesture = Gesture(document)
    at = gesture.texts[document.main_key].index(".2")
    gesture.show(Edit("drag", (Patch(document.main_key, at, at + 2, ".9"),)))
    assert journal.write_now()
    assert left(folder).journal.texts[document.main_key] == before
    gesture.end()
    assert journal.write_now()
    same(left(folder), document)


def test_half_a_last_line_is_left_out_and_a_damaged_one_ends_the_reading(opened):
    document, journal, folder = opened
    put(document, "m.xml", ".1", ".2", "first")
    journal.write_now()
    put(document, "m.xml", ".2", ".3", "second")
    journal.write_now()
    data = next(folder.glob("*.json")).read_bytes()
    for cut in range(1, len(data) - data[:-1].rfind(b"\n") - 1):
        found = replay(data[:-cut])
        assert not found.broken and ".2" in found.texts[document.main_key]
    lines = data.splitlines(keepends=True)
    damaged = replay(b"".join((*lines[:-1], b'{"edit": "x", "patches": [["gone.xml", 0, 0, ""]]}\n')))
    assert damaged.broken.startswith(f"line {len(lines)}") and ".2" in damaged.texts[document.main_key]
    assert replay(b"") is None and replay(b'{"journal": 99, "key": "k"}\n') is None
    base = replay(b"".join(lines).replace(b"worldbody", b"worldbodi", 1))
    assert "damaged" in base.broken


def test_a_file_that_changed_since_is_merged_or_asked_about(opened):
    document, journal, folder = opened
    put(document, "m.xml", ".1", ".2")
    part = put(document, "part.xml", "'b'", "'c'")
    journal.write_now()
    found = left(folder)
    document.main.path.write_bytes(MAIN.replace("<mujoco>\r\n", "<mujoco>\r\n  <option/>\r\n").encode())
    (document.main.path.parent / "part.xml").write_text(PART.replace("'b'", "'d'"))
    again = Document.open(document.main.path)
    changed = again.restore(found.journal)
    assert set(changed) == {again.main_key, part}
    assert again.look_at_disk(again.main_key)[0].value == "merged" and "<option/>" in again.main.text and ".2" in again.main.text
    assert again.look_at_disk(part)[0].value == "conflict" and "'c'" in again.files()[part].text
    for _ in range(3):
        again.undo()
    assert again.main.text == MAIN and again.files()[part].text == PART


def test_a_large_journal_is_written_anew(opened, monkeypatch):
    document, journal, folder = opened
    monkeypatch.setattr(module, "LARGE", 2000)
    put(document, "m.xml", ".1", ".2")
    journal.write_now()
    sizes = []
    for k in range(200):
        put(document, "m.xml", ".", "." if k % 2 else ".0")
        document.undo()
        document.redo()
        journal.write_now()
        sizes.append(next(folder.glob("*.json")).stat().st_size)
    assert any(b < a for a, b in zip(sizes, sizes[1:], strict=False))
    same(left(folder), document)


def test_saved_text_is_not_offered_and_its_journal_goes(opened):
    document, journal, folder = opened
    put(document, "m.xml", ".1", ".2")
    journal.write_now()
    document.save()
    journal.write_now()
    other = Autosave(folder)
    assert other.left_behind() is None and list(folder.glob("*.json"))      # its program lives
    journal._lock.close()
    assert other.left_behind() is None and not list(folder.glob("*.json"))


def test_another_document_begins_another_journal(opened, tmp_path):
    document, journal, folder = opened
    put(document, "m.xml", ".1", ".2")
    journal.write_now()
    new = Document.new()
    journal.follow(new)
    assert journal.write_now() and journal._disk.submit(lambda: None).result() is None and not list(folder.glob("*.json"))
    put(new, "untitled.xml", "ball", "bell")
    assert journal.write_now()
    same(left(folder), new)
    new.save_as(tmp_path / "mine.xml")
    put(new, "mine.xml", "bell", "bull")
    assert journal.write_now()
    found = left(folder)
    assert found.key == str(tmp_path / "mine.xml")
    same(found, new)


def test_a_disk_that_takes_long_or_is_full_does_not_stop_the_work(opened, monkeypatch):
    document, journal, folder = opened
    slow, told = threading.Event(), []
    write = module.write_file
    monkeypatch.setattr(module, "write_file", lambda *a, **k: (slow.wait(20), write(*a, **k)))
    put(document, "m.xml", ".1", ".2")
    journal.write(told.append)
    put(document, "m.xml", ".2", ".3")
    journal.write(told.append)
    assert not told
    slow.set()
    assert journal.write_now() and told == ["", ""]
    same(left(folder), document)

    def full(*_arguments):
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(module.os, "fdatasync", full)
        put(document, "m.xml", ".3", ".4")
        assert not journal.write_now() and "No space" in journal.problem
    put(document, "m.xml", ".4", ".5")
    assert journal.write_now() and journal.problem == ""
    same(left(folder), document)


def test_what_the_disk_takes_in_parts_is_written_whole(opened, monkeypatch):
    document, journal, folder = opened
    put(document, "m.xml", ".1", ".2")
    assert journal.write_now()
    room, real = [10_000], open

    class Small:
        """A file on a disk that is nearly full: it takes seven bytes at once, and no more than there is room for, without an error (FileIO.write)."""

        def __init__(self, *arguments, **options):
            self.file = real(*arguments, **options)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def fileno(self):
            return self.file.fileno()

        def write(self, data):
            count = min(7, len(data), room[0])
            room[0] -= count
            return self.file.write(bytes(data[:count]))

    monkeypatch.setattr(module, "open", Small, raising=False)
    put(document, "m.xml", ".2", ".3")
    assert journal.write_now()
    same(left(folder), document)
    room[0] = 20
    put(document, "m.xml", ".3", ".4")
    assert not journal.write_now() and "No space" in journal.problem
    monkeypatch.undo()
    put(document, "m.xml", ".4", ".5")
    assert journal.write_now() and journal.problem == ""
    same(left(folder), document)


def test_lines_that_are_not_written_are_not_told_as_kept(opened, monkeypatch):
    document, journal, _folder = opened
    put(document, "m.xml", ".1", ".2")
    assert journal.write_now()
    gate, told = threading.Event(), []

    def full(*_arguments):
        gate.wait(20)
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(module.os, "fdatasync", full)
        put(document, "m.xml", ".2", ".3")
        journal.write(told.append)
        put(document, "m.xml", ".3", ".4")
        journal.write(told.append)      # behind lines of which nobody knows yet that they are missing
        gate.set()
        journal.write_now()
    assert told[0] and told[1]


def test_what_was_left_behind_stays_until_its_text_is_on_the_disk_again(opened, monkeypatch):
    document, journal, folder = opened
    put(document, "m.xml", ".1", ".2")
    assert journal.write_now()
    journal._lock.close()       # its program has died
    found = left(folder)
    again = Document.open(document.main.path)
    again.restore(found.journal)
    other = Journal(folder)
    other.follow(again)

    def full(*_arguments, **_options):
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(module, "write_file", full)
        other.replace(found)
        assert not other.write_now() and found.place.exists()
    assert Autosave(folder).left_behind() is None       # nobody is offered what a window has
    assert other.write_now() and not found.place.exists()
    same(left(folder), again)
    other.close()


def test_a_damaged_journal_is_never_deleted_unread(opened):
    document, journal, folder = opened
    put(document, "m.xml", ".1", ".2")
    assert journal.write_now()
    journal._lock.close()
    place = next(folder.glob("*.json"))
    data = place.read_bytes().replace(b"worldbody", b"worldbodi", 1)
    place.write_bytes(data)
    other = Autosave(folder)
    assert other.left_behind() is None      # nothing of it can be read
    (kept, key, why), = other.damaged
    assert key == document.main_key and "damaged" in why and kept.read_bytes() == data
    lines = data.replace(b"worldbodi", b"worldbody", 1).splitlines(keepends=True)
    place.write_bytes(b"".join((*lines, b'{"edit": "x", "patches": [["gone.xml", 0, 0, ""]]}\n')))
    found = other.left_behind()
    assert ".2" in found.files[document.main_key] and found.journal.broken      # what there is is offered
    assert found.settle() == kept and not place.exists() and other.left_behind() is None and kept.exists()


def test_a_history_that_is_cleared_begins_another_journal(opened, tmp_path):
    document, journal, folder = opened
    for old, new in ((".1", ".2"), (".2", ".3")):
        put(document, "m.xml", old, new)
    put(document, "part.xml", "'b'", "'c'")
    assert journal.write_now()
    document.save_as(tmp_path / "part.xml")      # over the included one
    put(document, "part.xml", ".3", ".4", "after")
    document.undo()
    document.redo()
    assert journal.write_now()
    found = left(folder)
    assert not found.journal.broken and [entry.edit.label for entry in found.journal.history.entries] == ["after"]
    same(found, document)
