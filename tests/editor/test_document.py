"""The document: text as it was on disk, atomic saves, conflicts, included files."""
import os
import stat
import zipfile

import pytest

from editor.document import NEW_MODEL, NEW_NAME, DiskChange, Document, SourceFile, decode, write_atomically

XML = '<mujoco>\n  <!-- größer -->\n</mujoco>\n'


@pytest.mark.parametrize(("codec", "mark"), [("utf-8", b""), ("utf-8-sig", b"\xef\xbb\xbf"), ("utf-16", b"\xff\xfe"), ("latin-1", b"")])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_saved_file_keeps_its_line_ends_and_encoding(tmp_path, codec, mark, newline):
    path = tmp_path / "m.xml"
    before = XML.replace("\n", newline).encode(codec)
    assert before.startswith(mark)
    path.write_bytes(before)
    file = SourceFile.read(path)
    assert file.text == XML and not file.modified
    file.text = XML.replace("größer", "kleiner")
    assert file.modified
    file.save()
    assert path.read_bytes() == before.replace("größer".encode(codec).removeprefix(mark), "kleiner".encode(codec).removeprefix(mark))
    assert not file.modified


def test_a_character_the_old_encoding_lacks_is_saved_as_utf8(tmp_path):
    path = tmp_path / "m.xml"
    path.write_bytes("<!-- ü -->".encode("latin-1"))
    file = SourceFile.read(path)
    file.text = "<!-- ü € -->"
    file.save()
    assert path.read_text(encoding="utf-8") == "<!-- ü € -->" and decode(path.read_bytes())[2] == "utf-8"


def test_a_save_is_complete_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "m.xml"
    path.write_text("old")
    os.chmod(path, 0o640)
    write_atomically(path, b"new")
    assert path.read_text() == "new" and stat.S_IMODE(path.stat().st_mode) == 0o640

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    file = SourceFile.read(path)
    file.text = "newer"
    with pytest.raises(OSError):
        file.save()
    assert path.read_text() == "new" and file.modified
    assert os.listdir(tmp_path) == ["m.xml"]   # no litter


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.xml").write_text("old")
    (tmp_path / "link.xml").symlink_to("real.xml")
    write_atomically(tmp_path / "link.xml", b"new")
    assert (tmp_path / "link.xml").is_symlink() and (tmp_path / "real.xml").read_text() == "new"


def test_a_change_on_disk_is_taken_unless_there_is_unsaved_text(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text("a")
    file = SourceFile.read(path)
    assert file.look_at_disk() is DiskChange.NONE
    path.write_text("b")
    assert file.look_at_disk() is DiskChange.TAKEN and file.text == "b"
    file.text = "mine"
    path.write_text("c")
    assert file.look_at_disk() is DiskChange.CONFLICT and file.text == "mine" and path.read_text() == "c"
    path.write_text("mine")   # the same text from both sides is no conflict
    assert file.look_at_disk() is DiskChange.TAKEN and not file.modified
    path.unlink()
    assert file.look_at_disk() is DiskChange.GONE and file.text == "mine"


def test_saving_over_foreign_changes_needs_a_decision(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text("a")
    document = Document.open(path)
    document.main.text = "mine"
    assert document.conflicts() == []
    path.write_text("theirs")
    assert document.conflicts() == [document.key]
    document.main.keep()
    assert document.conflicts() == [] and document.modified
    document.save()
    assert path.read_text() == "mine"


def test_included_files_follow_the_reading(tmp_path):
    main, part, other = (tmp_path / name for name in ("m.xml", "part.xml", "other.xml"))
    for path in (main, part, other):
        path.write_text(path.stem)
    document = Document.open(main)
    assert document.adopt({str(main): "m", str(part): "part", str(other): "other"})
    assert list(document.files()) == [str(main), str(part), str(other)]
    assert not document.adopt({str(main): "m", str(part): "part", str(other): "other"})
    document.files()[str(part)].text = "changed"
    assert document.modified and document.unsaved_texts() == {str(part): "changed"}
    assert document.adopt({str(main): "m"})
    assert list(document.files()) == [str(main), str(part)]   # unsaved text is never dropped
    assert set(document.watched()) == {main, part}
    assert document.save() == [part] and part.read_text() == "changed" and not document.modified
    document.files()[str(part)].text = "again"
    document.revert()
    assert document.files()[str(part)].text == "changed"


def test_a_new_model_gets_its_file_by_save_as(tmp_path):
    document = Document.new()
    assert document.key == NEW_NAME and not document.modified and document.main.text == NEW_MODEL
    with pytest.raises(ValueError, match="no file"):
        document.save()
    document.save_as(tmp_path / "mine.xml")
    assert document.key == str(tmp_path / "mine.xml") and (tmp_path / "mine.xml").read_text() == NEW_MODEL


@pytest.mark.parametrize("name", ["robot.zip", "robot.mjz", "robot.xml"])
def test_an_archive_is_not_opened_as_text(tmp_path, name):
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr("model.xml", "<mujoco/>")
    with pytest.raises(OSError, match="unpack it first"):
        Document.open(tmp_path / name)
