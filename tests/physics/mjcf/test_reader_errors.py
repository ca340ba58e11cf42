"""Bad input: each kind is named with its place, and nothing about the rest of the file is lost."""

import mujoco
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.errors import Issue, ModelError, Place, ViewOnlyError
from physics.mjcf.reader import read_text
from physics.mjcf.xml import MAX_DEPTH


def issues(text, **kwargs):
    return read_text(text, "m.xml", **kwargs).issues


def only(text):
    found = issues(text)
    assert len(found) == 1, [str(issue) for issue in found]
    return found[0]


def body(inner):
    return f"<mujoco><worldbody><body>{inner}</body></worldbody></mujoco>"


MALFORMED = [
    ("", "m.xml:1:1", "the file is empty"),
    ("   \n ", "m.xml:1:1", "the file is empty"),
    ("hello", "m.xml:1:1", "this is not XML"),
    ("<mujoco>", "m.xml:1:9", "the file ends while <mujoco> from line 1 is still open"),
    ("<mujoco>\n  <worldbody>\n    <bo", "m.xml:3:5", "the file ends while <worldbody> from line 2 is still open"),
    ("<mujoco>\n<worldbody>\n</mujoco>", "m.xml:3:1", "</mujoco> closes nothing: <worldbody> from line 2 is still open"),
    ('<mujoco><geom size=1/></mujoco>', "m.xml:1:20", "a quote, '=', '<' or '>' is missing"),
    ('<mujoco>\n<geom size="1" size="2"/></mujoco>', "m.xml:2", "attribute 'size' is given twice"),
    ("<mujoco/>\nmore", "m.xml:2:1", "something after the end of the root element"),
    ("<mujoco><\x01/></mujoco>", "m.xml:1:10", "cannot be read as XML"),
    ("<mujoco/>\n<?xml version='1.0'?>", "m.xml:2:1", "there is something after"),
]


@pytest.mark.parametrize(("text", "place", "words"), MALFORMED)
def test_malformed_text_is_named_with_its_place(text, place, words):
    result = read_text(text, "m.xml")
    assert result.root is None
    issue, = result.issues
    assert words in issue.what
    assert str(issue.place).startswith(place)
    assert issue.severity == "error"


def test_a_text_ends_at_a_character_0():
    """As officially: files filled up with zeros after a crash are read; what is open there is not closed."""
    warning, error = read_text("<mujoco>\x00</mujoco>", "m.xml").issues
    assert warning.severity == "warning" and error.severity == "error"
    assert "still open" in error.what and str(error.place).startswith("m.xml:1")


def test_entity_tricks_are_refused_unread():
    bomb = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><mujoco model="&b;"/>'
    result = read_text(bomb)
    assert result.root is None
    assert "DOCTYPE" in result.issues[0].what
    outside = '<!DOCTYPE m SYSTEM "file:///etc/passwd"><mujoco/>'
    assert read_text(outside).root is None


LAUGHS = '<!DOCTYPE r [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(12)) + ']>'


@pytest.mark.parametrize("start", [
    LAUGHS, '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://localhost/x.dtd"> %p;]>',
    '<!DOCTYPE r PUBLIC "-//X//Y" "http://localhost/x.dtd">', '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY q "' + "q" * 100000 + '">]>',
])
@pytest.mark.parametrize("rest", ["<mujoco>&a12;</mujoco>", '<mujoco model="&a12;"/>', "<robot>&x;</robot>"])
def test_no_entity_is_ever_expanded(start, rest):
    result = read_text(start + rest)
    assert result.root is None and ["DOCTYPE" in issue.what for issue in result.issues] == [True]
    inside = read_text('<mujoco><include file="a.xml"/></mujoco>', files={"a.xml": start + rest})
    assert any("DOCTYPE" in issue.what and issue.place.file == "a.xml" for issue in inside.issues)


def test_nesting_without_end_is_an_error_not_a_crash():
    deep = "<mujoco><worldbody>" + "<body>" * 100_000
    issue, = issues(deep)
    assert f"{MAX_DEPTH} deep" in issue.what
    inside = MAX_DEPTH - 2
    fine = "<mujoco><worldbody>" + "<body>" * inside + "</body>" * inside + "</worldbody></mujoco>"
    assert not issues(fine)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_half_written_model_never_crashes_the_reader(data):
    text = '<mujoco model="m">\n <option timestep="0.01"/>\n <!-- é --><worldbody>\n  <geom type="box" size="1 2 3"/>\n </worldbody>\n</mujoco>'
    cut = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.text(max_size=3))
    result = read_text(text[:cut] + junk + text[data.draw(st.integers(cut, len(text))):])
    assert result.root is not None or result.errors
    for issue in result.issues:
        assert issue.what and issue.place.line >= 1 and issue.place.column >= 1 and str(issue)


