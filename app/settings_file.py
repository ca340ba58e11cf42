"""The file that settings are kept in. It is read at once; what changes is written by a thread of its own, for a disk may take its time.

    window: set, remove --> thread: QSettings, sync --> what the file holds now (another program may have written too) --> window
"""
from concurrent.futures import ThreadPoolExecutor

from PyQt6.QtCore import QSettings

_GONE = object()    # in place of a value that is removed


class SettingsFile:
    """The values of an .ini file by name. file: its path, None for the usual one of this user."""

    def __init__(self, file: str | None):
        store = _opened(file)
        self._file, self.path = file, store.fileName()
        self._values = _values(store)
        self._disk = ThreadPoolExecutor(1, "settings")
        self._store: QSettings | None = None    # the thread's own: Qt would have another's written in the window's
        self._count = 0                         # of changes so far
        self._written: tuple[int, dict] = (0, self._values)     # how many of them the file had when it held these values

    def contains(self, name: str) -> bool:
        """Whether there is a value of this name."""
        return name in self._present()

    def value(self, name: str):
        """A value: a text or a list of texts where it was read, as it was set otherwise. Raises KeyError."""
        return self._present()[name]

    def set(self, name: str, value) -> None:
        """Another value, at once here and soon on disk."""
        self._present()[name] = value
        self._change(name, value)

    def remove(self, name: str) -> None:
        """Forget a value."""
        self._present().pop(name, None)
        self._change(name, _GONE)

    def save(self) -> None:
        """Return when everything is on disk."""
        self._disk.submit(lambda: None).result()

    def _present(self) -> dict:
        """What is in force: what the file holds, unless there are changes that it does not have."""
        count, values = self._written
        if count == self._count:
            self._values = values
        return self._values

    def _change(self, name: str, value) -> None:
        self._count += 1
        self._disk.submit(self._write, self._count, name, value)

    def _write(self, count: int, name: str, value) -> None:
        """In the thread; the disk is asked when no other change waits."""
        if self._store is None:
            self._store = _opened(self._file)
        if value is _GONE:
            self._store.remove(name)
        else:
            self._store.setValue(name, value)
        if count == self._count:
            self._store.sync()
            self._written = count, _values(self._store)


def _opened(file: str | None) -> QSettings:
    if file:
        return QSettings(file, QSettings.Format.IniFormat)
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "linkwork", "linkwork")


def _values(store: QSettings) -> dict:
    return {name: store.value(name) for name in store.allKeys()}
