"""Tells when files change on disk, however an editor writes them (in place, or a temporary file renamed over the old one).

Folders are watched, not files, because a rename gives a file a new identity; bursts of events are gathered into one call.
"""
import logging
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

QUIET_SECONDS = 0.05   # a burst has ended when nothing happened for this long: a program that writes a file in several goes is rarely slower


class Watcher:
    """Calls `changed(paths)` from a thread of its own, with the set of watched files that changed in a burst. Folders are taken and left by another thread:
    leaving one takes half a second where a file was renamed in it just now."""

    def __init__(self, changed: Callable[[set[Path]], None]):
        self._changed = changed
        self._folders = ThreadPoolExecutor(1, "watcher")
        self._observer = None
        self._watches: dict[str, object] = {}
        self._files: set[str] = set()
        self._pending: set[Path] = set()
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def watch(self, files: Iterable[Path]) -> Future:
        """Watch exactly these files from now on; those in other folders once the future is done, but what changes before that is told then."""
        wanted = {os.path.abspath(file) for file in files}
        with self._lock:
            self._files = wanted
        watching = self._folders.submit(self._watch, {file: _stamp(file) for file in wanted})
        watching.add_done_callback(_report)
        return watching

    def _watch(self, stamps: dict[str, tuple]) -> None:
        self._move_to(set(filter(os.path.isdir, map(os.path.dirname, stamps))))
        for file, stamp in stamps.items():      # of folders watched before, too: that may have begun only now, after this was asked for
            if _stamp(file) != stamp:
                self._note({file})

    def _move_to(self, folders: set[str]) -> None:
        if self._observer is None and folders:
            from watchdog.observers import Observer  # late: not needed before the first frame

            logging.getLogger("watchdog.observers.inotify").setLevel(logging.CRITICAL)     # it complains when an event comes as its folder is let go
            observer = Observer()
            observer.daemon = True
            observer.start()
            self._observer = observer
        for folder in folders - self._watches.keys():
            try:
                self._watches[folder] = self._observer.schedule(self, folder)
            except OSError:   # the folder went away, or the system is out of watches: this one stays unwatched
                continue
        for folder in self._watches.keys() - folders:
            self._observer.unschedule(self._watches.pop(folder))

    def dispatch(self, event) -> None:
        """One event of the file system (called by watchdog's thread)."""
        if event.is_directory or event.event_type in ("opened", "closed_no_write"):
            return
        paths = {os.path.abspath(os.fsdecode(path)) for path in (event.src_path, getattr(event, "dest_path", "")) if path}
        self._note(paths)

    def _note(self, paths: set[str]) -> None:
        """These were written; told when the burst has ended."""
        with self._lock:
            hit = paths & self._files
            if not hit:
                return
            self._pending |= {Path(path) for path in hit}
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(QUIET_SECONDS, self._flush)
            self._timer.daemon = True
            self._timer.start()

    def _flush(self) -> None:
        with self._lock:
            pending, self._pending, self._timer = self._pending, set(), None
        if pending:
            self._changed(pending)

    def close(self) -> None:
        """Stop watching; nothing is told any more."""
        with self._lock:
            self._files, self._pending = set(), set()
            self._changed = lambda _paths: None     # who listened is not kept by the thread that leaves the folders
            if self._timer is not None:
                self._timer.cancel()
        self._folders.submit(self._leave)
        self._folders.shutdown(wait=False)

    def _leave(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(2.0)
            self._observer = None


def _stamp(file: str) -> tuple:
    """Changes when a file is written; () where there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


def _report(done: Future) -> None:
    """Nobody asks the future for an error."""
    error = done.exception()
    if error is not None:
        threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, threading.current_thread())))
