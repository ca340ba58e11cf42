"""Where the parts of an opening tag stand in its text: names of attributes, their values, what ends the tag."""
from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

__all__ = ["AttributePlace", "TagPlaces", "tag_places"]

_NAME = re.compile(r"<\s*[^\s/>]+")
_ATTRIBUTE = re.compile(r"""(\s*)([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


class AttributePlace(NamedTuple):
    """lead: where the white space before the name begins; start: of the name; value, value_end: of the text between the quotes."""

    name: str
    lead: int
    start: int
    value: int
    value_end: int

    @property
    def end(self) -> int:
        """Behind the closing quote."""
        return self.value_end + 1


class TagPlaces(NamedTuple):
    """start: of '<'; name_end: behind the tag's name; attributes in their order; close: of the '>' or '/>' that ends the tag; end: behind that; empty: whether it is '/>'."""

    start: int
    name_end: int
    attributes: tuple[AttributePlace, ...]
    close: int
    end: int
    empty: bool

    def of(self, name: str) -> AttributePlace | None:
        """The place of an attribute, None where it is not given."""
        return next((one for one in self.attributes if one.name == name), None)


def tag_places(text: str, start: int) -> TagPlaces:
    """The parts of the tag whose '<' stands at `start`. Raises ValueError where no tag does."""
    known = _known(text)
    found = known.get(start)
    if found is None:
        found = known[start] = _tag_places(text, start)
    return found


@lru_cache(maxsize=2)
def _known(text: str) -> dict[int, TagPlaces]:
    """Tags of a text that were asked for: all motions of a drag ask for the same ones, in the text that it began with."""
    return {}


def _tag_places(text: str, start: int) -> TagPlaces:
    name = _NAME.match(text, start)
    if name is None:
        raise ValueError(f"no tag begins at character {start}")
    at, found = name.end(), []
    while (match := _ATTRIBUTE.match(text, at)) is not None:
        value, value_end = match.span(3 if match.start(3) >= 0 else 4)
        found.append(AttributePlace(match[2], at, match.start(2), value, value_end))
        at = match.end()
    end = text.find(">", at)
    if end < 0:
        raise ValueError(f"the tag at character {start} does not end")
    empty = text[at:end].rstrip().endswith("/")
    close = text.rfind("/", at, end) if empty else end
    return TagPlaces(start, name.end(), tuple(found), close, end + 1, empty)
