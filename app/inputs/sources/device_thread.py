"""A source that reads its device in a thread of its own: comes and goes with the device, says so, and is found again.

    start -> search -> found: read until it is gone -> say so, search again -> ... -> stop

A device that is not there is a state, not an error; a package that is not installed is an error of `start`. What has to happen in the device's own thread
(libraries that want all their calls from one) is handed in by `ask`.
"""
from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from importlib import import_module

from app.inputs.sample import Sample
from app.inputs.source import Put, SourceMissing
from app.inputs.table import EXTRA

SEARCH = 1.0        # between two looks for a device that is not there [s]
HEARTBEAT = 0.05    # a device at rest is told so often [s]: silence means that it is lost
JOIN = 5.0          # a thread that does not end by then is given up [s]
MOST_WAITING = 32   # things asked of a device's thread


class Gone(Exception):
    """The device that was read is no longer there. The text says which."""


def needed(module: str, source: str):
    """An optional package's module. Raises SourceMissing with what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise SourceMissing(f"{source} needs {module} ({error})", EXTRA) from None


class DeviceThread:
    """name: of the source in mapping files; state: what a person reads of it, at any time.

    A kind of device gives `_search` (what was found, None: nothing; sets `state` to what is missing), `_read` (until `stopping`, raising Gone or OSError where
    the device is lost) and where it needs to `_prepare` (before the thread starts: raises SourceMissing), `_begin` and `_close` (first and last in the thread), `_leave`
    (after each device).
    """

    search_every = SEARCH

    def __init__(self, name: str):
        self.name, self.state = name, "off"
        self.found = False      # whether there is a device now
        self._put: Put | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._asked: queue.Queue = queue.Queue(MOST_WAITING)
        self._seq = 0
        self._last = (0.0, None)    # when a reading was told, and it

    def start(self, put: Put) -> None:
        """Begin to search and read; put(sample) is called from the source's thread. Raises SourceMissing, RuntimeError where it has been started."""
        if self._thread is not None:
            raise RuntimeError(f"{self.name} has been started")
        self._prepare()
        self._put = put
        self._stop.clear()
        self.state = "searching"
        self._thread = threading.Thread(target=self._live, name=f"input {self.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; may be called twice, and from any thread but the source's own."""
        self._stop.set()
        self._wake()
        if self._thread is not None:
            self._thread.join(JOIN)
            self._thread = None
        self.state = "off"

    def feedback(self, strength: float, milliseconds: float, name: str = "") -> None:
        """Let the person feel something: strength 0 to 1, for so long. A device that cannot does nothing."""

    def ask(self, action: Callable[[], None]) -> None:
        """Have the source's thread call action() at its next reading; dropped where too much waits."""
        try:
            self._asked.put_nowait(action)
        except queue.Full:
            pass

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    def _live(self) -> None:
        """The thread."""
        try:
            self._begin()
            while not self.stopping:
                device = self._looked_for()
                if device is not None:
                    self._use(device)
                self._stop.wait(self.search_every)
        except Exception as error:   # noqa: BLE001  a library may fail in any way; the window goes on, and the person reads why
            self.state = f"failed: {type(error).__name__}: {error}"
        finally:
            self._close()

    def _use(self, device) -> None:
        """Read a device until it is gone, and say that it is."""
        self.found = True
        try:
            self._read(device)
        except (Gone, OSError) as error:
            self.state = f"lost: {error}"
        except Exception as error:   # noqa: BLE001  as above
            self.state = f"failed: {type(error).__name__}: {error}"
        finally:
            self.found = False
            self._leave(device)
            self.tell(tracked=False)

    def _looked_for(self):
        """What the search found; None where it found nothing or failed."""
        self.answer_asked()
        try:
            return self._search()
        except OSError as error:
            self.state = f"not found: {error}"
            return None

    def answer_asked(self) -> None:
        """Do what was asked of this thread."""
        while True:
            try:
                action = self._asked.get_nowait()
            except queue.Empty:
                return
            action()

    def tell(self, **reading) -> None:
        """Hand on a Sample with these values, of now."""
        now = time.perf_counter()
        self._seq += 1
        self._put(Sample(self.name, seq=self._seq, t_source=now, t_received=now, **reading))

    def tell_reading(self, axes: Mapping[str, float], buttons: frozenset[str]) -> None:
        """Hand on axes and buttons where they differ from the last ones, else at the pace of the heartbeat."""
        now, (then, last) = time.perf_counter(), self._last
        if (axes, buttons) != last or now - then >= HEARTBEAT:
            self._last = (now, (axes, buttons))
            self.tell(axes=axes, buttons=buttons)

    def _wake(self) -> None:
        """Have a thread that waits for its device look whether it should end."""

    def _prepare(self) -> None:
        """Before the thread starts. Raises SourceMissing."""

    def _begin(self) -> None:
        """First in the thread."""

    def _search(self):
        """The device, None: not there."""
        raise NotImplementedError

    def _read(self, device) -> None:
        """Until `stopping`. Raises Gone or OSError where the device is lost."""
        raise NotImplementedError

    def _leave(self, device) -> None:
        """Let go of a device."""

    def _close(self) -> None:
        """Last in the thread."""

