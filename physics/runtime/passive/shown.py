"""The window's copy of what a script simulates: it shows the states that arrive and steps none itself."""
from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from physics.engine.trace import trace_values
from physics.errors import FieldError
from physics.model.data_image import DataImage
from physics.model.model_changes import apply_changes
from physics.model.visual import Visual
from physics.runtime import commands, events
from physics.runtime.changed_values import ChangedValue
from physics.runtime.passive.arrivals import Arrivals
from physics.runtime.simulation import Simulation


@dataclass(frozen=True, slots=True)
class Told:
    """What the script's side says beside the state: as in Snapshot. heard: how often it was asked to run, pause or step."""

    running: bool = True
    heard: int = 0
    starts: int = 0
    start_key: int | None = None
    changed_values: tuple[ChangedValue, ...] = ()


@dataclass(slots=True)
class News:
    """What one or more `sync` of the script have brought. image: of its Data, or state: the State alone, from which all else follows; told: None as before;
    events: (kind, text)."""

    image: DataImage | None = None
    state: Any = None
    fields: dict[str, Any] = field(default_factory=dict)
    visual: Visual | None = None
    told: Told | None = None
    events: tuple[tuple[str, str], ...] = ()


class ShownSimulation(Simulation):
    """Model and Data are copies; `take` brings them up to date. ask(command): have the script's side carry a command out. asked: how often it was asked to run, pause
    or step."""

    def __init__(self, ask: Callable[[Any], None], clock: Callable[[], float] = time.perf_counter):
        super().__init__(clock)
        self.running = True
        self.told = Told()
        self._ask, self.asked = ask, 0
        self.arrivals = Arrivals()

    @property
    def status(self) -> str:
        """As in Simulation; what the script computes with needs nothing here."""
        if self.model is None:
            return "empty"
        return "view only" if self.model.view_only else "running" if self.running else "paused"

    def refresh(self) -> None:
        """What follows from a state comes with it."""
        self.stale = False

    def idle(self) -> None:
        """There is nothing to do between two states."""

    def take(self, news: News) -> None:
        """Show a newer state. Raises ValueError where it is one of another Model."""
        if news.fields or news.visual is not None:
            apply_changes(self.model, news.fields, news.visual)
            with suppress(FieldError):      # raised in the script where it goes on; here the last picture stays
                self.model.check_written()
        jumped = news.told is not None and news.told.starts != self.told.starts
        if news.told is not None:
            self.told = news.told
            if news.told.heard >= self.asked:   # else what it says is older than what was asked
                self.running = news.told.running
        for kind, text in news.events:
            self.tell(kind, text)
        if news.image is not None:
            news.image.put(self.data)
        elif news.state is not None:
            news.state.write(self.data)
        if news.state is not None or not self.data.xquat[0, 0]:     # of a Data that nothing was computed of yet
            super().refresh()
        self._arrived(jumped)
        self.changed = True

    def _arrived(self, jumped: bool) -> None:
        """Take the state's numbers for plots and breakpoints."""
        d = self.data
        before = self.arrivals.time
        if not self.arrivals.add(d.time, self.model.opt_timestep, jumped):
            return
        if jumped or d.time < before:
            self.starts += 1
            self.jumps += 1
            self._warned[:] = 0
        self.pacing.mark(d.time)
        self._tell_warnings()
        if self.trace.on and not self.model.wrong_numbers():
            self.trace.make_room(self.arrivals.count - 1)
            trace_values.at_once(self.model, d)
            self._look_for_breaks()

    def _look_for_breaks(self) -> None:
        pieces = self.trace.view().pieces if self.breakpoints.texts else ()
        hit = self.breakpoints.look(pieces[-1], len(pieces[-1].rows) - 1) if pieces else None
        if hit is not None:
            self.running, self.asked = False, self.asked + 1
            self._ask(commands.Pause())
            self.tell(events.BREAKPOINT, f"Paused at {self.data.time:g} s: {hit.text}", expression=hit.text, time=self.data.time)

    def show(self, snapshot) -> None:
        """As in Simulation, with what the script's side says."""
        super().show(snapshot)
        snapshot.changed_values = self.told.changed_values
        snapshot.start_key = -1 if self.told.start_key is None else self.told.start_key
        arrivals = self.arrivals
        snapshot.history_length, snapshot.history_index = max(1, arrivals.count), max(0, arrivals.count - 1)
        snapshot.history_time, snapshot.history_marks, snapshot.history_gone = (arrivals.start, arrivals.time), arrivals.marks, 0
        snapshot.history_pace = arrivals.pace or float(self.model.opt_timestep)
