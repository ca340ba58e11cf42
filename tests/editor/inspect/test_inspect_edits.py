"""Edits of the inspector change what they say and nothing else, and never write what holds anyway."""
import pytest

from editor.edits.patch import apply, inverse
from editor.edits.version import Version
from editor.inspect.class_edits import class_choices, effects, push_to_class, users_of_layer
from editor.inspect.edits import rename, reset, set_component, set_text, turn_into
from editor.inspect.reach import reach_of
from editor.inspect.rows import ORIENTATION, row_of
from editor.inspect.subject import Reading

MAIN = """<mujoco>\r
  <include file="defs.xml"/>\r
  <worldbody>\r
    <body name="arm" childclass="hand">\r
      <joint name="j" range="-30  30"/>\r
      <geom name="a"   friction="1 .02" size=".1"/>\r
      <geom name='b' type='box' size='.10 .20 .30' euler='0 0 90'/>\r
      <geom name="c" size=".3" density="500"/>\r
      <replicate count="4" offset="1 0 0"><site name="dot"/></replicate>\r
    </body>\r
  </worldbody>\r
  <actuator><motor name="m" joint="j"/><position name="p" joint="j" kp="3"/></actuator>\r
</mujoco>\r
"""
DEFS = """<mujocoinclude>\r
  <default>\r
    <default class="hand">\r
      <geom density="500" rgba=".1 .2 .3 1"/>\r
      <default class="tip"><geom friction="2"/></default>\r
    </default>\r
  </default>\r
</mujocoinclude>\r
"""
TEXTS = {"m.xml": MAIN, "defs.xml": DEFS}


@pytest.fixture
def reading():
    return Reading(Version.of(TEXTS, "m.xml"))


def of(reading, *names):
    ids = {element.name: element.id for element in reading.root.walk() if element.name}
    return reading.subject([ids[name] for name in names])


def after(edit):
    texts = {**TEXTS, **apply(TEXTS, edit)}
    assert apply(texts, inverse(edit, TEXTS)) == {file: TEXTS[file] for file in edit.files}
    return texts


def changed(edit, file="m.xml"):
    """(lines before, lines after) where a file differs."""
    pairs = list(zip(TEXTS[file].split("\r\n"), after(edit)[file].split("\r\n"), strict=True))
    return [(was.strip(), now.strip()) for was, now in pairs if was != now]


def put(reading, names, attribute, index, word, typed=True):
    subject = of(reading, *names)
    return set_component(subject, row_of(subject, attribute), index, lambda _word: word, typed=typed)


def test_one_word_of_a_list_is_another_and_the_rest_keeps_its_characters(reading):
    assert changed(put(reading, "j", "range", 1, "45")) == [('<joint name="j" range="-30  30"/>', '<joint name="j" range="-30  45"/>')]
    assert changed(put(reading, "b", "size", 0, ".15")) == [("<geom name='b' type='box' size='.10 .20 .30' euler='0 0 90'/>",
                                                             "<geom name='b' type='box' size='.15 .20 .30' euler='0 0 90'/>")]


def test_a_list_is_made_as_long_as_it_must_be(reading):
    assert changed(put(reading, "a", "friction", 2, "0.001")) == [('<geom name="a"   friction="1 .02" size=".1"/>', '<geom name="a"   friction="1 .02 0.001" size=".1"/>')]
    assert changed(put(reading, "c", "friction", 1, "0.01"))[0][1] == '<geom name="c" size=".3" density="500" friction="1 0.01"/>', "the third number is not written"
    assert changed(put(reading, "a", "rgba", 3, "0.5"))[0][1] == '<geom name="a"   friction="1 .02" size=".1" rgba=".1 .2 .3 0.5"/>', "in front of it what the class says"
    assert changed(put(reading, "c", "pos", 0, "1"))[0][1] == '<geom name="c" size=".3" density="500" pos="1 0 0"/>', "as many as there must be"


def test_what_the_class_says_is_not_written(reading):
    assert not put(reading, "a", "density", 0, "500").patches
    assert not put(reading, "a", "density", 0, "5e2").patches
    assert changed(put(reading, "c", "density", 0, "500.0")) == [('<geom name="c" size=".3" density="500"/>',
                                                                  '<geom name="c" size=".3"/>')], "its own is taken away where the class says the same"
    assert not set_text(of(reading, "a"), "rgba", ".1 .2 .3 1").patches


def test_a_default_is_written_when_it_was_typed_and_not_when_it_was_dragged_over(reading):
    assert not put(reading, "a", "margin", 0, "0", typed=False).patches
    assert 'margin="0"' in changed(put(reading, "a", "margin", 0, "0"))[0][1]


