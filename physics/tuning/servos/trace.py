"""What a servo did in a test, sample by sample: the same for the one-coordinate simulation and for the engine."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, slots=True)
class ServoTrace:
    """Arrays (n + 1) of n steps: the state before each step and after the last.

    time [s] since the beginning; reference: the control that was given, before delay and clamp; length, velocity: of the actuator [m, m/s or rad, rad/s, times gear];
    force: of the actuator after its own limits [N or N m per unit of moment]; act: its last activation, NaN where it has none. steps: how many happened, fewer than asked for
    where the state diverged.
    """

    time: np.ndarray = field(compare=False)
    reference: np.ndarray = field(compare=False)
    length: np.ndarray = field(compare=False)
    velocity: np.ndarray = field(compare=False)
    force: np.ndarray = field(compare=False)
    act: np.ndarray = field(compare=False)

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.time) - 1


COLUMNS = ("time", "reference", "length", "velocity", "force", "act")


def empty_rows(steps: int) -> np.ndarray:
    """(steps + 1, 6) to be filled with a row of COLUMNS per sample."""
    return np.full((steps + 1, len(COLUMNS)), np.nan)


def trace_of(rows: np.ndarray) -> ServoTrace:
    """The trace of such rows."""
    return ServoTrace(*(np.ascontiguousarray(rows[:, k]) for k in range(len(COLUMNS))))
