"""Lines commented, moved, begun; formatting; search and replacement; what is not closed."""
import random
import time

import pytest

from editor.edits.patch import Edit, apply
from editor.language.balance import faults, partner_of
from editor.language.format import FormatError, formatting
from editor.language.lines import LineError, duplicate_lines, move_lines, new_line, toggle_comment
from editor.language.search import Query, SearchError, find_all, next_of, pattern_of, replacing
from editor.language.tags import tags
from editor.language.text_elements import element_range, path_at
from physics.mjcf import reader
from tests.editor.language.samples import MODEL, large, twins
from tests.oracle.corpus import OURS, require_corpus


def done(function, marked: str, *more) -> str:
    """What a change makes of a text; [ and ] around the selection before and after, | for an empty one."""
    text = marked.replace("[", "").replace("]", "").replace("|", "")
    start, end = (marked.index("["), marked.index("]") - 1) if "[" in marked else (marked.index("|"),) * 2
    change = function("m", text, start, end, *more)
    after = apply({"m": text}, Edit("", change.patches)).get("m", text)
    low, high = sorted((change.anchor, change.caret))
    return after[:low] + ("|" if low == high else f"[{after[low:high]}]") + after[high:]


# ---------------------------------------------------------------------- comments

@pytest.mark.parametrize(("before", "after"), [
    ("<a>\n  <b/>|\n</a>", "<a>\n  <!-- <b/> -->|\n</a>"), ("<a>\r\n  [<b/>\r\n  <c]/>\r\n</a>", "<a>\r\n  <!-- [<b/>\r\n  <c]/> -->\r\n</a>"),
    ("<a>\n  <b\n   x='1|'/>\n</a>", "<a>\n  <!-- <b\n   x='1|'/> -->\n</a>"),      # all of the tag
    ("<a>\n[  <b/>\n]  <c/>\n</a>", None), ("[<a/>\n<!-- c -->\n<b/>]", "<!-- [<a/>\n<!- - c - ->\n<b/>] -->"), ("\n|\n", "\n|\n"),
])
def test_lines_become_a_comment_and_lines_again(before, after):
    commented = done(toggle_comment, before)
    if after is not None:
        assert commented == after.replace("/>] -->", "/> -->]") or commented == after
    assert done(toggle_comment, commented).replace("[", "").replace("]", "").replace("|", "") == before.replace("[", "").replace("]", "").replace("|", "")


def test_what_cannot_stand_in_a_comment_is_refused():
    for text in ('<a name="x--y"/>|', "<a/><!- - b - ->|"):
        with pytest.raises(LineError):
            done(toggle_comment, text)


def test_within_a_comment_of_several_lines_it_is_taken_away():
    assert done(toggle_comment, "<a>\n<!-- <b/>\n  <c|/> -->\n</a>") == "<a>\n<b/>\n  <c|/>\n</a>"
    assert done(toggle_comment, "<!--<b|/>-->") == "<b|/>"


def test_a_commented_model_reads_without_these_lines():
    text = MODEL.replace('<joint name="elbow" axis="0 1 0"/>', '<joint name="elbow" axis="0 1 0"/> <!-- the joint -->')
    at = text.index('      <site name="tip"')
    change = toggle_comment("m", text, text.index("<joint"), at)
    after = apply({"m": text}, Edit("", change.patches))["m"]
    read = reader.read_text(after)
    assert read.root is not None and not [e for e in read.root.walk() if e.name in ("elbow", "rod")] and [e for e in read.root.walk() if e.name == "tip"]
    change = toggle_comment("m", after, change.anchor, change.caret)
    assert apply({"m": after}, Edit("", change.patches))["m"] == text


# ---------------------------------------------------------------------- lines

def test_lines_are_moved_and_doubled():
    assert done(move_lines, "a\nb|\nc\n", True) == "a\nc\nb|\n" and done(move_lines, "a\nb|\nc\n", False) == "b|\na\nc\n"
    assert done(move_lines, "[a\r\nb]\r\nc", True) == "c\r\n[a\r\nb]" and done(move_lines, "a\r\n[b\r\nc]", False) == "[b\r\nc]\r\na"
    assert done(move_lines, "|a\nb", False) == "|a\nb" and done(move_lines, "a\nb|", True) == "a\nb|" and done(move_lines, "a\n[b\n]c", False) == "[b\n]a\nc"
    assert done(duplicate_lines, "a\n  b|c\nd") == "a\n  bc\n  b|c\nd" and done(duplicate_lines, "[a\r\nb]\r\n") == "a\r\nb\r\n[a\r\nb]\r\n"


