"""Breakpoints: expressions at which a run pauses in the very step in which they become true.

    trace rows of a chunk of steps --evaluate--> 0 0 0 1 1 --first change from false to true--> the history goes back to that entry

A condition that holds when the run begins or goes on, or right after a jump of the state, has not become true.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from physics.quantities.quantity import Quantity, compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.recording.trace import TracePiece
from physics.recording.trace_columns import traceable


class Hit(NamedTuple):
    """The expression that became true, and the number of the history's entry in which it did."""

    text: str
    number: int


class _Watch:
    """One expression: as it is for the present Model (None: it is none), what it looks back at, whether it held last."""

    def __init__(self, text: str):
        self.text, self.quantity, self.memory, self.held = text, None, {}, None

    def begin(self) -> None:
        """The next row is the first."""
        self.memory, self.held = {}, None


class Breakpoints:
    """The expressions of a run. `texts`: those that are one for the present Model."""

    def __init__(self):
        self._watches: list[_Watch] = []
        self._model = None
        self._next: int | None = None    # number of the entry that goes on from what was seen last

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(watch.text for watch in self._watches if watch.quantity is not None)

    def choose(self, texts: Sequence[str]) -> None:
        """These and no others; what is known of one that stays is kept."""
        known = {watch.text: watch for watch in self._watches}
        self._watches = [known.get(text) or _Watch(text) for text in dict.fromkeys(texts)]
        self._compile()

    def follow(self, m) -> None:
        """Another Model runs."""
        self._model = m
        for watch in self._watches:
            watch.quantity = None
        self._compile()
        self.begin()

    def _compile(self) -> None:
        for watch in self._watches:
            if watch.quantity is None and self._model is not None:
                watch.quantity = condition(self._model, watch.text)
                watch.begin()

    def begin(self) -> None:
        """The run begins or goes on: what holds already does not become true."""
        for watch in self._watches:
            watch.begin()
        self._next = None

    def look(self, piece: TracePiece, start: int) -> Hit | None:
        """Look at the rows of a piece from `start` on; the first at which one becomes true. Nothing of the rows behind it is remembered."""
        entries = piece.entries()[start:]
        if not len(entries) or not self.texts:
            return None
        if self._next is not None and entries[0] != self._next:
            self.begin()
        hit = None
        for watch in self._watches:
            if watch.quantity is None:
                continue
            true = watch.quantity.values(piece.source(start), watch.memory)
            holds = np.any((true != 0) & ~np.isnan(true), axis=tuple(range(1, true.ndim)))
            before = np.concatenate([[holds[0] if watch.held is None else watch.held], holds[:-1]])
            rises = np.flatnonzero(holds & ~before)
            if len(rises) and (hit is None or entries[rises[0]] < hit.number):
                hit = Hit(watch.text, int(entries[rises[0]]))
            watch.held = bool(holds[-1])
        self._next = int(entries[-1]) + 1
        return hit


def condition(m, text: str) -> Quantity | None:
    """The expression for a Model, None where it is none there."""
    try:
        quantity = compile_quantity(m, text)
    except ExpressionError:
        return None
    return quantity if all(map(traceable, quantity.leaves)) else None


def contact_begins(first: str, second: str) -> str:
    """The expression for: these two begin to touch."""
    return f"contact({_quoted(first)}, {_quoted(second)}).count > 0"


def contact_ends(first: str, second: str) -> str:
    """The expression for: these two touch no longer."""
    return f"contact({_quoted(first)}, {_quoted(second)}).count == 0"


def at_limit(joint: str) -> str:
    """The expression for: a hinge or slide reaches one of its limits."""
    of = f"joint({_quoted(joint)})"
    return f"{of}.qpos <= {of}.range[0] or {of}.qpos >= {of}.range[1]"


WARNING = "deriv(sum(warning_number)) > 0"     # any warning is counted


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