UNKNOWN = [
    ("<mujoco><opton/></mujoco>", "unknown element <opton>", "Did you mean 'option'?"),
    ("<mujoco><Option/></mujoco>", "unknown element <Option>", "Did you mean 'option'?"),
    (body('<geom sise="1"/>'), "unknown attribute 'sise'", "Did you mean 'size'?"),
    (body('<geom type="sphre"/>'), "'sphre' is not one of", "Did you mean 'sphere'?"),
    (body('<geom class="nope"/>'), "unknown default class 'nope'", ""),
    ('<mujoco><asset><material name="gold"/></asset><worldbody><geom material="glod"/></worldbody></mujoco>',
     "unknown material 'glod'", "Did you mean 'gold'?"),
    ("<mujoco><worldbody><joint/></worldbody></mujoco>", "<joint> may not stand in <worldbody>", "It belongs in <body>"),
    ("<mujoco><geom/></mujoco>", "<geom> may not stand in <mujoco>", "It belongs in <body>"),
    ("<model/>", "a model starts with <mujoco>", ""),
    ('<mujoco><worldbody pos="1 0 0"/></mujoco>', "the world body cannot have attributes", ""),
    ('<mujoco><equality><flexvert/></equality></mujoco>', "'flexvert' is no longer part of MJCF", "4.0"),
]


@pytest.mark.parametrize(("text", "what", "hint"), UNKNOWN)
def test_unknown_words_are_named_with_a_suggestion(text, what, hint):
    issue = only(text)
    assert what in issue.what
    assert hint in issue.hint
    assert issue.severity == "error" and issue.place.line == 1


WRONG = [
    (body('<geom size="1 2 3 4"/>'), "1 to 3 values are expected, found 4 values"),
    (body('<geom pos="1 2"/>'), "3 values are expected, found 2 values"),
    (body('<geom pos="1 2 here"/>'), "'here' is not a number"),
    (body('<geom size="1e999"/>'), "too large"),
    (body('<geom contype="99999999999"/>'), "too large"),
    (body('<inertial pos="0 0 0"/>'), "attribute 'mass' is missing"),
    (body('<geom quat="1 0 0 0" euler="0 0 0"/>'), "'quat' and 'euler' cannot both be given"),
    (body('<inertial pos="0 0 0" mass="1"/><inertial pos="0 0 0" mass="1"/>'), "<inertial> may stand only once in <body>"),
    ("<mujoco><option><flag/><flag/></option></mujoco>", "<flag> may stand only once in <option>"),
    (body('<light type="spot" directional="true"/>'), "cannot both be given"),
    ("<mujoco><sensor><rangefinder/></sensor></mujoco>", "one of site or camera must be given"),
    ("<mujoco><default><default/></default></mujoco>", "attribute 'class' is missing"),
    ('<mujoco><default class="soft"/></mujoco>', "always 'main'"),
    ('<mujoco><default><default class="a"/><default class="a"/></default></mujoco>', "the default name 'a' is already used"),
    (body('<geom name="a" size="1"/><geom name="a" size="1"/>'), "the geom name 'a' is already used"),
    (body('<body name="world"/>'), "the name 'world' belongs to the world body"),
    ('<mujoco><compiler eulerseq="xyw"/><worldbody><geom size="1" euler="1 2 3"/></worldbody></mujoco>', "three letters"),
    ('<mujoco><compiler angle="degrees"/></mujoco>', "is not one of radian, degree"),
]


@pytest.mark.parametrize(("text", "what"), WRONG)
def test_wrong_values_are_named_and_refused_by_the_official_reader_too(text, what):
    issue = only(text)
    assert what in issue.what
    assert issue.severity == "error"
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text)


def test_all_problems_come_at_once_in_file_order():
    text = """<mujoco>
  <option timestp="1"/>
  <worldbody>
    <geom size="x"/>
    <body name="b"><geom size="1" foo="1"/></body>
    <body name="b"/>
    <bdy/>
  </worldbody>
  <actuator><motor joint="none"/></actuator>
</mujoco>"""
    found = issues(text)
    assert [issue.place.line for issue in found] == [2, 4, 5, 6, 7, 9]
    assert found[2].path == "mujoco/worldbody/body[b]/geom"


