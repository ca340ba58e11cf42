"""Entries of the fields of Model and Data by number and by the names of what they belong to.

    qvel["elbow"]   the entries of a joint       geom_friction["floor", 0]   one number of a geom's row       contact_dist[0]   of the first contact
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from physics.fields.field_row import Row
from physics.fields.layout import LAYOUTS, shape_of
from physics.model.model import KINDS
from physics.name_hints import hint

# arrays of Data that are longer than what is in them: how many rows count
USED: Mapping[str, str] = MappingProxyType({"maxcon": "ncon", "maxefc": "nefc", "maxJ": "nJ", "maxhb": "hard_nisland"})
# first sizes that belong to something but are no count of elements: the kind, first row of each element, number of its rows
BLOCKS: Mapping[str, tuple[str, str, str]] = MappingProxyType({
    "nq": ("joint", "jnt_qposadr", ""), "nv": ("joint", "jnt_dofadr", ""), "nu": ("actuator", "actuator_ctrladr", "actuator_ctrlnum"),
    "nout": ("actuator", "actuator_outadr", "actuator_outnum"), "na": ("actuator", "actuator_actadr", "actuator_actnum"),
    "nsensordata": ("sensor", "sensor_adr", "sensor_dim"),
})
KIND_OF_SIZE: Mapping[str, str] = MappingProxyType({spec[0]: kind for kind, spec in KINDS.items()})


def find_field(name: str) -> bool | None:
    """True: Data has a field of that name, False: Model has; None: neither."""
    if name in LAYOUTS["d"].rows:
        return True
    return False if name in LAYOUTS["m"].rows else None


def public_fields() -> list[str]:
    """Names to offer: of Data and of Model."""
    return sorted({*LAYOUTS["d"].public, *LAYOUTS["m"].public})


def row_of(name: str) -> Row:
    """The row of the field tables, of Data or else of Model. Raises KeyError."""
    layout = LAYOUTS["d" if find_field(name) else "m"]
    return layout.rows[name]


def grows(row: Row) -> bool:
    """Whether its number of rows changes from step to step: contacts, constraint rows."""
    return bool(row.dims) and row.dims[0] in USED


def field_shape(m, row: Row) -> tuple[int, ...]:
    """How many entries along each axis; 0 for the first axis of what grows."""
    known = {name: int(getattr(m, name)) for name in LAYOUTS["m"].scalars if name.startswith("n")}
    return shape_of(tuple(dim if dim not in USED else "0" for dim in row.dims), known)


def rows_of_number(m, row: Row, number: int) -> tuple[int, ...]:
    """The row of this number. Raises ValueError where there is none."""
    count = None if grows(row) else field_shape(m, row)[0]
    if number < 0 or count is not None and number >= count:
        raise ValueError(f"{row.name} has {'no rows' if count == 0 else f'{count} rows, from 0 on' if count is not None else 'rows from 0 on'}")
    return (number,)


def rows_of_name(m, row: Row, name: str) -> tuple[int, ...]:
    """The rows of the element with this name. Raises ValueError with the nearest right name."""
    size = row.dims[0]
    if size in KIND_OF_SIZE:
        return (element(m, KIND_OF_SIZE[size], name),)
    if size in BLOCKS:
        kind, starts, counts = BLOCKS[size]
        return block(m, size, element(m, kind, name), starts, counts)
    raise ValueError(f"rows of {row.name} have no names; give a number")


def element(m, kind: str, name: str) -> int:
    """Number of an element. Raises ValueError with the nearest right name."""
    found = m.id(kind, name)
    if found < 0:
        raise ValueError(f"there is no {kind} '{name}'{hint(name, [other for other in m.names[kind] if other])}")
    return found


def block(m, size: str, number: int, starts: str, counts: str) -> tuple[int, ...]:
    """The rows that an element has of a field with this first size."""
    adr = getattr(m, starts)
    first = int(adr[number])
    if first < 0:
        raise ValueError("it has no activation")
    if counts:
        return tuple(range(first, first + int(getattr(m, counts)[number])))
    end = int(adr[number + 1]) if number + 1 < len(adr) else int(getattr(m, size))
    return tuple(range(first, end))


def names_for(m, name: str) -> list[str]:
    """Names that a field's rows may be given by, for completion; [] where they have none."""
    if find_field(name) is None or m is None:
        return []
    dims = row_of(name).dims
    size = dims[0] if dims else ""
    kind = KIND_OF_SIZE.get(size) or BLOCKS.get(size, ("",))[0]
    return [other for other in m.names.get(kind, ()) if other]


def owners(m, row: Row) -> list[str]:
    """What the rows of a field belong to, by name or number; [] where they belong to nothing."""
    size = row.dims[0] if row.dims else ""
    if size in KIND_OF_SIZE:
        kind = KIND_OF_SIZE[size]
        return [name or f"{kind} {i}" for i, name in enumerate(m.names[kind])]
    if size not in BLOCKS:
        return []
    found = [""] * int(getattr(m, size))
    for i, k in block_rows(m, size):
        found[k] = m.names[BLOCKS[size][0]][i] or f"{BLOCKS[size][0]} {i}"
    return found


def block_rows(m, size: str) -> Iterator[tuple[int, int]]:
    """(element, row) of all rows of a first size of BLOCKS that belong to an element."""
    kind, starts, counts = BLOCKS[size]
    for i in np.flatnonzero(np.asarray(getattr(m, starts)) >= 0).tolist():
        for k in block(m, size, i, starts, counts):
            yield i, k
