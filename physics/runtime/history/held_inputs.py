"""Inputs that stay until somebody changes them (forces on bodies, switched constraints, user data, noise): kept where they change, not at every step.

With them an entry of the history is the whole integration state: running on from it gives the bits that were recorded.
"""
from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

import numpy as np

ARRAYS = ("qfrc_applied", "xfrc_applied", "eq_active", "userdata")
BYTES = 32 << 20
SCALARS = ("noise_scale", "noise_rate", "noise_seed")


class Held(NamedTuple):
    """From entry `number` on: bytes of each of ARRAYS, values of SCALARS."""

    number: int
    arrays: tuple[bytes, ...]
    scalars: tuple


class HeldInputs:
    """Those of one line of entries."""

    def __init__(self):
        self.notes: list[Held] = []
        self._nbytes = 0
        self._arrays: tuple = (None, ())    # Data and its arrays, looked up once

    def note(self, d, number: int) -> bool:
        """Those of Data hold from entry `number` on, the newest one; whether they are others than before."""
        last = self.notes[-1] if self.notes else None
        arrays, scalars = self._bytes_of(d), (d.noise_scale, d.noise_rate, d.noise_seed)
        if last is not None and last.scalars == scalars and last.arrays == arrays:
            return False
        held = Held(number, arrays, scalars)
        if last is not None and last.number >= number:
            self.notes.pop()
        self.notes.append(held)
        self._nbytes += sum(map(len, held.arrays))
        if self._nbytes > BYTES:        # written at every step by a script: the oldest go
            self.notes = self.notes[len(self.notes) // 2:]
            self._nbytes = sum(len(array) for note in self.notes for array in note.arrays)
        return True

    def _bytes_of(self, d) -> tuple[bytes, ...]:
        if self._arrays[0] is not d:
            self._arrays = d, tuple(getattr(d, name) for name in ARRAYS)
        return tuple(map(np.ndarray.tobytes, self._arrays[1]))

    def differing(self, d, number: int) -> dict[str, np.ndarray]:
        """Which of Data's differ from what holds at an entry."""
        held = self.at(number)
        if held is None or held.arrays == (now := self._bytes_of(d)):
            return {}
        return {name: getattr(d, name).copy() for name, old, new in zip(ARRAYS, held.arrays, now, strict=True) if old != new}

    def note_between(self, d, number: int) -> None:
        """Those of Data hold at entry `number` alone; later entries have what they had."""
        after = self.at(number + 1)
        k = bisect_right(self.notes, number, key=_number)
        following = k < len(self.notes) and self.notes[k].number == number + 1
        self.notes = [note for note in self.notes if note.number != number]
        k = bisect_right(self.notes, number, key=_number)
        self.notes.insert(k, Held(number, tuple(getattr(d, name).tobytes() for name in ARRAYS), tuple(getattr(d, name) for name in SCALARS)))
        if after is not None and not following:
            self.notes.insert(k + 1, after._replace(number=number + 1))

    def at(self, number: int) -> Held | None:
        """What holds at an entry."""
        k = bisect_right(self.notes, number, key=_number)
        return self.notes[k - 1] if k else None

    def cut(self, number: int) -> tuple[Held, ...]:
        """Forget what holds after entry `number`; returns it, with what holds at the first entry after it in front."""
        first = self.at(number + 1)
        tail = [note for note in self.notes if note.number > number]
        if first is not None and (not tail or tail[0].number > number + 1):
            tail.insert(0, first._replace(number=number + 1))
        self.notes = [note for note in self.notes if note.number <= number]
        return tuple(tail)

    def forget_before(self, number: int) -> None:
        """The entries before `number` are gone."""
        k = bisect_right(self.notes, number, key=_number)
        self.notes = self.notes[max(0, k - 1):]


def _number(note: Held) -> int:
    return note.number


def values(held: Held, d) -> dict[str, np.ndarray]:
    """The arrays, as those of a Data; those whose sizes differ there are left out."""
    found = {}
    for name, data in zip(ARRAYS, held.arrays, strict=True):
        mine = getattr(d, name)
        if len(data) == mine.nbytes:
            found[name] = np.frombuffer(data, mine.dtype).reshape(mine.shape)
    return found
