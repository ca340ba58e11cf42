"""Lines commented out and in, moved, doubled, begun: each as patches and where the selection is afterwards."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from editor.edits.indentation import indent_before, line_end_at, line_start, unit_of
from editor.edits.patch import Patch
from editor.language.tags import CLOSE, COMMENT, OPEN, Tag, attributes, enclosing, tags
from physics.files.text_codec import line_end

__all__ = ["Change", "LineError", "duplicate_lines", "move_lines", "new_line", "toggle_comment"]

# what stands in a comment for the marks of comments inside it, as XML allows none there
INNER = (("<!--", "<!- -"), ("-->", "- ->"))


class LineError(ValueError):
    """Why lines cannot be changed like that, in words for the user."""


class Change(NamedTuple):
    """patches of one file; anchor, caret: the selection after them."""

    patches: tuple[Patch, ...]
    anchor: int
    caret: int


def _rows(text: str, start: int, end: int) -> tuple[int, int]:
    """Whole lines that a selection touches, without the last one's end; one that ends at the beginning of a line does not touch that."""
    if end > start and line_start(text, end) == end:
        end -= 2 if text[end - 2:end] == "\r\n" else 1
    return line_start(text, start), line_end_at(text, max(end, start))[0]


def _moved(at: int, patches: Sequence[Patch]) -> int:
    """Where a place is after patches; behind what is put in at it."""
    return at + sum(patch.growth if patch.end <= at else len(patch.text) - (at - patch.start) if patch.start < at else 0 for patch in patches)


# ---------------------------------------------------------------------- comments

def toggle_comment(file: str, text: str, start: int, end: int) -> Change:
    """Make a comment of the lines that a selection touches, or take the comments away where nothing else stands on them, or the selection is within one.

    Comments in the lines are kept: their marks are written as '<!- -' and '- ->', and as they were when the lines are taken out again. Raises LineError for what cannot
    stand in a comment.
    """
    around = [tag for tag in tags(text) if tag.kind == COMMENT]
    within = next((tag for tag in around if tag.start < start and end < tag.end), None)
    low, high = _rows(text, start, end)
    if within is not None:
        return _after(_uncommented(file, text, within), start, end)
    low, high = _whole_tags(text, low + len(text[low:high]) - len(text[low:high].lstrip()), low + len(text[low:high].rstrip()))
    if high <= low:
        return Change((), start, end)
    inside = [tag for tag in around if low <= tag.start and tag.end <= high]
    rest, at = "", low
    for tag in inside:
        rest += text[at:tag.start]
        at = tag.end
    if inside and not (rest + text[at:high]).strip():
        return _after([patch for tag in inside for patch in _uncommented(file, text, tag)], start, end)
    return _after(_commented(file, text, low, high), start, end)


def _after(patches: Sequence[Patch], start: int, end: int) -> Change:
    return Change(tuple(patches), _moved(start, patches), _moved(end, patches))


def _whole_tags(text: str, low: int, high: int) -> tuple[int, int]:
    """A range that cuts no tag."""
    for tag in tags(text):
        if tag.start < low < tag.end:
            low = tag.start
        if tag.start < high < tag.end:
            high = tag.end
    return low, high


def _commented(file: str, text: str, low: int, high: int) -> list[Patch]:
    piece = text[low:high]
    rest = piece
    for mark, instead in INNER:
        if instead in piece:
            raise LineError(f"These lines hold '{instead}', which stands for a comment within a comment already")
        rest = rest.replace(mark, "")
    if "--" in rest or (rest.endswith("-") and piece.endswith("-")):
        raise LineError("These lines hold '--', which cannot stand in an XML comment")
    patches = [Patch(file, low, low, "<!-- ")]
    for mark, instead in INNER:
        patches += [Patch(file, low + match.start(), low + match.end(), instead) for match in re.finditer(re.escape(mark), piece)]
    return [*sorted(patches), Patch(file, high, high, " -->")]


