"""Tells when files change on disk, however an editor writes them (in place, or a temporary file renamed over the old one).

Folders are watched, not files, because a rename gives a file a new identity; bursts of events are gathered into one call. A file that is a link is watched where the link
is and where it leads; for a folder that is not there the nearest one above it is watched until it comes.
"""
import contextlib
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
        self._watches: dict[str, tuple[object, tuple]] = {}     # by folder: the watch, and which folder it was
        self._dead: set[str] = set()        # folders whose watch ended as they were deleted
        self._files: dict[str, set[str]] = {}       # files that are watched, by each path under which something tells of them
        self._wanted: set[str] = set()      # folders of these paths
        self._stamps: dict[str, tuple] = {}         # by file: what it was when it was asked for; another dict for each time
        self._pending: set[Path] = set()
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def watch(self, files: Iterable[Path]) -> Future:
        """Watch exactly these files from now on; those in other folders once the future is done, but what changes before that is told then."""
        stamps = {file: _stamp(file) for file in map(os.path.abspath, files)}
        with self._lock:
            self._stamps = stamps
        self._take_paths(stamps)
        watching = self._folders.submit(self._watch, stamps)
        watching.add_done_callback(_report)
        return watching

    def _take_paths(self, stamps: dict[str, tuple]) -> set[str]:
        """Know by which paths these files are told of from now on, unless others were asked for meanwhile; the folders of these paths."""
        found: dict[str, set[str]] = {}
        for file in stamps:
            for path in _paths(file):
                found.setdefault(path, set()).add(file)
        folders = set(map(os.path.dirname, found))
        for file in stamps:      # by its own path, too, where a folder of that is a link: what was missed is told by it
            found.setdefault(file, set()).add(file)
        with self._lock:
            if self._stamps is stamps:
                self._files, self._wanted = found, folders
        return folders

    def _watch(self, stamps: dict[str, tuple]) -> None:
        self._move_to(set(map(os.path.dirname, (path for file in stamps for path in _paths(file)))))
        self._note_missed(stamps)       # in folders watched before, too: that may have begun only now, after this was asked for

    def _again(self) -> None:
        """Folders have gone or come, or links lead elsewhere."""
        with self._lock:
            stamps = self._stamps
        if self._move_to(self._take_paths(stamps)):
            self._note_missed(stamps)

    def _note_missed(self, stamps: dict[str, tuple]) -> None:
        """What was written since it was asked for, and perhaps before its folder was watched."""
        for file, stamp in stamps.items():
            if (present := _stamp(file)) != stamp:
                stamps[file] = present
                self._note({file})

    def _move_to(self, wanted: set[str]) -> set[str]:
        """Watch these folders, or what is above those that are not there, and no others; those that were not watched before."""
        with self._lock:
            dead, self._dead = self._dead, set()
        new: set[str] = set()
        while True:
            folders = {folder: _identity(folder) for folder in map(_nearest, wanted)}
            stale = {folder for folder, (_watch, identity) in self._watches.items() if folder in dead or folder in folders and folders[folder] != identity}
            changed = self._schedule(folders, stale)
            new |= changed
            if not changed or all(_identity(_nearest(folder)) == folders.get(_nearest(folder)) for folder in wanted):
                return new
            dead = set()        # one came or went between the look and the watch: nobody tells of that

    def _schedule(self, folders: dict[str, tuple], stale: set[str]) -> set[str]:
        """Watch these (and which folders they are), the stale ones anew; those that were not watched before."""
        if self._observer is None and folders:
            from watchdog.observers import Observer  # late: not needed before the first frame

            logging.getLogger("watchdog.observers.inotify").setLevel(logging.CRITICAL)     # it complains when an event comes as its folder is let go
            observer = Observer()
            observer.daemon = True
            observer.start()
            self._observer = observer
        for folder in stale:        # else the observer gives the same watch again, which is of the folder that there was
            self._observer.unschedule(self._watches.pop(folder)[0])
        new = folders.keys() - self._watches.keys()
        for folder in new:
            with contextlib.suppress(OSError):      # the folder went away, or the system is out of watches: this one stays unwatched
                self._watches[folder] = self._observer.schedule(self, folder), folders[folder]
        for folder in self._watches.keys() - folders.keys():
            self._observer.unschedule(self._watches.pop(folder)[0])
        return set(new)

    def dispatch(self, event) -> None:
        """One event of the file system (called by watchdog's thread)."""
        if event.event_type in ("opened", "closed_no_write"):
            return
        paths = {os.path.abspath(os.fsdecode(path)) for path in (event.src_path, getattr(event, "dest_path", "")) if path}
        moved = event.event_type in ("created", "deleted", "moved")
        if not event.is_directory:
            if self._note(paths) and moved:
                self._look_again()
        elif moved and any(folder == path or folder.startswith(os.path.join(path, "")) for folder in self._wanted for path in paths):
            if event.event_type == "deleted":
                with self._lock:
                    self._dead |= paths
            self._look_again()

    def _look_again(self) -> None:
        with contextlib.suppress(RuntimeError):     # closed meanwhile
            self._folders.submit(self._again).add_done_callback(_report)

    def _note(self, paths: set[str]) -> bool:
        """These were written; told when the burst has ended. Whether any of them is watched."""
        with self._lock:
            hit = set().union(*(self._files.get(path, ()) for path in paths))
            if not hit:
                return False
            self._pending |= set(map(Path, hit))
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(QUIET_SECONDS, self._flush)
            self._timer.daemon = True
            self._timer.start()
            return True

    def _flush(self) -> None:
        with self._lock:
            pending, self._pending, self._timer = self._pending, set(), None
            stamps = self._stamps
        for file in map(str, pending):
            if file in stamps:
                stamps[file] = _stamp(file)
        if pending:
            self._changed(pending)

    def close(self) -> None:
        """Stop watching; nothing is told any more."""
        with self._lock:
            self._files, self._wanted, self._stamps, self._pending = {}, set(), {}, set()
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


def _paths(file: str) -> list[str]:
    """The paths by which the system tells of changes of a file: where it is, and where each link on the way leads."""
    found: list[str] = []
    while (place := os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file))) not in found:
        found.append(place)
        try:
            file = os.path.join(os.path.dirname(place), os.readlink(place))
        except (OSError, ValueError):       # no link
            break
    return found


def _nearest(folder: str) -> str:
    """A folder, or the nearest one above that is there."""
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def _identity(folder: str) -> tuple:
    """Another one where a folder was deleted and made anew, for the most part: its number may be given again."""
    try:
        found = os.stat(folder)
    except OSError:
        return ()
    return found.st_dev, found.st_ino


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
