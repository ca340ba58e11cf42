"""Entries of the history and the simulated times they belong to, for the time axis. No Qt.

    entry    0 ............ 400 | 401 ......... 900 | 901 ....
    time     0 s ........ 0.8 s | 0 s (reset) ... 1 s | 2 s (keyframe)

Times run on evenly between marks (`Snapshot.history_marks`) and may jump at them.
"""
from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import ceil, floor, log10

from physics.runtime.snapshot import Snapshot

NICE = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Entries `first` to `last` with the times of both [s]."""

    first: int
    last: int
    start: float
    end: float


class HistoryScale:
    """length: entries; marks: those of the snapshot; stretches: without jumps of the time, oldest first."""

    def __init__(self, length: int, times: tuple[float, float], timestep: float, marks=()):
        self.length, self.marks, self.timestep = max(1, length), tuple(marks), max(timestep, 1e-12)
        knots = [(0, times[0]), *sorted((mark.index, mark.time) for mark in marks if 0 < mark.index < length)]
        self.stretches: list[Stretch] = []
        for (first, start), following in zip(knots, [*knots[1:], None], strict=True):
            last = following[0] - 1 if following is not None else self.length - 1
            end = start + (last - first) * self.timestep if following is not None else times[1]
            if last >= first:
                self.stretches.append(Stretch(first, last, start, end))
        self._firsts = [stretch.first for stretch in self.stretches]

    @classmethod
    def of(cls, snapshot: Snapshot) -> HistoryScale:
        """The scale of a snapshot's history."""
        return cls(snapshot.history_length, snapshot.history_time, float(snapshot.model.opt_timestep), snapshot.history_marks)

    def time_at(self, index: float) -> float:
        """Simulated time of an entry [s]."""
        stretch = self.stretches[max(0, bisect_right(self._firsts, index) - 1)]
        share = (index - stretch.first) / max(1, stretch.last - stretch.first)
        return stretch.start + share * (stretch.end - stretch.start)

    def ticks(self, entries: int, most: int) -> list[tuple[float, str]]:
        """(entry, text) of round times, about `most` over so many entries, of which the newest may still be to come."""
        step = nice_step(entries * self.timestep, most)
        found = []
        for stretch in self.stretches:
            per_second = (stretch.last - stretch.first) / (stretch.end - stretch.start) if stretch.end > stretch.start else 0.0
            end = stretch.end + (max(0, entries - stretch.last) / per_second if per_second and stretch is self.stretches[-1] else 0.0)
            first, last = ceil(stretch.start / step - 1e-9), floor(end / step + 1e-9)
            if per_second and last - first <= 4 * most:
                found += [(stretch.first + (k * step - stretch.start) * per_second, tick_text(k * step, step)) for k in range(first, last + 1)]
        return found


def nice_step(span: float, most: int) -> float:
    """1, 2 or 5 times a power of ten, so that a span has at most `most` steps."""
    rough = max(span / max(1, most), 1e-9)
    power = 10.0 ** floor(log10(rough))
    return next(nice * power for nice in NICE if nice * power >= rough * (1 - 1e-9))


def tick_text(time: float, step: float) -> str:
    """A time with as many places as its neighbours need."""
    return f"{time:.{max(0, -floor(log10(step) + 1e-9))}f}"
