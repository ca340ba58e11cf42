"""The tags of a text, found by one scan that goes on behind whatever is wrong: a text that is being written is no XML most of the time.

    text --tags--> Tag, Tag, ...        attributes(text, tag) -> what stands in one of them        enclosing(...) -> which elements are open at a place

A tag ends at the latest where the next one begins, a quote that is not closed before that is an ordinary character. Offsets count characters.
"""
from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import NamedTuple

__all__ = ["CLOSE", "COMMENT", "EMPTY", "OPEN", "OTHER", "AttributeText", "Tag", "attributes", "enclosing", "partners", "plain_value", "tag_at", "tags"]

OPEN, CLOSE, EMPTY, COMMENT, OTHER = "open", "close", "empty", "comment", "other"
_PIECE = re.compile(
    r"""<(?:(!--(?:.*?-->|.*)) | (!\[CDATA\[(?:.*?\]\]>|.*)|\?(?:.*?\?>|.*)|!(?!--)[^<>]*>?)
    | (/?)([^\s/<>="'!?][^\s/<>="']*)?([^<>"']*+(?:(?:"[^"<]*+"|'[^'<]*+'|["'])[^<>"']*+)*+)(>?))""", re.VERBOSE | re.DOTALL)
_ATTRIBUTE = re.compile(r"""([^\s=/>"'<]+)(?:(\s*=\s*)(?:"([^"<]*)("?)|'([^'<]*)('?))?)?""")
_CHARACTER = re.compile(r"&(#\d+|#x[0-9a-fA-F]+|lt|gt|amp|quot|apos);")


class Tag(NamedTuple):
    """kind: OPEN, CLOSE, EMPTY ('/>'), COMMENT, or OTHER (CDATA, <?...?>, <!...>); name: '' where there is none; start: of '<'; end: behind '>', else where the next one begins.

    complete: whether its end is there.
    """

    kind: str
    name: str
    start: int
    end: int
    complete: bool

    @property
    def name_start(self) -> int:
        """Where the name begins."""
        return self.start + (2 if self.kind == CLOSE else 1)

    @property
    def name_end(self) -> int:
        """Behind the name."""
        return self.name_start + len(self.name)


class AttributeText(NamedTuple):
    """start, name_end: of the name; value, value_end: of what stands behind the quote, -1 where there is no value yet; quote: '' where there is none; closed: whether it is closed."""

    name: str
    start: int
    name_end: int
    value: int
    value_end: int
    quote: str
    closed: bool

    @property
    def end(self) -> int:
        """Behind all of it."""
        return self.value_end + self.closed if self.quote else self.name_end


def tags(text: str, start: int = 0, end: int | None = None) -> list[Tag]:
    """All tags between two places of a text, as if it ended at `end`. start: not within a tag."""
    return [_tag(match) for match in _PIECE.finditer(text, start, len(text) if end is None else end)]


def _tag(match: re.Match) -> Tag:
    comment, other, slash, name, inside, closing = match.groups()
    start, end = match.span()
    if comment is not None:
        return Tag(COMMENT, "", start, end, end - start >= 7 and comment.endswith("-->"))
    if other is not None:
        return Tag(OTHER, "", start, end, other.endswith(">") and (not other.startswith("![CDATA[") or other.endswith("]]>")))
    kind = CLOSE if slash else EMPTY if inside.endswith("/") and closing else OPEN
    return Tag(kind, name or "", start, end, bool(closing))


def tag_at(text: str, start: int) -> Tag | None:
    """The tag whose '<' stands at a place."""
    match = _PIECE.match(text, start)
    return _tag(match) if match is not None else None


def attributes(text: str, tag: Tag) -> list[AttributeText]:
    """What stands in a tag behind its name, as far as it can be read."""
    found = []
    for match in _ATTRIBUTE.finditer(text, tag.name_end, tag.end):
        group = 3 if match.start(3) >= 0 else 5
        value, value_end = match.span(group)
        quote = "" if value < 0 else text[value - 1]
        found.append(AttributeText(match[1], match.start(1), match.end(1), value, value_end, quote, bool(quote) and bool(match[group + 1])))
    return found


def plain_value(raw: str) -> str:
    """What is read of the characters between two quotes: entities and white space as an XML reader takes them."""
    if "\n" in raw or "\r" in raw or "\t" in raw:
        raw = raw.replace("\r\n", " ").translate({9: " ", 10: " ", 13: " "})
    return _CHARACTER.sub(lambda match: unescape(match[0]), raw) if "&" in raw else raw


def enclosing(found: Iterable[Tag]) -> list[Tag]:
    """The elements that are open behind these tags, outermost first. A closing tag without an opening one closes nothing; a tag that breaks off opens nothing."""
    stack: list[Tag] = []
    for tag in found:
        if tag.kind == OPEN and tag.complete:
            stack.append(tag)
        elif tag.kind == CLOSE and stack:
            if stack[-1].name == tag.name:
                stack.pop()
            elif (depth := next((i for i in range(len(stack) - 1, -1, -1) if stack[i].name == tag.name), -1)) >= 0:
                del stack[depth:]
    return stack


def partners(found: Iterable[Tag]) -> tuple[list[tuple[Tag, Tag]], list[Tag]]:
    """(pairs of an opening and its closing tag, opening and closing tags without the other), the first in the order of the closing tags."""
    stack: list[Tag] = []
    pairs: list[tuple[Tag, Tag]] = []
    lone: list[Tag] = []
    for tag in found:
        if tag.kind == OPEN and tag.complete:
            stack.append(tag)
        elif tag.kind == CLOSE:
            depth = len(stack) - 1
            while depth >= 0 and stack[depth].name != tag.name:
                depth -= 1
            if depth < 0:
                lone.append(tag)
                continue
            lone += stack[depth + 1:]
            pairs.append((stack[depth], tag))
            del stack[depth:]
    return pairs, sorted(lone + stack, key=lambda tag: tag.start)
