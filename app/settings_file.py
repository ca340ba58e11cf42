"""The file that settings are kept in. It is read at once; what changes is written by a thread of its own, for a disk may take its time.

    window: set, remove --> jobs --> thread: QSettings, sync --> what the file holds now (another program may have written too) --> window
"""
import threading
import weakref
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue

from PyQt6.QtCore import QSettings

_GONE = object()    # in place of a value that is removed


class SettingsFile:
    """The values of an .ini file by name. file: its path, None for the usual one of this user."""

    def __init__(self, file: str | None):
        store = _opened(file)
        self._file, self.path = file, store.fileName()
        self._values = _values(store)
        self._jobs: SimpleQueue = SimpleQueue()
        self._written: deque = deque(maxlen=1)     # number of the last job in it, what the file held then
        self._count = 0
        self._thread: threading.Thread | None = None

    def contains(self, name: str) -> bool:
        """Whether there is a value of this name."""
        return name in self._present()

    def value(self, name: str):
        """A value: a text or a list of texts where it was read, as it was set otherwise. Raises KeyError."""
        return self._present()[name]

    def set(self, name: str, value) -> None:
        """Another value, at once here and soon on disk."""
        self._values[name] = value
        self._post(name, value)

    def remove(self, name: str) -> None:
        """Forget a value."""
        self._present().pop(name, None)
        self._post(name, _GONE)

    def save(self) -> None:
        """Return when everything is on disk."""
        if self._thread is not None:
            done = threading.Event()
            self._post("", done)
            while not done.wait(1.0) and self._thread.is_alive():
                pass

    def _present(self) -> dict:
        if self._written and self._written[0][0] == self._count:
            self._values = self._written.pop()[1]
        return self._values

    def _post(self, name: str, value) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=_write, args=(self._file, self._jobs, self._written), name="settings", daemon=True)
            self._thread.start()
            weakref.finalize(self, _finish, self._jobs, self._thread)   # at the latest when the program ends
        self._count += 1
        self._jobs.put((self._count, name, value))


def _opened(file: str | None) -> QSettings:
    if file:
        return QSettings(file, QSettings.Format.IniFormat)
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "linkwork", "linkwork")


def _values(store: QSettings) -> dict:
    return {name: store.value(name) for name in store.allKeys()}


def _finish(jobs: SimpleQueue, thread: threading.Thread) -> None:
    jobs.put(None)
    if thread is not threading.current_thread():
        thread.join()


def _batch(jobs: SimpleQueue) -> list:
    """The jobs that wait, one at least."""
    batch = [jobs.get()]
    with suppress(Empty):
        while True:
            batch.append(jobs.get_nowait())
    return batch


def _write(file: str | None, jobs: SimpleQueue, written: deque) -> None:
    """The thread: (number, name, value) are carried out, all that wait before the disk is asked to have them; None is the end."""
    store, batch = _opened(file), []
    while None not in batch:
        batch, number, waiting = _batch(jobs), 0, []
        for number, name, value in filter(None, batch):
            if isinstance(value, threading.Event):
                waiting.append(value)
            elif value is _GONE:
                store.remove(name)
            else:
                store.setValue(name, value)
        store.sync()
        written.append((number, _values(store)))
        for done in waiting:
            done.set()
