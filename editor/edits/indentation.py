"""How a text is indented: what stands before a tag on its line, what a level adds, what ends a line."""
from __future__ import annotations

import re

__all__ = ["UNIT", "indent_before", "is_blank_behind", "line_end_at", "line_start", "reindented", "unit_of"]

UNIT = "  "     # of a text without an indented tag
_INDENTED = re.compile(r"^([ \t]+)<[\w]", re.MULTILINE)
_LINE_END = re.compile(r"\r\n|\n|\r")
_TAG = re.compile(r"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[^!?<>"'](?:"[^"]*"|'[^']*'|[^<>"'])*>""", re.DOTALL)
_VALUE = re.compile(r"""(?<==)"[^"]*"|(?<==)'[^']*'|(?<==\s)"[^"]*"|(?<==\s)'[^']*'""")
_NUMBERS = re.compile(r"[\s\d.eE+-]*")


def line_start(text: str, at: int) -> int:
    """Where the line begins that holds a character."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_end_at(text: str, at: int) -> tuple[int, int]:
    """(where the line ends that holds a character, where the next one begins): the same at the end of the text."""
    found = _LINE_END.search(text, at)
    return found.span() if found is not None else (len(text), len(text))


def indent_before(text: str, at: int) -> str | None:
    """The white space between the beginning of a line and a character; None where something else stands there."""
    space = text[line_start(text, at):at]
    return None if space.strip(" \t") else space


def is_blank_behind(text: str, at: int) -> bool:
    """Whether nothing but white space follows on the line."""
    return not text[at:line_end_at(text, at)[0]].strip(" \t")


def unit_of(text: str) -> str:
    """What a level of indentation adds: what stands before the first tag that is indented."""
    found = _INDENTED.search(text)
    return found[1] if found is not None else UNIT


def reindented(lines: str, before: str, after: str) -> str:
    """The same lines, the first of which begins behind its indentation, at another one; where a later line does not begin with the old one, all stay as they are.

    Lines within the value of an attribute stay too, for its white space is part of it: unless it holds numbers, which stand in columns.
    """
    pieces, ends = _LINE_END.split(lines), _LINE_END.findall(lines)
    starts = [match.end() for match in _LINE_END.finditer(lines)]
    values = [(tag.start() + value.start(), tag.start() + value.end()) for tag in _TAG.finditer(lines) if tag[0][1] != "!"
              for value in _VALUE.finditer(tag[0]) if not _NUMBERS.fullmatch(value[0][1:-1])]
    moves = [bool(piece.strip()) and not any(first < at <= last for first, last in values) for at, piece in zip(starts, pieces[1:], strict=True)]
    if any(moved and not piece.startswith(before) for moved, piece in zip(moves, pieces[1:], strict=True)):
        return lines
    shifted = [pieces[0], *(after + piece[len(before):] if moved else piece for moved, piece in zip(moves, pieces[1:], strict=True))]
    return "".join(piece + end for piece, end in zip(shifted, [*ends, ""], strict=True))
