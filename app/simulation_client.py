"""The window's end of the physics thread: takes snapshots and events from the Runner and hands them to whoever has asked. No Qt.

    Runner.acquire, Runner.events --poll--> on_swap, on_message     at once, in order
                                            on_snapshot             about 15 times a second, while something changes

A window polls from a timer, a program without one from its own loop; everything is called in the thread that polls.
"""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from types import MappingProxyType

from physics.model.model import Model
from physics.runtime import events
from physics.runtime.runner import Runner
from physics.runtime.snapshot import Snapshot

SNAPSHOT_INTERVAL = 1 / 15      # s between two calls of on_snapshot
SHARE = 0.25                    # of the time that those who are called may take; then they are called less often
LEVELS = MappingProxyType({events.DIVERGED: "error", events.ERROR: "error", events.WARNING: "warning", events.REFUSED: "warning", events.DROPPED: "warning",
                           events.HOOK_FAILED: "error", events.HOOK_SLOW: "warning"})   # of messages; 'info' for the others
UNSAID = frozenset({events.RUNNING})   # that it runs or pauses is seen


class SimulationClient:
    """snapshot: the newest, valid until the next poll; model: the one that it belongs to. Both None before the first.

    on_swap: f(event) for each Model that runs from now on, when its first snapshot is here; on_message: f(level, text), level 'info',
    'warning' or 'error'; on_edit: f(fields) when an edit of the text was written into the model that runs; on_snapshot: f(snapshot) for what shows figures; on_diverged: f(event) when a run has diverged. Append functions to these lists.
    """

    def __init__(self, runner: Runner, clock: Callable[[], float] = time.perf_counter):
        self.runner = runner
        self.snapshot: Snapshot | None = None
        self.model: Model | None = None
        self.on_swap: list[Callable[[events.Event], None]] = []
        self.on_message: list[Callable[[str, str], None]] = []
        self.on_snapshot: list[Callable[[Snapshot], None]] = []
        self.on_edit: list[Callable[[tuple[str, ...]], None]] = []
        self.on_diverged: list[Callable[[events.Event], None]] = []
        self._clock = clock
        self._waiting: deque[events.Event] = deque()    # events whose snapshot is not here yet
        self._number: tuple[int, int] | None = None
        self._revision = (-1, 0)    # generation, revision of its model
        self._next, self._due = float("-inf"), False

    def poll(self, figures: bool = True) -> bool:
        """Take what the physics thread has to tell; whether there is a newer snapshot than at the last poll. Never waits. figures: else those who show figures hear of it at
        the next poll, as a picture is waited for."""
        snapshot = self.snapshot = self.runner.acquire()
        self._waiting.extend(self.runner.events())
        while self._waiting and self._told_now(self._waiting[0]):
            self._tell(self._waiting.popleft())
        if snapshot is None:
            return False
        self._tell_edits(snapshot)
        number = (snapshot.generation, snapshot.number)
        newer, self._number = number != self._number, number
        self._due |= newer
        if figures and self._due and self._clock() >= self._next:
            self._due, begun = False, self._clock()
            for listener in self.on_snapshot:
                listener(snapshot)
            self._next = begun + max(SNAPSHOT_INTERVAL, (self._clock() - begun) / SHARE)
        return newer

    def _tell_edits(self, snapshot: Snapshot) -> None:
        generation, before = self._revision
        revision = snapshot.revision
        if (snapshot.generation, revision.number) == self._revision:
            return
        self._revision = snapshot.generation, revision.number
        if snapshot.generation == generation:
            for listener in self.on_edit:
                listener(tuple(name for name, number in revision.fields.items() if number > before))

    def _told_now(self, event: events.Event) -> bool:
        """A swap is told when the first snapshot of the new model is here, so that ids of the two never mix."""
        return event.kind != events.SWAPPED or (self.snapshot is not None and self.snapshot.generation >= event.details["generation"])

    def _tell(self, event: events.Event) -> None:
        if event.kind == events.SWAPPED:
            self.model = event.details["model"]
            for listener in self.on_swap:
                listener(event)
            return
        level = LEVELS.get(event.kind, "info")
        if event.text and event.kind not in UNSAID:
            for listener in self.on_message:
                listener(level, event.text)
        if event.kind == events.DIVERGED:
            for listener in self.on_diverged:
                listener(event)
        if level == "warning":
            self._due = True    # what was refused is shown as it is again, though no snapshot is newer
