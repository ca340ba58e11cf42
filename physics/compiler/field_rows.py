"""The values that the Model's fields will hold, gathered pass by pass, and their copying into an allocated Model."""
from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat
from operator import attrgetter, is_

import numpy as np

from physics.compiler.item_tables import ItemTables
from physics.compiler.problems import Problems
from physics.compiler.source import Source
from physics.model.model import KINDS, Model


class FieldRows:
    """rows: field -> a row for each item; pieces: field -> what it holds one after the other, for large fields: arrays, or anything with a
    size and paint(area); sizes: size -> number; scalars: field -> number."""

    def __init__(self, source: Source, items: ItemTables, problems: Problems):
        self._source, self._items, self._problems = source, items, problems
        self.rows: dict[str, object] = {}
        self.pieces: dict[str, list[np.ndarray]] = {}
        self.sizes: dict[str, int] = {}
        self.scalars: dict[str, float] = {}

    def column(self, kind: str, **fields: str) -> None:
        """Fill fields from the items' attributes: column('geom', geom_size='size')."""
        rows = map(attrgetter(*fields.values(), "id"), self._items[kind])   # one look at each item
        columns = [*zip(*rows)] or [()] * len(fields)
        self.rows.update({field: list(column) for field, column in zip(fields, columns)})

    def user(self, kind: str, size: str, field: str) -> None:
        """Fill a field of user values; its width is the size element's, else the longest list."""
        items, error = self._items[kind], self._problems.error
        rows = [item.user for item in items]
        width, longest = self.sizes.get(size, -1), max(map(len, rows), default=0)
        if width < 0:
            width = longest
        if longest > width:
            for item, row in zip(items, rows):
                if len(row) > width:
                    error(item.element, f"{len(row)} user values, but {size} is {width}", f"Raise {size} in <size>", "user")
        if rows and not self._problems.room(items[0].element or self._source.root, f"values of {size}", width * len(rows)):
            width = 0
        self.sizes[size] = width
        self.rows[field] = [(*row, *([0.0] * (width - len(row))))[:width] for row in rows] if width else []

    def allocate(self) -> Model:
        """A Model with everything gathered so far copied into its fields."""
        model = Model.allocate(self.all_sizes())
        self.copy_into(model)
        return model

    def all_sizes(self) -> dict[str, int]:
        """The sizes of the Model."""
        for kind, (size, *_) in KINDS.items():
            self.sizes.setdefault(size, len(self._items[kind]))
        return self.sizes

    def copy_fields(self, model: Model, names: Iterable[str]) -> None:
        """Copy some of the rows into the fields of a Model of these sizes."""
        for name in names:
            _copy(self.rows[name], getattr(model, name))

    def copy_into(self, model: Model) -> None:
        """Copy everything gathered so far into the fields of a Model of these sizes, which are zero."""
        for name, pieces in self.pieces.items():
            _lay(pieces, getattr(model, name))
        for name, value in self.scalars.items():
            setattr(model, name, value)
        self.copy_fields(model, self.rows)


def _copy(rows, array: np.ndarray) -> None:
    """Fill a field, quickly where it has a row of numbers for each of many items."""
    if not array.size:
        return
    if isinstance(rows, list) and array.ndim == 2 and array.dtype.kind == "f" and isinstance(rows[0], tuple) and len(rows) == len(array):
        if all(map(is_, rows, repeat(rows[0]))):
            array[...] = rows[0]
            return
        values = chain.from_iterable(rows)
        array[...] = np.fromiter(values, np.float64, array.size).reshape(array.shape)
        if next(values, None) is None:
            return
    array[...] = np.asarray(rows).reshape(array.shape)


def _lay(pieces: list, array: np.ndarray) -> None:
    """Put pieces one after the other into a field: arrays, and what paints itself there."""
    flat, at = array.reshape(-1), 0
    for piece in pieces:
        area = flat[at:at + piece.size]
        if isinstance(piece, np.ndarray):
            area.reshape(piece.shape)[...] = piece
        else:
            piece.paint(area)
        at += piece.size
