"""Restitution and settling over ranges of solref and solimp by the engine itself: the standard drop of each point, in the background on all processors.

    row, parameters, ranges --points--> StandardDrop (physics/tuning/standard_drop.py) of each --> mean restitution over the phases of a time step, or settling
"""
from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from itertools import count

import numpy as np

from physics.kernels import load
from physics.runtime.companions.companion import be_nice
from physics.tuning.law import Parameters, Row
from physics.tuning.standard_drop import PHASES, StandardDrop
from physics.tuning.sweep import SweepResult, swept_points

__all__ = ["PROVEN", "DropSweep"]

PROVEN = ("restitution", "settling")
UNITS = ("", "s")       # of these


class DropSweep:
    """As physics.tuning.sweep.Sweep: `start` returns at once; progress and result may be asked for at any time, from any thread."""

    def __init__(self, row: Row, parameters: Parameters, ranges: Sequence[tuple[str, Sequence[float]]], what: str, speed: float, phases: int = PHASES, threads: int = 0):
        """ranges: one or two of physics.tuning.target_values.PARAMETERS with their values, the other numbers as in parameters; what: one of PROVEN; speed: of the impacts [m/s];
        threads: 0: one per processor. Raises ValueError for what is no sweep."""
        if what not in PROVEN:
            raise ValueError(f"'{what}' is not found by drops; there are: {', '.join(PROVEN)}")
        if not 0.0 < speed < np.inf:
            raise ValueError(f"impacts at {speed:g} m/s")
        shape, points = swept_points(parameters, ranges)
        self._row, self._points, self._what, self._speed, self._phases = row, tuple(points), what, speed, phases
        self._values, self._unstable, self._done = np.full(shape, np.nan), np.zeros(shape, bool), np.zeros(shape, bool)
        self._threads = max(1, min(threads or os.cpu_count() or 1, len(self._points)))
        self._next, self._lock, self._working = count(), threading.Lock(), 0
        self._stop, self._over = threading.Event(), threading.Event()
        self.error = ""

    def start(self) -> None:
        """Begin in the background, once. Raises RuntimeError while kernels are still being compiled."""
        if load.is_partial():
            raise RuntimeError("the engine is still being compiled")
        self._working = self._threads
        for _ in range(self._threads):
            threading.Thread(target=self._work, name="drop", daemon=True).start()

    def cancel(self) -> None:
        """End soon; what is done stays."""
        self._stop.set()

    @property
    def progress(self) -> tuple[int, int]:
        """(points that are done, all of them)."""
        return int(self._done.sum()), len(self._points)

    @property
    def over(self) -> bool:
        """Whether nothing goes on any more."""
        return self._over.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end; whether it has come."""
        return self._over.wait(timeout)

    def result(self) -> SweepResult:
        """What there is by now, copied; NaN, and told as diverged, where there is no such number: the contact does not come to rest."""
        with self._lock:
            return SweepResult((), self._values.copy(), self._unstable.copy(), self._done.copy(), UNITS[PROVEN.index(self._what)])

    def _work(self) -> None:
        be_nice()
        try:
            while not self._stop.is_set() and (k := next(self._next)) < len(self._points):
                value = self._drop(self._points[k])
                if value is None:
                    break
                with self._lock:
                    self._values.flat[k], self._unstable.flat[k], self._done.flat[k] = value if np.isfinite(value) else np.nan, not np.isfinite(value), True
        except Exception as why:    # ends all of them; the owner is told
            self.error = self.error or (str(why) if isinstance(why, ValueError) else f"{type(why).__name__}: {why}")
            self._stop.set()
        finally:
            with self._lock:
                self._working -= 1
                if not self._working:
                    self._over.set()

    def _drop(self, parameters: Parameters) -> float | None:
        """Of one point; None where it was cancelled."""
        if self._what == "settling":
            return StandardDrop(self._row, parameters).rest()[1]
        found = StandardDrop(self._row.of_impacts, parameters).restitution(self._speed, self._phases, lambda: not self._stop.is_set())
        return float(found.mean()) if not self._stop.is_set() else None
