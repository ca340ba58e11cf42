"""Where the numbers of leaves are in a Model and its Data, for the kernel that takes them at every step (physics/engine/trace.py)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from physics.engine import trace as kernel
from physics.fields.layout import LAYOUTS
from physics.quantities.constraint_rows import ROW_VALUES
from physics.quantities.contact_pair import CONTACT_VALUES
from physics.quantities.field_rows import USED, grows, row_of
from physics.quantities.leaves import ContactLeaf, FieldLeaf, Leaf, RowLeaf, count

KIND_OF_DTYPE: Mapping[str, int] = MappingProxyType({"f8": kernel.F8, "f4": kernel.F4, "i8": kernel.I8, "i4": kernel.I4, "u1": kernel.U1, "b1": kernel.U1})
VALUE_CODES: Mapping[str, int] = MappingProxyType({name: code for code, name in enumerate(CONTACT_VALUES)})
FIRST, SECOND = 1, 2


def traceable(leaf: Leaf) -> bool:
    """Whether a leaf has the same number of numbers at every step: not all rows of what grows."""
    return isinstance(leaf, ContactLeaf | RowLeaf) or leaf.places is not None or not grows(row_of(leaf.name))


def columns(m, d, leaves: Iterable[Leaf]) -> tuple[np.ndarray, np.ndarray]:
    """(trace_column, trace_side) for these leaves, one number after the other."""
    rows, sides = [], []
    for leaf in leaves:
        if isinstance(leaf, ContactLeaf):
            rows += [(kernel.CONTACT, len(sides), VALUE_CODES[leaf.value], axis, 0) for axis in range(count(leaf))]
            sides.append(_sides(m, leaf))
        elif isinstance(leaf, RowLeaf):
            of = ROW_VALUES[leaf.value]
            where = d._as_parameter_ + LAYOUTS["d"].arrays[of.field].offset
            rows += [(kernel.ROW_SUM if of.sums else kernel.ROW_LEAST, where, *place) for place in leaf.places]
        else:
            rows += _field(d if leaf.of_data else m, d, leaf)
    return np.array(rows, np.int64).reshape(-1, 5), np.concatenate([np.zeros(0, np.int32), *sides])


def _field(owner, d, leaf: FieldLeaf) -> list[tuple[int, int, int, int, int]]:
    layout, row = LAYOUTS["d" if leaf.of_data else "m"], row_of(leaf.name)
    start = owner._as_parameter_
    if row.is_scalar:
        offset, kind = layout.scalars[leaf.name]
        return [(kernel.SCALAR_F if kind == "f" else kernel.SCALAR_I, start + offset, 0, 0, 0)]
    where = start + layout.arrays[leaf.name].offset
    limit = d._as_parameter_ + LAYOUTS["d"].scalars[USED[row.dims[0]]][0] if grows(row) else 0
    places = range(count(leaf)) if leaf.places is None else leaf.places
    at = (0,) * len(places) if not limit else leaf.rows
    return [(KIND_OF_DTYPE[row.kind], where, place, limit, k) for place, k in zip(places, at, strict=True)]


def _sides(m, leaf: ContactLeaf) -> np.ndarray:
    found = np.zeros(m.ngeom, np.int32)
    found[list(leaf.first)] |= FIRST
    found[slice(None) if leaf.second is None else list(leaf.second)] |= SECOND
    return found
