"""Edits of texts: applied, taken back, and put together."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.edits.patch import Edit, Patch, apply, compose, edit_between, inverse, shifted

TEXTS = st.fixed_dictionaries({"a": st.text("abc\r\n", max_size=12), "b": st.text("xy<", max_size=8)})
NEW = st.text("ABC", max_size=4)


@st.composite
def edits(draw, texts):
    """An edit of these texts with up to four patches in each file."""
    patches = []
    for file, text in texts.items():
        places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
        for start, end in zip(places[::2], places[1::2], strict=False):
            patches.append(Patch(file, start, end, draw(NEW)))
    kept = []
    for patch in patches:       # no two at one place: their order would be that of the list
        if not any(other.file == patch.file and other.start <= patch.end and patch.start <= other.end for other in kept):
            kept.append(patch)
    return Edit("edit", tuple(draw(st.permutations(kept))))


def after(texts, *steps):
    for step in steps:
        texts = {**texts, **apply(texts, step)}
    return texts


@given(st.data())
def test_an_edit_is_taken_back_byte_for_byte(data):
    texts = data.draw(TEXTS)
    edit = data.draw(edits(texts))
    assert after(texts, edit, inverse(edit, texts)) == texts
    assert after(texts, edit, inverse(edit, texts), inverse(inverse(edit, texts), after(texts, edit))) == after(texts, edit)


@given(st.data())
def test_two_in_a_row_are_one(data):
    texts = data.draw(TEXTS)
    first = data.draw(edits(texts))
    second = data.draw(edits(after(texts, first)))
    both = compose(first, second)
    assert after(texts, both) == after(texts, first, second)
    assert after(texts, both, inverse(both, texts)) == texts


def test_typing_makes_one_patch():
    texts, typed = {"a": "<geom/>"}, Edit("typing", ())
    for k, letter in enumerate(" size"):
        typed = compose(typed, Edit("typing", (Patch("a", 5 + k, 5 + k, letter),)))
    typed = compose(typed, Edit("typing", (Patch("a", 9, 10, ""),)))
    assert typed.patches == (Patch("a", 5, 5, " siz"),) and apply(texts, typed) == {"a": "<geom siz/>"}
    assert compose(typed, Edit("typing", (Patch("a", 5, 9, ""),))).patches == ()


@given(st.text("ab", max_size=9), st.text("ab", max_size=9))
def test_the_edit_between_two_texts_is_one_patch(before, text):
    edit = edit_between("disk", "a", before, text)
    assert len(edit.patches) == (before != text) and after({"a": before}, edit)["a"] == text
    for patch in edit.patches:      # no longer than it must be
        assert before[patch.start:patch.end][:1] != patch.text[:1] or not patch.text or patch.start == patch.end


@given(st.data())
def test_a_character_is_found_again(data):
    text = data.draw(st.text("abc", max_size=12))
    marked = "".join(chr(0x100 + k) for k in range(len(text)))      # each its own
    edit = data.draw(edits({"a": marked}))
    changed = after({"a": marked}, edit)["a"]
    for k, letter in enumerate(marked):
        where = shifted(k, edit.patches, "a")
        assert (where is None) == (letter not in changed) and (where is None or changed[where] == letter)


@pytest.mark.parametrize(("patches", "said"), [
    ((Patch("a", 1, 3, ""), Patch("a", 2, 4, "")), "overlap"), ((Patch("a", 1, 99, ""),), "not within"), ((Patch("c", 0, 0, "x"),), "no text of c"), ((Patch("a", 3, 2, ""),), "not within")])
def test_what_cannot_be_applied_is_refused(patches, said):
    with pytest.raises(ValueError, match=said):
        apply({"a": "0123456789"}, Edit("edit", patches))
