"""Fixes of findings as edits of the texts: included files, their line ends, several fixes at once."""
import pytest

from editor.edits.patch import apply
from editor.edits.version import Version
from editor.lint_fixes import edit_of
from physics.lint.fix import Fix, Insert, Remove, SetAttribute
from tests.physics.lint.linting import MAIN, linted, mended

ROBOT = """<mujocoinclude>\r
\t<!-- \u00fcber -->\r
\t<asset>\r
\t\t<material name='paint &amp; more' rgba='1 0 0 1'/>\r
\t\t<material name='gone'/>  \r
\t</asset>\r
\t<worldbody>\r
\t\t<body name='ball' pos='0 0 .05'>\r
\t\t\t<freejoint/>\r
\t\t\t<geom size='.1' material='paint &amp; more'/>\r
\t\t</body>\r
\t</worldbody>\r
\t<actuator/>\r
</mujocoinclude>\r
"""
SCENE = '<mujoco>\n  <include file="robot.xml"/>\n  <worldbody>\n    <geom name="floor" type="plane" size="5 5 .1"/>\n  </worldbody>\n</mujoco>\n'
TEXTS = {MAIN: SCENE, "robot.xml": ROBOT}


def test_fixes_of_an_included_file_leave_all_else_of_it_alone():
    after = mended(TEXTS, "unused")
    assert after[MAIN] == SCENE and after["robot.xml"] == ROBOT.replace("\t\t<material name='gone'/>  \r\n", "")
    moved = mended(TEXTS, "initial_penetration")
    assert moved[MAIN] == SCENE and moved["robot.xml"] == ROBOT.replace("pos='0 0 .05'", "pos='0 0 0.10001'")


def test_what_is_included_for_several_models_is_no_business_of_one():
    assets = "<mujocoinclude><asset><material name='other'/></asset><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujocoinclude>"
    scene = '<mujoco><include file="common.xml"/><worldbody><body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1"/></body></worldbody></mujoco>'
    assert linted({MAIN: scene, "common.xml": assets}) == ()
    assert {f.rule for f in linted({MAIN: assets.replace("mujocoinclude", "mujoco")})} == {"unused"}


def test_all_fixes_at_once():
    version = Version.of(TEXTS, MAIN)
    found = linted(version)
    after = apply(version.texts, edit_of(version, [f.fixes[0] for f in found], "Mend all"))
    assert {f.rule for f in found} == {"unused", "initial_penetration"} and linted({**TEXTS, **after}) == ()


def ids(version: Version, tag: str) -> list[int]:
    return [element.id for element in version.root.walk() if element.tag == tag]


def edited(texts: dict[str, str], *changes) -> dict[str, str]:
    version = Version.of(texts, MAIN)
    return apply(version.texts, edit_of(version, [Fix("a", tuple(change(version) if callable(change) else change for change in changes))]))


def test_new_sections_stand_where_they_usually_do():
    text = "<mujoco>\n  <option timestep='.001'/>\n  <worldbody/>\n  <sensor/>\n</mujoco>\n"
    excludes = [lambda v, k=k: Insert(v.root.id, "exclude", (("body1", "a"), ("body2", k)), "contact") for k in "bc"]
    after = edited({MAIN: text}, *excludes, lambda v: Insert(v.root.id, "compiler", (("angle", "radian"),)))[MAIN]
    contact = '  <contact>\n    <exclude body1="a" body2="b"/>\n    <exclude body1="a" body2="c"/>\n  </contact>\n'
    assert after == f"<mujoco>\n  <compiler angle=\"radian\"/>\n  <option timestep='.001'/>\n  <worldbody/>\n{contact}  <sensor/>\n</mujoco>\n"


def test_sections_that_are_rarely_there_have_their_place_too():
    text = "<mujoco>\n  <option/>\n  <extension/>\n  <custom/>\n  <worldbody/>\n  <deformable/>\n</mujoco>\n"
    after = edited({MAIN: text}, lambda v: Insert(v.root.id, "default", ()), lambda v: Insert(v.root.id, "exclude", (("body1", "a"), ("body2", "b")), "contact"))[MAIN]
    assert [child.tag for child in Version.of({MAIN: after}, MAIN).root.children] == ["option", "extension", "custom", "default", "worldbody", "deformable", "contact"]


@pytest.mark.parametrize("contact", ["<contact/>", "<contact></contact>", "<contact>\n  </contact>"])
def test_several_in_a_section_that_is_there(contact):
    text = f"<mujoco>\n  <worldbody/>\n  {contact}\n</mujoco>\n"
    after = edited({MAIN: text}, *(lambda v, k=k: Insert(v.root.id, "exclude", (("body1", "a"), ("body2", k)), "contact") for k in "bc"))[MAIN]
    assert Version.of({MAIN: after}, MAIN).root.first("contact").children[1].attrs["body2"] == "c" and after.count("<contact>") == 1


def test_what_is_removed_is_not_changed_and_said_once():
    after = edited(TEXTS, lambda v: Remove(ids(v, "body")[0]), lambda v: Remove(ids(v, "geom")[0]), lambda v: SetAttribute(ids(v, "geom")[0], "size", "9"),
                   lambda v: Remove(ids(v, "body")[0]))
    assert "<body" not in after["robot.xml"] and "\t<worldbody>\r\n\t</worldbody>" in after["robot.xml"]
    version = Version.of(TEXTS, MAIN)
    both = edit_of(version, [Fix("a", (SetAttribute(ids(version, "body")[0], "pos", "1 2 3"),)), Fix("b", (SetAttribute(ids(version, "body")[0], "pos", "4 5 6"),))])
    assert "pos='1 2 3'" in apply(version.texts, both)["robot.xml"] and both.label == "a"


def test_elements_that_are_gone_are_told():
    version = Version.of(TEXTS, MAIN)
    with pytest.raises(ValueError, match="gone"):
        edit_of(version, [Fix("a", (SetAttribute(10**9, "pos", "1"),))])
