"""What counts as XML: what the reader takes for a model, and no less."""
from types import SimpleNamespace

import pytest

from editor.document import Document
from editor.source.language import DocumentLanguage
from editor.well_formed import LONGEST, is_well_formed
from physics.mjcf.reader import read_text

LONG = "<mujoco>\n" + "  <!-- as an export has it -->\n" * (LONGEST // 30) + "</mujoco>\n"


@pytest.mark.parametrize("text", [
    '<?xml version="1.0" encoding="UTF-16"?>\n<mujoco/>', '<?xml version="1.0" encoding="GB2312"?>\n<mujoco><!-- 大 --></mujoco>', '<?xml version="1.0" encoding="Shift_JIS"?>\n<mujoco/>',
    "<mujoco><!-- a -- b --></mujoco>", '<mujoco model="a & b"/>', '<mujoco model="a"><option gravity="0 0 0"timestep=".01"/></mujoco>', "<mujoco>ü 😀</mujoco>",
    "<mujoco", "<mujoco>", "<mujoco></mujoc>", "<mujoco><geom size=.1/></mujoco>", "", "words", "<mujoco>\ud83d</mujoco>", "<a/><b/>", '<!DOCTYPE m [<!ENTITY e "x">]><mujoco>&e;</mujoco>'])
def test_the_quick_look_says_what_the_reader_says(text):
    assert is_well_formed(text) == (read_text(text, "m.xml").root is not None)


def test_a_long_text_is_not_looked_at_between_two_keys_and_is_otherwise():
    assert len(LONG) > LONGEST and not is_well_formed(LONG) and is_well_formed(LONG, None)


@pytest.mark.parametrize(("text", "broken"), [
    ('<?xml version="1.0" encoding="UTF-16"?>\n<mujoco/>', False), ("<mujoco><!-- a -- b --></mujoco>", False), (LONG, False), ("<mujoco>", True), ("", False)])
def test_the_languages_helps_work_where_the_reader_does(text, broken):
    document = Document.new(text)
    session = SimpleNamespace(document=document)
    assert bool(DocumentLanguage(session).broken()) == broken


def test_a_file_that_nothing_includes_is_looked_at_too(tmp_path):
    (tmp_path / "m.xml").write_text("<mujoco/>")
    document = Document.open(tmp_path / "m.xml")
    document.include(str(tmp_path / "part.xml")).text = "<mujoco>"
    assert DocumentLanguage(SimpleNamespace(document=document)).broken() == str(tmp_path / "part.xml")


def test_lines_of_a_long_text_that_do_not_fit_together_are_asked_about(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(LONG)
    document = Document.open(path)
    lines = LONG.splitlines(keepends=True)
    document.main.text = "".join(("<mujoco>\n<a>\n", *lines[1:-1], "</a>\n</mujoco>\n"))
    path.write_text("".join((lines[0], "<b>\n", *lines[1:20000], "</b>\n", *lines[20000:])))
    assert document.look_at_disk(document.main_key)[0].value == "conflict"