def test_siblings_without_names_are_numbered():
    issue = only(body('<geom size="1"/><geom size="1"/><geom size="1" oops=""/>'))
    assert issue.path == "mujoco/worldbody/body/geom[3]"


def test_nan_is_an_error_and_stray_text_a_warning():
    found = issues('<mujoco><option gravity="0 0 nan"/>oops</mujoco>')
    assert [issue.severity for issue in found] == ["error", "warning"]
    assert [issue.place.column for issue in found] == [26, 36]


def test_stray_text_is_found_wherever_it_stands():
    for text in ("<mujoco><![CDATA[oops]]></mujoco>", "<mujoco>&#111;ops</mujoco>", "<mujoco><!-- a -->oops</mujoco>", "<mujoco><size/>\n\n  oops <option/></mujoco>"):
        assert [issue.what[:29] for issue in issues(text)] == ["text outside tags is ignored:"], text
    assert not issues("<mujoco>\n<option></option> <!-- oops /> --><size> </size>\n</mujoco>")


REFUSED = [
    (body('<geom type="sdf"/>'), 'type="sdf"'),
]
VIEW = [
    ('<mujoco><option><flag speculative="enable"/></option></mujoco>', "speculative contacts"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_what_is_not_built_is_refused_by_name_and_place(text, words):
    issue = only(text)
    assert words in issue.what and issue.severity == "error" and issue.place.column > 1


@pytest.mark.parametrize(("text", "words"), VIEW)
def test_what_only_dynamics_need_leaves_the_model_for_viewing(text, words):
    issue = only(text)
    assert words in issue.what and issue.severity == "view" and issue.place.column > 1


@pytest.mark.parametrize("text", [
    '<mujoco><option noslip_iterations="3" integrator="RK4" solver="PGS"/></mujoco>',
    '<mujoco><option><flag sleep="disable" speculative="disable"/></option></mujoco>', body('<geom size=".1" adhesion="0"/>'),
])
def test_unused_features_do_not_stand_in_the_way(text):
    assert not issues(text)


def test_errors_read_well_and_carry_all_issues():
    problem = Issue("error", Place("a.xml", 3, 7), "mujoco/option", "unknown attribute 'x'", "Did you mean 'y'?")
    assert str(problem) == "a.xml:3:7: error: unknown attribute 'x' (mujoco/option). Did you mean 'y'?"
    assert str(Issue("error", None, "", "bad")) == "error: bad"
    assert str(Place("a.xml", 3)) == "a.xml:3"
    error = ModelError([problem] * 60)
    assert len(error.issues) == 60 and "... and 10 more" in str(error)
    assert str(problem) in str(ViewOnlyError([problem]))


def test_a_body_outside_the_world_is_left_out_as_officially():
    text = '<mujoco>\n<body name="part"><joint/><geom size="1"/></body></mujoco>'
    issue = only(text)
    assert (issue.severity, issue.what, issue.place.line) == ("warning", "a <body> outside <worldbody> is left out", 2)
    assert mujoco.MjModel.from_xml_string(text).nbody == 1
    wrong = [issue.what for issue in issues('<mujoco><body foo="1"/></mujoco>')]
    assert "unknown attribute 'foo' in <body>" in wrong


def test_a_byte_order_mark_within_the_text_is_told_and_counted():
    found = only("\ufeff<mujoco/>")
    assert (found.severity, str(found.place)) == ("warning", "m.xml:1:1") and "U+FEFF" in found.what
    text = "\ufeff<mujoco><option/>\n<worldbody><geom size='1' nane='x'/><include file='part.xml'/></worldbody></mujoco>"
    part = "\ufeff<mujoco>\n<geom name='p' size='1'/></mujoco>"
    result = read_text(text, "m.xml", files={"part.xml": part})
    for element in result.root.walk():      # places are those of the text that it was given
        here = part if element.name == "p" else text
        assert here.startswith(f"<{element.tag}", element.origin.start) and here[element.origin.end - 1] == ">", element.tag
        line, column = element.origin[1:3]
        assert here.split("\n")[line - 1].startswith(f"<{element.tag}", column - 1), element.tag
    assert sorted(issue.severity for issue in result.issues) == ["error", "warning", "warning"]
    assert not issues("<!-- \ufeff --><mujoco/>")
    lenient = read_text("\ufeff<mujoco><worldbody><geom size='1' size='2'/></worldbody></mujoco>", "m.xml")
    assert any("U+FEFF" in issue.what for issue in lenient.issues)
