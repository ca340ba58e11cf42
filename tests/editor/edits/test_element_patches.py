"""Patches of attributes and elements: the text that they make reads as the tree that was wanted, nothing else of it changes, and they are taken back byte for byte."""
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.edits.attribute_patches import attribute_patches
from editor.edits.element_patches import NewElement, insert_after, insert_before, insert_last, removal, wrapping
from editor.edits.indentation import reindented
from editor.edits.patch import Edit, apply, inverse
from physics.mjcf.xml import parse_xml
from physics.spec import tree
from physics.spec.diff import same_content
from physics.spec.element import Element
from tests.editor.edits.moves import move_patches

SPACE = st.sampled_from(["", "", " ", "\n", "\r\n", "\n  ", "\r\n\t", "\r", "\n\n    ", "<!-- <geom/> -->", "\n    <!-- a > b -->\n    "])
VALUE = st.sampled_from(["1 2 3", " 0.5  1e-3", "a&amp;b", "it&apos;s", "x", "", "&#10;"])
NEW = NewElement("site", {"name": 'a "b" & <c>', "pos": "0 0 1"}, (NewElement("plugin"),))


@st.composite
def elements(draw, depth=0):
    tag, quote = draw(st.sampled_from(["body", "geom", "joint"])), draw(st.sampled_from("\"'"))
    lead = draw(st.sampled_from([" ", "\n        ", "  "]))
    names = draw(st.lists(st.sampled_from(["pos", "size", "name", "rgba"]), unique=True, max_size=3))
    attrs = "".join(f"{lead}{name}{draw(st.sampled_from(['=', ' = ']))}{quote}{draw(VALUE)}{quote}" for name in names)
    if depth > 2 or draw(st.booleans()):
        return f"<{tag}{attrs}{draw(st.sampled_from(['/>', ' />', f'></{tag}>']))}"
    inner = "".join(draw(SPACE) + draw(elements(depth + 1)) for _ in range(draw(st.integers(1, 3))))
    return f"<{tag}{attrs}>{inner}{draw(SPACE)}</{tag}>"


TEXTS = st.builds(lambda space, inner, end: f"<mujoco>{space}{inner}{end}</mujoco>{end}", SPACE, elements(), st.sampled_from(["", "\n", "\r\n"]))


def read(text) -> Element:
    issues = []
    root = parse_xml(text, "a", issues, lambda include: (include,))
    assert root is not None, issues
    return root


def made(text, *patches):
    """The text after patches, which are taken back byte for byte."""
    edit = Edit("edit", tuple(patches))
    after = {"a": text, **apply({"a": text}, edit)}
    assert {**after, **apply(after, inverse(edit, {"a": text}))} == {"a": text}
    return after["a"]


def chosen(data, root):
    return data.draw(st.sampled_from([one for one in root.walk() if one is not root]))


def element_of(new: NewElement) -> Element:
    return Element(0, new.tag, MappingProxyType(dict(new.attrs)), tuple(map(element_of, new.children)))


@given(st.data(), TEXTS)
@settings(max_examples=300, deadline=None)
def test_attributes(data, text):
    root = read(text)
    element = chosen(data, root)
    values = data.draw(st.dictionaries(st.sampled_from(["pos", "size", "name", "class"]), st.sampled_from([None, "1 2 4", "it's \"so\" & <so>", "x", "", "\t\n"]), max_size=3))
    after = made(text, *attribute_patches(text, element, values))
    assert same_content(read(after), tree.set_attributes(root, tree.locate(root, element.id), values))


@given(st.data(), TEXTS, st.sampled_from(["before", "after", "last"]))
@settings(max_examples=300, deadline=None)
def test_insertion(data, text, how):
    root = read(text)
    element = chosen(data, root)
    where = tree.locate(root, element.id)
    if how == "last":
        wanted, patch = tree.insert(root, where, len(element.children), element_of(NEW)), insert_last(text, element, NEW)
    else:
        wanted = tree.insert(root, where[:-1], where[-1] + (how == "after"), element_of(NEW))
        patch = (insert_before if how == "before" else insert_after)(text, element, NEW)
    assert same_content(read(made(text, patch)), wanted)


