"""Rows: every attribute of the language in one place, with what is in force, where that comes from and what excludes it."""
import pytest

from editor.edits.version import Version
from editor.inspect.groups import GROUPS
from editor.inspect.rows import ORIENTATION, names_of, row_of, rows
from editor.inspect.subject import Reading
from editor.notation.orientation import NOTATIONS
from physics.schema import schema

TEXT = """<mujoco>
  <compiler angle="radian"/>
  <default>
    <geom friction="0.8" rgba="1 0 0 1"/>
    <default class="hand">
      <geom friction="0.9 0.01" density="500"/>
      <joint range="-1 1" damping="2"/>
    </default>
  </default>
  <asset><material name="steel"/></asset>
  <worldbody>
    <body name="arm" childclass="hand">
      <joint name="j" type="hinge"/>
      <joint name="s" type="slide"/>
      <geom name="a" friction="1" size=".1"/>
      <geom name="b" type="box" size=".1 .2 .3" mass="2"/>
      <geom name="c" type="capsule" fromto="0 0 0 0 0 1" size=".05"/>
    </body>
    <body name="free"><freejoint/><joint type="free"/><camera name="eye" sensorsize="1 1"/></body>
  </worldbody>
  <actuator><position name="p" joint="s" kp="5"/></actuator>
</mujoco>
"""


def test_many_elements_of_one_class_ask_their_class_once(monkeypatch):
    geoms = "".join(f'<geom name="g{k}" size=".{k + 1}"/>' for k in range(300))
    reading = Reading(Version.of({"m.xml": TEXT.replace("</worldbody>", f"<body>{geoms}</body></worldbody>")}, "m.xml"))
    laid, made = [], Reading._laid
    monkeypatch.setattr(Reading, "_laid", lambda self, path, name, layers: laid.append((path, name)) or made(self, path, name, layers))
    found = rows(reading.subject([e.id for e in reading.root.walk() if e.tag == "geom" and e.name.startswith("g")]))
    assert len(laid) == len(set(laid)) and {row.name: row.mixed for row in found}["size"][0]
    assert {row.name: row.words[0] for row in found}["friction"] == "0.8"


def test_what_cannot_be_read_is_told_in_its_row():
    text = TEXT.replace('name="a"', 'name="a" pos="1 2" euler="0 x 0"')
    reading = Reading(Version.of({"m.xml": text}, "m.xml"))
    subject = reading.subject([next(e.id for e in reading.root.walk() if e.name == "a")])
    pos, turn = row_of(subject, "pos"), row_of(subject, ORIENTATION)
    assert pos.own and pos.words[:2] == ("1", "2") and pos.note == "3 values are expected, found 2 values"
    assert turn.note == "'x' is not a number" and not row_of(subject, "size").note


@pytest.fixture
def reading():
    return Reading(Version.of({"m.xml": TEXT}, "m.xml"))


def of(reading, *names):
    ids = {element.name: element.id for element in reading.root.walk() if element.name}
    return reading.subject([ids[name] for name in names])


def test_every_attribute_of_every_element_has_a_row_and_a_group():
    for path in schema.paths():
        spec = schema.lookup(path)
        found = names_of((path,))
        turned = set(NOTATIONS) if ORIENTATION in found else set()
        assert set(found) - {ORIENTATION} | turned == set(spec.attributes), path
        assert len(set(found)) == len(found)


def test_rows_stand_group_by_group_in_an_order_that_does_not_depend_on_values(reading):
    one, other = rows(of(reading, "a")), rows(of(reading, "b"))
    assert [row.name for row in one] == [row.name for row in other]
    places = [GROUPS.index(row.group) for row in one]
    assert places == sorted(places) and one[0].name == "name" and {row.group for row in one} >= {"Identity", "Pose", "Shape", "Mass", "Contact", "Look"}


def test_each_number_says_where_it_comes_from(reading):
    row = row_of(of(reading, "a"), "friction")
    assert row.words == ("1", "0.01", "0.0001")
    assert [(source.layer, source.name, source.text) for source in row.sources] == [("own", "", "1"), ("class", "hand", "0.01"), ("default", "", "0.0001")]
    assert row.sources[1].element.place.line == 6 and row.labels == ("sliding", "torsional", "rolling")
    rgba = row_of(of(reading, "a"), "rgba")
    assert (rgba.layer, rgba.sources[0].name, rgba.kind) == ("class", "main", "colour")
    assert row_of(of(reading, "a"), "density").layer == "class" and row_of(of(reading, "a"), "margin").layer == "default"