def _uncommented(file: str, text: str, comment: Tag) -> list[Patch]:
    if not comment.complete:
        raise LineError("This comment does not end: '-->' is missing")
    start, end = comment.start + 4, comment.end - 3
    inner = text[start:end]
    head = 1 if inner.startswith(" ") else 0
    tail = 1 if inner.endswith(" ") and len(inner) > head else 0
    patches = [Patch(file, comment.start, start + head, "")]
    for mark, instead in INNER:
        patches += [Patch(file, start + match.start(), start + match.end(), mark) for match in re.finditer(re.escape(instead), inner)]
    return [*sorted(patches), Patch(file, end - tail, comment.end, "")]


# ---------------------------------------------------------------------- lines

def move_lines(file: str, text: str, start: int, end: int, down: bool) -> Change:
    """Let the lines that a selection touches change places with the line below or above, which is the one that is moved: elements of the others stay who they are."""
    low, high = _rows(text, start, end)
    if down:
        stop, below = line_end_at(text, high)
        if below == stop:
            return Change((), start, end)
        last, _next = line_end_at(text, below)
        shift = last - stop
        return Change((Patch(file, low, low, text[below:last] + text[stop:below]), Patch(file, stop, last, "")), start + shift, end + shift)
    if not low:
        return Change((), start, end)
    above = line_start(text, low - 2 if text[low - 2:low] == "\r\n" else low - 1)
    stop = line_end_at(text, above)[0]
    return Change((Patch(file, above, low, ""), Patch(file, high, high, text[stop:low] + text[above:stop])), start - (low - above), end - (low - above))


def duplicate_lines(file: str, text: str, start: int, end: int) -> Change:
    """The lines that a selection touches once more below, where the selection goes."""
    low, high = _rows(text, start, end)
    eol = line_end(text)
    piece = eol + text[low:high]
    return Change((Patch(file, high, high, piece),), start + len(piece), end + len(piece))


# ---------------------------------------------------------------------- a new line

def new_line(file: str, text: str, start: int, end: int) -> Change:
    """Begin a line at the caret, in place of what is selected: a level deeper behind an opening tag, below the first attribute within a tag, a closing tag behind the caret on its own line."""
    eol, unit = line_end(text), unit_of(text)
    begin = line_start(text, start)
    indent = text[begin:start][:len(text[begin:start]) - len(text[begin:start].lstrip(" \t"))]
    found = tags(text, 0, start)
    last = found[-1] if found else None
    tail = len(text[end:line_end_at(text, end)[0]]) - len(text[end:line_end_at(text, end)[0]].lstrip(" \t"))
    if last is not None and not last.complete and last.end == start and last.kind == OPEN and last.name:
        lead = indent if line_start(text, last.start) != begin else _below_attributes(text, last, indent, unit)
        return _line(file, start, end + tail, eol + lead)
    if last is None or last.kind != OPEN or not last.complete or text[last.end:start].strip():
        closing = tags(text, end + tail, line_end_at(text, end)[0])[:1]
        if closing and closing[0].kind == CLOSE and closing[0].start == end + tail and start > begin + len(indent):
            base = _indent_of_opening(text, found, closing[0]) or indent
            return _line(file, start, end + tail, eol + base)
        if last is not None and last.complete and begin <= last.end <= start and last.start < begin:     # the end of a tag of several lines
            first = indent_before(text, last.start)
            indent = indent if first is None else first
        return _line(file, start, end + tail, eol + indent)
    base = indent_before(text, last.start)
    base = indent if base is None else base
    if text.startswith("</", end + tail) and start == last.end:      # between <body> and </body>
        new = eol + base + unit
        return Change((Patch(file, start, end + tail, new + eol + base),), start + len(new), start + len(new))
    return _line(file, start, end + tail, eol + (base + unit if begin <= last.end else indent))


def _line(file: str, start: int, end: int, new: str) -> Change:
    return Change((Patch(file, start, end, new),), start + len(new), start + len(new))


def _below_attributes(text: str, tag: Tag, indent: str, unit: str) -> str:
    """What stands before an attribute on a line of its own: as wide as all before the first one."""
    given = attributes(text, tag)
    begin = line_start(text, tag.start)
    if given and line_start(text, given[0].start) == begin:
        return indent + " " * (given[0].start - begin - len(indent))
    return indent + unit * 2


def _indent_of_opening(text: str, found: list[Tag], closing: Tag) -> str | None:
    opening = next((tag for tag in reversed(enclosing(found)) if tag.name == closing.name), None)
    return indent_before(text, opening.start) if opening is not None else None
