"""Every position an element carries points at exactly the characters it came from."""

from xml.sax.saxutils import quoteattr

from hypothesis import given, settings
from hypothesis import strategies as st

from physics.mjcf.reader import read, read_text

SPACE = st.sampled_from([" ", "  ", "\n", "\r\n", "\t", "\n    "])
NAMES = ("name", "pos", "quat", "user", "childclass")
VALUES = st.text(alphabet="ab1 .é漢<>&'\"/=", max_size=8)


@st.composite
def opening(draw, tag):
    attrs = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4))
    parts = [f"<{tag}"]
    for name in attrs:
        parts.append(f"{draw(SPACE)}{name}{draw(st.sampled_from(['=', ' = ']))}{quoteattr(draw(VALUES))}")
    return "".join(parts) + draw(st.sampled_from(["", " ", "\n"]))


@st.composite
def tree(draw, depth=0):
    head = draw(opening("body"))
    inner = draw(st.lists(st.one_of(
        st.sampled_from(["<!-- <geom pos='1'/> é -->", "\r\n", " ", "<?note a>b?>"]),
        tree(depth=depth + 1) if depth < 3 else st.just("<geom/>"),
    ), max_size=3))
    return f"{head}/>" if not inner and draw(st.booleans()) else f"{head}>{''.join(inner)}</body{draw(st.sampled_from(['', ' ']))}>"


def line_column(text, offset):
    before = text[:offset].replace("\r\n", "\n\0")  # keep the length, count the pair once
    line_start = max(before.rfind("\n"), before.rfind("\r"))
    start = line_start + 1
    if text[line_start:line_start + 2] == "\r\n" and offset > line_start + 1:
        start += 1
    return before.count("\n") + before.count("\r") + 1, offset - start + 1


def unescape(text):
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(entity, char)
    return text


@settings(max_examples=150, deadline=None)
@given(tree())
def test_spans_hold_the_text_they_claim(body):
    text = f"<?xml version='1.0'?>\n<mujoco><worldbody>{body}</worldbody></mujoco>\n"
    result = read_text(text)
    assert result.root is not None, result.issues
    for element in result.root.walk():
        origin = element.origin
        tag = text[origin.start:origin.open_end]
        assert tag.startswith(f"<{element.tag}") and tag.endswith(">")
        assert "<" not in tag[1:].replace("&lt;", "") or any("<" in v for v in element.attrs.values())
        whole = text[origin.start:origin.end]
        assert whole.endswith("/>") or whole.rstrip().endswith(">") and f"</{element.tag}" in whole
        assert (origin.line, origin.column) == line_column(text, origin.start)
        assert set(origin.attr_spans) == set(element.attrs)
        for name, (start, end, line, column) in origin.attr_spans.items():
            assert text[start - 1] == text[end] and text[end] in "'\""
            written = text[start:end].replace("\r\n", " ").replace("\n", " ").replace("\t", " ")
            assert unescape(written) == element.attrs[name]
            assert (line, column) == line_column(text, start)


@settings(max_examples=100, deadline=None)
@given(tree())
def test_children_lie_inside_their_parents_and_in_order(body):
    result = read_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    for element in result.root.walk():
        edge = element.origin.open_end
        for child in element.children:
            assert edge <= child.origin.start < child.origin.end <= element.origin.end
            edge = child.origin.end


def test_an_error_points_at_the_value():
    text = '<mujoco>\n  <worldbody>\n    <geom name="é" size="1 x"/>\n  </worldbody>\n</mujoco>'
    issue, = read_text(text, "my.xml").issues
    assert str(issue.place) == "my.xml:3:26"
    assert issue.path == "mujoco/worldbody/geom[é]"


def test_positions_hold_in_files_with_byte_order_mark_and_windows_line_ends(tmp_path):
    for encoding in ("utf-8-sig", "utf-16", "utf-8"):
        file = tmp_path / f"{encoding}.xml"
        file.write_bytes('<mujoco>\r\n<worldbody>\r\n  <geom name="漢" bad="1"/>\r\n</worldbody>\r\n</mujoco>'.encode(encoding))
        result = read(file)
        assert [(i.place.line, i.place.column) for i in result.issues] == [(3, 23)], encoding
        start, end, _, _ = result.root.section("worldbody")[0].origin.attr_spans["bad"]
        assert result.sources[str(file)][start:end] == "1"


def test_latin_1_text_is_read_too(tmp_path):
    file = tmp_path / "old.xml"
    file.write_bytes('<mujoco model="caf\xe9"/>'.encode("latin-1"))
    assert read(file).root.attrs["model"] == "café"
