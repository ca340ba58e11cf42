"""Entries of the history and the simulated times they belong to, for the time axis. No Qt.

    entry    0 ............ 400 | 401 ......... 900 | 901 ....
    time     0 s ........ 0.8 s | 0 s (reset) ... 1 s | 2 s (keyframe)

Times run on evenly between marks (`Snapshot.history_marks`), of which some are there only because the time step has changed, and may jump at them.
"""
from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import ceil, floor, log10

from physics.runtime.history.history import TIMESTEP
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
        self._clocks = [0.0]     # seconds from the oldest entry to the first of each stretch, and to the end of the last; each entry lasts until the next
        for stretch in self.stretches:
            self._clocks.append(self._clocks[-1] + (stretch.last + 1 - stretch.first) * stretch.pace)

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

    def clock(self, place: float) -> float:
        """Seconds from the oldest entry to a place in the history, an entry with its fraction."""
        k = self._stretch_at(place)
        return self._clocks[k] + (place - self._firsts[k]) * self.stretches[k].pace

    def place(self, clock: float) -> float:
        """The place so many seconds from the oldest entry."""
        k = min(max(0, bisect_right(self._clocks, clock) - 1), len(self.stretches) - 1)
        return self._firsts[k] + (clock - self._clocks[k]) / self.stretches[k].pace

    def played(self, place: float, seconds: float, first: int, last: int, loop: bool) -> tuple[float, bool]:
        """(the place after so many simulated seconds, backwards where they are negative, within entries `first` to `last`; whether that is beyond their end).
        loop: from the end it goes on at the beginning."""
        start, end = self.clock(first), self.clock(last + 1)
        now = self.clock(place) + seconds
        beyond = not start <= now < end
        if loop:
            now = start + (now - start) % (end - start)
        found = self.place(now)
        return min(max(found, float(first)), last + 1 - 1e-6), beyond

    def ticks(self, entries: float, most: int, start: float = 0.0) -> list[tuple[float, str]]:
        """(entry, text) of round times, about `most` over so many entries from `start` on, of which the newest may still be to come."""
        step = nice_step(entries * self.timestep, most)
        found = []
        for stretch in self.stretches:
            newest = stretch is self.stretches[-1]
            per_second = (stretch.last - stretch.first) / (stretch.end - stretch.start) if stretch.end > stretch.start else 0.0
            low, high = max(stretch.first, start), min(stretch.last if not newest else max(stretch.last, start + entries), start + entries)
            if not per_second or high < low:
                continue
            first, last = (edge(stretch.start + (place - stretch.first) / per_second, step) for edge, place in ((_ceil, low), (_floor, high)))
            if last - first <= 4 * most:
                found += [(stretch.first + (k * step - stretch.start) * per_second, tick_text(k * step, step)) for k in range(first, last + 1)]
        return found


def _ceil(time: float, step: float) -> int:
    return ceil(time / step - 1e-9)


def _floor(time: float, step: float) -> int:
    return floor(time / step + 1e-9)


def nice_step(span: float, most: int) -> float:
    """1, 2 or 5 times a power of ten, so that a span has at most `most` steps."""
    rough = max(span / max(1, most), 1e-9)
    power = 10.0 ** floor(log10(rough))
    return next(nice * power for nice in NICE if nice * power >= rough * (1 - 1e-9))


def tick_text(time: float, step: float) -> str:
    """A time with as many places as its neighbours need."""
    return f"{time:.{max(0, -floor(log10(step) + 1e-9))}f}"
