"""Entries of the history and the simulated times they belong to, for the time axis. No Qt.

    entry    0 ............ 400 | 401 ......... 900 | 901 ....
    time     0 s ........ 0.8 s | 0 s (reset) ... 1 s | 2 s (keyframe)

Times run on evenly between marks (`Snapshot.history_marks`), of which some are there only because the time step has changed, and may jump at them.
"""
from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import ceil, floor, log10

from physics.runtime.history import TIMESTEP
from physics.runtime.snapshot import Snapshot

NICE = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Entries `first` to `last` with the times of both [s]; pace: from one to the next."""

    first: int
    last: int
    start: float
    end: float
    pace: float


class HistoryScale:
    """length: entries; marks: those of the snapshot that are borders; stretches: with times evenly apart, oldest first."""

    def __init__(self, length: int, times: tuple[float, float], timestep: float, marks=()):
        self.length, self.timestep = max(1, length), max(timestep, 1e-12)
        self.marks = tuple(mark for mark in marks if mark.kind != TIMESTEP)
        inner = sorted((mark.index, mark.time, mark.before) for mark in marks if 0 < mark.index < length)
        begins = [(0, times[0]), *((index, time) for index, time, _ in inner)]
        ends = [*((index - 1, before) for index, _, before in inner), (self.length - 1, times[1])]
        self.stretches: list[Stretch] = []
        for (first, start), (last, end) in zip(begins, ends, strict=True):
            if last >= first:
                pace = (end - start) / (last - first) if last > first and end > start else self.timestep
                self.stretches.append(Stretch(first, last, start, end, pace))
        self._firsts = [stretch.first for stretch in self.stretches]

    @classmethod
    def of(cls, snapshot: Snapshot) -> HistoryScale:
        """The scale of a snapshot's history."""
        return cls(snapshot.history_length, snapshot.history_time, snapshot.history_pace, snapshot.history_marks)

    def _stretch_at(self, index: float) -> int:
        return max(0, bisect_right(self._firsts, index) - 1)

    def time_at(self, index: float) -> float:
        """Simulated time of an entry [s]."""
        stretch = self.stretches[self._stretch_at(index)]
        share = (index - stretch.first) / max(1, stretch.last - stretch.first)
        return stretch.start + share * (stretch.end - stretch.start)

    def later(self, index: float, seconds: float) -> float:
        """The place in the history so many simulated seconds on, from its end to its beginning; each entry lasts until the next."""
        index = min(max(0.0, index), self.length - 1e-9)
        seconds %= sum((stretch.last + 1 - stretch.first) * stretch.pace for stretch in self.stretches)
        k = self._stretch_at(index)
        while seconds > (left := (self.stretches[k].last + 1 - index) * self.stretches[k].pace):
            seconds -= left
            k = (k + 1) % len(self.stretches)
            index = self.stretches[k].first
        return (index + seconds / self.stretches[k].pace) % self.length

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
