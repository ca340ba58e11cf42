"""Rows of the watch panel: the numbers of a quantity, each with what it belongs to and its unit. No Qt.

    qpos   contact_pos   geom_friction["floor"]    a row per number, by its place in the field
    norm(xpos["torso"])   contact("a", "b").force  a row per number, by the expression
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from math import prod

import numpy as np

from physics.fields.field_row import Row
from physics.quantities.field_rows import field_shape, grows, owners, row_of
from physics.quantities.field_units import entry_units
from physics.quantities.leaves import FieldLeaf
from physics.quantities.quantity import Quantity, compile_quantity


@dataclass(frozen=True, slots=True)
class WatchItem:
    """One thing to watch. text: in the spelling of which there is only one at a time."""

    text: str
    quantity: Quantity

    @property
    def leaf(self) -> FieldLeaf | None:
        """The field's entries where it is nothing else."""
        first = self.quantity.leaves[0] if self.quantity.leaves else None
        return first if self.quantity.root.leaf == 0 and isinstance(first, FieldLeaf) else None

    @property
    def field(self) -> str:
        """Name of the field where it is nothing else, else ''."""
        return self.leaf.name if self.leaf else ""

    @property
    def doc(self) -> str:
        """A line that says what it is."""
        if self.leaf:
            return f"{self.field}: {self._row.doc}"
        return f"{self.text}: {f'{prod(self.quantity.shape)} numbers' if self.quantity.shape else 'a number'}{f' in {self.quantity.unit}' if self.quantity.unit else ''}"

    def typed(self, value: np.ndarray) -> np.ndarray:
        """The value with the field's own type, where it is nothing else and all of it is there."""
        if not self.leaf or np.isnan(value).any():
            return value
        return value.astype({"i": np.int64, "f": np.float64}.get(self._row.kind, self._row.kind))

    @property
    def _row(self) -> Row:
        return row_of(self.field)


def parse(m, text: str) -> WatchItem:
    """What a text asks for, of a Model. Raises ExpressionError with what is wrong, its column and the nearest right name."""
    quantity = compile_quantity(m, text)
    return WatchItem(quantity.text, quantity)


def lines(m, item: WatchItem, value: np.ndarray) -> Iterator[tuple[str, str, str]]:
    """(text, owner, unit) of each number of an item's value, in its order."""
    leaf = item.leaf
    if leaf is None:
        for place in np.ndindex(value.shape):
            yield f"{item.text}[{', '.join(map(str, place))}]" if place else item.text, "", item.quantity.unit
        return
    row = row_of(leaf.name)
    if row.is_scalar:
        yield leaf.name, "", row.unit
        return
    inside = field_shape(m, row)[1:]
    width, belongs = prod(inside), owners(m, row)
    columns = [", ".join(map(str, ("", *place))) for place in np.ndindex(inside)]     # one '' for a vector
    places = range(value.size) if leaf.places is None else leaf.places
    for place, unit in zip(places, _units(m, leaf, row, width), strict=False):
        k, column = divmod(place, width)
        yield f"{leaf.name}[{k}{columns[column]}]", belongs[k] if k < len(belongs) else "", unit


def _units(m, leaf: FieldLeaf, row: Row, width: int) -> Iterator[str]:
    """Unit of each entry of a leaf."""
    if grows(row) or "," not in row.unit and "*" not in row.unit:
        return repeat("" if "," in row.unit or "*" in row.unit else row.unit)
    if leaf.places is None:
        return iter(entry_units(m, row, range(leaf.shape[0]), None, width))
    return (entry_units(m, row, (place // width,), place % width, width)[0] for place in leaf.places)
