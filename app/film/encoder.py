"""The thread that encodes: pictures wait in a queue of bounded length, and none is ever dropped.

    whoever draws --offer (False when full) or put (waits)--> queue --thread--> writer

A window offers and, when the queue is full, draws the next picture later: the recording waits, the window does not. A film either
ends (`end`: the file appears, with every picture that was taken) or is given up (`abandon`: no file).
"""
from __future__ import annotations

import threading
from collections import deque
from contextlib import AbstractContextManager

import numpy as np

from app.film.formats import FilmError

QUEUE_BYTES = 192 << 20
LEAST, MOST = 2, 12      # pictures in the queue


class _Abandoned(Exception):
    """Leaves the writer so that it leaves nothing behind."""


class Encoder:
    """Encodes into a writer (writers.py) from its own thread, started at once. room: pictures that may wait; None: chosen by their size."""

    def __init__(self, writer: AbstractContextManager, room: int | None = None):
        self._writer, self._room = writer, room
        self._waiting: deque[np.ndarray] = deque()
        self._changed = threading.Condition()
        self._ended = self._abandoned = False
        self.error: FilmError | None = None
        self.taken = self.written = 0
        self.most_waiting = 0
        self._opened = threading.Event()
        self._over = threading.Event()      # a thread's own join is no use: one that Ctrl+C interrupts takes the thread for ended
        threading.Thread(target=self._work, name="film", daemon=True).start()

    # ------------------------------------------------ whoever draws

    @property
    def full(self) -> bool:
        """Whether a picture would have to wait outside."""
        return len(self._waiting) >= self._limit()

    @property
    def alive(self) -> bool:
        """Whether the thread is at work; afterwards `error` says whether there is a film."""
        return not self._over.is_set()

    def await_open(self) -> None:
        """Wait until the writer is open, so that what can never be written is told before anything is drawn. Raises FilmError."""
        self._opened.wait()
        if self.error is not None:
            raise self.error

    def offer(self, picture: np.ndarray) -> bool:
        """Take a picture (height, width, 3 or 4) uint8 unless the queue is full; never waits. Raises FilmError once the film has failed."""
        with self._changed:
            self._check()
            if self.full:
                return False
            self._take(picture)
        return True

    def put(self, picture: np.ndarray) -> None:
        """Take a picture, waiting for room. Raises FilmError once the film has failed."""
        with self._changed:
            while not self._changed.wait_for(lambda: not self.full or self.error is not None or not self.alive, 1.0):
                pass
            self._check()
            self._take(picture)

    def end(self) -> None:
        """No more pictures: the film is completed with those that wait. Returns at once."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Give the film up: no file is left (of numbered pictures those already written). Returns at once."""
        with self._changed:
            self._abandoned = True
            self._waiting.clear()
            self._changed.notify_all()

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the thread; whether it has ended."""
        return self._over.wait(timeout)

    def _limit(self) -> int:
        if self._room is None:
            return min(MOST, max(LEAST, QUEUE_BYTES // self._waiting[0].nbytes)) if self._waiting else MOST
        return self._room

    def _check(self) -> None:
        if self.error is not None:
            raise self.error
        if self._ended or self._abandoned:
            raise FilmError("the film has ended")

    def _take(self, picture: np.ndarray) -> None:
        self._waiting.append(picture)
        self.taken += 1
        self.most_waiting = max(self.most_waiting, len(self._waiting))
        self._changed.notify_all()

    # ------------------------------------------------ the thread

    def _work(self) -> None:
        try:
            with self._writer as write:
                self._opened.set()
                while (picture := self._next()) is not None:
                    write(picture)
                    self.written += 1
        except _Abandoned:
            pass
        except FilmError as error:
            self._fail(error)
        except Exception as error:  # told where the film is waited for; a thread has nobody to raise to
            self._fail(FilmError(f"the film cannot be written: {type(error).__name__}: {error}"))
        finally:
            self._opened.set()
            self._over.set()

    def _next(self) -> np.ndarray | None:
        """The picture to write; None at the end. It leaves the queue only now, so that what is being encoded is not counted twice."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ended or self._abandoned)
            if self._abandoned:
                raise _Abandoned
            if not self._waiting:
                return None
            picture = self._waiting.popleft()
            self._changed.notify_all()
        return picture

    def _fail(self, error: FilmError) -> None:
        with self._changed:
            self.error = error
            self._waiting.clear()
            self._changed.notify_all()
