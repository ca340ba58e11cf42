"""Indentation and spaces made regular, on request only: white space between tags and between attributes is all that changes, so every value, comment and text stays as it is.

    formatting(file, text, start, end) -> patches        of the lines between two places, or the whole text

Lines stay lines: nothing is joined, and only a tag that is too long is broken between its attributes, which then stand below the first one. Blank lines stay.
"""
from __future__ import annotations

from editor.edits.indentation import LINE_END, UNIT, indent_before, line_end_at, line_start
from editor.edits.patch import Patch
from editor.language.tags import CLOSE, COMMENT, EMPTY, OPEN, OTHER, Tag, attributes, tags
from physics.files.text_codec import line_end

__all__ = ["FormatError", "WIDTH", "formatting"]

WIDTH = 120     # characters of a line beyond which a tag is broken
UNITS = ("  ", "    ", "\t", "   ", " ", " " * 8)
TAB = 4         # columns of a tab
SPACE = " \t\r\n"     # what is white space in XML


class FormatError(ValueError):
    """Why a text cannot be formatted, in words for the user."""


def formatting(file: str, text: str, start: int = 0, end: int | None = None, width: int = WIDTH) -> tuple[Patch, ...]:
    """Patches of a file's text. start, end: what is selected; nothing or all of it: the whole text. Raises FormatError for a text with a tag that does not end."""
    low, high = (0, len(text)) if end is None or start == end else (line_start(text, start), line_end_at(text, end)[0])
    broken = next((tag for tag in tags(text) if not tag.complete), None)
    if broken is not None:
        raise FormatError(f"A text with a tag that does not end cannot be formatted: <{broken.name} in line {len(LINE_END.findall(text, 0, broken.start)) + 1}")
    return tuple(patch for patch in _Formatter(file, text, width).patches() if low <= patch.start and patch.end <= high)


def usual_unit(text: str) -> str:
    """What most elements are indented by, measured from what they stand in."""
    count = dict.fromkeys(UNITS, 0)
    stack: list[str | None] = []
    for tag in tags(text):
        if tag.kind == CLOSE:
            del stack[-1:]
            continue
        indent = indent_before(text, tag.start)
        if stack and stack[-1] is not None and indent is not None and indent.startswith(stack[-1]) and indent[len(stack[-1]):] in count:
            count[indent[len(stack[-1]):]] += 1
        if tag.kind == OPEN:
            stack.append(indent)
    best = max(count, key=count.get)
    return best if count[best] else UNIT


class _Formatter:
    """One pass over the tags; column: where the next character stands once all patches so far are made."""

    def __init__(self, file: str, text: str, width: int):
        self.file, self.text, self.width = file, text, width
        self.unit, self.eol = usual_unit(text), line_end(text)
        self.out: list[Patch] = []
        self.column = 0

    def patches(self) -> list[Patch]:
        """All of them."""
        depth, at = 0, 0
        for tag in tags(self.text):
            depth -= tag.kind == CLOSE and depth > 0
            self._between(at, tag.start, depth)
            self._tag(tag, self.unit * depth)
            depth += tag.kind == OPEN
            at = tag.end
        self._tail(at)
        return [_least(self.text, patch) for patch in self.out if self.text[patch.start:patch.end] != patch.text]

    def _put(self, start: int, end: int, new: str) -> None:
        """Other white space in place of a run of it."""
        self.out.append(Patch(self.file, start, end, new))
        self._advance(new)

    def _advance(self, written: str) -> None:
        """The column behind some text."""
        last = max(written.rfind("\n"), written.rfind("\r"))
        self.column = (0 if last >= 0 else self.column) + len(written[last + 1:].expandtabs(TAB))

    def _between(self, start: int, end: int, depth: int) -> None:
        """White space between two tags; text that is none stays."""
        space = self.text[start:end]
        ends = LINE_END.findall(space)
        if space.strip(SPACE) or not ends and start:
            self._advance(space)
            return
        self._put(start, end, _joined(ends) + self.unit * depth)

    def _tail(self, at: int) -> None:
        """What stands behind the last tag: the line ends that were there."""
        space = self.text[at:]
        if space and not space.strip(SPACE):
            self._put(at, len(self.text), _joined(LINE_END.findall(space)))

    def _tag(self, tag: Tag, indent: str) -> None:
        given = attributes(self.text, tag) if tag.kind in (OPEN, EMPTY) else []
        if tag.kind in (COMMENT, OTHER, CLOSE) or not _regular(self.text, tag, given):
            self._advance(self.text[tag.start:tag.end])
            return
        self._advance(self.text[tag.start:tag.name_end])
        below, at = indent + " " * (self.column + 1 - len(indent.expandtabs(TAB))), tag.name_end
        close = tag.end - (2 if tag.kind == EMPTY else 1)
        for number, one in enumerate(given):
            spaces = self.text[at:one.start]
            ends = LINE_END.findall(spaces)
            words = f"{one.name}={one.quote}{self.text[one.value:one.value_end]}{one.quote}"
            first = words.splitlines()[0] if words else words
            last = tag.end - close if number == len(given) - 1 else 0
            too_long = number and self.column + 1 + len(first) + last > self.width
            if number == 0 and ends:    # all attributes stand below the name
                below = indent + self.unit * 2
                self._put(at, one.start, ends[0] + below)
            else:
                self._put(at, one.start, (ends[0] if ends else self.eol) + below if number and (ends or too_long) else " ")
            self._advance(one.name)
            self._put(one.name_end, one.value - 1, "=")
            self._advance(self.text[one.value - 1:one.end])
            at = one.end
        self._put(at, close, "")
        self._advance(self.text[close:tag.end])


def _joined(ends: list[str]) -> str:
    """Line ends in a row; two that would become one are kept apart."""
    return "".join(ends[:1] + [" " * (before == "\r" and end == "\n") + end for before, end in zip(ends, ends[1:], strict=False)])


def _least(text: str, patch: Patch) -> Patch:
    """The same change without the characters at both ends that stay."""
    old, new = text[patch.start:patch.end], patch.text
    most = min(len(old), len(new))
    head = next((i for i in range(most) if old[i] != new[i]), most)
    tail = next((i for i in range(most - head) if old[-1 - i] != new[-1 - i]), most - head)
    return Patch(patch.file, patch.start + head, patch.end - tail, new[head:len(new) - tail])


def _regular(text: str, tag: Tag, given: list) -> bool:
    """Whether a tag consists of its name and attributes with values between quotes, with white space between and nothing else."""
    at = tag.name_end
    for one in given:
        if not one.quote or not one.closed or text[at:one.start].strip() or at == one.start:
            return False
        at = one.end
    return not text[at:tag.end - (2 if tag.kind == EMPTY else 1)].strip()