@pytest.mark.parametrize(("before", "after"), [
    ("<a>|", "<a>\n  |"), ("  <b>|</b>", "  <b>\n    |\n  </b>"), ("  <b/>|", "  <b/>\n  |"), ("\t<b>|", "\t<b>\n\t\t|"), ("<a>\r\n  <b>|\r\n</a>", "<a>\r\n  <b>\r\n    |\r\n</a>"),
    ('  <b x="1"|/>', '  <b x="1"\n     |/>'), ("  <b|/>", "  <b\n      |/>"), ('<b x="1"\n   y="2"/>|', '<b x="1"\n   y="2"/>\n|'), ("  <a>\n    <b/>|</a>", "  <a>\n    <b/>\n  |</a>"),
    ("<b>[x]</b>", "<b>\n  |\n</b>"), ("  <!-- a -->|", "  <!-- a -->\n  |"), ("<a>\n  <b/>\n  </a>|", "<a>\n  <b/>\n  </a>\n  |"), ("  x|  y", "  x\n  |y"),
])
def test_a_new_line_is_indented(before, after):
    assert done(new_line, before) == after


# ---------------------------------------------------------------------- formatting

def shape(text: str):
    """What a text says: the tree, and its comments in their order."""
    issues = reader.read_text(text)
    tree = [(e.tag, dict(e.attrs), len(e.children)) for e in issues.root.walk()] if issues.root is not None else None
    return tree, [text[tag.start:tag.end] for tag in tags(text) if tag.kind in ("comment", "other")]


def formatted(text: str, *more, **options) -> str:
    return apply({"m": text}, Edit("", formatting("m", text, *more, **options))).get("m", text)


def spoiled(text: str, seed: int = 3) -> str:
    """The same text with other white space before its lines and between attributes."""
    made, out, at = random.Random(seed), "", 0
    for tag in tags(text):
        out += text[at:tag.start] + (" " * made.randrange(7) if made.random() < .4 and text[at:tag.start][:1] in "\r\n" else "")
        piece = text[tag.start:tag.end]
        out += piece.replace('" ', '"   ') if tag.kind in ("open", "empty") and made.random() < .5 else piece
        at = tag.end
    return out + text[at:]


@pytest.mark.parametrize("twin", twins(MODEL))
def test_formatting_changes_no_value(twin):
    text = twins(MODEL)[twin]
    for one in (text, spoiled(text)):
        for width in (120, 60):
            after = formatted(one, width=width)
            assert shape(after) == shape(one) and formatted(after, width=width) == after
            assert "".join(after.split()) == "".join(one.split())


def test_a_regular_text_stays_and_a_spoiled_one_is_mended():
    assert formatted(MODEL) == MODEL and formatted(spoiled(MODEL)) == MODEL
    assert formatted("<z>\n  <y/>\n</z>\n<a>\n<b   x = '1'\n y=\"2\" />\n\n      <!-- c\n  d -->  \n <c>text  here</c>\n</a>\n\n", width=80) == (
        "<z>\n  <y/>\n</z>\n<a>\n<b x='1'\n   y=\"2\"/>\n\n<!-- c\n  d -->\n<c>text  here</c>\n</a>\n\n").replace("\n<b", "\n  <b").replace("\n   y", "\n     y").replace("\n<!--", "\n  <!--").replace("\n<c>", "\n  <c>")
    long = f'<a>\n  <b {" ".join(f"""v{i}="{i} {i} {i}" """.strip() for i in range(12))}/>\n</a>\n'
    after = formatted(long, width=60)
    assert max(map(len, after.splitlines())) <= 60 and all(line.startswith("     v") for line in after.splitlines()[2:-1])


def test_a_selection_alone_is_formatted():
    text = "<a>\n      <b/>\n   <c/>\n  <d/>\n  <e/>\n</a>\n"
    low = text.index("   <c/>")
    assert formatted(text, low, low + 5) == text.replace("   <c/>", "  <c/>") and formatted(text) == text.replace("   <c/>", "  <c/>").replace("      <b/>", "  <b/>")


def test_a_text_with_an_open_tag_is_not_formatted():
    with pytest.raises(FormatError, match="line 2"):
        formatting("m", "<a>\n<b x='1'\n<c/></a>")


@pytest.mark.parametrize("path", [path for path in OURS if path.suffix == ".xml"], ids=lambda path: path.name)
def test_our_models_are_the_same_after_formatting(path):
    text = path.read_text()
    for one in (text, text.replace("\n", "\r\n")):
        after = formatted(one)
        assert shape(after) == shape(one) and formatted(after) == after


def test_the_corpus_is_the_same_after_formatting():
    for path in sorted(require_corpus().rglob("*.xml"))[::5]:
        text = path.read_bytes().decode("utf-8", "replace")
        after = formatted(text)
        assert shape(after) == shape(text) and "".join(after.split()) == "".join(text.split()), path
        assert formatted(after) == after, path


# ---------------------------------------------------------------------- search

TEXTS = {"a": "Body body bodyguard\nbody_2 <body>", "b": "nobody\r\nbody"}


