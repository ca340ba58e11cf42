"""Find and replace in texts: plain or by a regular expression, with or without attention to case and whole words, over one file or all."""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from editor.edits.patch import Edit, Patch

__all__ = ["Found", "Query", "SearchError", "find_all", "next_of", "pattern_of", "replacement", "replacing"]

MOST = 20_000     # places that are found
_REFERENCE = re.compile(r"\\(.)|\$(\d{1,2}|\{\w+\}|\$)", re.DOTALL)


class SearchError(ValueError):
    """What is wrong with an expression, in words for the user."""


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for. case: small and large letters differ; whole: no letter, digit or underscore beside it; regex: a regular expression (Python's)."""

    text: str
    case: bool = False
    whole: bool = False
    regex: bool = False


class Found(NamedTuple):
    """A place that was found. match: for what a replacement takes from it."""

    file: str
    start: int
    end: int
    match: re.Match


def pattern_of(query: Query) -> re.Pattern | None:
    """The expression to search by, None for nothing to look for. Raises SearchError."""
    if not query.text:
        return None
    source = query.text if query.regex else re.escape(query.text)
    if query.whole:
        source = rf"(?<!\w)(?:{source})(?!\w)"
    try:
        return re.compile(source, re.MULTILINE | (0 if query.case else re.IGNORECASE))
    except re.error as error:
        at = "" if error.pos is None or query.whole else f" at character {error.pos + 1}"
        raise SearchError(f"Not a valid regular expression: {error.msg}{at}") from None
    except (OverflowError, RecursionError):
        raise SearchError("Not a valid regular expression: it is too large") from None


def find_all(texts: Mapping[str, str], pattern: re.Pattern | None, files: Iterable[str] | None = None) -> list[Found]:
    """All places in files (all by default), in their order; what is empty is no place. At most MOST."""
    out: list[Found] = []
    for file in texts if files is None else files:
        for match in pattern.finditer(texts[file]) if pattern is not None else ():
            if match.end() > match.start():
                out.append(Found(file, match.start(), match.end(), match))
                if len(out) >= MOST:
                    return out
    return out


def next_of(found: list[Found], file: str, offset: int, back: bool = False, files: Iterable[str] = ()) -> int:
    """Which place comes next: the first that begins at or behind `offset` in a file, or with `back` the last that ends at or before it, then those of the next files, round and round;
    -1 for none."""
    if not found:
        return -1
    order = {key: i for i, key in enumerate(files or dict.fromkeys(one.file for one in found))}
    here = order.get(file, -1)
    if back:
        before = [i for i, one in enumerate(found) if (order.get(one.file, 0), one.end) <= (here, offset)]
        return before[-1] if before else len(found) - 1
    return next((i for i, one in enumerate(found) if (order.get(one.file, 0), one.start) >= (here, offset)), 0)


def replacement(query: Query, found: Found, template: str) -> str:
    """What is put in place of a found piece. Of a regular expression $1, \\1 and ${name} stand for its groups, $$ for a dollar, \\n and \\t for a line end and a tab. Raises SearchError."""
    if not query.regex:
        return template
    return _REFERENCE.sub(lambda reference: _group(found.match, reference), template)


def _group(match: re.Match, reference: re.Match) -> str:
    escape, dollar = reference.groups()
    if dollar == "$":
        return "$"
    if escape is not None and not escape.isdigit():
        return {"n": "\n", "t": "\t"}.get(escape, escape)
    name = escape if escape is not None else dollar.strip("{}")
    try:
        return match[int(name) if name.isdigit() else name] or ""
    except (IndexError, KeyError):
        raise SearchError(f"The expression has no group {name}") from None


def replacing(query: Query, found: Iterable[Found], template: str) -> Edit:
    """One edit that replaces all these places, of any number of files. Raises SearchError."""
    patches = tuple(Patch(one.file, one.start, one.end, replacement(query, one, template)) for one in found)
    places = f"{len(patches)} places" if len(patches) != 1 else "one place"
    return Edit(f"Replace {query.text[:40]!r} in {places}", patches)
