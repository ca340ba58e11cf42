"""What functions of the user's have written of Data between steps: what differs from the newest entry, and from the inputs that are held.

Looked at before every step that such functions are called around, by compiled code (physics/engine/user_writes.py) that also keeps the numbers; they are read out once for
many steps.
"""
from __future__ import annotations

import ctypes

import numpy as np

from physics.engine import record, user_writes
from physics.engine.user_writes import BEFORE, ENTRIES, FIRST, KNOWN, NOTES, NOTES_ROOM, NUMBERS, NUMBERS_ROOM, OPEN, STRIDE, find_writes
from physics.model.kernel_buffers import KernelBuffers
from physics.model.struct import address
from physics.runtime.history.held_inputs import ARRAYS, Held

FIELDS = ("qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "mocap_pos", "mocap_quat")    # of what an entry has, in its order; the rest is ours
ROOM = 64, 1 << 12      # notes and numbers at first
KEPT = 1 << 20          # numbers: more room than that is given back


class Written:
    """Of one Data, whose entries have these parts; `begin` comes before each stretch of steps. holds: whether what is held is what was noted last."""

    def __init__(self, d, parts):
        self.data, self.parts, self.holds = d, parts, True
        at, self._time = record.HEAD, d.layout.scalars["time"][0] + d._as_parameter_
        self.clock = ctypes.c_double.from_address(self._time)       # its value is Data's time: a fifth of what Data's own property takes
        rows, self._arrays, places = [], {}, {}
        for name, n in parts.items():
            places[name], at = 8 * at, at + n
        for name in FIELDS:
            array = getattr(d, name)
            if array.size:
                self._arrays[name] = array
                rows.append((user_writes.ENTRY, address(array), array.size, places[name]))
        self._arrays["time"] = None
        rows.append((user_writes.ENTRY, self._time, 1, 0))
        held, self._held_bits = 0, 0
        for name in ARRAYS:
            array = getattr(d, name)
            if array.size:
                self._held_bits |= 1 << len(rows)
                self._arrays[name] = array
                rows.append((user_writes.HELD_U1 if array.itemsize == 1 else user_writes.HELD_F8, address(array), array.size, held))
                held += array.size
        self._fields = tuple(zip(self._arrays, (row[2] for row in rows), strict=True))
        self._at, self._held = np.zeros(12, np.int64), np.zeros(held, np.int64)
        self._at[user_writes.FIELDS], self._at[user_writes.HELD] = len(rows), self._held_bits
        self.buffers = KernelBuffers(write_at=self._at, write_field=np.array(rows, np.int64), write_held=self._held)
        self._make_room(*ROOM)
        self._splits: dict[int, tuple] = {}
        self._known, self._rows, self._before = None, None, None

    def _make_room(self, notes: int, numbers: int) -> None:
        """What was noted stays, as far as it fits."""
        old, n, k = getattr(self, "_notes", None), int(self._at[NOTES]), int(self._at[NUMBERS])
        fresh, pool = np.zeros((notes, 3), np.int64), np.empty(numbers, np.int64)
        if old is not None:
            fresh[:n], pool[:k] = old[:n], self._numbers[:k]
        self._notes, self._numbers = fresh, pool
        self.buffers.bind("write_note", fresh)
        self.buffers.bind("write_number", pool)
        self._at[NOTES_ROOM], self._at[NUMBERS_ROOM] = notes, numbers

    def begin(self, rows: np.ndarray, stride: int, count: int, before: np.ndarray | None, held: Held | None) -> None:
        """For steps whose entries all lie in one piece of the history: its memory, with entries of `stride` numbers, of which `count` are there. before: the entry before
        those, None where that is one of another Model. held: what holds at the newest entry, None where that is not known."""
        at = self._at
        at[FIRST], self._look = count - 1, find_writes.bound(self.buffers)
        if rows is not self._rows:
            self._rows, at[ENTRIES], at[STRIDE] = rows, address(rows), 8 * stride
        self._before = before
        at[BEFORE] = 0 if before is None else address(before)
        at[NOTES] = at[NUMBERS] = at[OPEN] = 0
        if held is not self._known or held is None:
            self._hold(held)
        self.holds = held is not None

    def _hold(self, held: Held | None) -> None:
        self._known, self._at[KNOWN] = held, held is not None
        if held is not None:
            data = [np.frombuffer(part, np.uint8 if getattr(self.data, name).itemsize == 1 else np.int64) for name, part in zip(ARRAYS, held.arrays, strict=True)]
            np.concatenate(data, out=self._held, casting="unsafe")

    def look(self, steps: int, noted: int = 0) -> int:
        """What differs, after so many steps of these, as bits; 0 for nothing. noted: 1 to have it among the stretches, as written before the next step. `holds` is False where
        inputs that are held are among it."""
        found = self._look(steps, noted)
        while found < 0:
            self.grow()
            found = self._look(steps, noted)
        if found & self._held_bits:
            self.not_held()
        return found

    def not_held(self) -> None:
        """What is held has been found to differ."""
        self.holds, self._known = False, None

    def grow(self) -> None:
        """More room for notes, at least for another one."""
        self._make_room(2 * len(self._notes), 2 * len(self._numbers) + sum(n for _, n in self._fields))

    def copies(self, found: int) -> dict[str, np.ndarray]:
        """{field: a copy} of what `look` has found."""
        return {name: np.array([self.clock.value]) if name == "time" else self._arrays[name].copy() for k, (name, _) in enumerate(self._fields) if found >> k & 1}

    def part(self) -> None:
        """Something else was done: no stretch goes on through that."""
        self._at[OPEN] = 0

    def stretches(self) -> list[tuple[int, int, dict[str, np.ndarray]]]:
        """What was noted since `begin`: (step, how many from there on, {field: a row for each}), of steps that follow each other and before which the same fields were written."""
        n, told, used = int(self._at[NOTES]), [], 0
        if not n:
            return told
        numbers = self._numbers[:self._at[NUMBERS]].copy()
        for step, count, found in self._notes[:n].tolist():
            fields, width = self._split(found)
            rows = numbers[used:used + count * width].reshape(count, width)
            used += count * width
            told.append((step, count, {name: rows[:, a:b].astype(np.uint8) if single else rows[:, a:b].view(np.float64) for name, a, b, single in fields}))
        if len(self._numbers) > KEPT:
            self._at[NOTES] = self._at[NUMBERS] = 0
            self._make_room(*ROOM)
        return told

    def _split(self, found: int) -> tuple[list[tuple[str, int, int, bool]], int]:
        """Name, columns and whether of single bytes of each field of a note; how many columns."""
        if found in self._splits:
            return self._splits[found]
        fields, k = [], 0
        for i, (name, n) in enumerate(self._fields):
            if found >> i & 1:
                fields.append((name, k, k + n, name != "time" and self._arrays[name].itemsize == 1))
                k += n
        if len(self._splits) < 100:
            self._splits[found] = fields, k
        return fields, k
