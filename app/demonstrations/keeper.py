"""Keeps a run that demonstrations are given in: written to the disk while it goes on, made a file of when it ends, found again when the program was killed.

    folder/unfinished/<window>/run<n>    a spool, written twice a second and after each word about an episode
    folder/NAME-20260131-173000.h5       the recording of each document that ran, once it is closed

Unlike a window's own record of its run (app/recordings/recorder.py) nothing of it is ever thrown away.
"""
from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from app.demonstrations.reaper import see_to
from app.demonstrations.sources import RUNS, UNFINISHED, is_spool
from app.recordings.conversion import convert
from app.recordings.folders import WindowFolder, name_of, orphans, remove
from app.recordings.kept_texts import KeptTexts
from app.recordings.taking import Taking, append
from physics.recording.about import about
from physics.recording.errors import RecordingError
from physics.recording.first_bytes import SUFFIX
from physics.recording.journal import JournalReader
from physics.recording.spool import Spool
from physics.runtime.runner import Runner

EVERY = 0.5         # s between two looks at the run
CLOSING = 600.0     # s that closing may take
STATES = "rows.*"   # files of a spool that has states

Tell = Callable[[str, str], None]


def silent(_level: str, _text: str) -> None:
    """Tells nobody."""


def never() -> bool:
    """Nothing is given up."""
    return False


class Keeper:
    """One for a Runner. folder: where recordings go; name: of the document. tell(level, text) is called in other threads."""

    def __init__(self, runner: Runner, folder: Path, name: str = "demonstrations", tell: Tell = silent):
        self.folder, self.name = Path(folder), name
        self._runner, self._tell = runner, tell
        self._window = WindowFolder(self.folder / UNFINISHED)
        if runner.models.folder is None:
            runner.models.folder = self._window.models
        self._texts = KeptTexts()
        self._taking = Taking(runner)
        self._spool: Spool | None = None
        self._reader: JournalReader | None = None
        self._document: Any = None
        self._written: set[int] = set()
        self._about: Mapping[str, str] = {}
        self._spools: list[tuple[Path, str]] = []       # those that are complete, with their documents' names
        self.files: list[Path] = []         # made so far
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._failed = ""
        self._left = False      # the run has ended, and answers no more
        self._half: Path | None = None      # folder of a run that could not be written on
        self._thread = threading.Thread(target=self._work, name="demonstrations", daemon=True)

    def begin(self) -> None:
        """Start to write."""
        self._thread.start()

    def keep_model(self, model, texts: Mapping[str, str]) -> None:
        """Keep a Model, and the texts that it was compiled from; before it runs."""
        self._texts.keep(self._runner.models.add(model), texts)

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until what happened so far is on the disk; whether it is."""
        done = threading.Event()
        self._jobs.put(lambda: (self._turn(), done.set()))
        return done.wait(timeout)

    def on_disk(self) -> Path | None:
        """Wait until what happened so far is on the disk; the folder that has the present document's run, None where it has nothing yet. For a thread that may wait."""
        return self._spool.folder if self.flush() and self._spool is not None else None

    def soon(self) -> None:
        """Write as soon as may be, without waiting for it."""
        self._jobs.put(self._turn)

    def close(self) -> list[Path]:
        """Write the rest, and make files of all: their paths. What no file could be made of stays in its folder, and is told."""
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(CLOSING)
        elif self._thread.ident is None:     # it was never begun
            self._window.close()
        return self.files

    def leave(self) -> None:
        """As `close`, for a window's thread: what happened so far is on the disk when this returns, and files are made of it afterwards, by a thread that the program's end waits for."""
        if self._thread.is_alive():
            self.flush()
            see_to(self._thread, CLOSING)
        self._left = True
        self._jobs.put(None)

    # ------------------------------------------------ the thread that writes

    def _work(self) -> None:
        job, due = self._turn, time.monotonic()
        while job is not None:
            try:
                job = self._jobs.get(timeout=max(0.01, due - time.monotonic()))
            except Empty:
                job, due = self._turn, time.monotonic() + EVERY
            self._try(job or self._turn)
        self._finish_spool()
        if self._half is not None:
            self._spools.append((self._half, self.name))
        self._make_files()
        if not self._spools:
            self._window.close()

    def _try(self, job: Callable[[], None]) -> None:
        try:
            job()
            self._failed = ""
        except Exception as why:    # the thread lives on and tries again
            said = getattr(why, "strerror", None) or str(why) or type(why).__name__
            if said != self._failed:
                self._tell("error", f"The demonstrations cannot be written: {said}")
            self._failed = said
            if self._spool is not None:     # all of it is written again, to another folder
                self._spool.close()
                self._half, self._spool = self._spool.folder, None
            self._reader = None

    def _turn(self) -> None:
        if self._reader is None:
            self._reader = JournalReader(self._runner.journal, 0)
        taken = self._taking.take(self._reader, lambda: self._left)
        if taken is None:
            return
        if self._spool is None or taken.fresh or taken.document != self._document:
            self._finish_spool()
            self._document, self._written, self._about = taken.document, set(), about(name=self.name)
            self._spool = Spool(self._window.next_run())
        append(self._spool, taken, self._written, self._texts, self._about, {})
        if self._half is not None:
            remove(self._half)
            self._half = None

    def _finish_spool(self) -> None:
        if self._spool is not None:
            self._spool.close()
            self._spools.append((self._spool.folder, self.name))
            self._spool = None

    def _make_files(self) -> None:
        for folder, name in self._spools.copy():
            try:
                self.files.append(made_file(folder, self.folder, name))
            except (RecordingError, OSError) as why:
                self._tell("error", f"{folder} stays as it is: {why}")
                continue
            self._spools.remove((folder, name))
            remove(folder)


