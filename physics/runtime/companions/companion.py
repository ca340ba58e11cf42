"""A companion as a thread of its own: what all kinds have in common.

    primary's Runner --ring--> companion's thread: a turn, which never keeps the primary waiting --> Snapshots, state
"""
from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from physics.model.model import Model
from physics.runtime import commands
from physics.runtime.mailbox import Mailbox
from physics.runtime.runner import READERS, Runner
from physics.runtime.simulation import Simulation
from physics.runtime.snapshot import Snapshot, SnapshotBuffer

STARTING, PREPARING, RUNNING, PAUSED, LAGGING, DIVERGED, ENDED, FAILED = "starting", "preparing", "running", "paused", "lagging", "diverged", "ended", "failed"
OVER = frozenset({ENDED, FAILED})
NICER = 5           # by which its thread is nicer than the primary's: it waits where both want the same core
NAP = 0.25          # s, longest sleep without looking around
ANSWER = 0.1        # s between two looks at whether the primary is still there


@dataclass(frozen=True, slots=True)
class CompanionState:
    """How a companion is doing. status: one of the words above; text: why it stopped, ended or failed; time: of its state [s]; lag: simulated time that it is behind
    the primary [s]; step_us: mean cost of a step; real_speed: simulated seconds per second."""

    status: str = STARTING
    text: str = ""
    time: float = 0.0
    lag: float = 0.0
    step_us: float = 0.0
    real_speed: float = 0.0


class Companion:
    """One companion of a Runner's run. All methods without an underscore may be called from other threads; none waits for a step. state: how it is doing, replaced
    as a whole."""

    def __init__(self, primary: Runner):
        self._primary = primary
        self._mailbox = Mailbox()
        self._buffer: SnapshotBuffer | None = None
        self._stopping = False
        self._published = 0
        self.state = CompanionState()
        self._thread = threading.Thread(target=self._run, name="companion", daemon=True)

    # ------------------------------------------------ the owner's side

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread after the chunk it is in."""
        self._stopping = True
        self._mailbox.ring()

    def join(self, timeout: float = 5.0) -> None:
        """Wait for the end of the thread."""
        self._thread.join(timeout)

    def ring(self) -> None:
        """The primary has published a state."""
        self._mailbox.ring()

    def acquire(self, reader: int = 0) -> Snapshot | None:
        """The newest Snapshot, unchanged until the next call for the same reader, one of runner.READERS; None before the first."""
        buffer = self._buffer
        return None if buffer is None else buffer.acquire(reader)

    def trace(self, texts: tuple[str, ...]) -> None:
        """Have the numbers of these expressions at every step."""
        self._mailbox.latest("trace", lambda: self._trace(texts))

    @property
    def drawn(self) -> Model | None:
        """A Model of the primary whose geoms have the numbers and shapes of this one's; None where there is none."""
        return None

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    # ------------------------------------------------ its own thread

    def _begin(self) -> None:
        """Before the first turn. Raises what the state then tells."""

    def _turn(self) -> float:
        """A millisecond of work at most; seconds until there is more, 0: at once."""
        raise NotImplementedError

    def _trace(self, texts: tuple[str, ...]) -> None:
        raise NotImplementedError

    def _run(self) -> None:
        be_nice()
        try:
            self._begin()
            while not self._stopping and self.state.status not in OVER:
                for call in self._mailbox.drain():
                    call()
                wait = self._turn()
                if wait > 0:
                    self._mailbox.wait(min(wait, NAP))
        except Exception as why:    # the companion alone ends, and says why
            self.state = CompanionState(FAILED, f"{type(why).__name__}: {why}" if not isinstance(why, CompanionError) else str(why), self.state.time)

    def _ask(self, look: Callable[[Simulation], Any]) -> Any:
        """What `look` returns for the primary's Simulation, between two of its steps. Raises what it raises, CompanionError where nobody answers."""
        found: list = []
        done = threading.Event()
        self._primary.send(commands.VisitRun(_Visitor(look, found, done)))
        while not done.wait(ANSWER):
            if self._stopping or not self._primary.alive:
                raise CompanionError("the primary run has ended")
        if isinstance(found[0], Exception):
            raise found[0]
        return found[0]

    def _publish(self, model, data, generation: int, fill: Callable[[Snapshot], None]) -> None:
        """Have `fill` fill a Snapshot of this Model and hand it out."""
        buffer = self._buffer
        fresh = buffer is None or buffer.writing.model is not model
        if fresh:
            buffer = SnapshotBuffer(lambda: Snapshot(model, data, generation), READERS)
        snapshot = buffer.writing
        fill(snapshot)
        self._published += 1
        snapshot.number = self._published
        buffer.publish()
        if fresh:
            self._buffer = buffer   # only now: a reader never finds an empty one


class CompanionError(RuntimeError):
    """Why a companion cannot begin or go on, in words for a person."""


class _Visitor:
    """Looks at the primary in its thread and keeps what it finds."""

    def __init__(self, look: Callable[[Simulation], Any], found: list, done: threading.Event):
        self._look, self._found, self._done = look, found, done

    def __call__(self, simulation: Simulation) -> None:
        try:
            self._found.append(self._look(simulation))
        except Exception as why:
            self._found.append(why)
        self._done.set()


def be_nice() -> None:
    """Let this thread wait for others where the system knows that of single threads. Not by much: while it has the interpreter others wait for it."""
    if sys.platform == "linux":
        with suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICER)


def nothing() -> None:
    """In place of a weak reference: a Model that is not there."""


def now() -> float:
    """The clock of pictures [s]."""
    return time.perf_counter()
