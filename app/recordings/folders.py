"""Folders of runs on the disk: one for each window, locked while its process lives, and what is left of those that were not closed.

    recordings/<window>/lock      locked while the window is open; the system lets go of it however the process ends
    recordings/<window>/models    compiled models of the run
    recordings/<window>/run<n>    a spool (physics/recording/spool.py); another one for each document
"""
from __future__ import annotations

import contextlib
import shutil
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from editor.autosave import take_lock
from physics.recording import spool
from physics.recording.frames import read_frames

MAX_AGE = 7 * 24 * 3600.0   # s that a run which was not closed is kept
TRIES = 5
LEAST = 4096                # bytes of a run that is worth a word


@dataclass(frozen=True, slots=True)
class LeftRun:
    """A run whose window was not closed. folder: of its spool; name: of its document; saved: when it was written to last, seconds since the epoch; size: bytes."""

    folder: Path
    name: str
    saved: float
    size: int

    def discard(self) -> None:
        """Delete it, with all that its window left."""
        remove(self.folder.parent)


class WindowFolder:
    """The folder of one window. Raises OSError."""

    def __init__(self, home: Path):
        self._runs, self._lock = 0, None
        for _ in range(TRIES):      # who looks for runs that were not closed may find it before it is locked
            self.path = home / uuid.uuid4().hex[:16]
            self.path.mkdir(parents=True)
            with contextlib.suppress(FileNotFoundError):
                self._lock = take_lock(self.path / spool.LOCK)
            if self._lock is not None and (self.path / spool.LOCK).exists():
                return
        raise OSError(f"no folder can be kept in {home}")

    @property
    def models(self) -> Path:
        """Where its compiled models go."""
        return self.path / "models"

    def next_run(self) -> Path:
        """A folder for the spool of another document."""
        self._runs += 1
        return self.path / f"run{self._runs}"

    def close(self) -> None:
        """The window is closed: nothing is left."""
        remove(self.path)
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        remove(self.path)   # where a locked file cannot be deleted


def remove(folder: Path) -> None:
    """Delete a folder with all that is in it, as far as that can be done."""
    shutil.rmtree(folder, ignore_errors=True)


def left_runs(home: Path, limit: int) -> list[LeftRun]:
    """Runs that were not closed, the newest first. Older ones than MAX_AGE, those without a state, and what is more than `limit` bytes together, are deleted."""
    found, total = [], 0
    for folder in orphans(home):
        run = _left_run(folder)
        if run is None or time.time() - run.saved > MAX_AGE:
            remove(folder)
        else:
            found.append(run)
    found.sort(key=lambda run: -run.saved)
    for run in found.copy():
        total += run.size
        if total > limit and run is not found[0]:
            run.discard()
            found.remove(run)
    return found


def orphans(home: Path) -> Iterator[Path]:
    """Folders of windows that nobody holds any more."""
    folders = []
    with contextlib.suppress(OSError):
        folders = [folder for folder in home.iterdir() if folder.is_dir()]
    for folder in folders:
        with contextlib.suppress(OSError):      # it went meanwhile
            lock = take_lock(folder / spool.LOCK)
            if lock is not None:
                lock.close()
                yield folder


def _left_run(folder: Path) -> LeftRun | None:
    """The newest run of a window's folder; None where there is none with states in it."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        runs = [run for run in folder.glob("run*") if (run / spool.LOG).is_file() and any(run.glob("rows.*"))]
        if runs:
            run = max(runs, key=lambda run: (run / spool.LOG).stat().st_mtime)
            files = [path.stat() for path in run.iterdir()]
            size = sum(state.st_size for state in files)
            if size >= LEAST:
                return LeftRun(run, name_of(run), max(state.st_mtime for state in files), size)
    return None


def name_of(run: Path) -> str:
    """The name of the document of a run. Raises OSError."""
    import json

    for kind, content in read_frames(run / spool.LOG):
        return str(json.loads(content)["about"].get("name", "")) if kind == spool.HEADER else ""
    return ""
