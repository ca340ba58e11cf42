"""Includes: where they are found, spliced, and what is said when they are wrong. The official reader is asked for the rules."""

import mujoco
import pytest

from physics.mjcf.reader import read, read_text

GEOM = '<mujoco><worldbody><geom name="{}" size="1"/></worldbody></mujoco>'


def write(folder, **files):
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".xml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def errors(result):
    return [issue for issue in result.issues if issue.severity == "error"]


def geom_names(result):
    return [geom.name for geom in result.root.section("worldbody")]


@pytest.mark.parametrize(("inner", "place"), [("b", "d__b"), ("d/b", "d__b"), ("b", "b")])
def test_found_beside_the_main_file_or_the_including_file(tmp_path, inner, place):
    write(tmp_path, main='<mujoco><include file="d/a.xml"/></mujoco>', d__a=f'<x><include file="{inner}.xml"/></x>',
          **{place: GEOM.format("g")})
    result = read(tmp_path / "main.xml")
    assert not result.issues and geom_names(result) == ["g"]
    official = mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml"))
    assert official.geom(0).name == "g"


def test_both_places_exist_the_main_folder_wins(tmp_path):
    write(tmp_path, main='<mujoco><include file="d/a.xml"/></mujoco>', d__a='<x><include file="b.xml"/></x>',
          b=GEOM.format("outer"), d__b=GEOM.format("inner"))
    official = mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml"))
    assert geom_names(read(tmp_path / "main.xml")) == [official.geom(0).name]


def test_children_stand_where_the_include_stood(tmp_path):
    write(tmp_path, main='<mujoco><worldbody><geom name="a" size="1"/><include file="i.xml"/><geom name="d" size="1"/></worldbody></mujoco>',
          i='<mujocoinclude><geom name="b" size="1"/><geom name="c" size="1"/></mujocoinclude>')
    result = read(tmp_path / "main.xml")
    assert geom_names(result) == ["a", "b", "c", "d"]
    second = result.root.section("worldbody")[1]
    assert second.origin.file == str(tmp_path / "i.xml")
    assert second.origin.included_by[0].file == str(tmp_path / "main.xml")
    assert set(result.sources) == {str(tmp_path / "main.xml"), str(tmp_path / "i.xml")}


def test_an_error_in_an_included_file_names_that_file(tmp_path):
    write(tmp_path, main='<mujoco><include file="i.xml"/></mujoco>', i='<m>\n<option timestp="1"/></m>')
    issue, = read(tmp_path / "main.xml").issues
    assert issue.place.file == str(tmp_path / "i.xml") and issue.place.line == 2
    assert "timestep" in issue.hint


def test_a_missing_include_is_named_with_place_and_where_was_looked(tmp_path):
    write(tmp_path, main='<mujoco>\n  <include file="gone.xml"/>\n</mujoco>')
    issue, = errors(read(tmp_path / "main.xml"))
    assert (issue.place.line, issue.place.column) == (2, 18)
    assert "gone.xml" in issue.what and str(tmp_path) in issue.hint


def test_a_file_including_itself_is_named(tmp_path):
    write(tmp_path, main='<mujoco><include file="main.xml"/></mujoco>')
    issue, = errors(read(tmp_path / "main.xml"))
    assert "includes itself" in issue.what


def test_a_cycle_is_named_with_its_files(tmp_path):
    write(tmp_path, main='<mujoco><include file="a.xml"/></mujoco>', a='<x><include file="b.xml"/><option/></x>',
          b='<x><include file="./a.xml"/><option/></x>')
    issue, = errors(read(tmp_path / "main.xml"))
    assert "includes itself" in issue.what and "b.xml" in issue.hint


def test_the_same_file_twice_is_an_error_however_it_is_spelled(tmp_path):
    write(tmp_path, main='<mujoco><include file="a.xml"/>\n<include file="./d/../a.xml"/></mujoco>', a=GEOM.format("g"), d__x="<x/>")
    issue, = errors(read(tmp_path / "main.xml"))
    assert "already included" in issue.what and issue.place.line == 2
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml"))


@pytest.mark.parametrize(("text", "words"), [
    ("", "cannot be used"), ("<mujoco>", "cannot be used"), ("<mujoco/>", "is empty"),
])
def test_a_broken_included_file_is_reported_at_both_places(tmp_path, text, words):
    write(tmp_path, main='<mujoco><include file="i.xml"/></mujoco>', i=text)
    result = read(tmp_path / "main.xml")
    assert result.root is not None
    assert any(words in issue.what and issue.place.file.endswith("main.xml") for issue in errors(result))
    assert words == "is empty" or any(issue.place.file.endswith("i.xml") for issue in errors(result))


def test_includes_have_only_a_file():
    files = {"i.xml": GEOM.format("g")}
    assert "needs the attribute 'file'" in errors(read_text("<mujoco><include/></mujoco>"))[0].what
    assert "cannot have children" in errors(read_text('<mujoco><include file="i.xml"><geom/></include></mujoco>', files=files))[0].what
    strange, = read_text('<mujoco><include file="i.xml" prefix="a"/></mujoco>', files=files).issues
    assert "unknown attribute" in strange.what and strange.severity == "warning"


def test_unsaved_texts_win_over_the_disk(tmp_path):
    write(tmp_path, main='<mujoco><include file="i.xml"/></mujoco>', i=GEOM.format("disk"))
    result = read(tmp_path / "main.xml", files={str(tmp_path / "i.xml"): GEOM.format("tab")})
    assert geom_names(result) == ["tab"]
    result = read(tmp_path / "main.xml", files={str(tmp_path / "main.xml"): GEOM.format("main tab")})
    assert geom_names(result) == ["main tab"]


def test_text_reads_includes_from_memory_and_from_its_folder(tmp_path):
    write(tmp_path, i=GEOM.format("disk"))
    main = '<mujoco><include file="i.xml"/></mujoco>'
    assert geom_names(read_text(main, base_dir=tmp_path)) == ["disk"]
    assert geom_names(read_text(main, files={"i.xml": GEOM.format("memory")})) == ["memory"]


def test_an_included_folder_or_unreadable_file_is_an_error_not_a_crash(tmp_path):
    (tmp_path / "d.xml").mkdir()
    write(tmp_path, main='<mujoco><include file="d.xml"/></mujoco>')
    assert errors(read(tmp_path / "main.xml"))
    assert errors(read(tmp_path / "nothing.xml"))[0].what.startswith("the file cannot be read")
    assert errors(read(tmp_path))
