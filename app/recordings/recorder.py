"""Writes a window's run to the disk while it goes on, saves it as a file, and opens files: what may take long is done in threads and processes of its own.

    physics thread --TakeRecording, once a second--> thread "recording" --> spool's folder --process--> file
                                      file --process--> folder --> thread "open recording" --LoadRecording--> physics thread
"""
from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app.recordings.kept_texts import KeptTexts
from app.recordings.taking import Taking, append
from physics.errors import ModelError
from physics.recording.errors import RecordingError
from physics.recording.journal import JournalReader
from physics.runtime import commands
from physics.runtime.runner import Runner

if TYPE_CHECKING:       # at the start every import counts: the threads import what they need
    from app.recordings.folders import LeftRun, WindowFolder
    from physics.recording.recording import Recording
    from physics.recording.spool import Spool
    from physics.runtime.recorded.capture import Taken
    from physics.runtime.recorded.restore import Prepared

EVERY = 1.0         # s between two looks at the run
MEMORY = 256        # MB below which the disk has room for less than the memory: then a file is made from that
TEXTS = 200         # Models whose texts are remembered
AGAIN = 60.0        # s after a failure, as of a full disk, until it is tried again


@dataclass(frozen=True, slots=True)
class Opened:
    """A recording that may be shown. left: the folder that it comes from, where it was not closed."""

    path: Path
    recording: Recording
    prepared: Prepared
    left: LeftRun | None = None


