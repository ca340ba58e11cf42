"""The official enumerations as IntEnum: their members are numbers, which `in`, indices and NumPy take as such."""
from __future__ import annotations

import enum
import functools
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from .tables.enum_table import ENUMS


def members(text: str) -> Iterator[tuple[str, int]]:
    """(name, number) of a row's members."""
    following = 0
    for word in text.split():
        name, _, number = word.partition("=")
        value = int(number) if number else following
        yield name, value
        following = value + 1


@functools.cache
def made(module: str) -> Mapping[str, type[enum.IntEnum]]:
    """All enumerations by name; module: where they say to be from, for pickles."""
    return MappingProxyType({name: enum.IntEnum(name, list(members(text)), module=module) for name, text in ENUMS.items()})
