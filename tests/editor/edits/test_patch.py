"""Edits of texts: applied, taken back, and put together."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.edits.handing_over import handed_over
from editor.edits.patch import Edit, Patch, apply, compose, edit_between, inverse, shifted
from tests.editor.edits.work import lines_run

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


def many(count, at=0, text="new"):
    return Edit("many", tuple(Patch("a", 10 * k + at, 10 * k + at + 2, text) for k in range(count)))


def test_putting_many_patches_together_takes_a_time_as_their_number():
    text = "0123456789" * 1000
    for first, second in ((many(1000), inverse(many(1000), {"a": text})), (Edit("whole", (Patch("a", 0, len(text), text[::-1]),)), many(1000)), (many(1000, 3, ""), many(700, 1))):
        assert after({"a": text}, compose(first, second)) == after({"a": text}, first, second)
    few, more = (lines_run(compose, many(count), many(count, 1)) for count in (100, 1000))
    assert more < 15 * few


def test_moving_many_elements_takes_a_time_as_their_number():
    def moved(count):
        text = "".join(f'<geom name="{k}"/>' for k in range(count)) + " " * count
        size = [len(f'<geom name="{k}"/>') for k in range(count)]
        starts = [sum(size[:k]) for k in range(count)]
        taken = [Patch("a", start, start + length, "") for start, length in zip(starts, size, strict=True)]
        given = [Patch("a", len(text) - count + k, len(text) - count + k, f'<geom  name="{count - 1 - k}"/>') for k in range(count)]
        return Edit("move", (*taken, *given)), {"a": text}, {"a": {start: k for k, start in enumerate(starts)}}

    edit, texts, ids = moved(100)
    there = after(texts, edit)["a"]
    found = handed_over(edit, texts, ids)["a"]
    assert sorted(found.values()) == list(range(100)) and all(there[start:].startswith(f'<geom  name="{number}"') for start, number in found.items())
    few, more = (lines_run(handed_over, *moved(count)) for count in (30, 300))
    assert more < 15 * few


def test_words_put_in_place_of_tags_by_the_hundred_take_a_time_as_their_number():
    def renamed(count):
        return Edit("replace", tuple(Patch("a", 7 * k, 7 * k + 5, "<site") for k in range(count))), {"a": "<geom/>" * count}, {"a": {7 * k: k for k in range(count)}}

    assert handed_over(*renamed(10)) == {}
    few, more = (lines_run(handed_over, *renamed(count)) for count in (30, 300))
    assert more < 15 * few
