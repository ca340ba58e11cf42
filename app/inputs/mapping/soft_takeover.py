"""Soft take-over of inputs that stay where they are held, as triggers and faders do: where one is and what it sets may differ when it begins to count, so it acts only once it has come past the present value.

As the faders of mixing desks do ("pickup"): on the side on which it was first seen it does nothing; at the value, or beyond it, it has caught it and sets it from then on.
"""
from __future__ import annotations

from typing import NamedTuple

NEAR = 0.02     # of the whole way, within which a value counts as met: triggers do not quite come to their ends


class Waiting(NamedTuple):
    """An input that has not caught its value yet. name: of the axis; at: where it is, wanted: where the value is, both as shares of its way."""

    name: str
    at: float
    wanted: float

    def __str__(self) -> str:
        return f"{self.name} is at {100 * self.at:.0f} %: bring it to {100 * self.wanted:.0f} % to take over"


class SoftTakeover:
    """The inputs of one drive, by their names."""

    def __init__(self):
        self._below: dict[str, bool] = {}       # of those that have not caught their value: on which side of it they were first seen
        self._caught: set[str] = set()
        self._waiting: dict[str, Waiting] = {}

    def begin(self) -> None:
        """What is driven has jumped, or somebody else drove it: all have to catch their values anew."""
        self._below.clear()
        self._caught.clear()
        self._waiting.clear()

    def acts(self, name: str, at: float, value: float) -> bool:
        """Whether an input acts that is at `at` where its value is at `value` [shares of its way]."""
        if name in self._caught:
            return True
        below = at < value
        if abs(at - value) > NEAR and self._below.setdefault(name, below) == below:
            self._waiting[name] = Waiting(name, at, value)
            return False
        self._caught.add(name)
        self._waiting.pop(name, None)
        return True

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """Those that have not caught their values, in the order in which they were seen."""
        return tuple(self._waiting.values())
