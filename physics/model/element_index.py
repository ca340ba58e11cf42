"""Naming elements in calls: by index or by name, and the official pair of functions for the two."""
from __future__ import annotations

import operator
from types import MappingProxyType

from physics.enums import ObjType
from physics.model.model import ALIASES, KINDS, Model

# official object types -> our kinds of elements
_KIND_OF = MappingProxyType({ObjType.XBODY: "body"} | {t: t.name.lower() for t in ObjType if t.name.lower() in ALIASES})


def index_of(m: Model, kind: str, element: int | str) -> int:
    """Index of an element given by name or index. Raises KeyError for an unknown name, IndexError for an index that does not exist."""
    if isinstance(element, str):
        found = m.id(kind, element)
        if found < 0:
            names = [n for n in m.names[ALIASES[kind]] if n]
            raise KeyError(f"no {kind} named '{element}'; there are: {', '.join(names)[:200] or 'none with a name'}")
        return found
    index, count = operator.index(element), len(m.names[ALIASES[kind]])
    if not 0 <= index < count:
        raise IndexError(f"{kind} {index} of {count}")
    return index


def kind_of(kind: int | str) -> str:
    """Our word for a kind given as such or as an official object type. Raises KeyError for what has no elements here."""
    if isinstance(kind, str):
        if kind not in ALIASES:
            raise KeyError(f"no kind of elements '{kind}'; there are: {', '.join(KINDS)}")
        return ALIASES[kind]
    if kind not in _KIND_OF:
        raise KeyError(f"no kind of elements {kind}")
    return _KIND_OF[ObjType(kind)]


def name2id(m: Model, kind: int | str, name: str) -> int:
    """Index of the element with this name, -1 when there is none; kind: 'body', 'joint', ... or an ObjType."""
    return m.id(kind_of(kind), name)


def id2name(m: Model, kind: int | str, index: int) -> str | None:
    """Name of an element, None when it has none or does not exist; kind as in name2id."""
    names = m.names[kind_of(kind)]
    return names[index] or None if 0 <= index < len(names) else None
