"""Changes line by line: edits that leave the lines between alone, and two changes of one text put together."""
from hypothesis import given
from hypothesis import strategies as st

from editor.document import Document
from editor.edits import line_changes as module
from editor.edits.gesture import Gesture
from editor.edits.line_changes import edit_by_lines, lines_of, merged
from editor.edits.patch import Edit, Patch, apply
from tests.editor.edits.moves import move_patches

LINES = st.lists(st.sampled_from(["<a/>\n", "<b/>\r\n", "\n", "<c>\r", "é😀\n", "  <d/>\n"]), max_size=12)
TEXT = LINES.flatmap(lambda lines: st.sampled_from(["", "x"]).map(lambda end: "".join(lines) + end))


@given(TEXT, TEXT)
def test_an_edit_by_lines_makes_the_other_text(before, after):
    edit = edit_by_lines("disk", "a", before, after)
    assert {"a": before, **apply({"a": before}, edit)} == {"a": after} and "".join(lines_of(before)) == before
    assert bool(edit.patches) is (before != after)


def test_what_did_not_change_is_in_no_patch(monkeypatch):
    before = "".join(f'<geom size="{k}"/>\r\n' for k in range(100))
    after = before.replace('"3"', '"3.5"').replace('<geom size="50"/>\r\n', "").replace('"99"', '"98"')
    edit = edit_by_lines("disk", "a", before, after)
    assert sorted((patch.end - patch.start, patch.text) for patch in edit.patches) == [(0, ".5"), (1, "8"), (19, "")]
    monkeypatch.setattr(module, "MOST_PAIRS", 10)
    assert len(edit_by_lines("disk", "a", before, after).patches) == 1 and merged(before, after, "") is None


@given(TEXT, TEXT, TEXT)
def test_a_merge_has_what_either_has_changed(base, mine, theirs):
    merge = merged(base, mine, theirs)
    for part in ("base", "mine", "theirs"):
        assert "".join(getattr(piece, part) for piece in merge.pieces) == {"base": base, "mine": mine, "theirs": theirs}[part]
    assert merge.theirs == theirs
    swapped = merged(base, theirs, mine)
    assert len(swapped.conflicts) == len(merge.conflicts)
    if not merge.conflicts:
        assert merge.text() == swapped.text()
    assert merged(base, mine, base).text() == mine and merged(base, base, theirs).text() == theirs and not merged(base, mine, mine).conflicts


def test_overlapping_changes_are_conflicts_of_which_one_is_chosen():
    base = "".join(f"{k}\n" for k in range(9))
    merge = merged(base, base.replace("3", "mine").replace("8", "end"), base.replace("3", "theirs").replace("0", "begin"))
    assert [piece.kind for piece in merge.pieces] == ["theirs", "same", "conflict", "same", "mine"]
    assert merge.text() == "begin\n1\n2\nmine\n4\n5\n6\n7\nend\n"
    assert merge.text(["theirs"]).split()[3] == "theirs" and merge.text(["both"]).split()[3:5] == ["mine", "theirs"]


MODEL = """<mujoco>
  <worldbody>
    <body name="a">
      <geom name="g" size=".1"/>
    </body>
    <body name="b">
      <joint/>
    </body>
  </worldbody>
</mujoco>
"""


def ids(document):
    return {one.name or one.tag: one.id for one in document.version().root.walk()}


def named(document, name):
    return next(one for one in document.version().root.walk() if one.name == name)


def test_what_is_moved_keeps_its_ids_and_has_them_again():
    document = Document.new(MODEL)
    before = ids(document)
    document.apply(Edit("move", move_patches(document.texts(), named(document, "a"), last_in=named(document, "b"))))
    assert "        <geom" in document.main.text and ids(document) == before and document.version().parent(before["a"]).id == before["b"]
    for _ in range(2):
        document.undo()
        assert ids(document) == before and document.main.text == MODEL
        document.redo()
        assert ids(document) == before


def test_what_the_disk_changes_around_an_element_leaves_its_id(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(MODEL)
    document = Document.open(path)
    before = ids(document)
    path.write_text(MODEL.replace("<worldbody>", "<option/>\n  <worldbody>").replace("<joint/>", "<freejoint/>\n      <site/>"))
    document.look_at_disk(document.main_key)
    now = ids(document)
    assert {name: now[name] for name in before if name in now} == {name: number for name, number in before.items() if name in now} and "site" in now


def test_what_a_gesture_makes_has_one_id_and_what_it_takes_has_its_own_again():
    document = Document.new(MODEL)
    before, at = ids(document), MODEL.index("      <joint/>")
    gesture, seen = Gesture(document), set()
    for k in range(5):
        gesture.show(Edit("make", (Patch(document.main_key, at, at, f'      <site name="s" pos="0 0 {k}"/>\n'),)))
        seen.add(named(document, "s").id)
    assert len(seen) == 1
    gesture.show(Edit("take", (Patch(document.main_key, at, at + len("      <joint/>\n"), ""),)))
    assert "joint" not in ids(document)
    gesture.show(None)
    assert ids(document) == before
    gesture.cancel()
    assert not document.history.entries and document.open_gesture is None