def test_many_elements_are_one_edit(reading):
    edit = put(reading, ("a", "b", "c"), "margin", 0, "0.01")
    assert len(changed(edit)) == 3 and len(edit.patches) == 3 and edit.label == "margin of 3 geoms"
    subject = of(reading, "a", "b", "c")
    doubled = set_component(subject, row_of(subject, "size"), 0, lambda word: f"{float(word) * 2:g}")
    assert [now.split("size=")[1][1:4] for _was, now in changed(doubled)] == ["0.2", "0.2", "0.6"], "what is made of each one's own"


def test_reset_takes_the_own_value_away(reading):
    assert changed(reset(of(reading, "a"), ("friction",))) == [('<geom name="a"   friction="1 .02" size=".1"/>', '<geom name="a" size=".1"/>')]
    assert not reset(of(reading, "a"), ("margin",)).patches and not reset(of(reading, "m"), ("gear",)).patches


def test_an_orientation_stays_in_its_notation_or_is_said_in_another(reading):
    assert changed(put(reading, "b", ORIENTATION, 2, "45"))[0][1].endswith("euler='0 0 45'/>")
    assert changed(turn_into(of(reading, "b"), "quat"))[0][1].endswith("size='.10 .20 .30' quat='0.707106781187 0 0 0.707106781187'/>")
    both = of(reading, "a", "b")
    edit = set_component(both, row_of(both, ORIENTATION), 0, lambda _word: "30")
    assert [now.rpartition("euler=")[2] for _was, now in changed(edit)] == ['"30 0 0"/>', "'30 0 90'/>"]
    with pytest.raises(ValueError):
        put(reading, "b", ORIENTATION, 0, "x")


def test_a_section_that_is_not_there_is_made_at_its_place(reading):
    subject = reading.section("option")
    text = after(set_component(subject, row_of(subject, "timestep"), 0, lambda _word: "0.001"))["m.xml"]
    assert text == MAIN.replace("<mujoco>\r\n  <include", '<mujoco>\r\n  <include').replace("  <worldbody>", '  <option timestep="0.001"/>\r\n  <worldbody>')
    deep = reading.section("visual/global")
    assert '  <visual>\r\n    <global fovy="60"/>\r\n  </visual>\r\n' in after(set_component(deep, row_of(deep, "fovy"), 0, lambda _word: "60"))["m.xml"]
    assert not set_component(subject, row_of(subject, "timestep"), 0, lambda word: word, typed=False).patches


def test_a_name_is_changed_with_all_who_use_it(reading):
    lines = changed(rename(of(reading, "j"), "elbow"))
    assert [now for _was, now in lines] == ['<joint name="elbow" range="-30  30"/>',
                                            '<actuator><motor name="m" joint="elbow"/><position name="p" joint="elbow" kp="3"/></actuator>']
    with pytest.raises(ValueError, match="already used"):
        rename(of(reading, "a"), "b")


def test_bad_values_are_refused(reading):
    for attribute, text in (("type", "ball"), ("condim", "three"), ("size", "1 2 3 4"), ("rgba", "1 2")):
        with pytest.raises(ValueError):
            set_text(of(reading, "a"), attribute, text)


def test_a_value_goes_into_the_class_in_its_own_file(reading):
    assert class_choices(of(reading, "a")) == ("hand", "main")
    change = push_to_class(of(reading, "a"), "friction")
    assert change.name == "hand" and changed(change.edit) == [('<geom name="a"   friction="1 .02" size=".1"/>', '<geom name="a" size=".1"/>')]
    assert changed(change.edit, "defs.xml") == [('<geom density="500" rgba=".1 .2 .3 1"/>', '<geom density="500" rgba=".1 .2 .3 1" friction="1 .02"/>')]
    assert [one.element.name for one in change.others] == ["b", "c"] and change.others[0].before.split()[1] == "0.005" and change.others[0].after.split()[1] == ".02"


def test_a_class_without_a_default_of_that_kind_gets_one(reading):
    change = push_to_class(of(reading, "j"), "range")
    text = after(change.edit)["defs.xml"]
    assert '      <joint range="-30  30"/>\r\n    </default>' in text and not change.others
    main = push_to_class(of(reading, "p"), "kp")
    assert main.name == "main" and '    <position kp="3"/>\r\n  </default>' in after(main.edit)["defs.xml"] and not main.others


def test_who_else_changes_by_an_edit_of_a_class(reading):
    geom = next(element for element in reading.root.walk() if element.attrs.get("rgba"))
    subject = reading.subject([geom.id])
    edit = set_component(subject, row_of(subject, "density"), 0, lambda _word: "700")
    assert [change.element.name for change in effects(reading, edit, ("density",))] == ["a", "b"], "c says its own"
    assert [element.name for element in users_of_layer(reading, geom)] == ["a", "b", "c"]
    assert any("3 elements start from it" in line for line in reach_of(subject)) and any("defs.xml, which m.xml includes" in line for line in reach_of(subject))


def test_an_edit_of_a_pattern_says_how_many_copies(reading):
    assert reach_of(of(reading, "dot")) == ("Pattern of a replicate: all 4 copies change",) and reach_of(of(reading, "a")) == ()
