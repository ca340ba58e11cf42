"""Undo and redo over all files."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.edits import history as module
from editor.edits.history import PAUSE, History
from editor.edits.patch import Edit, Patch, apply, inverse


class Texts:
    """Texts with their history, as a document keeps them."""

    def __init__(self, **texts):
        self.texts, self.history, self.now = texts, History(), 0.0

    def take(self, edit):
        self.texts = {**self.texts, **apply(self.texts, edit)}

    def do(self, *patches, merge=None, label="edit", after=0.0):
        self.now += after
        edit = Edit(label, patches, merge)
        back = inverse(edit, self.texts)
        self.take(edit)
        self.history.add(edit, back, self.now)

    def undo(self):
        found = self.history.undo()
        if found is not None:
            self.take(found)
        return found

    def redo(self):
        found = self.history.redo()
        if found is not None:
            self.take(found)
        return found


def write(texts, letters, at=0, **how):
    for k, letter in enumerate(letters):
        texts.do(Patch("a", at + k, at + k, letter), **how)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 6), st.integers(0, 6), st.text("xy", max_size=2), st.sampled_from([None, "typing", "drag"])), max_size=12),
       st.lists(st.booleans(), max_size=20))
def test_undoing_all_gives_the_same_bytes_and_doing_all_again_too(steps, walk):
    texts = Texts(a="0123\r\n", b="<a/>\n")
    before = dict(texts.texts)
    for file, start, end, text, merge in steps:
        length = len(texts.texts[file])
        texts.do(Patch(file, min(start, end, length), min(max(start, end), length), text), merge=merge)
    last = dict(texts.texts)
    for back in walk:
        texts.undo() if back else texts.redo()
    while texts.redo():
        pass
    assert texts.texts == last
    while texts.undo():
        pass
    assert texts.texts == before and texts.history.position == 0


def test_typing_is_one_entry_until_a_pause_another_key_or_the_end_of_the_gesture():
    texts = Texts(a="")
    write(texts, "size", merge="word", label="typing")
    assert len(texts.history.entries) == 1 and texts.history.undo_label == "typing"
    write(texts, "s", at=4, merge="word", after=PAUSE + 0.1)
    write(texts, "!", at=5, merge="other")
    texts.history.seal()
    write(texts, "?", at=6, merge="other")
    write(texts, "..", at=7)        # without a key
    assert [entry.edit.patches[0].text for entry in texts.history.entries] == ["size", "s", "!", "?", ".", "."]
    texts.undo()
    write(texts, "y", at=8, merge="other")      # nothing is added to what stood before an undo
    assert len(texts.history.entries) == 6 and not texts.history.redo_label


def test_what_is_written_and_taken_away_again_leaves_no_entry():
    texts = Texts(a="b")
    write(texts, "x", merge="word")
    texts.do(Patch("a", 0, 1, ""), merge="word")
    assert texts.texts == {"a": "b"} and not texts.history.entries and texts.undo() is None


def test_a_seal_holds_when_what_came_after_it_is_gone_again():
    texts = Texts(a="")
    write(texts, "x", merge="word")
    texts.history.seal()
    write(texts, "y", at=1, merge="word")
    texts.do(Patch("a", 1, 2, ""), merge="word")
    write(texts, "z", at=1, merge="word")
    assert [entry.edit.patches[0].text for entry in texts.history.entries] == ["x", "z"]


def test_the_place_of_what_is_saved_is_known():
    texts = Texts(a="", b="")
    assert texts.history.saved_position("a") is None
    texts.history.mark_saved(("a", "b"))
    write(texts, "xy", merge="word")
    assert texts.history.saved_position("a") == 0 and len(texts.history.entries) == 1
    texts.history.mark_saved(["a"])
    write(texts, "z", at=2, merge="word")       # an entry that is saved does not grow
    assert len(texts.history.entries) == 2 and (texts.history.saved_position("a"), texts.history.saved_position("b")) == (1, 0)
    texts.undo()
    assert texts.history.position == texts.history.saved_position("a")
    texts.undo()
    write(texts, "other")
    assert texts.history.saved_position("a") is None and texts.history.saved_position("b") == 0


def test_the_oldest_are_forgotten(monkeypatch):
    monkeypatch.setattr(module, "MOST_ENTRIES", 3)
    texts = Texts(a="")
    texts.history.mark_saved(("a",))
    write(texts, "abcde")
    assert [entry.edit.patches[0].text for entry in texts.history.entries] == ["c", "d", "e"] and texts.history.position == 3 and texts.history.saved_position("a") is None
    while texts.undo():
        pass
    assert texts.texts == {"a": "ab"}
    monkeypatch.setattr(module, "MOST_CHARACTERS", 10)
    texts.do(Patch("a", 0, 0, "x" * 30))
    assert len(texts.history.entries) == 1 and texts.undo() is not None and texts.texts == {"a": "ab"}


def test_another_document_has_another_history():
    texts = Texts(a="")
    write(texts, "ab")
    texts.history.clear()
    assert texts.history.undo() is None and texts.history.redo() is None and not texts.history.undo_label


@pytest.mark.parametrize("back", [0, 1])
def test_an_edit_without_patches_is_none(back):
    texts = Texts(a="")
    write(texts, "ab")
    for _ in range(back):
        texts.undo()
    texts.history.add(Edit("nothing", ()), Edit("nothing", ()), 0.0)
    assert len(texts.history.entries) == 2 and texts.history.position == 2 - back
