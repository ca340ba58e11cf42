"""Versions: elements keep their ids over edits, and have them again when what took them away is undone."""
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.edits.attribute_patches import attribute_patches
from editor.edits.element_patches import NewElement, insert_last, removal
from editor.edits.patch import Edit, Patch, inverse
from editor.edits.version import Version
from physics.expand.expand import expand
from physics.mjcf import reader

TEXT = """<mujoco>\r
  <worldbody>
    <body name="a"><geom name="g" size=".1"/><joint name="j"/></body>
    <body name="b"/>
    <include file="part.xml"/>
  </worldbody>
</mujoco>
"""
PART = '<x>\n  <body name="c"><site name="s"/></body>\n</x>\n'


def version() -> Version:
    return Version.of({"m.xml": TEXT, "part.xml": PART}, "m.xml")


def named(v: Version) -> dict[str, int]:
    return {element.name: element.id for element in v.root.walk() if element.name}


def find(v: Version, name: str):
    return v.element(named(v)[name])


def test_untouched_elements_keep_their_ids_in_all_files():
    before = version()
    g, c = find(before, "g"), find(before, "c")
    edit = Edit("edit", (*attribute_patches(TEXT, g, {"size": ".25", "rgba": "1 0 0 1"}), *attribute_patches(PART, c, {"pos": "0 0 1"}), Patch("m.xml", 0, 0, "<!-- new -->\n")))
    after = before.after(edit)
    assert named(after) == named(before) and after.element(g.id).attrs == {"name": "g", "size": ".25", "rgba": "1 0 0 1"} and find(after, "c").attrs["pos"] == "0 0 1"
    assert find(after, "g").origin.line == g.origin.line + 1


def test_what_is_taken_away_has_its_ids_again_when_that_is_undone():
    before = version()
    edit = Edit("remove", (removal(TEXT, find(before, "a")),))
    gone = before.taken_away(edit)
    after = before.after(edit)
    assert set(named(before)) - set(named(after)) == {"a", "g", "j"} and sorted(gone["m.xml"].values()) == sorted(named(before)[name] for name in "agj")
    assert named(after.after(inverse(edit, before.texts), gone)) == named(before)


def test_new_elements_have_new_ids():
    before = version()
    after = before.after(Edit("insert", (insert_last(TEXT, find(before, "b"), NewElement("site", {"name": "new"})),)))
    assert named(after).pop("new") not in named(before).values() and {name: number for name, number in named(after).items() if name != "new"} == named(before)


def test_ids_live_through_a_text_that_is_no_xml():
    before = version()
    at = TEXT.index("<joint")
    broken = before.after(Edit("typing", (Patch("m.xml", at, at, "<"),)))
    assert broken.root is None and broken.read.errors
    mended = broken.after(Edit("typing", (Patch("m.xml", at, at + 1, ""),)))
    assert named(mended) == named(before)


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, 4), st.sampled_from(["", " ", "<site/>", "<", "<!-- -->", 'name="z"', "\n"])), min_size=1, max_size=8))
@settings(max_examples=150, deadline=None)
def test_undoing_any_edits_gives_the_same_ids(steps):
    first = now = version()
    done = []
    for start, length, text in steps:
        whole = now.texts["m.xml"]
        start = min(start, len(whole))
        edit = Edit("typing", (Patch("m.xml", start, min(start + length, len(whole)), text),))
        done.append((inverse(edit, now.texts), now.taken_away(edit)))
        now = now.after(edit)
    for back, gone in reversed(done):
        now = now.after(back, gone)
    assert now.texts == first.texts and named(now) == named(first)


CHILD = '<mujoco><worldbody><body name="inner"><geom name="deep" size=".1"/></body></worldbody></mujoco>'
MAIN = '<mujoco><asset><model name="m" file="child.xml"/></asset><worldbody><attach model="m" prefix="p_"/></worldbody></mujoco>'


def test_elements_of_an_attached_model_are_known_where_the_compiler_has_read_it_first():
    """It works on the same reading in a thread of its own."""
    v = Version.of({"m.xml": MAIN, "child.xml": CHILD}, "m.xml")
    made = next(one for one in expand(v.read).root.walk() if one.name == "p_deep")
    deep = next(one for one in v.trees()[1].walk() if one.name == "deep")
    assert v.ids["child.xml"][made.origin.start] == deep.id and v.element(deep.id) is deep


def test_two_threads_that_read_an_attached_model_at_once_have_the_same_elements(monkeypatch):
    v = Version.of({"m.xml": MAIN, "child.xml": CHILD}, "m.xml")
    read_source, other = reader.read_source, []

    def slow(*given, **more):
        if not other:       # the other thread begins, and is sooner ready
            other.append(None)
            other[0] = reader.read_attached(v.read, "child.xml")
        return read_source(*given, **more)

    monkeypatch.setattr(reader, "read_source", slow)
    assert reader.read_attached(v.read, "child.xml") is other[0] is v.read.attached["child.xml"]
