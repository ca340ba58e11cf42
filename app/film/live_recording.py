"""A film recorded from a running simulation: frame states captured at exact times, drawn and encoded in a process of its own.

    physics thread --Filming--> turn() (the window's thread) --FilmProcess--> file

Nothing is dropped: while the process has enough to do no frame state is taken, and without a free Snapshot the simulation stands still. While
the simulation is paused nothing is recorded.
"""
from __future__ import annotations

from collections.abc import Callable

from app.film.formats import FilmError
from app.film.plan import FilmPlan
from app.film.process import FilmProcess
from physics.runtime import commands
from physics.runtime.filming import Filming


class LiveRecording:
    """One recording, from its start to `finished`. look(snapshot): (VisOptions, CameraState, ViewState) to draw a frame state with; runner: the physics
    thread's front; process: a FilmProcess that has not begun; quality: how it draws, a quality's name or None."""

    def __init__(self, plan: FilmPlan, runner, look: Callable, process: FilmProcess, quality: str | None = None):
        self.plan, self._runner, self._look = plan, runner, look
        self.filming = Filming(plan.speed / float(plan.rate))
        self.process = process
        self.stopping = self._complete = False
        self._most = round(plan.limit * plan.rate) if plan.limit else 0
        process.begin(plan, quality)
        runner.send(commands.SetFilming(self.filming))

    @property
    def frames(self) -> int:
        """Pictures drawn so far."""
        return self.process.drawn

    @property
    def written(self) -> int:
        """Pictures encoded so far."""
        return self.process.written

    @property
    def seconds(self) -> float:
        """Length of the film so far."""
        return float(self.frames / self.plan.rate)

    @property
    def finished(self) -> bool:
        """Whether the film is complete, or `error` says why there is none."""
        return self.process.over

    @property
    def error(self) -> FilmError | None:
        """What went wrong."""
        return self.process.error

    def turn(self) -> bool:
        """Send one frame state if there is one and room for it; whether it did."""
        if self.error is not None:
            self._release()
        if self.error is not None or self._complete or self.process.full:
            return False
        snapshot = self.filming.take()
        if snapshot is None:
            if self.stopping:
                self._end()
            return False
        options, camera, state = self._look(snapshot)
        self.process.add(snapshot, options, camera, self.filming.give_back, state)
        if self._most and self.process.sent >= self._most:
            self._release()
            self._end()
        return True

    def stop(self) -> None:
        """Take no more frame states; the film ends with those that wait."""
        self._release()

    def abandon(self) -> None:
        """Give the film up: no file."""
        self._release()
        self._complete = True
        self.process.abandon()

    def close(self, timeout: float = 30.0) -> bool:
        """End now, with the frame states sent so far, and wait for the file; whether it is complete."""
        self._release()
        self._end()
        return self.process.join(timeout) and self.error is None

    def _end(self) -> None:
        self._complete = True
        self.process.end()

    def _release(self) -> None:
        if not self.stopping:
            self.stopping = True
            self._runner.send(commands.SetFilming(None))
