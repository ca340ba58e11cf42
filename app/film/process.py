"""The window's end of the process that makes a film: drawing and encoding take nothing from the window but the copying of frame states.

    add(snapshot, options, camera) --queue--> thread that writes --pipe--> worker.py --answers--> thread that reads --> drawn, written, error

The process ends with the film, and with the window however that ends.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from app.film.formats import FilmError
from app.film.looks import LookSender
from app.film.pipe import send
from app.film.plan import FilmPlan
from physics.files.atomic_write import remove_unfinished
from physics.runtime.snapshot import Snapshot

ROOM = 3        # frame states on their way to the process
_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)     # on Windows


class FilmProcess:
    """A process begun at once, so that it is ready when the film begins: `begin`, then `add` frame states, then `end` or `abandon`. Raises FilmError."""

    def __init__(self):
        env = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p), OPENBLAS_NUM_THREADS="1")
        try:
            self._process = subprocess.Popen([sys.executable, "-u", "-m", "app.film.worker"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             creationflags=_FLAGS)
        except OSError as error:
            raise FilmError(f"the process that draws films cannot be begun: {error}") from error
        self._plan: FilmPlan | None = None
        self._model = None
        self._looks = LookSender()
        self._closing = False
        self._outgoing: SimpleQueue = SimpleQueue()
        self.error: FilmError | None = None
        self.sent = self.drawn = self.written = 0
        self._over = threading.Event()
        for work in (self._write, self._read):
            threading.Thread(target=work, name="film", daemon=True).start()

    # ------------------------------------------------ the window's thread

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def full(self) -> bool:
        """Whether enough frame states are on their way."""
        return self.sent - self.drawn >= ROOM

    @property
    def over(self) -> bool:
        """Whether the process has ended; then `error` says whether there is a film."""
        return self._over.is_set()

    def begin(self, plan: FilmPlan, quality: str | None) -> None:
        """What to make; quality: a name of render.quality.QUALITIES, None: as the driver can."""
        self._plan = plan
        self._outgoing.put(((plan, quality), None))

    def add(self, snapshot: Snapshot, options, camera, back: Callable, state=None) -> None:
        """Send a frame state; back(snapshot) is called from another thread when it is copied. options and state may change afterwards."""
        self.sent += 1
        self._outgoing.put((("frame", snapshot, *self._looks.pack((options, camera, state), snapshot.model)), back))

    def end(self) -> None:
        """No more frame states: the film is completed. Returns at once."""
        self._close("end" if self.sent else "abandon")

    def abandon(self) -> None:
        """No film. Returns at once."""
        self._close("abandon")

    def dismiss(self) -> None:
        """Not wanted: it ends before it has begun."""
        self._outgoing.put(None)

    def join(self, timeout: float) -> bool:
        """Wait for the process; one that takes longer is ended. Whether it ended by itself."""
        if self._over.wait(timeout):
            return True
        self._process.kill()
        self._over.wait()
        return False

    def _close(self, word: str) -> None:
        if not self._closing:
            self._closing = True
            self._outgoing.put(((word,), None))
            self._outgoing.put(None)

    # ------------------------------------------------ its threads

    def _write(self) -> None:
        """Send what waits, until the last word or until nobody reads."""
        pipe, broken = self._process.stdin, False
        while (item := self._outgoing.get()) is not None:
            message, back = item
            try:
                if not broken:
                    self._send(pipe, message)
            except OSError:
                broken = True   # the reading thread tells why
            except Exception as error:      # what cannot be sent; nobody waits for this thread
                broken, self.error = True, FilmError(f"{self._plan.path}: the film was given up: {type(error).__name__}: {error}")
                self._process.kill()
            if back is not None:
                back(message[1])
        with suppress(OSError):
            pipe.close()

    def _send(self, pipe, message) -> None:
        if message[0] == "frame":
            _, snapshot, look, parts = message
            m = snapshot.model
            if m is not self._model:
                self._model = m
                send(pipe, ("model", m))
            for part in parts:
                send(pipe, ("part", *part))
            message = ("frame", snapshot, {name: getattr(m, name) for name in m.fields() if name.startswith("opt_")}, look)
        send(pipe, message)

    def _read(self) -> None:
        """Take the answers until the process ends."""
        last = None
        for line in self._process.stdout:
            last, *told = json.loads(line)
            if last == "at":
                self.drawn, self.written = told
            elif last == "done":
                self.written = told[0]
            elif last == "failed":
                self.error = FilmError(told[0])
        status = self._process.wait()
        self._process.stdout.close()
        if last not in ("done", "failed") and self._plan is not None:
            remove_unfinished(self._plan.path.parent, self.pid)
            self.error = self.error or FilmError(f"{self._plan.path}: the film was given up: the process that draws it ended (exit status {status})")
        self._over.set()
        self._outgoing.put(None)