def test_a_default_class_shows_what_it_starts_from(reading):
    geom = next(element for element in reading.root.walk() if element.tag == "geom" and "density" in element.attrs)
    row = row_of(reading.subject([geom.id]), "rgba")
    assert row.words[:3] == ("1", "0", "0") and row.layer == "class" and row.sources[0].name == "main"
    assert row_of(reading.subject([geom.id]), "friction").words == ("0.9", "0.01", "0.0001")


def test_a_size_has_the_numbers_of_its_type(reading):
    assert [len(row_of(of(reading, name), "size").words) for name in "abc"] == [1, 3, 1]
    assert row_of(of(reading, "a"), "size").labels == ("radius",)


def test_units_follow_the_compiler_and_the_joint(reading):
    assert row_of(of(reading, "j"), "range").units == ("rad", "rad") and row_of(of(reading, "s"), "range").units == ("m", "m")
    assert row_of(of(reading, "p"), "kp").units == ("N/m",) and row_of(of(reading, "j"), "damping").units[0] == "N m s/rad"
    degrees = Reading(Version.of({"m.xml": TEXT.replace('angle="radian"', "")}, "m.xml"))
    assert row_of(of(degrees, "j"), "range").units == ("degree", "degree")


def test_what_is_excluded_says_by_what(reading):
    assert "mass is given" in row_of(of(reading, "b"), "density").blocked and not row_of(of(reading, "a"), "density").blocked
    assert "fromto" in row_of(of(reading, "c"), "pos").blocked and "fromto" in row_of(of(reading, "c"), ORIENTATION).blocked
    assert "sensorsize" in row_of(of(reading, "eye"), "fovy").blocked
    free = next(element for element in reading.root.walk() if element.attrs.get("type") == "free")
    assert "free joint" in row_of(reading.subject([free.id]), "axis").blocked
    assert not row_of(of(reading, "b"), "mass").blocked


def test_rows_of_several_elements_are_those_in_common(reading):
    both = of(reading, "a", "b")
    assert row_of(both, "size").mixed == (False, True, True) and row_of(both, "friction").mixed == (True, False, False)
    assert "name" not in {row.name for row in rows(both)}
    mixed = {row.name for row in rows(of(reading, "a", "j"))}
    assert {"class", "pos", "margin", "group", "user"} >= mixed - {"solmix"} and "pos" in mixed and "axis" not in mixed


def test_a_section_that_is_not_there_has_the_language_s_defaults(reading):
    subject = reading.section("option")
    assert subject.missing and row_of(subject, "timestep").words == ("0.002",) and row_of(subject, "timestep").layer == "default" and row_of(subject, "gravity").words == ("0",
        "0", "-9.81")
    assert not reading.section("compiler").missing
    assert {row.name for row in rows(reading.section("visual/map"))} >= {"znear", "force"}


def test_seldom_used_attributes_are_seen_when_they_are_given(reading):
    assert row_of(of(reading, "a"), "fluidshape").rare
    other = Reading(Version.of({"m.xml": TEXT.replace('name="a"', 'name="a" fluidshape="ellipsoid"')}, "m.xml"))
    assert not row_of(of(other, "a"), "fluidshape").rare


def test_of_hundreds_of_elements_only_those_that_differ_are_looked_at(monkeypatch):
    geoms = "".join(f'<geom name="g{k}" type="box" size=".1 .{k + 1} .3" rgba="{k % 3} 0 0 1" {"euler" if k % 2 else "quat"}="1 0 0{"" if k % 2 else " 0"}" {"mass" if k == 7 else "margin"}="1"/>'
                    for k in range(300))
    reading = Reading(Version.of({"m.xml": TEXT.replace("</worldbody>", f"<body childclass='hand'>{geoms}</body></worldbody>")}, "m.xml"))
    ids = [one.id for one in reading.root.walk() if one.name.startswith("g")]
    asked, made = [], Reading.sources
    monkeypatch.setattr(Reading, "sources", lambda self, element, path, name: asked.append(name) or made(self, element, path, name))
    found = {row.name: row for row in rows(reading.subject(ids))}
    assert len(asked) < 1000, "not a look for each of 300 elements and each attribute"
    alone = [{row.name: row for row in rows(reading.subject((number,)))} for number in (*ids[:9], ids[-1])]
    for name, row in found.items():
        if name != ORIENTATION:
            words = [one[name].words + ("",) * (len(row.words) - len(one[name].words)) for one in alone if name in one]
            assert row.mixed == tuple(len({float(one[k]) if one[k] and row.kind in ("number", "vector", "colour") else one[k] for one in words}) > 1 for k in range(len(row.words))), name
            assert row.own == any(one[name].own for one in alone if name in one) or name == "name"
    assert all(found[ORIENTATION].mixed) and found[ORIENTATION].own and found["density"].blocked
