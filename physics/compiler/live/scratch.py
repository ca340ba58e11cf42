"""A Model that is never run: filled again and again with what a text's parameters have become, and compared with what is kept of a compile."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from physics.compiler.build import Build
from physics.fields.layout import LAYOUTS
from physics.model.changes.field_changes import TREES, FieldChange, Image, differing_rows, same_bits, visual_changes
from physics.model.model import Model

_LAYOUT = LAYOUTS["m"]
STATISTICS = tuple(name for name in _LAYOUT.scalars if name.startswith("stat_"))
_WORD = 8   # bytes; fields begin at multiples of it


class Scratch:
    """image: the numbers that are compared with; skip: fields that are not. For one thread at a time.

    A field is looked at where its bytes are others than the last time: in a drag these are few of some hundred."""

    def __init__(self, image: Image, skip: frozenset[str]):
        self._image = image
        self._names = tuple(name for name in image if name not in skip and name in _LAYOUT.arrays)
        self._scalars = tuple(name for name in _LAYOUT.scalars if name not in skip)
        self.model: Model | None = None         # as it was filled last
        self._sizes: Mapping[str, int] = {}
        self._blank = np.zeros(0, np.int64)         # the Model's block before it is filled
        self._starts: tuple[np.ndarray, tuple[str, ...]] = np.zeros(0, np.int64), ()      # where fields begin in the Model's memory [words], rising, and which
        self._last: np.ndarray | None = None        # the Model's bytes when it was compared
        self._found: dict[str, FieldChange] = {}    # by field, in arrays
        self._single: dict[str, FieldChange] = {}   # single numbers
        self._visual: tuple[FieldChange, ...] = ()

    def filled(self, build: Build) -> Model:
        """The Model with everything that was gathered, and names; good until the next call."""
        sizes = build.fields.all_sizes()
        if self.model is None or sizes != self._sizes:
            self.model, self._sizes, self._last, self._found = Model.allocate(sizes), dict(sizes), None, {}
            self._blank, self._starts = self.model._block.copy(), _starts(self.model)
        else:
            self.model._block[:], self.model._buffer[:] = self._blank, 0
        build.fields.copy_into(self.model)
        self.model.vis = build.words.vis
        return self.model

    def differences(self) -> tuple[FieldChange, ...] | None:
        """What the filled Model has that the image has not, in rows; None where the two are not of the same structure."""
        m = self.model
        if not self._compare(self._changed()):
            return None
        self._single = {name: FieldChange(name, None, value) for name in self._scalars if not same_bits(value := getattr(m, name), self._image[name])}
        self._visual = visual_changes(self._image, m.vis)
        return (*self._single.values(), *self._found.values(), *self._visual)

    def differences_of(self, names: Iterable[str]) -> tuple[FieldChange, ...] | None:
        """The same after only these fields, and the model's statistics, have changed in it; None where the two are not of the same structure."""
        m = self.model
        self._last = None       # of other bytes
        if not self._compare(names):
            return None
        for name in STATISTICS:
            self._single.pop(name, None)
            if not same_bits(value := getattr(m, name), self._image[name]):
                self._single[name] = FieldChange(name, None, value)
        return (*self._single.values(), *self._found.values(), *self._visual)

    def _compare(self, names: Iterable[str]) -> bool:
        """Find what differs in some fields; whether they have as many rows as before."""
        m = self.model
        for name in names:
            old = self._image[name]
            new = getattr(m, name)[:len(old)] if name.startswith(TREES) else getattr(m, name)
            if old.shape != new.shape:
                self._last = None
                return False
            rows = differing_rows(old, new)
            if len(rows):
                self._found[name] = FieldChange(name, rows, np.array(new)[rows])
            else:
                self._found.pop(name, None)
        return True

    def _changed(self) -> tuple[str, ...]:
        """Fields whose bytes are others than the last time."""
        m, count = self.model, len(self.model._buffer) // _WORD
        now = m._buffer[:count * _WORD].view(np.int64).copy()
        last, self._last = self._last, now
        if last is None:
            return self._names
        starts, names = self._starts
        touched = {names[k] for k in np.unique(np.searchsorted(starts, np.flatnonzero(now != last), side="right") - 1).tolist()}
        return tuple(name for name in self._names if name in touched)


def _starts(m: Model) -> tuple[np.ndarray, tuple[str, ...]]:
    """Where the fields of a Model begin in its memory [words], rising, and which these are; of those that hold something."""
    base = m._buffer.ctypes.data
    found = sorted(((getattr(m, name).ctypes.data - base) // _WORD, name) for name in _LAYOUT.arrays if getattr(m, name).size)
    return np.array([start for start, _name in found], np.int64), tuple(name for _start, name in found)
