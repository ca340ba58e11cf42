"""A film recorded from a running simulation: moments caught at exact times, drawn one at a time, encoded in a thread.

    physics thread --Filming--> turn() (the window's thread, between its own pictures) --Encoder--> file

Nothing is dropped: with the queue full no moment is taken, without a free Snapshot the simulation stands still. While the simulation is
paused nothing is recorded.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from app.film.encoder import Encoder
from app.film.formats import FilmError, check_film, check_size, fitting
from app.film.sinks import sink
from physics.runtime import commands
from physics.runtime.filming import Filming


@dataclass(frozen=True, slots=True)
class Plan:
    """What is recorded. size [pixel]; rate: frames per second of film; speed: simulated seconds per second of film; encoding: one of
    formats.ENCODINGS; labels, caption (time and speed), transparent: what is on the pictures; camera: one of the model's by number, -2 for the
    free one as it is now, None: always what the window looks through; limit: seconds of film after which it ends, 0 none."""

    path: Path
    size: tuple[int, int] = (1280, 720)
    rate: Fraction = Fraction(30)
    speed: float = 1.0
    encoding: str = "good"
    labels: bool = True
    caption: bool = False
    transparent: bool = False
    camera: int | None = None
    limit: float = 0.0

    def checked(self) -> Plan:
        """This plan. Raises FilmError where it cannot be carried out."""
        check_film(self.path, self.transparent)
        check_size(*self.size)
        if not self.speed > 0:
            raise FilmError(f"{self.path}: a film's speed must be above 0")
        return self

    @property
    def drawn_size(self) -> tuple[int, int]:
        """The size of the pictures."""
        return fitting(self.path, self.size)


class Recording:
    """One recording, from its start to `finished`. shot(snapshot) draws a picture; runner: the physics thread's front."""

    def __init__(self, plan: Plan, runner, shot: Callable[..., np.ndarray]):
        self.plan, self._runner, self._shot = plan, runner, shot
        self.filming = Filming(plan.speed / float(plan.rate))
        self.encoder = Encoder(sink(plan.path, plan.drawn_size, plan.rate, plan.encoding))
        self.stopping = self._complete = False
        self._most = round(plan.limit * plan.rate) if plan.limit else 0
        runner.send(commands.SetFilming(self.filming))

    @property
    def frames(self) -> int:
        """Pictures drawn so far."""
        return self.encoder.taken

    @property
    def seconds(self) -> float:
        """Length of the film so far."""
        return float(self.frames / self.plan.rate)

    @property
    def finished(self) -> bool:
        """Whether the film is complete, or `error` says why there is none."""
        return not self.encoder.alive

    @property
    def error(self) -> FilmError | None:
        """What went wrong."""
        return self.encoder.error

    def turn(self) -> bool:
        """Draw and hand over one picture if there is a moment and room for it; whether it did. Raises what drawing raises."""
        if self.error is not None:
            self._release()
        if self.error is not None or self._complete or self.encoder.full:
            return False
        snapshot = self.filming.take()
        if snapshot is None:
            if self.stopping:
                self._end()
            return False
        picture = self._shot(snapshot)
        self.filming.give_back(snapshot)
        self.encoder.offer(picture)
        if self._most and self.frames >= self._most:
            self._release()
            self._end()
        return True

    def stop(self) -> None:
        """Take no more moments; the film ends with those that wait."""
        self._release()

    def abandon(self) -> None:
        """Give the film up: no file."""
        self._release()
        self._complete = True
        self.encoder.abandon()

    def close(self, timeout: float = 30.0) -> bool:
        """End now, with the pictures drawn so far, and wait for the file; whether it is complete."""
        self._release()
        self._end()
        return self.encoder.join(timeout) and self.error is None

    def _end(self) -> None:
        self._complete = True
        self.encoder.end() if self.frames else self.encoder.abandon()

    def _release(self) -> None:
        if not self.stopping:
            self.stopping = True
            self._runner.send(commands.SetFilming(None))
