"""What a servo is asked to follow: a control as a function of the time since the test began."""
from __future__ import annotations

from dataclasses import dataclass
from math import pi, sin
from typing import Protocol


class Reference(Protocol):
    """A control signal."""

    def __call__(self, time: float) -> float:
        """The control at a time [s] since the beginning."""
        ...


@dataclass(frozen=True, slots=True)
class Constant:
    """Always the same control."""

    value: float

    def __call__(self, time: float) -> float:
        return self.value


@dataclass(frozen=True, slots=True)
class StepReference:
    """`before` until `start` [s], then `after`."""

    before: float
    after: float
    start: float = 0.0

    def __call__(self, time: float) -> float:
        return self.after if time >= self.start else self.before


@dataclass(frozen=True, slots=True)
class RampReference:
    """`before` until `start` [s], then changing by `rate` per second, for `length` [s]."""

    before: float
    rate: float
    start: float = 0.0
    length: float = float("inf")

    def __call__(self, time: float) -> float:
        return self.before + self.rate * min(max(0.0, time - self.start), self.length)


@dataclass(frozen=True, slots=True)
class SineReference:
    """centre + amplitude sin(2 pi frequency t), the frequency in Hz."""

    centre: float
    amplitude: float
    frequency: float

    def __call__(self, time: float) -> float:
        return self.centre + self.amplitude * sin(2.0 * pi * self.frequency * time)
