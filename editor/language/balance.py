"""What is not closed: tags, quotes, comments. A quick check between two keys, beside the reader that knows everything."""
from __future__ import annotations

import re
from typing import NamedTuple

from editor.edits.indentation import indent_before
from editor.language.tags import CLOSE, COMMENT, EMPTY, OPEN, Tag, attributes, enclosing, partners, tags

__all__ = ["Fault", "faults", "partner_of"]

MOST = 20
_STRAY = re.compile(r"[^\s/]")


class Fault(NamedTuple):
    """start, end: what to mark; line: from 1; what: in words."""

    start: int
    end: int
    line: int
    what: str


def faults(text: str, caret: int = -1) -> list[Fault]:
    """What is not closed, in its order. The tag that the caret is in is being written, so it is left out."""
    found = tags(text)
    out: list[tuple[int, int, str]] = []
    for tag in found:
        if tag.start < caret <= tag.end and not tag.complete and tag.kind in (OPEN, EMPTY, CLOSE):
            continue
        if not tag.complete:
            out.append((tag.start, tag.start + 4 if tag.kind == COMMENT else max(tag.name_end, tag.start + 1), _broken(text, tag)))
        elif tag.kind in (OPEN, EMPTY):
            out += _quotes(text, tag)
    pairs, lone = partners(found)
    for tag in lone[:MOST]:
        if tag.start < caret < tag.end:
            continue
        if tag.kind == OPEN:
            tag = _by_indentation(text, pairs, tag)
            out.append((tag.start, tag.name_end, f"<{tag.name}> is not closed"))
        else:
            around = enclosing(found[:found.index(tag)])
            out.append((tag.start, tag.end, f"</{tag.name}> closes nothing" + (f": <{around[-1].name}> from line {_line(text, around[-1].start)} is open" if around else "")))
    return [Fault(start, end, _line(text, start), what) for start, end, what in sorted(out)[:MOST]]


def _by_indentation(text: str, pairs: list[tuple[Tag, Tag]], lone: Tag) -> Tag:
    """Of elements with one name inside each other the outermost is the one that lacks its end, by their names; the one that is meant has an end that is indented otherwise."""
    for opening, closing in pairs:      # the innermost first
        if opening.name == lone.name and opening.start > lone.start:
            before, behind = indent_before(text, opening.start), indent_before(text, closing.start)
            if before is not None and behind is not None and before != behind:
                return opening
    return lone


def _broken(text: str, tag: Tag) -> str:
    if tag.kind == COMMENT:
        return "this comment does not end: '-->' is missing"
    if not tag.name:
        return "a name is missing behind '<'"
    lone = next((one for one in attributes(text, tag) if one.quote and not one.closed), None)
    if lone is not None:
        return f"the value of '{lone.name}' is not closed"
    return f"the tag {'</' if tag.kind == CLOSE else '<'}{tag.name} does not end: '>' is missing"


def _quotes(text: str, tag: Tag) -> list[tuple[int, int, str]]:
    """Quotes that do not belong together: something stands between a value and the next attribute, or an attribute has no value."""
    given, at = attributes(text, tag), tag.name_end
    stop = tag.end - (2 if tag.kind == EMPTY else 1)
    for one in given:
        if not one.quote and text[one.name_end:stop].strip(" \t\r\n")[:1] not in ("=", "'", '"'):
            return [(one.start, one.name_end, f"'{one.name}' has no value between quotes")]
        if one.quote and not one.closed:
            return [(one.start, stop, f"the value of '{one.name}' is not closed")]
        if not one.quote or _STRAY.search(text, at, one.start):
            return [(one.start, min(one.end, stop), f"a quote is missing or out of place at '{one.name}'")]
        at = one.end
    stray = _STRAY.search(text, at, stop)
    return [(stray.start(), stop, f"a quote is missing or out of place in <{tag.name}>")] if stray is not None else []


def _line(text: str, at: int) -> int:
    """The line of a place, from 1."""
    pairs = text.count("\r\n", 0, at)
    return text.count("\n", 0, at) + text.count("\r", 0, at) - pairs + 1


def partner_of(text: str, offset: int) -> tuple[Tag, Tag | None] | None:
    """The tag whose name or bracket the caret is at, and the tag that belongs to it (None: there is none); None elsewhere, and for tags that close themselves."""
    found = tags(text)
    here = next((tag for tag in found if tag.start <= offset <= tag.name_end and tag.kind in (OPEN, CLOSE) and tag.name), None)
    if here is None:
        here = next((tag for tag in found if tag.end == offset and tag.kind in (OPEN, CLOSE) and tag.complete), None)
    if here is None:
        return None
    for opening, closing in partners(found)[0]:
        if here in (opening, closing):
            return here, closing if here == opening else opening
    return here, None
