"""What the text says at the place of an element: its tag and attributes, as far as they can be read without compiling. No Qt."""
from __future__ import annotations

import re
from collections.abc import Mapping

from physics.errors import Place
from physics.mjcf.xml import TextIndex

_TAG = re.compile(r"<\s*([\w-]+)((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*/?>")
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


def tag_at(text: str, place: Place) -> tuple[str, Mapping[str, str]] | None:
    """(tag, attributes) of the element that begins at a place of a text; None where none does."""
    index = TextIndex(text)
    if not 0 < place.line <= index.lines:
        return None
    start = index.offset(place.line, max(place.column, 1))
    found = _TAG.match(text, start) or _TAG.search(text, start, start + 400)
    if found is None:
        return None
    return found[1], {name: one or other for name, one, other in _ATTRIBUTE.findall(found[2])}


def class_of(texts: Mapping[str, str], places) -> str:
    """Default class of an element: what its tag says, else the childclass of the nearest body above; '' where none is said. places: its own, then those of
    the bodies above it, the nearest first; texts: by file."""
    for k, place in enumerate(places):
        tag = tag_at(texts[place.file], place) if place is not None and place.file in texts else None
        said = tag[1].get("class" if k == 0 else "childclass", "") if tag is not None else ""
        if said:
            return said
    return ""
