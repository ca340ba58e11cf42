"""How a text is indented: what stands before a tag on its line, what a level adds, what ends a line."""
from __future__ import annotations

import re

__all__ = ["UNIT", "LINE_END", "behind_comment", "comment_above", "indent_before", "is_blank_behind", "line_end_at", "line_start", "reindented", "unit_of"]

UNIT = "  "     # of a text without an indented tag
_INDENTED = re.compile(r"^([ \t]+)<[\w]", re.MULTILINE)
LINE_END = re.compile(r"\r\n|\n|\r")
_COMMENT_ABOVE = re.compile(r"<!--(?:(?!-->).)*-->[ \t]*(?:\r\n|\n|\r)[ \t]*\Z", re.DOTALL)
_LAST_COMMENT = re.compile(r"[ \t]*<!--(?:(?!-->)[^\r\n])*-->(?=[ \t]*(?:[\r\n]|\Z))")


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


def comment_above(text: str, at: int) -> int:
    """Where a comment begins that stands, on lines of its own, directly above a tag; where the tag begins for none."""
    last = text.rfind("-->", 0, at)
    if last < 0 or text[last + len("-->"):at].strip():
        return at
    found = _COMMENT_ABOVE.search(text, text.rfind("-->", 0, last) + 1, at)
    return found.start() if found is not None and indent_before(text, found.start()) is not None else at


def unit_of(text: str) -> str:
    """What a level of indentation adds: what stands before the first tag that is indented."""
    found = _INDENTED.search(text)
    return found[1] if found is not None else UNIT


def reindented(lines: str, before: str, after: str) -> str:
    """The same lines, the first of which begins behind its indentation, at another one; where a later line does not begin with the old one, all stay as they are."""
    pieces = LINE_END.split(lines)
    if any(piece.strip() and not piece.startswith(before) for piece in pieces[1:]):
        return lines
    ends = LINE_END.findall(lines)
    moved = [pieces[0], *(after + piece[len(before):] if piece.strip() else piece for piece in pieces[1:])]
    return "".join(piece + end for piece, end in zip(moved, [*ends, ""], strict=True))