@given(st.data(), TEXTS, st.booleans())
@settings(max_examples=300, deadline=None)
def test_removal(data, text, with_comment):
    root = read(text)
    element = chosen(data, root)
    assert same_content(read(made(text, removal(text, element, with_comment))), tree.remove(root, tree.locate(root, element.id)))


@given(st.data(), TEXTS, st.booleans())
@settings(max_examples=300, deadline=None)
def test_moving(data, text, last):
    root = read(text)
    element, target = chosen(data, root), chosen(data, root)
    where, to = tree.locate(root, element.id), tree.locate(root, target.id)
    if to[:len(where)] == where:
        with pytest.raises(ValueError, match="into itself"):
            move_patches({"a": text}, element, before=target)
        return
    patches = move_patches({"a": text}, element, **{"last_in" if last else "before": target})
    parent, position = (to, len(target.children)) if last else (to[:-1], to[-1])
    if parent == where[:-1] and where[-1] < position:
        position -= 1       # it has left its old place
    assert same_content(read(made(text, *patches)), tree.move(root, where, parent, position))


@given(st.data(), TEXTS)
@settings(max_examples=200, deadline=None)
def test_wrapping(data, text):
    root = read(text)
    element = chosen(data, root)
    where = tree.locate(root, element.id)
    wanted = tree.replace_at(root, where, Element(0, "frame", MappingProxyType({"pos": "1 0 0"}), (element,)))
    assert same_content(read(made(text, *wrapping(text, [element], "frame", {"pos": "1 0 0"}))), wanted)


@pytest.mark.parametrize(("before", "values", "after"), [
    ('<a b="1  2 3"/>', {"b": "1 5 3"}, '<a b="1  5 3"/>'),                     # words that stay keep their characters
    ("<a b = '1' c='2'/>", {"c": None, "d": "it's"}, "<a b = '1' d='it&apos;s'/>"),
    ("<a\n   b='1'\n   c='2'/>", {"d": "3"}, "<a\n   b='1'\n   c='2'\n   d='3'/>"),
    ("<a/>", {"b": "1"}, '<a b="1"/>'), ("<a b='1'>", {"b": "1"}, "<a b='1'>"), ('<a b="x"/>', {"b": "a\tb"}, '<a b="a&#9;b"/>')])
def test_attributes_as_they_are_written(before, values, after):
    text = f"<m>{before}{'</a>' * (not before.endswith('/>'))}</m>"
    assert made(text, *attribute_patches(text, read(text).children[0], values)) == text.replace(before, after)


