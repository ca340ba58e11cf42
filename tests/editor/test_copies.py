"""What an edit changes beyond what is seen: a line in words."""
import pytest

from editor.copies import attaching, banner
from editor.edits.version import Version
from physics.compiler.compile import compile_root
from tests.physics.compiler.test_links import CHILD, MAIN, PART


@pytest.fixture
def version():
    return Version.of({"main.xml": MAIN, "leg.xml": CHILD, "part.xml": PART}, "main.xml")


def named(version, name):
    return next(e for root in version.trees() for e in root.walk() if e.name == name)


def test_what_is_written_once_in_the_main_file_needs_no_words(version):
    links = compile_root(version.read).links
    assert banner(version, named(version, "floor").id, links) == "" and banner(version, -77, links) == "" and banner(version, named(version, "floor").id) == ""


def test_copies_are_counted(version):
    m = compile_root(version.read)
    post = named(version, "post").id
    assert banner(version, post, m.links) == "1 of 3 copies made by replicate; edits change all"
    copy = m.links.source("body", m.id("body", "post-1")).copies
    assert banner(version, post, m.links, copy) == "Copy 2 of 3 copies made by replicate; edits change all"


def test_attached_and_included_files_are_named(version):
    m = compile_root(version.read)
    hip = named(version, "hip").id
    said = banner(version, hip, m.links)
    assert said == "1 of 2 copies made by attach; edits change all; attached from leg.xml in main.xml:9, also attached in main.xml:9"
    assert banner(version, named(version, "inner").id, m.links) == "In the included file part.xml, line 10 of main.xml"
    assert [e.attrs["prefix"] for e in attaching(version, "leg.xml")] == ["l_", "r_"] and attaching(version, "part.xml") == []


def test_elements_of_attached_models_are_known_with_what_they_stand_in(version):
    hip = named(version, "hip")
    assert version.element(hip.id) is hip and version.parent(hip.id).name == "thigh" and version.root_of(hip.id).attrs["model"] == "leg"
    assert version.root_of(named(version, "post").id) is version.root and version.parent(version.trees()[1].id) is None


def test_ids_of_attached_elements_stay_from_version_to_version(version):
    from editor.edits.patch import Edit, Patch

    hip = named(version, "hip")
    after = version.after(Edit("x", (Patch("leg.xml", 0, 0, "<!-- a -->\n"),)))
    assert after.element(hip.id).name == "hip" and after.element(hip.id).place.line == hip.place.line + 1
    links = compile_root(after.read).links
    assert links.items(hip.id) == compile_root(version.read).links.items(hip.id)
