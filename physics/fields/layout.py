"""How the fields of Model and Data lie in memory: one block of 8-byte slots each, built from the field tables.

A block is `[scalars ... | reserve | (address, number of rows) per array ...]`. Offsets follow the order of the tables,
so a field that is appended moves no other field and no kernel has to be compiled again. Where all sizes but the first
are numbers the kernels see rows (`m.body_pos[i, 0]`); a field with a second size that is known only at run time
(`key_qpos`, `body_user`) is flat for kernels and two-dimensional in Python.
"""
from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.fields.buffer_fields import ASSET_ARRAYS, ASSET_SCALARS
from physics.fields.data_fields import DATA_ARRAYS, DATA_SCALARS
from physics.fields.field_row import Row
from physics.fields.model_fields import MODEL_ARRAYS, MODEL_SCALARS

RESERVE = 256  # scalar slots of each block, used or not
GROWING = ("maxcon", "maxefc", "maxJ", "maxH")  # capacities: arrays of so many rows are replaced by larger ones at need


class Spot(NamedTuple):
    """Where an array's address lies in the block (bytes), its element type and compile-time row shape, all sizes."""

    offset: int
    dtype: np.dtype
    inner: tuple[int, ...]
    dims: tuple[str, ...]


class Layout:
    """Places of all fields of one struct: scalars {name: (offset, 'i' or 'f')}, arrays {name: Spot}, rows {name: Row}."""

    def __init__(self, name: str, scalars: tuple[Row, ...], arrays: tuple[Row, ...]):
        if len(scalars) > RESERVE:
            raise ValueError(f"{name}: {len(scalars)} scalars, room for {RESERVE}")
        self.name = name
        self.rows: Mapping[str, Row] = MappingProxyType({r.name: r for r in (*scalars, *arrays)})
        if len(self.rows) < len(scalars) + len(arrays):
            raise ValueError(f"{name}: a field is listed twice")
        self.scalars = MappingProxyType({r.name: (8 * k, r.kind) for k, r in enumerate(scalars)})
        self.arrays = MappingProxyType({r.name: _spot(8 * RESERVE + 16 * k, r) for k, r in enumerate(arrays)})
        self.size = 8 * RESERVE + 16 * len(arrays)


def _spot(offset: int, row: Row) -> Spot:
    dims = row.dims
    inner = tuple(map(int, dims[1:])) if all(d.isdigit() for d in dims[1:]) else ()
    return Spot(offset, np.dtype(row.kind), inner, dims)


def shape_of(dims: tuple[str, ...], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Numbers for named sizes: ('nkey', '3*nmocap') -> (2, 9)."""
    return tuple([sizes[d] if d in sizes else _product(d, sizes) for d in dims])


def _product(dim: str, sizes: Mapping[str, int]) -> int:
    factor, names = _factors(dim)
    return math.prod([sizes[name] for name in names], start=factor)


@lru_cache(maxsize=None)
def _factors(dim: str) -> tuple[int, tuple[str, ...]]:
    """A dimension's number and the sizes that it is to be multiplied with."""
    parts = dim.split("*")
    return math.prod([int(part) for part in parts if part.isdigit()]), tuple(part for part in parts if not part.isdigit())


LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {"m": Layout("Model", MODEL_SCALARS, MODEL_ARRAYS), "d": Layout("Data", DATA_SCALARS, DATA_ARRAYS), "a": Layout("Workpiece", ASSET_SCALARS, ASSET_ARRAYS)}
)
