"""How a text is indented: what stands before a tag on its line, what a level adds, what ends a line."""
from __future__ import annotations

import re

from physics.files.text_codec import line_end

__all__ = ["LINE_END", "UNIT", "behind_comment", "indent_before", "is_blank_behind", "line_end_at", "line_start", "lines_in_values", "reindented", "unit_of", "with_comment_above",
           "with_line_ends"]

UNIT = "  "     # of a text without an indented tag
_INDENTED = re.compile(r"^([ \t]+)<[\w]", re.MULTILINE)
LINE_END = re.compile(r"\r\n|\n|\r")
_VALUE = re.compile(r"""<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|=\s*(?:"([^"]*)"|'([^']*)')""", re.DOTALL)
_NUMBERS = re.compile(r"[\d\s.eE+-]*")
_LAST_COMMENT = re.compile(r"[ \t]*<!--(?:(?!-->)[^\r\n])*-->(?=[ \t]*(?:[\r\n]|\Z))")
_COMMENT_BEFORE = re.compile(r"<!--(?:(?!-->).)*-->[ \t]*(?:\r\n|\n|\r)[ \t]*\Z", re.DOTALL)


def line_start(text: str, at: int) -> int:
    """Where the line begins that holds a character."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_end_at(text: str, at: int) -> tuple[int, int]:
    """(where the line ends that holds a character, where the next one begins): the same at the end of the text."""
    found = LINE_END.search(text, at)
    return found.span() if found is not None else (len(text), len(text))


def indent_before(text: str, at: int) -> str | None:
    """The white space between the beginning of a line and a character; None where something else stands there."""
    space = text[line_start(text, at):at]
    return None if space.strip(" \t") else space


def is_blank_behind(text: str, at: int) -> bool:
    """Whether nothing but white space follows on the line."""
    return not text[at:line_end_at(text, at)[0]].strip(" \t")


def behind_comment(text: str, at: int) -> int:
    """Behind a comment that ends the line, where nothing else follows on it: it is about what stands before it; else the same place."""
    found = _LAST_COMMENT.match(text, at)
    return found.end() if found is not None else at


def unit_of(text: str) -> str:
    """What a level of indentation adds: what stands before the first tag that is indented."""
    found = _INDENTED.search(text)
    return found[1] if found is not None else UNIT


def lines_in_values(text: str, start: int = 0, end: int | None = None) -> frozenset[int]:
    """Where those lines of a piece of text begin that begin within the value of an attribute: white space there is part of the value, unless that holds numbers alone."""
    values = (match.span(k) for match in _VALUE.finditer(text, start, len(text) if end is None else end) for k in (1, 2) if match[k])
    return frozenset(first + line.end() for first, last in values if not _NUMBERS.fullmatch(text, first, last) for line in LINE_END.finditer(text[first:last]))


def reindented(lines: str, before: str, after: str) -> str:
    """The same lines, the first of which begins behind its indentation, at another one; where a later line does not begin with the old one, all stay as they are. Lines that begin
    within a value stay."""
    pieces, ends, fixed, at = LINE_END.split(lines), [*LINE_END.findall(lines), ""], lines_in_values(lines), 0
    moved = []
    for number, (piece, end) in enumerate(zip(pieces, ends, strict=True)):
        if number and piece.strip() and at not in fixed:
            if not piece.startswith(before):
                return lines
            piece = after + piece[len(before):]
        moved += [piece, end]
        at += len(pieces[number]) + len(end)
    return "".join(moved)


def with_comment_above(text: str, start: int) -> int:
    """Where a comment begins that stands directly above a tag, no blank line between; the tag's own place where there is none."""
    last = text.rfind("-->", 0, start)
    if last < 0 or text[last + len("-->"):start].strip():
        return start
    found = _COMMENT_BEFORE.search(text, text.rfind("-->", 0, last) + 1, start)
    return found.start() if found is not None and indent_before(text, found.start()) is not None else start


def with_line_ends(lines: str, there: str, here: str) -> str:
    """Lines of one text as they are in another, which may end lines otherwise."""
    return LINE_END.sub(line_end(here), lines) if line_end(here) != line_end(there) else lines