class Recorder:
    """One for a window. home: where runs are kept. tell(level, text) is called in other threads.

    name: of the document; extras() -> {'bookmarks', 'regions'} for the recording, asked for in another thread.
    """

    def __init__(self, runner: Runner, home: Path, tell: Callable[[str, str], None], compile_texts: Callable[[Mapping[str, str]], Any] | None = None):
        self.home, self.name = home, ""
        self.extras: Callable[[], Mapping[str, Any]] = dict
        self._runner, self._tell, self._compile = runner, tell, compile_texts
        self._limit = 0
        self._lock = threading.Lock()       # of folder and texts
        self._folder: WindowFolder | None = None
        self._texts = KeptTexts(TEXTS)
        self._spool: Spool | None = None
        self._reader: JournalReader | None = None
        self._written: set[int] = set()     # Models that are on the disk
        self._document: Any = None
        self._about: Mapping[str, str] = MappingProxyType({})
        self._taking = Taking(runner)
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._done_with: LeftRun | None = None
        self._closed = threading.Event()
        self._failed = 0.0      # when writing failed (time.monotonic), 0: it did not
        self._opened = 0
        self._saving: dict[Path, int] = {}      # folders of which files are being made, and how many
        self._unwanted: set[Path] = set()       # those that are to go then
        self._thread = threading.Thread(target=self._work, name="recording", daemon=True)

    # ------------------------------------------------ the window's side

    def begin(self, megabytes: int) -> None:
        """Start to write; megabytes: how many at most, 0 for none."""
        if self._thread.ident is None:      # once
            self._limit = megabytes << 20
            self._thread.start()

    def set_limit(self, megabytes: int) -> None:
        """How much may be written from now on."""
        self._jobs.put(lambda: self._take_limit(megabytes << 20))

    def keep_model(self, model, texts: Mapping[str, str]) -> None:
        """Keep a Model, and the texts that it was compiled from. May be called by the thread that has compiled it, before it runs."""
        try:
            with self._lock:
                if self._closed.is_set():
                    return
                self._window_folder()
            self._texts.keep(self._runner.models.add(model), texts)
        except OSError as why:
            self._fail(why)

    def _window_folder(self) -> WindowFolder:
        if self._folder is None:
            from app.recordings.folders import WindowFolder

            self._folder = WindowFolder(self.home)
            self._runner.models.folder = self._folder.models
        return self._folder

    def save(self, path: Path, more: Mapping[str, Any], progress: Callable[[float], None], done: Callable[[str], None]) -> None:
        """Write the run so far to a file. more: what convert.py takes beside it. progress(share) and done(why it failed, '' where it did not) are called in another thread."""
        self._jobs.put(lambda: self._save(path, dict(more), progress, done))

    def open(self, path: Path | LeftRun, progress: Callable[[float], None], done: Callable[[Opened | str], None]) -> None:
        """Read a recording, or a run that was not closed. done(it, or why that failed) is called in another thread."""
        threading.Thread(target=self._open, args=(path, progress, done), name="open recording", daemon=True).start()

    def discard(self, left: LeftRun | None) -> None:
        """Delete a run that was not closed and runs on here, as soon as it is written again."""
        self._jobs.put(lambda: setattr(self, "_done_with", left))

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until what happened so far is on the disk; whether it is."""
        done = threading.Event()
        self._jobs.put(lambda: (self._turn(), done.set()))
        return done.wait(timeout)

    @property
    def folder(self) -> Path | None:
        """Where the present run is written to."""
        spool = self._spool
        return spool.folder if spool is not None else None

    @property
    def size(self) -> int:
        """Bytes of it."""
        spool = self._spool
        return spool.size if spool is not None else 0

    def close(self) -> None:
        """The window is closed, and its run not wanted any more; a file that is being made of it is completed."""
        self._closed.set()
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._end()

    # ------------------------------------------------ the thread that writes

    def _work(self) -> None:
        import physics.runtime.recorded.capture  # noqa: F401  here, not in the thread that runs the simulation

        due = time.monotonic() + EVERY
        while not self._closed.is_set():
            try:
                job = self._jobs.get(timeout=max(0.01, due - time.monotonic()))
            except Empty:
                job = self._turn
                due = 0.0
            begun = time.monotonic()
            if job is not None and not self._closed.is_set():
                try:
                    job()
                except Exception as why:    # the thread lives on
                    self._fail(why)
            if due == 0.0:
                now = time.monotonic()
                due = now + max(EVERY - (now - begun), now - begun)     # no more than half of the time
        self._stop_spool()

    def _turn(self) -> None:
        """Write what is new."""
        if not self._limit or (self._failed and time.monotonic() - self._failed < AGAIN):
            return
        if self._reader is None or self._failed:
            self._reader = JournalReader(self._runner.journal, 0)
        taken = self._taking.take(self._reader, self._closed.is_set)
        if taken is None:
            return
        try:
            self._write(taken)
        except (OSError, RecordingError) as why:
            self._fail(why)
        else:
            if self._failed:
                self._failed = 0.0
                self._tell("info", "The run is kept on the disk again")

    def _write(self, taken: Taken) -> None:
        fresh = taken.fresh or self._spool is None or taken.document != self._document
        if fresh:
            self._next_spool(taken)
        append(self._spool, taken, self._written, self._texts, self._about, self.extras())
        if self._done_with is not None and fresh:       # all of it is written again
            left, self._done_with = self._done_with, None
            left.discard()

    def _next_spool(self, taken: Taken) -> None:
        """Another document runs: what there is of the one before goes."""
        from physics.recording.about import about
        from physics.recording.spool import Spool

        self._stop_spool()
        with self._lock:
            folder = self._window_folder().next_run()
        self._document, self._written = taken.document, set()
        self._about = about(name=self.name)
        self._spool = Spool(folder, self._limit)

    def _stop_spool(self) -> None:
        if self._spool is not None:
            self._spool.close()
            self._remove(self._spool.folder)
            self._spool = None

    def _take_limit(self, limit: int) -> None:
        if bool(limit) != bool(self._limit):
            self._stop_spool()
            self._reader = None     # from the beginning
        self._limit, self._failed = limit, 0.0
        if self._spool is not None:
            self._spool.limit = limit

    def _fail(self, why: Exception) -> None:
        """The run is not written any more, which is told once."""
        told, self._failed = bool(self._failed), time.monotonic()
        if not told:
            said = getattr(why, "strerror", None) or str(why) or type(why).__name__
            self._tell("warning", f"The run is not kept on the disk any more: {said}. File > Save recording... still writes what the memory holds")
        try:
            self._stop_spool()
        except OSError:
            self._spool = None

    # ------------------------------------------------ files

    def _save(self, path: Path, more: dict, progress: Callable[[float], None], done: Callable[[str], None]) -> None:
        """In the thread that writes: see to it that all is in a folder, which another process makes a file of."""
        try:
            folder, temporary = self._folder_to_save()
        except (OSError, RecordingError) as why:
            done(str(why))
            return
        with self._lock:
            self._saving[folder] = self._saving.get(folder, 0) + 1
        wanted = {"save": str(folder), "file": str(path), **more}
        threading.Thread(target=self._convert, args=(wanted, folder, temporary, progress, done), name="save recording", daemon=False).start()

    def _folder_to_save(self) -> tuple[Path, bool]:
        """(a folder with all of the run, whether it is to be deleted then). Raises RecordingError and OSError."""
        from physics.recording.about import about
        from physics.recording.spool import Spool

        self._turn()
        if self._spool is not None and self._limit >= MEMORY << 20:
            return self._spool.folder, False
        answers: SimpleQueue[Taken | None] = SimpleQueue()
        self._runner.send(commands.TakeRecording(answers.put))
        try:
            taken = answers.get(timeout=10 * EVERY)
        except Empty:
            taken = None
        if taken is None:
            raise RecordingError("there is no run to be saved")
        with self._lock:
            folder = self._window_folder().next_run()
        spool = Spool(folder)
        try:
            spool.append(taken.whole(self._texts.copy(), about={**about(name=self.name), **taken.recording.about}, **self.extras()), present=taken.present)
        finally:
            spool.close()
        return folder, True

    def _convert(self, wanted: dict, folder: Path, temporary: bool, progress: Callable[[float], None], done: Callable[[str], None]) -> None:
        from app.recordings.conversion import convert

        why = ""
        try:
            convert(wanted, progress)
        except RecordingError as error:
            why = str(error)
        with self._lock:
            self._saving[folder] -= 1
            if not self._saving[folder]:
                del self._saving[folder]
            unwanted = temporary or folder in self._unwanted
        if unwanted:
            self._remove(folder)
        self._end()
        done(why)

    def _remove(self, folder: Path) -> None:
        """Delete a run's folder, as soon as no file is made of it any more."""
        from app.recordings.folders import remove

        with self._lock:
            if folder in self._saving:
                self._unwanted.add(folder)
                return
            self._unwanted.discard(folder)
        remove(folder)

    def _end(self) -> None:
        """Delete the window's folder once it is closed and nothing is made of it any more."""
        with self._lock:
            folder = self._folder if self._closed.is_set() and not self._saving else None
            if folder is not None:
                self._folder = None
                self._runner.models.leave()
                folder.close()

    def _open(self, path: Path | LeftRun, progress: Callable[[float], None], done: Callable[[Opened | str], None]) -> None:
        try:
            done(self._read(path, progress))
        except (RecordingError, ModelError, OSError, LookupError) as why:
            done(str(why))
        except MemoryError:
            done(f"{path}: there is not enough memory")

    def _read(self, path: Path | LeftRun, progress: Callable[[float], None]) -> Opened:
        from app.recordings.conversion import convert
        from app.recordings.folders import LeftRun, remove
        from physics.recording.recover import recover
        from physics.runtime.recorded.restore import prepare

        with self._lock:
            self._opened += 1
            number, window = self._opened, self._window_folder()
        left = path if isinstance(path, LeftRun) else None
        if left is not None:
            recording = recover(left.folder, progress)
            path = Path(left.name or "recording")
        else:
            folder = window.path / f"opened{number}"
            try:
                convert({"open": str(path), "folder": str(folder)}, lambda share: progress(0.6 * share), self._closed.is_set)
                recording = recover(folder, lambda share: progress(0.6 + 0.3 * share))
            finally:
                remove(folder)
        try:
            prepared = prepare(recording, window.path / f"models{number}", self._compile)
        except RecordingError as why:
            raise why.at(str(path)) from None
        return Opened(path, recording, prepared, left)


def texts_of(opened: Opened) -> tuple[Mapping[str, str], str]:
    """({path: text} of the Model that runs, path of the main one, '' where there is none)."""
    try:
        texts = opened.recording.model(opened.recording.running).texts
    except KeyError:
        texts = MappingProxyType({})
    source = [str(path) for path in opened.prepared.model.source]
    return texts, next((path for path in (*source, *texts) if path in texts), "")