def count(query: Query, *files) -> int:
    return len(find_all(TEXTS, pattern_of(query), files or None))


def test_search():
    assert count(Query("body")) == 7 and count(Query("body", case=True)) == 6 and count(Query("body", whole=True)) == 4 and count(Query("body"), "b") == 2
    assert count(Query("b.dy", regex=True)) == 7 and count(Query("b.dy")) == 0 and count(Query("^body", regex=True)) == 3 and count(Query("x*", regex=True)) == 0 and count(Query("")) == 0
    for bad, said in (("(", "missing .* at character 1"), ("[a", "character set"), ("*", "nothing to repeat at character 1")):
        with pytest.raises(SearchError, match=said):
            pattern_of(Query(bad, regex=True))


def test_the_next_place_goes_round_through_all_files():
    found = find_all(TEXTS, pattern_of(Query("body", case=True, whole=True)))
    places = [(one.file, one.start) for one in found]
    assert places == [("a", 5), ("a", 28), ("b", 8)]
    assert [next_of(found, *place, files=TEXTS) for place in (("a", 0), ("a", 5), ("a", 6), ("a", 40), ("b", 0), ("b", 9))] == [0, 0, 1, 2, 2, 0]
    assert [next_of(found, *place, back=True, files=TEXTS) for place in (("a", 0), ("a", 9), ("b", 0), ("b", 12))] == [2, 0, 1, 2]


def test_replacing_is_one_edit_of_all_files():
    query = Query(r"(b)(ody)_?(?P<n>\d)?", regex=True, case=True)
    edit = replacing(query, find_all(TEXTS, pattern_of(query)), r"$2-\1${n}$$")
    assert {**TEXTS, **apply(TEXTS, edit)} == {"a": "Body ody-b$ ody-b$guard\nody-b2$ <ody-b$>", "b": "noody-b$\r\nody-b$"}
    plain = Query("body", case=True)
    assert apply(TEXTS, replacing(plain, find_all(TEXTS, pattern_of(plain)), r"$1\n"))["b"] == "no$1\\n\r\n$1\\n"
    with pytest.raises(SearchError, match="no group 7"):
        replacing(query, find_all(TEXTS, pattern_of(query)), "$7")


# ---------------------------------------------------------------------- what is not closed

@pytest.mark.parametrize(("text", "said"), [
    ("<a><b></a>", ["line 1: <b> is not closed"]), ("<a>\n</b></a>", ["line 2: </b> closes nothing: <a> from line 1 is open"]), ("<a>\r\n<b x='1'\r\n<c/></a>", ["line 2: the tag <b does not end: '>' is missing"]),
    ("<a><!-- b </a>", ["line 1: <a> is not closed", "line 1: this comment does not end: '-->' is missing"]), ('<a b="1 c="2"/>', ["line 1: a quote is missing or out of place at '2'"]),
    ('<a b="1"><c d="2/></a>', ["line 1: the value of 'd' is not closed"]), ("<a>\n  <b>\n    <b>\n      <b>\n    </b>\n  </b>\n</a>", ["line 4: <b> is not closed"]), ("<a b/>", ["line 1: 'b' has no value between quotes"]), ("<a b='>'><c d=\"'\"/></a>", []), ("<a", ["line 1: the tag <a does not end: '>' is missing"]),
])
def test_faults(text, said):
    found = [f"line {fault.line}: {fault.what}" for fault in faults(text)]
    assert [line for line in said if line not in found] == [] and bool(found) == bool(said), found


def test_the_tag_that_is_being_written_is_left_out():
    assert faults("<a><b |</a>".replace("|", ""), 6) == [] and faults("<a><b |</a>".replace("|", "")) != []


def test_sound_texts_have_no_faults():
    for path in OURS:
        assert faults(path.read_text()) == [], path
    for twin in twins(MODEL).values():
        assert faults(twin) == []


def test_partners_and_paths():
    text = '<a>\n<b name="x"><c/></b></a>'
    here, other = partner_of(text, text.index("b n"))
    assert (text[here.start:here.end], text[other.start:other.end]) == ('<b name="x">', "</b>") and partner_of(text, text.index("c/")) is None
    assert partner_of(text, len(text))[1].start == 0 and partner_of("<a></b>", 4)[1] is None
    assert [step.title for step in path_at(text, text.index("c/"))] == ["a", "b x", "c"] and [step.title for step in path_at(text, text.index("name"))] == ["a", "b x"]
    start, end = element_range(text, text.index("<b"))
    assert text[start:end] == '<b name="x"><c/></b>'


def test_the_check_is_quick():
    text = large()
    assert min(timed(text) for _ in range(3)) < 0.05


def timed(text: str) -> float:
    start = time.process_time()
    faults(text)
    return time.process_time() - start
