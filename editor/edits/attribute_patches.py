"""Attributes set and taken away by patches that touch nothing else of the text.

A value that is given keeps its quotes, and of a list of numbers or words those that stay keep their characters; a new attribute stands behind the last one, on a line of its
own where the others do; one that is taken away takes the white space before it along.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from editor.edits.patch import Patch
from editor.edits.tag_places import TagPlaces, tag_places
from physics.spec.element import Element

__all__ = ["attribute_patches", "escaped", "patches_of"]

_WORD, _SAFE = re.compile(r"\S+"), re.compile(r"[-+.\w ]*")      # the second: nothing to escape
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), ("\t", "&#9;"), ("\r", "&#13;"), ("\n", "&#10;"))
_QUOTES = (('"', "&quot;"), ("'", "&apos;"))


def escaped(value: str, quote: str = '"') -> str:
    """A value as it stands between quotes: what would end it, or be read as another character, by its entity."""
    for plain, entity in (*_ESCAPES, *((plain, entity) for plain, entity in _QUOTES if plain == quote)):
        value = value.replace(plain, entity)
    return value


def attribute_patches(text: str, element: Element, values: Mapping[str, str | None]) -> tuple[Patch, ...]:
    """Patches of the text of an element's file that set attributes of it, or take them away where the value is None. What is the same already is left alone.

    Raises ValueError where the element does not stand in this text.
    """
    places, patches, new = tag_places(text, element.origin.start), [], []
    file = element.origin.file
    for name, value in values.items():
        there = places.of(name)
        if there is None:
            if value is not None:
                new.append((name, value))
        elif value is None:
            patches.append(Patch(file, there.lead, there.end, ""))
        elif element.attrs.get(name) != value:
            patches += _changed(file, text, there.value, there.value_end, value)
    if new:
        patches.append(_added(file, text, places, new))
    return tuple(patches)


def patches_of(texts: Mapping[str, str], rows: Iterable[tuple[Element, Mapping[str, str | None]]]) -> tuple[Patch, ...]:
    """Patches that set attributes of several elements; what an include brings several times is one. Raises ValueError for an element that stands in none of the texts."""
    patches, seen = [], set()
    for element, values in rows:
        place = (element.origin.file, element.origin.start)
        if not values or place in seen:
            continue
        seen.add(place)
        if element.origin.file not in texts:
            raise ValueError(f"{element.origin.file or f'<{element.tag}>'} is no text of this document")
        patches += attribute_patches(texts[element.origin.file], element, values)
    return tuple(patches)


def _changed(file: str, text: str, start: int, end: int, value: str) -> list[Patch]:
    """Another value between the quotes: word by word where there are as many, which have no need of entities."""
    before = [(start + match.start(), match[0]) for match in _WORD.finditer(text[start:end])]
    after = value.split()
    plain = " ".join(after) == value and (_SAFE.fullmatch(value) or escaped(value, text[start - 1]) == value) and "&" not in text[start:end]
    if plain and len(before) == len(after) and before:
        patches = [Patch(file, at, at + len(old), new) for (at, old), new in zip(before, after, strict=True) if old != new]
        if patches or all(map(_NUMBER.fullmatch, after)):       # white space between numbers says nothing, in a name it does
            return patches
    return [Patch(file, start, end, escaped(value, text[start - 1]))]


def _added(file: str, text: str, places: TagPlaces, new: list[tuple[str, str]]) -> Patch:
    """New attributes behind the last one."""
    last = places.attributes[-1] if places.attributes else None
    at = last.end if last is not None else places.name_end
    lead = " "
    if len(places.attributes) > 1 and all(_breaks(text[one.lead:one.start]) for one in places.attributes[1:]):
        lead = text[last.lead:last.start]       # one on each line
    quote = text[last.value - 1] if last is not None else '"'
    return Patch(file, at, at, "".join(f"{lead}{name}={quote}{escaped(value, quote)}{quote}" for name, value in new))


def _breaks(space: str) -> bool:
    return "\n" in space or "\r" in space
