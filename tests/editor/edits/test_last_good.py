"""The last tree that was XML goes on while a text is none: what stands can be edited, what was cut is lost until it is mended."""
import re

import pytest

from editor.document import Document
from editor.edits.attribute_patches import attribute_patches
from editor.edits.element_patches import removal
from editor.edits.patch import Edit, Patch, apply
from tests.editor.edits.work import lines_run

TEXT = """<mujoco>\r
  <worldbody>\r
    <body name="a"><geom name="g 😀" size=".1"/></body>\r
    <body name="b" pos="0 0 1"/>\r
  </worldbody>\r
</mujoco>"""


@pytest.fixture
def document():
    made = Document.new(TEXT)
    made.version()
    return made


def put(document, old, new):
    at = document.main.text.index(old)
    document.apply(Edit("edit", (Patch(document.main_key, at, at + len(old), new),)))


def find(document, name):
    return next(one for one in document.last_good.root.walk() if one.name == name)


def test_elements_stand_where_they_are_now(document):
    put(document, "<worldbody>", "<worldbody> < 😀\n")
    good = document.last_good
    assert document.version().root is None and document.version().read.broken == (document.main_key,)
    for name in ("a", "b", "g 😀"):
        element = find(document, name)
        assert good.complete(element.id) and document.main.text[element.origin.start:].startswith(f'<{element.tag} name="{name}"')
        assert document.main.text[element.origin.end - 1] == ">" and element.origin.attr_spans["name"][0] > element.origin.start
    assert find(document, "b").origin.line == 5
    edit = Edit("both", (*attribute_patches(document.main.text, find(document, "g 😀"), {"size": ".2"}), removal(document.main.text, find(document, "b"))))
    document.apply(edit)
    assert 'size=".2"' in document.main.text and '"b"' not in document.main.text
    g = find(document, "g 😀")
    assert document.last_good.whole(g.id) and g.attrs["size"] == ".2"
    assert not document.last_good.whole(find(document, "b").id)
    document.undo()
    assert document.last_good.whole(find(document, "b").id)


def test_a_tag_that_is_cut_is_lost_until_it_is_mended(document):
    number = find(document, "b").id
    put(document, 'pos="0 0 1"', "pos=0 0 1")
    good = document.last_good
    assert not good.whole(number) and good.whole(find(document, "a").id) and good.files == (document.main_key,)
    with pytest.raises(ValueError, match="no tag"):
        attribute_patches(document.main.text, good.element(number), {"pos": "1 1 1"})
    put(document, "<mujoco>", "<mujoco")
    put(document, "pos=0 0 1", 'pos="0 0 2"')
    assert document.version().root is None and document.last_good.whole(number) and document.last_good.element(number).attrs["pos"] == "0 0 2"
    put(document, "<mujoco\r", "<mujoco>\r")
    assert document.version().element(number).attrs["pos"] == "0 0 2" and document.last_good.root is document.version().root


def test_an_element_without_its_end_can_have_attributes_and_cannot_be_taken_out(document):
    a = find(document, "a").id
    put(document, "</body>", "</bod")
    good = document.last_good
    assert good.whole(a) and not good.complete(a)
    document.apply(Edit("pos", attribute_patches(document.main.text, good.element(a), {"pos": "1 0 0"})))
    assert '<body name="a" pos="1 0 0">' in document.main.text


def test_a_broken_included_file_leaves_its_elements(tmp_path):
    (tmp_path / "m.xml").write_text('<mujoco><worldbody><include file="p.xml"/></worldbody></mujoco>')
    (tmp_path / "p.xml").write_text('<x><body name="c"/></x>')
    document = Document.open(tmp_path / "m.xml")
    part = str(tmp_path / "p.xml")
    document.include(part)
    c = find(document, "c")
    document.apply(Edit("typing", (Patch(part, 0, 0, "<"),)))
    assert document.version().root is not None and document.version().element(c.id) is None
    assert document.last_good.whole(c.id) and document.last_good.parent(c.id).tag == "worldbody"
    edit = Edit("pos", attribute_patches(document.files()[part].text, document.last_good.element(c.id), {"pos": "1 0 0"}))
    document.apply(edit)
    document.apply(Edit("mend", (Patch(part, 0, 1, ""),)))
    assert document.version().element(c.id).attrs["pos"] == "1 0 0"


def test_a_text_that_never_was_xml_has_no_tree():
    document = Document.new("<mujoco")
    assert document.last_good.root is None and document.last_good.element(1) is None and not document.last_good.whole(1) and document.last_good.files == ()
    document.apply(Edit("typing", (Patch(document.main_key, 7, 7, "/>"),)))
    assert document.last_good.root.tag == "mujoco"
    assert apply({"a": "b"}, Edit("", ())) == {}


def test_a_broken_text_with_many_changes_takes_a_time_as_their_number():
    def broken(count):
        rows = "".join(f'    <geom name="g{k}" size=".1"/>\n' for k in range(count))
        made = Document.new(f"<mujoco>\n  <worldbody>\n{rows}  </worldbody>\n</mujoco>\n")
        made.version()
        put(made, "<worldbody>", "<worldbody> <")
        text = made.main.text
        made.apply(Edit("all", tuple(Patch(made.main_key, match.start(), match.end(), "dim") for match in re.finditer("size", text))))
        return made

    few, more = (lines_run(lambda document=broken(count): document.last_good) for count in (50, 500))
    assert more < 15 * few
    last = broken(20).last_good
    assert all(last.whole(one.id) and one.attrs["dim"] == ".1" for one in last.root.walk() if one.tag == "geom")