def made_file(folder: Path, home: Path, name: str, progress: Callable[[float], None] = lambda share: None, stopping: Callable[[], bool] = never) -> Path:
    """Make a file of a folder that a run was recorded in; stopping(): whether it is given up. Raises RecordingError, OSError."""
    stem = f"{Path(name).stem or 'demonstrations'}-{time.strftime('%Y%m%d-%H%M%S')}"
    whole = folder.with_name(f"made-{folder.name}{SUFFIX}")     # beside the run, whose folder goes with it: nothing half-made is ever seen among the recordings
    try:
        convert({"save": str(folder), "file": str(whole)}, progress, stopping)
        number = 1
        while True:
            path = home / (f"{stem}{SUFFIX}" if number == 1 else f"{stem}-{number}{SUFFIX}")
            try:
                put(whole, path)
                return path
            except FileExistsError:
                number += 1
    finally:
        whole.unlink(missing_ok=True)


def put(file: Path, path: Path) -> None:
    """Have a whole file appear under a name that none has, in one step. Raises FileExistsError, so that two never take the same; OSError."""
    try:
        os.link(file, path)
    except FileExistsError:
        raise
    except OSError:     # a file system without links
        path.touch(exist_ok=False)
        os.replace(file, path)


def finish_left(home: Path, tell: Tell = silent, stopping: Callable[[], bool] = never) -> list[Path]:
    """Make files of runs in a folder of demonstrations whose program ended without closing them: their paths. Those without a state go. stopping(): whether the rest is left for another time."""
    files: list[Path] = []
    for window in orphans(home / UNFINISHED) if (home / UNFINISHED).is_dir() else ():
        kept = False
        for run in sorted(window.glob(RUNS)):
            if not is_spool(run) or not any(run.glob(STATES)):
                continue        # nothing had happened yet
            try:
                if stopping():
                    return files
                files.append(made_file(run, home, name_of(run), stopping=stopping))
            except (RecordingError, OSError) as why:
                if stopping():
                    return files
                tell("error", f"{run} stays as it is: {why}")
                kept = True
                continue
            remove(run)     # it is not made twice
        if not kept:
            remove(window)
    return files
