"""What is written into a Model while it is in use, found by comparing: so that a copy of it elsewhere can follow.

Options, colours, sizes, friction, picture settings ...: all but what is too large to be looked at each time (LARGE), and meshes, pictures and height
fields, which the one who writes them tells.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy

import numpy as np

from physics.model.model import Model
from physics.model.visual import Visual

LARGE = 1 << 20   # bytes of a field
APART = ("mesh_", "tex_data", "hfield_data", "skin_", "names", "paths", "text_")   # beginnings of the names of fields that are not looked at
Changes = tuple[dict[str, np.ndarray | int | float], Visual | None]


class ModelChanges:
    """One Model. The first `take` tells what has changed since this was made."""

    def __init__(self, m: Model):
        self._model = m
        base, size = m._buffer.ctypes.data, m._buffer.nbytes
        looked_at = [(name, m.__dict__[name]) for name in m.layout.arrays if not name.startswith(APART) and 0 < m.__dict__[name].nbytes <= LARGE]
        inside = sorted((array.ctypes.data - base, array.nbytes, name) for name, array in looked_at if base <= array.ctypes.data < base + size)
        self._parts = [_Part(m, names, start, end) for names, start, end in _stretches(inside)]
        self._beside = {name: array.tobytes() for name, array in looked_at if not base <= array.ctypes.data < base + size}
        self._block = self._numbers()
        self._scalars = {name: getattr(m, name) for name in m.layout.scalars}
        self._visual = deepcopy(m.vis)

    def take(self) -> Changes:
        """(fields with their new values, the picture settings or None): what has changed since the last call."""
        m, changed = self._model, {}
        for part in self._parts:
            part.take(m, changed)
        for name, before in self._beside.items():
            now = m.__dict__[name].tobytes()
            if now != before:
                self._beside[name], changed[name] = now, np.array(m.__dict__[name])
        block = self._numbers()
        if block != self._block:
            self._block, now = block, {name: getattr(m, name) for name in m.layout.scalars}
            changed.update((name, value) for name, value in now.items() if value != self._scalars[name])
            self._scalars = now
        visual = None
        if m.vis != self._visual:
            visual, self._visual = deepcopy(m.vis), deepcopy(m.vis)
        return changed, visual

    def _numbers(self) -> tuple[bytes, ...]:
        """All scalars as they lie in memory."""
        return tuple(self._model._block[part].tobytes() for part in self._model.layout.scalar_parts)


class _Part:
    """Fields that lie one behind the other in the Model's memory, compared in one go."""

    def __init__(self, m: Model, names: list[str], start: int, end: int):
        self._names, self._span = names, slice(start, end)
        self._now = m._buffer[self._span].view(np.int64)     # equal where the bits are
        self._before = self._now.copy()

    def take(self, m: Model, changed: dict) -> None:
        if not (self._now != self._before).any():
            return
        before = self._before.view(np.uint8)
        base = m._buffer.ctypes.data + self._span.start
        for name in self._names:
            array = m.__dict__[name]
            at = array.ctypes.data - base
            old = before[at:at + array.nbytes].view(array.dtype).reshape(array.shape)
            if not np.array_equal(old, array, equal_nan=array.dtype.kind == "f"):
                changed[name] = np.array(array)
        self._before[:] = self._now


def _stretches(fields: Iterable[tuple[int, int, str]]):
    """(names, start, end) of runs of fields (start, bytes, name) with no more than a few cache lines between them, in whole 8 bytes."""
    names, first, last = [], 0, 0
    for start, nbytes, name in fields:
        if names and start - last > 1024:
            yield names, first, last + -last % 8
            names = []
        first = first if names else start
        names.append(name)
        last = start + nbytes
    if names:
        yield names, first, last + -last % 8


def apply_changes(m: Model, fields: Mapping[str, np.ndarray | int | float], visual: Visual | None = None) -> None:
    """Write what was taken from an equal Model. Whole numbers are checked when the Model is next used, as all that are written."""
    for name, value in fields.items():
        setattr(m, name, value)
    if visual is not None:
        m.vis = visual
