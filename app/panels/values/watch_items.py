"""What can be watched, by text: fields of Model and Data, whole, or elements of them by number or name. No Qt.

    qpos   ncon   opt_gravity              a field (a table of its elements, or a single number)
    qpos[3]   xpos[1, 2]                   one element by its numbers
    geom_friction["floor"]   qvel["elbow"] the row, or rows, of a thing by its name
    geom_friction["floor", 0]              one element of that row
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.fields.field_row import Row
from physics.fields.layout import LAYOUTS
from physics.model.model import KINDS
from physics.name_hints import hint

FORM = re.compile(r"\s*(\w+)\s*(?:\[(.*)\])?\s*")
QUOTED = re.compile(r"""(["'])(.*)\1""")
# arrays of Data that are longer than what is in them: how many rows count
USED: Mapping[str, str] = MappingProxyType({"maxcon": "ncon", "maxefc": "nefc", "maxJ": "nJ"})
# first sizes that belong to something but are no count of elements: the kind, first row of each element, number of its rows
BLOCKS: Mapping[str, tuple[str, str, str]] = MappingProxyType({
    "nq": ("joint", "jnt_qposadr", ""), "nv": ("joint", "jnt_dofadr", ""), "nu": ("actuator", "actuator_ctrladr", "actuator_ctrlnum"),
    "nout": ("actuator", "actuator_outadr", "actuator_outnum"), "na": ("actuator", "actuator_actadr", "actuator_actnum"),
    "nsensordata": ("sensor", "sensor_adr", "sensor_dim"),
})
KIND_OF_SIZE: Mapping[str, str] = MappingProxyType({spec[0]: kind for kind, spec in KINDS.items()})


@dataclass(frozen=True, slots=True)
class WatchItem:
    """One thing to watch. of_data: a field of Data, else of Model; rows: numbers along the first axis, None: all; column: along the others taken together, None: all."""

    text: str
    name: str
    of_data: bool
    rows: tuple[int, ...] | None = None
    column: int | None = None

    @property
    def row(self) -> Row:
        """The field as the tables have it."""
        return LAYOUTS["d" if self.of_data else "m"].rows[self.name]


def find_field(name: str) -> bool | None:
    """True: Data has a field of that name, False: Model has; None: neither."""
    if name in LAYOUTS["d"].rows:
        return True
    return False if name in LAYOUTS["m"].rows else None


def public_fields() -> list[str]:
    """Names to offer: of Data and of Model."""
    return sorted({*LAYOUTS["d"].public, *LAYOUTS["m"].public})


def parse(m, text: str) -> WatchItem:
    """What a text asks for, of a Model. Raises ValueError with what is wrong and the nearest right name."""
    match = FORM.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text.strip()}' is no field: a name, with an index in brackets or none")
    name, index = match[1], match[2]
    of_data = find_field(name)
    if of_data is None:
        raise ValueError(f"The model and its data have no field '{name}'{hint(name, public_fields())}.")
    row = LAYOUTS["d" if of_data else "m"].rows[name]
    if index is None:
        return WatchItem(name, name, of_data)
    if row.is_scalar:
        raise ValueError(f"{name} is a single number")
    parts = [part.strip() for part in _split(index)]
    rows = _rows(m, row, parts[0])
    shape = _shape(m, row, of_data)
    column = None
    if len(parts) > 1:
        try:
            inner = shape[1:]
            column = int(np.ravel_multi_index(tuple(int(part) for part in parts[1:]), inner))
        except (ValueError, TypeError):
            raise ValueError(f"{name} has {len(shape)} axes{f' of {shape}' if len(shape) > 1 else ''}; [{index}] names no element") from None
    elif len(shape) == 1:
        column = None
    return WatchItem(f"{name}[{index.strip()}]", name, of_data, rows, column)


def _split(index: str) -> list[str]:
    """The parts of an index, commas inside quotes apart."""
    return re.findall(r"""\s*("[^"]*"|'[^']*'|[^,]+)""", index) or [""]


def _shape(m, row: Row, of_data: bool) -> tuple[int, ...]:
    """How many elements along each axis; 0 for the first axis of what grows."""
    from physics.fields.layout import shape_of

    known = {name: int(getattr(m, name)) for name in LAYOUTS["m"].scalars if name.startswith("n")}
    dims = [dim if dim not in USED else "0" for dim in row.dims]
    return shape_of(tuple(dims), known)


def _rows(m, row: Row, part: str) -> tuple[int, ...]:
    quoted = QUOTED.fullmatch(part)
    if quoted is None:
        try:
            number = int(part)
        except ValueError:
            raise ValueError(f"[{part}]: a number, or a name in quotes") from None
        count = None if row.dims[0] in USED else _shape(m, row, True)[0]
        if number < 0 or count is not None and number >= count:
            raise ValueError(f"{row.name} has {count} rows, from 0 on")
        return (number,)
    name, size = quoted[2], row.dims[0]
    if size in KIND_OF_SIZE:
        return (_element(m, KIND_OF_SIZE[size], name),)
    if size in BLOCKS:
        kind, starts, counts = BLOCKS[size]
        return _block(m, size, _element(m, kind, name), starts, counts)
    raise ValueError(f"rows of {row.name} have no names; give a number")


def _element(m, kind: str, name: str) -> int:
    found = m.id(kind, name)
    if found < 0:
        raise ValueError(f"there is no {kind} '{name}'{hint(name, [other for other in m.names[kind] if other])}")
    return found


def _block(m, size: str, element: int, starts: str, counts: str) -> tuple[int, ...]:
    adr = getattr(m, starts)
    first = int(adr[element])
    if first < 0:
        raise ValueError("it has no activation")
    if counts:
        return tuple(range(first, first + int(getattr(m, counts)[element])))
    end = int(adr[element + 1]) if element + 1 < len(adr) else int(getattr(m, size))
    return tuple(range(first, end))


def names_for(m, name: str) -> list[str]:
    """Names that a field's rows may be given by, for completion; [] where they have none."""
    of_data = find_field(name)
    if of_data is None or m is None:
        return []
    dims = LAYOUTS["d" if of_data else "m"].rows[name].dims
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
    kind, starts, counts = BLOCKS[size]
    found = [""] * int(getattr(m, size))
    for i, name in enumerate(m.names[kind]):
        if int(getattr(m, starts)[i]) >= 0:
            for k in _block(m, size, i, starts, counts):
                found[k] = name or f"{kind} {i}"
    return found


def lines(m, item: WatchItem, array: np.ndarray, used: int | None) -> Iterator[tuple[str, str, int]]:
    """(text, owner, flat place in the array) of each number of an item. used: how many rows of a growing array count."""
    if array.ndim == 0:
        yield item.name, "", 0
        return
    belongs = owners(m, item.row)
    columns = [", ".join(map(str, ("", *place))) for place in np.ndindex(array.shape[1:])]     # one '' for a vector
    width, count = len(columns), len(array) if used is None else min(used, len(array))
    chosen = list(enumerate(columns)) if item.column is None else [(item.column, columns[item.column])]
    for i in range(count) if item.rows is None else item.rows:
        if i < count:
            for c, column in chosen:
                yield f"{item.name}[{i}{column}]", belongs[i] if i < len(belongs) else "", i * width + c
