"""The physics thread: it alone touches Data. Commands come in through a mailbox, Snapshots go out through a buffer of slots (snapshot.py).

    window --send/latest--> mailbox --drain--> Simulation.perform
                                               Simulation.advance (compiled, interpreter lock released, about 1 ms each)
    window <---acquire----- snapshot buffer <- Simulation.show, at most 120 times a second, and after every command
"""
from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from physics.kernels.load import NotCompiledError
from physics.recording.journal import Journal
from physics.recording.models import ModelStore
from physics.runtime import events
from physics.runtime.mailbox import Mailbox
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation
from physics.runtime.snapshot import Snapshot, SnapshotBuffer

PUBLISH = 1 / 120  # s between snapshots while running
REST = 1e-3  # s, shortest sleep: models with tiny steps take several at a time
NAP = 0.25  # s, longest sleep without looking around
PAUSE_UPDATE = 1 / 60  # s between forwards while paused, if the warm start is to be improved
PANELS, PICTURES = 0, (1, 2)  # who reads Snapshots: the window's panels, and the picture shown and the one being drawn, which take turns
READERS = 1 + len(PICTURES)


class Published(NamedTuple):
    """What companions know of the newest Snapshot without taking it. document: whose Model runs; generation: of the Model; entry: number in the history; time [s]."""

    document: Any
    generation: int
    entry: int
    time: float
    running: bool


class Runner:
    """All methods may be called from other threads, `acquire` from one at a time for each reader; none waits for a step.

    published: of the newest Snapshot, None before the first; bells: called in the physics thread after each, must return at once (replace the tuple to change it);
    on_input: likewise called after the first one that has what a command has set, or another Model."""

    keeps_history = True    # whether there is a past that one can go back to, compute from, and save

    def __init__(self, simulation: Simulation | None = None):
        self._sim = simulation or Simulation()
        self._mailbox = Mailbox()
        self._buffer: SnapshotBuffer | None = None
        self._readers = READERS
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._published = 0
        self._generation = 0   # the newest that was to be published
        self.published: Published | None = None
        self.bells: tuple[Callable[[], None], ...] = ()
        self.on_input: Callable[[], None] | None = None
        self._told_input = (0, 0)

    # ------------------------------------------------ the window's side

    def start(self) -> None:
        """Start the thread."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name="physics", daemon=True)
            self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """End the thread after the chunk it is in; the Runner cannot be started again."""
        self._stopping = True
        self._mailbox.ring()
        if self._thread is not None:
            self._thread.join(timeout)

    def send(self, command) -> None:
        """Have a command carried out, in the order of sending."""
        self._mailbox.send(command)

    def latest(self, key: Hashable, command) -> None:
        """Have a command carried out unless a newer one with the same key arrives first."""
        self._mailbox.latest(key, command)

    def acquire(self, reader: int = PANELS) -> Snapshot | None:
        """The newest Snapshot, unchanged until the next call for the same reader, one of READERS or of add_reader; None before the first model, or the first for this reader."""
        buffer = self._buffer
        return None if buffer is None or reader >= buffer.readers else buffer.acquire(reader)

    def add_reader(self) -> int:
        """The number of one more reader of Snapshots, for `acquire`: a thread that looks at its own times. It costs the memory of one Snapshot."""
        self._readers += 1
        self._mailbox.send(_READER)
        return self._readers - 1

    def events(self) -> list[events.Event]:
        """What happened since the last call."""
        out, waiting = [], self._sim.events
        while waiting:
            out.append(waiting.popleft())
        return out

    def kernels_ready(self) -> None:
        """Compiled kernels may be used from now on: those that the present model needs are loaded, or all (physics.simulate.warm_up.ensure_engine has returned)."""
        self._mailbox.send(_READY)

    def picture_seen(self, number: int) -> None:
        """A picture of Snapshot `number` is on the screen; where the pictures set the pace (SetStepsPerPicture) the next steps are due."""
        self._sim.pictures.seen(number)
        if self._sim.pictures.steps is not None:
            self._mailbox.ring()

    @property
    def models(self) -> ModelStore:
        """The Models of the run by number."""
        return self._sim.models

    @property
    def journal(self) -> Journal:
        """What was done to the run; for a JournalReader."""
        return self._sim.journal

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread is not None and self._thread.is_alive()

    # ------------------------------------------------ the physics thread's side

    def _loop(self) -> None:
        sim = self._sim
        next_publish = 0.0
        while not self._stopping:
            commands = self._mailbox.drain()
            for command in commands:
                if command is _READER:
                    sim.changed = sim.model is not None
                elif command is not _READY:
                    perform(sim, command)
            wait = self._turn(_READY in commands)
            now = time.perf_counter()
            if sim.model is None:
                pass   # nothing to show yet, and no reason to look again before a command comes
            elif (sim.changed or sim.generation != self._generation) and (commands or now >= next_publish) and not sim.between_pictures:
                self._publish()
                next_publish = now + PUBLISH
            elif sim.changed:
                wait = min(wait, next_publish - now)
            if wait > 0:
                self._mailbox.wait(min(max(wait, REST), NAP))

    def _turn(self, made_ready: bool) -> float:
        """One chunk of steps, or what there is to do while paused; seconds until there is more."""
        sim = self._sim
        try:
            if made_ready:
                self._ready()
            if sim.running and sim.ready and sim.model is not None:
                return sim.advance()
            sim.idle()
        except NotCompiledError as error:
            sim.wait_for_kernels(error.symbol)
        except Exception as error:  # the window shows it; the thread must live on
            sim.stop_for(error)
        return PAUSE_UPDATE if sim.pause_update else NAP

    def _ready(self) -> None:
        sim = self._sim
        sim.compiled = True
        if not sim.ready and sim.look_for_kernels():
            sim.stale = sim.changed = True
            sim.pacing.stop()
            sim.tell(events.READY, "the compiled kernels are ready")
            if sim.model is not None:
                sim.refresh()
                if sim.history.at_end():   # who has gone back meanwhile keeps what came later
                    sim.history.rewrite()

    def _publish(self) -> None:
        sim, buffer = self._sim, self._buffer
        readers = self._readers
        fresh = buffer is None or buffer.writing.generation != sim.generation or buffer.readers != readers
        self._generation = sim.generation
        try:
            if fresh:
                buffer = SnapshotBuffer(lambda: Snapshot(sim.model, sim.data, sim.generation), readers)
            snapshot = buffer.writing
            sim.show(snapshot)
        except Exception as error:   # as in _turn; the next change is another try
            sim.stop_for(error)
            sim.changed = False
            return
        self._published += 1
        snapshot.number = self._published
        sim.pictures.published(self._published)
        buffer.publish()
        if fresh:
            self._buffer = buffer  # only now: a reader never finds an empty one
        self.published = Published(sim.document, sim.generation, sim.history.number, float(sim.data.time), sim.running)
        for bell in self.bells:
            bell()
        if (sim.generation, sim.inputs) != self._told_input:
            self._told_input = sim.generation, sim.inputs
            if self.on_input is not None:
                self.on_input()


_READY, _READER = object(), object()