def test_elements_as_they_are_written():
    text = "<m>\r\n\t<w>\r\n\t\t<!-- about b -->\r\n\t\t<b name=\"b\">\r\n\t\t\t<g/>\r\n\t\t</b>\r\n\t\t<c/>\r\n\t</w>\r\n</m>\r\n"
    root = read(text)
    w, b, c = root.children[0], *root.children[0].children
    site = NewElement("s", {"x": "1"}, (NewElement("t"),))
    lines = "<s x=\"1\">\r\n{0}\t<t/>\r\n{0}</s>\r\n"
    assert made(text, insert_before(text, c, site)) == text.replace("\t\t<c/>", "\t\t" + lines.format("\t\t") + "\t\t<c/>")
    assert made(text, insert_last(text, w, NewElement("s"))) == text.replace("<c/>\r\n", "<c/>\r\n\t\t<s/>\r\n")
    assert made(text, insert_last(text, c, NewElement("s"))) == text.replace("<c/>", "<c>\r\n\t\t\t<s/>\r\n\t\t</c>")
    assert made(text, insert_after(text, b, NewElement("s"))) == text.replace("\t\t<c/>", "\t\t<s/>\r\n\t\t<c/>")
    assert made(text, removal(text, c)) == text.replace("\t\t<c/>\r\n", "")
    assert "about b" in made(text, removal(text, b)) and "about b" not in made(text, removal(text, b, with_comment=True))
    assert made(text, *move_patches({"a": text}, b.children[0], before=b)) == text.replace("\t\t\t<g/>\r\n", "").replace("\t\t<b", "\t\t<g/>\r\n\t\t<b")
    assert made(text, *move_patches({"a": text}, b, last_in=c)) == (
        "<m>\r\n\t<w>\r\n\t\t<!-- about b -->\r\n\t\t<c>\r\n\t\t\t<b name=\"b\">\r\n\t\t\t\t<g/>\r\n\t\t\t</b>\r\n\t\t</c>\r\n\t</w>\r\n</m>\r\n")
    assert made(text, *wrapping(text, [b, c], "frame")) == text.replace("\t\t<b name", "\t\t<frame>\r\n\t\t\t<b name").replace("\t\t\t<g/>", "\t\t\t\t<g/>").replace(
        "\t\t</b>", "\t\t\t</b>").replace("\t\t<c/>", "\t\t\t<c/>\r\n\t\t</frame>")


@pytest.mark.parametrize(("before", "value", "after"), [
    ('<a name="a  b"/>', "a b", '<a name="a b"/>'), ('<a name="a b "/>', "a b", '<a name="a b"/>'), ('<a pos="1  2 -.5e3 "/>', "1 2 -.5e3", '<a pos="1  2 -.5e3 "/>')])
def test_white_space_in_a_name_is_part_of_it_and_between_numbers_it_is_not(before, value, after):
    text = f"<m>{before}</m>"
    assert made(text, *attribute_patches(text, read(text).children[0], dict.fromkeys(read(text).children[0].attrs, value))) == text.replace(before, after)


VALUES = '''<m>
  <a>
    <text data="one
  two
    three"/>
    <geom pos="1
               2"/>
    <b name='
    x'/>
    <!-- c="
    d" -->
  </a>
</m>
'''


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_lines_within_a_value_are_not_indented_and_those_of_numbers_are(eol):
    text = VALUES.replace("\n", eol)
    a = read(text).children[0]
    words = [one.attrs.get("data") or one.attrs.get("name") for one in a.children if one.tag != "geom"]
    wrapped = made(text, *wrapping(text, [a], "frame"))
    assert [one.attrs.get("data") or one.attrs.get("name") for one in read(wrapped).children[0].children[0].children if one.tag != "geom"] == words
    assert f'      <geom pos="1{eol}                 2"/>' in wrapped and f"      <b name='{eol}    x'/>" in wrapped
    moved = reindented(text[a.origin.start:a.origin.end], "  ", "\t\t")
    assert f'<a>{eol}\t\t  <text data="one{eol}  two{eol}    three"/>{eol}\t\t  <geom pos="1{eol}\t\t             2"/>' in moved and f"{eol}    x'/>{eol}\t\t  <!--" in moved


def test_white_space_within_a_value_stays_unless_it_stands_between_numbers():
    keys = '<key name="a"\n    qpos="1 2\n          3 4"/>\n  <!-- it\'s\n    so -->'
    assert reindented(keys, "  ", "\t") == '<key name="a"\n\t  qpos="1 2\n\t        3 4"/>\n\t<!-- it\'s\n\t  so -->'
    text = "<text name='a'\r\n    data = 'one\r\n  two\r\nthree'/>\r\n  <text data=\"x\"/>"
    assert reindented(text, "  ", "      ") == "<text name='a'\r\n        data = 'one\r\n  two\r\nthree'/>\r\n      <text data=\"x\"/>"
    assert reindented(reindented(text, "  ", "      "), "      ", "  ") == text

