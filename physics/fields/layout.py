"""How the fields of Model and Data lie in memory: one block of 8-byte slots each, built from the field tables.

A block is `[scalars ... | (address, number of rows) per array ...]`, table after table, then the same for each table of another engine. Tables
have room to spare, so a field that is appended to one (but the first scalar of a table without any) moves no other, and no kernel has to
be compiled again. Where all sizes but the first
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
from physics.fields.data_fields import DATA_TABLES, OTHER_ENGINES
from physics.fields.field_row import Row
from physics.fields.model_fields import MODEL_ARRAYS, MODEL_SCALARS

SCALARS_ROOM, ARRAYS_ROOM = 16, 32   # a table of Data has a multiple of so many slots for scalars and for arrays, used or not
RESERVE = 256   # slots for scalars of a block with a single table


class Spot(NamedTuple):
    """Where an array's address lies in the block (bytes), its element type and compile-time row shape, all sizes."""

    offset: int
    dtype: np.dtype
    inner: tuple[int, ...]
    dims: tuple[str, ...]


class Layout:
    """Places of all fields of one struct: scalars {name: (offset, 'i' or 'f')}, arrays {name: Spot}, rows {name: Row}.

    scalar_parts: where the scalars lie, as slices of 8-byte slots; size: bytes of the whole block.
    others: tables of further engines; each has a part of its own behind all else. scalars_room, arrays_room: each table takes a multiple
    of so many slots. Raises ValueError for a field that is listed twice.
    """

    def __init__(self, name: str, tables: tuple[tuple[Row, ...], ...], scalars_room: int, arrays_room: int, others: tuple[tuple[Row, ...], ...] = ()):
        self.name, self.size = name, 0
        rows = [row for table in (*tables, *others) for row in table]
        self.rows: Mapping[str, Row] = MappingProxyType({r.name: r for r in rows})
        if len(self.rows) < len(rows):
            raise ValueError(f"{name}: a field is listed twice")
        scalars: dict[str, tuple[int, str]] = {}
        arrays: dict[str, Spot] = {}
        parts = []
        for group in (tables, *((table,) for table in others)):
            start = self.size
            for table in group:
                mine = [row for row in table if row.is_scalar]
                scalars.update({row.name: (self.size + 8 * k, row.kind) for k, row in enumerate(mine)})
                self.size += 8 * _rounded(len(mine), scalars_room)
            parts.append(slice(start // 8, self.size // 8))
            for table in group:
                mine = [row for row in table if not row.is_scalar]
                arrays.update({row.name: _spot(self.size + 16 * k, row) for k, row in enumerate(mine)})
                self.size += 16 * _rounded(len(mine), arrays_room)
        self.scalars: Mapping[str, tuple[int, str]] = MappingProxyType(scalars)
        self.arrays: Mapping[str, Spot] = MappingProxyType(arrays)
        self.scalar_parts = tuple(parts)

    @property
    def public(self) -> tuple[str, ...]:
        """Names of the fields that users are shown, scalars first."""
        return tuple(name for name in (*self.scalars, *self.arrays) if not self.rows[name].private)


def _rounded(n: int, room: int) -> int:
    return -(-n // room) * room


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
    {"m": Layout("Model", ((*MODEL_SCALARS, *MODEL_ARRAYS),), RESERVE, 1), "d": Layout("Data", DATA_TABLES, SCALARS_ROOM, ARRAYS_ROOM, OTHER_ENGINES),
     "a": Layout("KernelBuffers", ((*ASSET_SCALARS, *ASSET_ARRAYS),), RESERVE, 1)}
)
# capacities of Data, by the scalars that hold them: arrays of so many rows are replaced by larger ones at need, which a kernel tells in the other scalar
GROWING: Mapping[str, str] = MappingProxyType(
    {name: f"need_n{name[3:]}" for name in LAYOUTS["d"].scalars if name.startswith("max") and f"need_n{name[3:]}" in LAYOUTS["d"].scalars})
