"""What has arrived from each source: the newest Sample, and which buttons went down since it was last looked at. Any thread puts, one takes."""
from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from app.inputs.sample import Sample

MOST_SOURCES = 64
MOST_EVENTS = 64
OLDEST = 0.250      # s that a Sample may have been on its way
RESTARTED = 1.0     # s without a Sample after which numbers may begin again


@dataclass(slots=True)
class Slot:
    """One source. taken, late, old_numbers: Samples that counted, that were too long on their way, whose numbers fell."""

    newest: Sample | None = None
    pressed: set[str] = field(default_factory=set)
    taken: int = 0
    late: int = 0
    old_numbers: int = 0

    def put(self, sample: Sample) -> bool:
        """Take a Sample, unless it is too late."""
        before = self.newest
        if sample.t_source > 0 and sample.t_received - sample.t_source > OLDEST:
            self.late += 1
            return False
        if before is not None and sample.seq <= before.seq and sample.t_received - before.t_received < RESTARTED:
            self.old_numbers += 1
            return False
        if sample.buttons:
            self.pressed |= sample.buttons - before.buttons if before is not None else sample.buttons
        self.newest = sample
        self.taken += 1
        return True


class Inbox:
    """ignored: Samples of more sources than may be."""

    def __init__(self):
        self._lock = threading.Lock()
        self._slots: dict[str, Slot] = {}
        self._events: deque[tuple[str, str]] = deque(maxlen=MOST_EVENTS)
        self.ignored = 0

    def put(self, sample: Sample) -> bool:
        """From any thread, at once; whether it counts."""
        with self._lock:
            if sample.kind == "event":
                self._events.extend((sample.source, name) for name in sorted(sample.buttons))
                return True
            slot = self._slots.get(sample.source)
            if slot is None:
                if len(self._slots) >= MOST_SOURCES:
                    self.ignored += 1
                    return False
                slot = self._slots[sample.source] = Slot()
            return slot.put(sample)

    def take(self) -> tuple[dict[str, tuple[Sample, frozenset]], list[tuple[str, str]]]:
        """({source: (its newest Sample, buttons pressed since the last call)}, events as (source, name))."""
        with self._lock:
            found = {name: (slot.newest, frozenset(slot.pressed) if slot.pressed else NONE) for name, slot in self._slots.items() if slot.newest is not None}
            for slot in self._slots.values():
                if slot.pressed:
                    slot.pressed.clear()
            events = list(self._events)
            self._events.clear()
        return found, events

    def counts(self) -> dict[str, Slot]:
        """What each source has sent so far; copies."""
        with self._lock:
            return {name: Slot(slot.newest, set(), slot.taken, slot.late, slot.old_numbers) for name, slot in self._slots.items()}


NONE: frozenset = frozenset()
