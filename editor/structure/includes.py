"""Include tags of the text, which the tree does not have: what is included stands in their place there."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from xml.sax.saxutils import unescape

from editor.edits.attribute_patches import attribute_patches, escaped
from editor.edits.indentation import LINE_END, indent_before, is_blank_behind, line_end_at, line_start, reindented, with_line_ends
from editor.edits.patch import Edit, Patch, apply
from editor.edits.tag_places import tag_places
from editor.edits.version import Version
from editor.structure.draft import Refusal, text_of
from physics.errors import Place
from physics.mjcf.xml import TextIndex
from physics.spec.element import Element

__all__ = ["IncludeTag", "emptied", "groups", "include_tag", "inner_text", "source_of", "tag_removal", "with_includes_from"]

_PROLOGUE = re.compile(r"(?:\s+|<!--.*?-->|<\?.*?\?>|<![^>]*>)*", re.DOTALL)
_TAG = re.compile(r"<\s*include\b")
_TAG_OR_COMMENT = re.compile(r"<!--.*?-->|<\s*include\b", re.DOTALL)


class IncludeTag(NamedTuple):
    """An include tag in the text of a file: where it begins and ends, and the file that it names (key of the document)."""

    file: str
    start: int
    end: int
    included: str


def groups(element: Element) -> Iterator[tuple[Place | None, tuple[Element, ...]]]:
    """Children of an element in order, those that have come by one include together: (the place of its tag, None for children of the file itself; children)."""
    yield from groups_of(element.children, len(element.origin.included_by))


def groups_of(children: tuple[Element, ...], depth: int) -> Iterator[tuple[Place | None, tuple[Element, ...]]]:
    """The same of some siblings at a depth of includes."""
    place, run = None, []
    for child in children:
        by = child.origin.included_by
        here = by[depth] if len(by) > depth else None
        if run and (here is None or here != place):
            yield place, tuple(run)
            run = []
        place = here
        run.append(child)
    if run:
        yield place, tuple(run)


def include_tag(version: Version, place: Place, inside: Element) -> IncludeTag | None:
    """The tag at a place by which an element has come; None where it is not found."""
    text = version.texts.get(place.file)
    if text is None:
        return None
    index = TextIndex(text)
    line = index.offset(place.line, 1)
    found = [match.start() for match in _TAG.finditer(text, line, line + 100_000)]
    if not found:
        return None
    start = min(found, key=lambda at: abs(at - (line + place.column - 1)))
    return IncludeTag(place.file, start, tag_end(text, start), _included_file(inside, place))


def tag_end(text: str, start: int) -> int:
    """Where an include element ends whose tag begins at an offset."""
    places = tag_places(text, start)
    if places.empty:
        return places.end
    return text.index(">", text.index("</", places.end)) + 1


def tag_removal(version: Version, tag: IncludeTag) -> Patch:
    """Take an include tag out, with its line when it is alone there."""
    text = version.texts[tag.file]
    if indent_before(text, tag.start) is not None and is_blank_behind(text, tag.end):
        return Patch(tag.file, line_start(text, tag.start), line_end_at(text, tag.end)[1], "")
    return Patch(tag.file, tag.start, tag.end, "")


def emptied(version: Version, numbers: Iterable[int]) -> tuple[list[Patch], set[int]]:
    """Where elements go that are all that an include brings: (patches that take its tag away, as a file without elements cannot be included; their ids). The file stays as it is."""
    gone, tags, whole = set(numbers), [], set()
    for parent in {parent.id: parent for number in gone if (parent := version.parent(number)) is not None}.values():
        for place, inside in groups(parent):
            ids = {one.id for one in inside}
            if place is not None and gone >= ids and (tag := include_tag(version, place, inside[0])) is not None:
                tags.append(tag_removal(version, tag))
                whole |= ids
    return tags, whole


def _included_file(inside: Element, place: Place) -> str:
    """The file that the include at a place is of, by an element that has come by it."""
    by = inside.origin.included_by
    at = by.index(place)
    return by[at + 1].file if at + 1 < len(by) else inside.origin.file


def inner_text(text: str) -> tuple[int, int]:
    """Where what stands in the root of a file begins and ends."""
    places = tag_places(text, _PROLOGUE.match(text).end())
    return (places.end, places.end) if places.empty else (places.end, text.rfind("</"))


def source_of(version: Version, element: Element, values: Mapping[int, Mapping[str, str | None]], start: int | None = None) -> str:
    """The text of an element, from `start` on (a comment above it) where given: with other attribute values, by element id, and with what it includes in place of the tags."""
    origin = element.origin
    return _replaced(version, origin.file, origin.start if start is None else start, origin.end, (element,), len(origin.included_by), values)


def _replaced(version: Version, file: str, start: int, end: int, elements: tuple[Element, ...], depth: int, values: Mapping[int, Mapping[str, str | None]]) -> str:
    """Text of a file from start to end, which holds these elements."""
    if file not in version.texts:
        raise Refusal(f"{os.path.basename(file)} is no text of this document")
    text, patches = version.texts[file], []
    for place, inside in groups_of(elements, depth):
        if place is not None:
            patches.append(_in_place(version, place, inside, depth, values))
            continue
        for element in inside:
            if element.id in values:
                patches += attribute_patches(text, element, values[element.id])
            patches += _inner_patches(version, element, depth, values)
    after = apply({file: text}, Edit("", tuple(patches)))[file] if patches else text
    return after[start:end + len(after) - len(text)]


def _inner_patches(version: Version, element: Element, depth: int, values: Mapping) -> list[Patch]:
    """Patches within an element, of its own file."""
    out, text = [], text_of(version, element)
    for place, inside in groups_of(element.children, depth):
        if place is not None:
            out.append(_in_place(version, place, inside, depth, values))
            continue
        for child in inside:
            if child.id in values:
                out += attribute_patches(text, child, values[child.id])
            out += _inner_patches(version, child, depth, values)
    return out


def _in_place(version: Version, place: Place, inside: tuple[Element, ...], depth: int, values: Mapping) -> Patch:
    """What an include brings, in place of its tag."""
    tag = include_tag(version, place, inside[0])
    there = version.texts.get(tag.included) if tag is not None else None
    if there is None:
        raise Refusal(f"{os.path.basename(inside[0].origin.file)} is included, and no text of this document")
    text = version.texts[tag.file]
    begin, end = inner_text(there)
    words = _replaced(version, tag.included, begin, end, inside, depth + 1, values)
    words, old = stripped(words)
    indent = indent_before(text, tag.start)
    if indent is not None and old is not None:
        words = reindented(words, old, indent)
    return Patch(tag.file, tag.start, tag.end, with_line_ends(words, there, text))


def with_includes_from(version: Version, words: str, old: str, new: str) -> str:
    """A piece of the text of one file as it is to stand in another: includes in it that would be found elsewhere, or not at all, from there name their file from the folder of the
    main file."""
    source, patches = version.read.source, []
    for match in _TAG_OR_COMMENT.finditer(words):
        place = tag_places(words, match.start()).of("file") if not match[0].startswith("<!--") else None
        file = unescape(words[place.value:place.value_end]).replace("\\", "/") if place is not None else ""
        path = source.find(file, old) if file else None
        if path is None or source.find(file, new) == path:
            continue
        base = version.base_dir or os.path.dirname(version.main)
        named = os.path.relpath(path, base).replace(os.sep, "/") if os.path.isabs(path) and base else path.replace(os.sep, "/")
        patches.append(Patch("", place.value, place.value_end, escaped(named)))
    return apply({"": words}, Edit("", tuple(patches)))[""] if patches else words


def stripped(words: str) -> tuple[str, str | None]:
    """Text without the white space around it, and the indentation of its first line; None where it does not begin a line."""
    first = len(words) - len(words.lstrip())
    lead = LINE_END.split(words[:first])
    return words.strip(), lead[-1] if len(lead) > 1 else None
