"""What an expression reads at a moment: entries of fields, what is summed over the contacts of two things, and constraint rows by what they belong to; and how a Data or a
Snapshot gives them.

A source is a function leaf -> array (moments, *leaf.shape) of float64. NaN stands for what is not there at that moment: a row beyond the used ones, a contact that is none.
"""
from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from physics.quantities.constraint_rows import Place, row_numbers
from physics.quantities.contact_pair import CONTACT_VALUES, contact_values
from physics.quantities.field_rows import USED, grows, row_of


@dataclass(frozen=True, slots=True)
class FieldLeaf:
    """Entries of a field. places: their places in the field as a flat array, None: all of it (of a field that grows the rows that are used; its shape begins with 0).
    of_data: of Data, else of Model. rows: the row of each place, to see whether it is used."""

    name: str
    of_data: bool
    shape: tuple[int, ...]
    places: tuple[int, ...] | None
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ContactLeaf:
    """A value of CONTACT_VALUES of all contacts between two sets of geoms; `second` None: whatever touches the first."""

    value: str
    first: frozenset[int]
    second: frozenset[int] | None

    @property
    def shape(self) -> tuple[int, ...]:
        return CONTACT_VALUES[self.value].shape


@dataclass(frozen=True, slots=True)
class RowLeaf:
    """A value of ROW_VALUES of constraint rows, by what they belong to."""

    value: str
    places: tuple[Place, ...]
    shape: tuple[int, ...]


Leaf = FieldLeaf | ContactLeaf | RowLeaf
TIME = FieldLeaf("time", True, (), (0,), (0,))


class OneMoment:
    """The source for a Model and a Data, or a Snapshot (whose `watch` holds the fields of Data that it does not have anyway). contacts: brings contact_force up to
    date before it is read."""

    def __init__(self, m, now, contacts=None):
        self._m, self._now, self._contacts = m, now, contacts

    def __call__(self, leaf: Leaf) -> np.ndarray:
        if isinstance(leaf, ContactLeaf):
            if self._contacts is not None:
                self._contacts()
            return contact_values(self._now, leaf.value, leaf.first, leaf.second)[None]
        if isinstance(leaf, RowLeaf):
            return row_numbers(self._now, leaf.value, leaf.places).reshape(1, *leaf.shape)
        array = self._field(leaf)
        row = row_of(leaf.name)
        used = int(getattr(self._now, USED[row.dims[0]])) if grows(row) else None
        if leaf.places is None:
            return np.array(array if used is None else array[:used], np.float64)[None]
        flat = np.ravel(array)
        found = np.full(len(leaf.places), np.nan)
        for k, (place, at) in enumerate(zip(leaf.places, leaf.rows, strict=True)):
            if used is None or at < used:
                found[k] = flat[place]
        return found.reshape(1, *leaf.shape)

    def _field(self, leaf: FieldLeaf) -> np.ndarray:
        if not leaf.of_data:
            return np.asarray(getattr(self._m, leaf.name))
        watch = getattr(self._now, "watch", None)
        if watch is not None and leaf.name in watch:
            return np.asarray(watch[leaf.name])
        return np.asarray(getattr(self._now, leaf.name))


def count(leaf: Leaf) -> int:
    """Numbers that a leaf has at a moment."""
    return prod(leaf.shape)
