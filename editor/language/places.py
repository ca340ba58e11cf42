"""Where the caret is in a text, read backwards from it: in a tag's name, an attribute's name, a value, between tags, in a comment. Works in a text that is no XML."""
from __future__ import annotations

import re
from dataclasses import dataclass

from editor.language.tags import CLOSE, COMMENT, OTHER, AttributeText, Tag, attributes, enclosing, tag_at, tags

__all__ = ["ATTRIBUTE", "CLOSING", "ELEMENT", "NOTHING", "TEXT", "VALUE", "CaretPlace", "caret_place"]

ELEMENT, CLOSING, ATTRIBUTE, VALUE, TEXT, NOTHING = "element", "closing", "attribute", "value", "text", "nothing"
_NAME_ONLY = re.compile(r"</?[^\s/<>=\"']*\Z")
_NAME = re.compile(r"[^\s/<>=\"']*")
_WORD = re.compile(r"[^\s<>\"']*")


@dataclass(frozen=True, slots=True)
class CaretPlace:
    """kind: ELEMENT (the name of an opening tag), CLOSING (of a closing one), ATTRIBUTE (a name, or where one can begin), VALUE, TEXT (between tags), or NOTHING (a comment, behind '=').

    start, end: of the word that is being written; before: its characters before the caret. open: names of the elements around, outermost first. tag: the tag that the caret is in.
    attributes: all of that tag, those behind the caret too; attribute: the one whose value it is.
    """

    kind: str
    start: int
    end: int
    before: str
    open: tuple[str, ...]
    tag: Tag | None = None
    attributes: tuple[AttributeText, ...] = ()
    attribute: AttributeText | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the attributes of the tag, but for the one whose name is being written."""
        return tuple(one.name for one in self.attributes if not (self.kind == ATTRIBUTE and one.start == self.start))


def caret_place(text: str, offset: int) -> CaretPlace:
    """Where a place of a text is."""
    found = tags(text, 0, offset)
    last = found[-1] if found and not found[-1].complete and found[-1].end == offset else None
    open_ = tuple(tag.name for tag in enclosing(found))
    if last is None:
        return CaretPlace(TEXT, offset, offset, "", open_)
    if last.kind in (COMMENT, OTHER):
        return CaretPlace(NOTHING, offset, offset, "", open_)
    whole = tag_at(text, last.start)
    if _NAME_ONLY.match(text, last.start, offset):
        return CaretPlace(CLOSING if last.kind == CLOSE else ELEMENT, last.name_start, _NAME.match(text, offset).end(), text[last.name_start:offset], open_, whole,
                          tuple(attributes(text, whole)))
    if last.kind == CLOSE:
        return CaretPlace(NOTHING, offset, offset, "", open_)
    return _in_tag(text, offset, open_, last, whole)


def _in_tag(text: str, offset: int, open_: tuple[str, ...], cut: Tag, whole: Tag) -> CaretPlace:
    """In an opening tag behind its name. cut: the tag up to the caret; whole: all of it."""
    every, before = tuple(attributes(text, whole)), attributes(text, cut)
    last = before[-1] if before else None
    if last is not None and last.quote and not last.closed:
        start = max(last.value, *(text.rfind(space, last.value, offset) + 1 for space in " \t\r\n"))
        given = next((one for one in every if one.start == last.start), last)
        return CaretPlace(VALUE, start, _WORD.match(text, offset).end(), text[start:offset], open_, whole, every, given)
    if last is not None and last.end == offset and last.value < 0:
        return CaretPlace(ATTRIBUTE, last.start, _NAME.match(text, offset).end(), text[last.start:offset], open_, whole, every)
    if text[offset - 1:offset].isspace() and not text[cut.start:offset].rstrip().endswith("="):
        return CaretPlace(ATTRIBUTE, offset, _NAME.match(text, offset).end(), "", open_, whole, every)
    return CaretPlace(NOTHING, offset, offset, "", open_, whole, every)
