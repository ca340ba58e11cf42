"""Elements put into a text, taken out and wrapped by patches that touch nothing else of it.

A new element stands on a line of its own, indented as its neighbours, where these do; within a line that holds several it is put between them. `<a/>` becomes `<a>...</a>` for a
first child. What is taken out takes its line along when nothing else stands on that. A comment that ends the line of an element belongs to it.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from editor.edits.attribute_patches import escaped
from editor.edits.indentation import behind_comment, indent_before, is_blank_behind, line_end_at, line_start, lines_in_values, unit_of, with_comment_above
from editor.edits.patch import Patch
from editor.edits.tag_places import tag_places
from physics.files.text_codec import line_end
from physics.spec.element import Element

__all__ = ["NewElement", "insert_after", "insert_before", "insert_last", "removal", "wrapping"]


@dataclass(frozen=True, slots=True)
class NewElement:
    """What is written: a tag with its attributes and children."""

    tag: str
    attrs: Mapping[str, str] = field(default_factory=dict)
    children: Sequence[NewElement] = ()

    def lines(self, unit: str) -> list[str]:
        """The element on lines, the first without indentation."""
        head = f"<{self.tag}" + "".join(f' {name}="{escaped(value)}"' for name, value in self.attrs.items())
        if not self.children:
            return [f"{head}/>"]
        return [f"{head}>", *(unit + line for child in self.children for line in child.lines(unit)), f"</{self.tag}>"]


def _block(text: str, new: NewElement | str, indent: str) -> str:
    """An element on lines of its own from the beginning of a line on; a str is put in as it is."""
    eol = line_end(text)
    if isinstance(new, str):
        return indent + new + eol
    return "".join(indent + line + eol for line in new.lines(unit_of(text)))


def _inline(new: NewElement | str) -> str:
    return new if isinstance(new, str) else "".join(new.lines(""))


def insert_before(text: str, sibling: Element, new: NewElement | str) -> Patch:
    """Put an element before another one."""
    start, file = sibling.origin.start, sibling.origin.file
    indent = indent_before(text, start)
    if indent is None:
        return Patch(file, start, start, _inline(new))
    at = line_start(text, start)
    return Patch(file, at, at, _block(text, new, indent))


def insert_after(text: str, sibling: Element, new: NewElement | str) -> Patch:
    """Put an element behind another one."""
    start, end, file = sibling.origin.start, behind_comment(text, sibling.origin.end), sibling.origin.file
    indent = indent_before(text, start)
    end_of_line, next_line = line_end_at(text, end)
    if indent is None or not is_blank_behind(text, end) or next_line == end_of_line:
        return Patch(file, sibling.origin.end, sibling.origin.end, _inline(new))
    return Patch(file, next_line, next_line, _block(text, new, indent))


def insert_last(text: str, parent: Element, new: NewElement | str) -> Patch:
    """Put an element behind all children of another one."""
    places, file, eol = tag_places(text, parent.origin.start), parent.origin.file, line_end(text)
    indent = indent_before(text, places.start)
    inner = None if indent is None else indent + unit_of(text)
    if places.empty:
        head = places.attributes[-1].end if places.attributes else places.name_end
        made = f">{_inline(new)}</{parent.tag}>" if indent is None else f">{eol}{_block(text, new, inner)}{indent}</{parent.tag}>"
        return Patch(file, head, places.end, made)
    close = text.rfind("</", places.end, parent.origin.end)
    before_close = indent_before(text, close)
    if before_close is not None:        # </parent> on a line of its own
        first = next((one for child in parent.children if child.origin.file == file and not parent.included(child)
                      if (one := indent_before(text, child.origin.start)) is not None and line_start(text, child.origin.start) > places.start), before_close + unit_of(text))
        at = line_start(text, close)
        return Patch(file, at, at, _block(text, new, first))
    if indent is not None and not text[places.end:close].strip():       # <parent></parent>
        return Patch(file, places.end, close, f"{eol}{_block(text, new, inner)}{indent}")
    return Patch(file, close, close, _inline(new))


def removal(text: str, element: Element, with_comment: bool = False) -> Patch:
    """Take an element out, with its line when it is alone there. with_comment: with the comment directly above it, too, where no blank line stands between, and with one that
    ends its line."""
    start, end, file = element.origin.start, element.origin.end, element.origin.file
    if with_comment:
        start, end = with_comment_above(text, start), behind_comment(text, end)
    if indent_before(text, start) is None or not is_blank_behind(text, end):
        return Patch(file, start, end, "")
    begin, (end_of_line, next_line) = line_start(text, start), line_end_at(text, end)
    if next_line == end_of_line and begin:     # the last line, which has no end
        begin -= 2 if text[begin - 2:begin] == "\r\n" else 1
    return Patch(file, begin, next_line, "")


def wrapping(text: str, elements: Sequence[Element], tag: str, attrs: Mapping[str, str] | None = None) -> tuple[Patch, ...]:
    """Put elements that follow each other in one file into a new one, each of their lines a level deeper where they begin lines."""
    first, last, file = elements[0], elements[-1], elements[0].origin.file
    start, end = first.origin.start, behind_comment(text, last.origin.end)
    head = f"<{tag}" + "".join(f' {name}="{escaped(value)}"' for name, value in (attrs or {}).items()) + ">"
    indent = indent_before(text, start)
    if indent is None or not is_blank_behind(text, end):
        return Patch(file, start, start, head), Patch(file, last.origin.end, last.origin.end, f"</{tag}>")
    eol, unit, at, fixed = line_end(text), unit_of(text), line_start(text, start), lines_in_values(text, start, end)
    patches = [Patch(file, at, at, f"{indent}{head}{eol}{unit}")]
    at = line_end_at(text, at)[1]
    while at < end:
        end_of_line, next_line = line_end_at(text, at)
        if text[at:end_of_line].strip() and at not in fixed:
            patches.append(Patch(file, at, at, unit))
        at = next_line
    return *patches, Patch(file, end, end, f"{eol}{indent}</{tag}>")
