"""What is wrong with a URDF is said with its place in the URDF's own text."""
import pytest

from physics import ModelError, load_string
from tests.physics.urdf.robots import INERTIA, PLAIN, joint, link, shape

A, B = link("a"), link("b")

# lines of a robot from line 2 on -> (line, part of the message) of every error
WRONG = {
    "two parents": ([A, B, link("c"), joint("j", "a", "c"), joint("k", "b", "c")], [(6, "'c' hangs on two joints")]),
    "loop": ([A, B, link("c"), joint("j", "a", "b"), joint("k", "b", "a")], [(2, "loop")]),
    "self": ([A, B, joint("j", "a", "a")], [(2, "loop")]),
    "unknown link": ([A, B, joint("j", "a", "x"), joint("k", "y", "b")], [(4, "no link 'x'"), (5, "no link 'y'")]),
    "same link": ([A, A], [(3, "'a' is already used")]),
    "unnamed link": ([A, "<link/>"], [(3, "needs the attribute 'name'")]),
    "world as child": ([A, '<link name="world"/>', joint("j", "a", "world")], [(4, "cannot hang")]),
    "no parent": ([A, B, '<joint name="j" type="fixed"><child link="b"/></joint>'], [(4, "needs a <parent>")]),
    "kind": ([A, B, joint("j", "a", "b", kind="hinge")], [(4, "'hinge' is not a type")]),
    "number": ([A, B, joint("j", "a", "b", '<limit lower="one" upper="2"/>')], [(4, "attribute 'lower': 'one' is not a number")]),
    "count": ([A, B, joint("j", "a", "b", '<origin xyz="1 2"/><axis xyz="1 0 0 0"/>')], [(4, "attribute 'xyz': 3 values"), (4, "attribute 'xyz': 3")]),
    "axis of a fixed joint": ([A, B, joint("j", "a", "b", '<axis xyz="x"/>', "fixed")], [(4, "3 values are expected")]),
    "infinite": ([A, B, joint("j", "a", "b", '<origin rpy="inf 0 0"/>')], [(4, "nan and inf")]),
    "axis": ([A, B, joint("j", "a", "b", '<axis xyz="0 0 0"/>', "planar")], [(4, "no direction")]),
    "hinge axis": ([A, B, joint("j", "a", "b", '<axis xyz="0 0 0"/>')], [(4, "no direction")]),
    "twice": ([A, B, joint("j", "a", "b", "<axis xyz='1 0 0'/><axis xyz='0 1 0'/>")], [(4, "only once")]),
    "no shape": ([link("a", "<collision/>"), link("b", shape("<ellipsoid/>"))], [(2, "needs a <geometry>"), (3, "no shape")]),
    "size": ([link("a", shape('<sphere radius="0"/>'))], [(2, "must be positive")]),
    "missing size": ([link("a", shape('<cylinder radius="1"/>') + shape("<box/>"))], [(2, "'length'"), (2, "'size'")]),
    "mass": ([link("a", inertia=INERTIA.replace('<mass value="1"/>', ""))], [(2, "needs a <mass>")]),
    "moments": ([link("a", inertia=INERTIA.replace('iyy="1.2"', 'iyy="-1"'))], [(2, "not positive")]),
    "moment missing": ([link("a", inertia=INERTIA.replace('iyz="0"', ""))], [(2, "'iyz'")]),
    "unequal moments": ([link("a", inertia=INERTIA.replace('iyy="1.2"', 'iyy="9"'))], [(2, "must reach the third")]),
    "colour": ([link("a", shape('<sphere radius="1"/>', "visual", '<material name="m"><color rgba="1 0 0"/></material>'))], [(2, "'rgba'"), (2, "'rgba'")]),
    "mimic": ([A, B, joint("j", "a", "b", '<mimic joint="j"/>')], [(4, "mimic itself")]),
    "setting": ([A, '<mujoco><compiler fusestatic="maybe"/></mujoco>'], [(3, "'maybe' is not one of")]),
    "settings twice": ([A, '<mujoco><compiler fusestatic="false"/><option/><option/></mujoco>'], [(3, "only once in <mujoco>")]),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_mistake_is_named_with_its_place(name):
    lines, expected = WRONG[name]
    settings = "" if "<mujoco>" in "".join(lines) else PLAIN
    text = "\n".join([f'<robot name="r">{settings}', *lines, "</robot>"])
    with pytest.raises(ModelError) as caught:
        load_string(text, "r.urdf")
    errors = [issue for issue in caught.value.issues if issue.severity == "error"]
    assert [(i.place.file, i.place.line) for i in errors] == [("r.urdf", line) for line, _ in expected], caught.value
    for issue, (_, words) in zip(errors, expected, strict=True):
        assert words in issue.what


def test_column_is_that_of_the_value():
    text = f'<robot name="r">{PLAIN}\n<link name="a">{shape(chr(60) + "sphere radius=" + chr(34) + "-1" + chr(34) + "/>")}</link></robot>'
    with pytest.raises(ModelError) as caught:
        load_string(text)
    place = caught.value.issues[0].place
    assert text.splitlines()[place.line - 1][place.column - 1:].startswith('-1"')


def test_what_is_left_out_is_a_warning():
    from physics.compiler.compile import compile_root
    from physics.mjcf.reader import read_text

    text = f"""<robot name="r"><mujoco><compiler fusestatic="false" discardvisual="false" foo="1"/><visual/></mujoco>{link("a", shape("<sphere radius='1'/>", "visual",
        "<material name='nowhere'/>"))}{B}{joint("j", "a", "b", "<mimic joint='nobody'/>")}</robot>"""
    read = read_text(text)
    assert compile_root(read).njnt == 1
    said = [issue.what for issue in read.issues]
    for words in ("unknown attribute 'foo'", "<visual> is not read", "'nowhere' has no colour", "no joint 'nobody'"):
        assert any(words in what for what in said), words
    assert {issue.severity for issue in read.issues} == {"warning"}
