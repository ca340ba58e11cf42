"""The document: text as it was on disk, atomic saves, conflicts, included files."""
import os
import stat
import zipfile

import pytest

from editor.document import NEW_MODEL, NEW_NAME, DiskChange, Document, NotSaved, SourceFile
from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Edit, Patch
from physics.files.atomic_write import write_file
from physics.files.text_codec import UTF_8, decode
from physics.mjcf import reader

XML = '<mujoco>\n  <!-- größer -->\n</mujoco>\n'


@pytest.mark.parametrize(("codec", "mark"), [("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("latin-1", b"")])
@pytest.mark.parametrize("newlines", ["\n", "\r\n", "\r", ("\r\n", "\n", "\r")])
def test_a_saved_file_keeps_its_line_ends_and_encoding(tmp_path, codec, mark, newlines):
    path, text = tmp_path / "m.xml", XML
    for newline in newlines if isinstance(newlines, tuple) else 3 * (newlines,):
        text = text.replace("\n", "\0" + newline.replace("\n", "\1"), 1).replace("\0", "")
    text = text.replace("\1", "\n")
    before = mark + text.encode(codec)
    path.write_bytes(before)
    file = SourceFile.read(path)
    assert file.text == text and not file.modified
    file.text = text.replace("größer", "kleiner")
    assert file.modified
    file.save()
    assert path.read_bytes() == before.replace("größer".encode(codec), "kleiner".encode(codec))
    assert not file.modified


def test_places_in_included_files_are_those_of_their_texts(tmp_path):
    part = tmp_path / "part.xml"
    part.write_bytes(b'\xef\xbb\xbf<mujocoinclude>\r\n  <body name="a">\r\n\t<geom size=".1"\n rgba="1 0 0 1"/>\r\n  </body>\r</mujocoinclude>')
    (tmp_path / "m.xml").write_bytes(b'<mujoco>\r\n<worldbody>\r\n<include file="part.xml"/>\r\n<site name="s"/></worldbody></mujoco>')
    document = Document.open(tmp_path / "m.xml")
    document.include(str(part))
    for _ in range(2):      # as on disk, and with unsaved text
        read = reader.read_text(document.main.text, document.key, str(tmp_path), document.included_texts())
        found = [element for element in read.root.walk() if element.origin.file in document.files()]
        assert [element.tag for element in found] == ["mujoco", "worldbody", "body", "geom", "site"]
        for element in found:
            text = document.files()[element.origin.file].text
            assert text[element.origin.start:].startswith(f"<{element.tag}") and text[element.origin.end - 1] == ">"
            for name, (start, end, _line, _column) in element.origin.attr_spans.items():
                assert text[start:end] == element.attrs[name]
        document.files()[str(part)].text = document.files()[str(part)].text.replace("<body", "<!-- a\r\nb -->\r\n<body")


def test_a_character_the_old_encoding_lacks_is_saved_as_utf8(tmp_path):
    path = tmp_path / "m.xml"
    path.write_bytes("<!-- ü -->".encode("latin-1"))
    file = SourceFile.read(path)
    file.text = "<!-- ü € -->"
    file.save()
    assert path.read_text(encoding="utf-8") == "<!-- ü € -->" and decode(path.read_bytes())[1] == UTF_8


def test_a_text_whose_file_is_deleted_is_not_saved_any_more(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(XML, encoding="utf-8")
    document = Document.open(path)
    file = document.main
    path.unlink()
    assert document.look_at_disk(document.main_key)[0] is DiskChange.GONE and file.modified and file.text == XML
    for text in (XML, XML + "<!-- more -->"):       # as by an editor that deletes the file and writes it anew
        path.write_text(text, encoding="utf-8")
        assert document.look_at_disk(document.main_key)[0] is DiskChange.TAKEN and not file.modified and file.text == text
        path.unlink()
        assert document.look_at_disk(document.main_key)[0] is DiskChange.GONE and file.modified
    file.save()
    assert path.read_text(encoding="utf-8") == file.text and not file.modified


def test_another_encoding_of_the_same_text_on_disk_is_kept(tmp_path):
    path = tmp_path / "m.xml"
    path.write_bytes(XML.encode("latin-1"))
    document = Document.open(path)
    file = document.main
    path.write_bytes(XML.encode("utf-16"))
    assert document.look_at_disk(document.main_key)[0] is DiskChange.NONE
    file.text = XML + "<!-- x -->"
    file.save()
    assert path.read_bytes() == (XML + "<!-- x -->").encode("utf-16")


def test_a_save_is_complete_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "m.xml"
    path.write_text("old")
    os.chmod(path, 0o640)
    write_file(path, b"new")
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
    write_file(tmp_path / "link.xml", b"new")
    assert (tmp_path / "link.xml").is_symlink() and (tmp_path / "real.xml").read_text() == "new"


def test_a_change_on_disk_is_taken_unless_there_is_unsaved_text(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text("a")
    document = Document.open(path)
    file = document.main
    assert document.look_at_disk(document.main_key)[0] is DiskChange.NONE
    path.write_text("b")
    assert document.look_at_disk(document.main_key)[0] is DiskChange.TAKEN and file.text == "b"
    file.text = "mine"
    path.write_text("c")
    assert document.look_at_disk(document.main_key)[0] is DiskChange.CONFLICT and file.text == "mine" and path.read_text() == "c"
    path.write_text("mine")   # the same text from both sides is no conflict
    assert document.look_at_disk(document.main_key)[0] is DiskChange.TAKEN and not file.modified
    path.unlink()
    assert document.look_at_disk(document.main_key)[0] is DiskChange.GONE and file.text == "mine"


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
    assert document.modified and document.included_texts()[str(part)] == "changed"
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


def pack(path, **files):
    """An archive with files, their slashes and points written as __ and _."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), text)
    return path


@pytest.mark.parametrize("name", ["robot.zip", "robot.mjz", "robot.xml"])
def test_an_archive_is_opened_read_only(tmp_path, name):
    path = pack(tmp_path / name, model_xml="<mujoco/>", part_xml="<x/>")
    document = Document.open(path)
    assert document.archive == path and document.path == path and document.key == str(path) and document.main.text == ""
    inside, part = str(path / "model.xml"), str(path / "part.xml")
    assert document.adopt_archive(inside, {inside: "<mujoco/>", part: "<x/>"})
    assert not document.adopt_archive(inside, {inside: "<mujoco/>", part: "<x/>"})
    assert document.adopt_archive(inside, {inside: "<mujoco />", part: "<x/>"})
    assert list(document.files()) == [inside, part] and document.main_key == inside and document.main.name == "model.xml"
    assert document.key == str(path) and document.watched() == (path,) and not document.modified and not document.conflicts()
    assert all(document.look_at_disk(key)[0] is DiskChange.NONE for key in document.files())
    with pytest.raises(ValueError, match="read only"):
        document.save()
    with pytest.raises(OSError, match="not a text"):
        SourceFile.read(path)


def test_an_archive_is_saved_by_unpacking_it(tmp_path):
    path = pack(tmp_path / "robot.zip", in__model_xml="<mujoco/>", in__sub__part_xml="<x/>", in__a_obj="v 0 0 0")
    document = Document.open(path)
    (tmp_path / "out").mkdir()
    document.save_as(tmp_path / "out" / "mine.xml")
    out = tmp_path / "out"
    assert sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()) == ["a.obj", "mine.xml", "sub/part.xml"]
    assert document.archive is None and document.key == str(out / "mine.xml") and document.main.text == "<mujoco/>" and (out / "sub" / "part.xml").read_text() == "<x/>"
    document.main.text = "<mujoco><!-- changed --></mujoco>"
    assert document.save() == [out / "mine.xml"]
    Document.open(path).save_as(out / "mine.xml")   # what is there already is the same
    assert (out / "mine.xml").read_text() == "<mujoco/>"


def test_unpacking_overwrites_nothing_else_and_leaves_the_folder_alone(tmp_path):
    path = pack(tmp_path / "robot.zip", model_xml="<mujoco/>", a_obj="v 0 0 0", b_obj="v 1 1 1")
    out = tmp_path / "out"
    out.mkdir()
    (out / "b.obj").write_text("mine")
    document = Document.open(path)
    with pytest.raises(OSError, match=r"b.obj is in the way"):
        document.save_as(out / "m.xml")
    with pytest.raises(OSError, match="in the way"):
        document.save_as(tmp_path / "a.obj")
    assert [p.name for p in out.iterdir()] == ["b.obj"] and document.archive == path
    outside = pack(tmp_path / "wide.zip", robots__model_xml="<mujoco/>", meshes__a_obj="v 0 0 0")
    with pytest.raises(OSError, match="meshes/a.obj' lies outside the model's own folder"):
        Document.open(outside).save_as(out / "m.xml")
    with pytest.raises(OSError, match="cannot be unpacked: the archive holds no model"):
        Document.open(pack(tmp_path / "none.zip", a_txt="")).save_as(out / "m.xml")


def test_an_archive_is_copied_to_the_name_of_an_archive_and_texts_are_not(tmp_path):
    path = pack(tmp_path / "robot.zip", model_xml="<mujoco/>")
    document = Document.open(path)
    document.save_as(tmp_path / "copy.zip")
    assert document.archive == tmp_path / "copy.zip" and (tmp_path / "copy.zip").read_bytes() == path.read_bytes()
    with pytest.raises(OSError, match="linkwork convert"):
        Document.new().save_as(tmp_path / "new.zip")
    assert not (tmp_path / "new.zip").exists()


def test_an_archive_that_is_not_there_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        Document.open(tmp_path / "gone.zip")


@pytest.mark.parametrize("data", [b"MJB\x00\x01", bytes(range(1, 32)) * 30, b"\x89PNG\r\n\x1a\n\x00\x00"])
def test_what_is_no_text_is_refused_with_what_to_do(tmp_path, data):
    path = tmp_path / "m.xml"
    path.write_bytes(data)
    with pytest.raises(OSError, match=r"not a model text.*MJCF and URDF.*\.lwb"):
        Document.open(path)


def test_a_compiled_model_is_never_written_over_as_text(tmp_path):
    from physics import load_string, save

    save(load_string("<mujoco/>"), tmp_path / "m.lwb")
    os.rename(tmp_path / "m.lwb", tmp_path / "m.xml")   # told by its content, too
    before = (tmp_path / "m.xml").read_bytes()
    document = Document.open(tmp_path / "m.xml")
    assert document.compiled and document.sealed and not document.modified and document.watched() == (tmp_path / "m.xml",)
    document.main.text = "typed"
    with pytest.raises(ValueError, match="no text"):
        document.save()
    with pytest.raises(OSError, match="only read"):
        document.main.save()
    with pytest.raises(OSError, match="compiled model"):
        SourceFile.read(tmp_path / "m.xml")
    text = Document.new()
    with pytest.raises(OSError, match="Save compiled model"):
        text.save_as(tmp_path / "n.lwb")
    assert (tmp_path / "m.xml").read_bytes() == before


def test_a_file_that_has_come_into_being_meanwhile_is_not_written_over(tmp_path):
    (tmp_path / "m.xml").write_text('<mujoco><include file="gen.xml"/></mujoco>')
    document = Document.open(tmp_path / "m.xml")
    key, path = str(tmp_path / "gen.xml"), tmp_path / "gen.xml"
    file = document.include(key)
    file.text = "<mujoco/>"
    assert document.conflicts() == []
    path.write_text("<mujoco><option/></mujoco>")       # by a generator
    assert document.conflicts() == [key]
    document.keep(key)
    assert document.conflicts() == [] and document.save() == [path] and path.read_text() == "<mujoco/>"
    file.disk_text = None
    assert document.conflicts() == []       # the same text from both sides


def test_files_that_can_be_written_are_and_the_others_are_told(tmp_path, monkeypatch):
    (tmp_path / "m.xml").write_text('<mujoco><include file="a.xml"/><include file="b.xml"/></mujoco>')
    document = Document.open(tmp_path / "m.xml")
    a, b = (document.include(str(tmp_path / f"{name}.xml")) for name in "ab")
    a.text = b.text = "<mujoco/>"
    document.main.text = "<mujoco/>"

    def write(path, data):
        if path.name == "a.xml":
            raise OSError(28, os.strerror(28), str(path))
        write_file(path, data)

    monkeypatch.setattr("editor.source_file.write_file", write)
    with pytest.raises(NotSaved, match="a.xml: No space left") as caught:
        document.save()
    assert caught.value.written == (tmp_path / "m.xml", tmp_path / "b.xml") and a.modified and not b.modified and not document.main.modified


def test_a_save_looks_whether_the_disk_has_the_text(tmp_path, monkeypatch):
    path = tmp_path / "m.xml"
    path.write_bytes("<!-- ü -->".encode("latin-1"))
    file = SourceFile.read(path)
    file.text = "<!-- Ã¼ -->"        # whose bytes in Latin-1 are those of 'ü' in UTF-8
    file.save()
    assert SourceFile.read(path).text == file.text and not file.modified
    file.text = "\ufeff<mujoco/>"
    file.save()
    assert SourceFile.read(path).text == file.text
    file.text = "<mujoco>\n<!-- \ud83d -->"
    with pytest.raises(OSError, match="U\\+D83D in line 2"):
        file.save()
    assert path.read_text(encoding="utf-8-sig") == "\ufeff<mujoco/>" and file.modified
    file.text = "<mujoco/>"
    monkeypatch.setattr("editor.source_file.write_file", lambda target, data: target.write_bytes(data[:3]))
    with pytest.raises(OSError, match="something else"):
        file.save()
    assert file.modified


def test_a_byte_order_mark_that_is_pasted_into_the_text_is_a_character_of_it(tmp_path):
    """Places are those of the text with it, and it is saved and read again; taken back, the file has its old bytes."""
    path = tmp_path / "m.xml"
    path.write_text('<mujoco>\n  <worldbody><geom name="g" size="1"/></worldbody>\n</mujoco>\n')
    begin, document = path.read_bytes(), Document.open(path)
    document.apply(Edit("paste", (Patch(document.main_key, 0, 0, "\ufeff"),)))
    geom = next(one for one in document.version().root.walk() if one.tag == "geom")
    document.apply(Edit("size", attribute_patches(document.main.text, geom, {"size": "25"})))
    assert document.main.text == "\ufeff" + begin.decode().replace('size="1"', 'size="25"')
    document.save()
    again = Document.open(path)
    assert again.main.text == document.main.text and any("U+FEFF" in issue.what for issue in again.version().read.issues) and again.version().root is not None
    document.undo()
    document.undo()
    document.save()
    assert path.read_bytes() == begin
