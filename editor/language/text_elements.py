"""The elements around a place of a text, and all of them by name: for the line above the text and for going to one."""
from __future__ import annotations

from typing import NamedTuple

from editor.language.symbols import Symbols
from editor.language.tags import EMPTY, OPEN, Tag, attributes, enclosing, partners, plain_value, tag_at, tags

__all__ = ["Step", "element_range", "elements", "path_at"]


class Step(NamedTuple):
    """An element: its tag's name, its own name or class ('' for none), where its tag begins."""

    tag: str
    name: str
    start: int

    @property
    def title(self) -> str:
        """In a few words."""
        return f"{self.tag} {self.name}".rstrip()


def path_at(text: str, offset: int) -> list[Step]:
    """The elements that a place is in, outermost first; the tag that the place is in counts, too."""
    found = tags(text, 0, offset)
    around = enclosing(found)
    here = next((tag for tag in found[-1:] if not tag.complete and tag.end == offset and tag.kind == OPEN), None)
    if here is not None and here.name_start <= offset:
        here = tag_at(text, here.start)
        around = [*around, here] if here.name else around
    elif found and found[-1].end == offset and found[-1].kind == EMPTY:
        around = [*around, found[-1]]
    return [Step(tag.name, _label(text, tag), tag.start) for tag in around]


def _label(text: str, tag: Tag) -> str:
    given = {one.name: plain_value(text[one.value:one.value_end]) for one in attributes(text, tag) if one.quote}
    return given.get("name") or (given.get("class", "") if tag.name == "default" else given.get("file", "") if tag.name == "include" else "")


def element_range(text: str, start: int) -> tuple[int, int]:
    """From the '<' of an element that begins at a place to behind its last '>'; its opening tag alone where it is not closed."""
    tag = tag_at(text, start)
    if tag.kind == OPEN and tag.complete:
        pair = next((pair for pair in partners(tags(text))[0] if pair[0].start == start), None)
        if pair is not None:
            return start, pair[1].end
    return start, tag.end


def elements(symbols: Symbols) -> list[tuple[str, str, int]]:
    """(title, file, where its tag begins) of every element with a name, in the order of the files."""
    return [(f"{node.tag} {node.name}", file, node.start) for file, found in symbols.files.items() for node in found.nodes if node.name]
