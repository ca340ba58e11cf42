"""What a crash leaves behind of unsaved text is found on the next start.

    folder/<owner>.json    the journal of one running window (editor/journal.py), or, of earlier versions, its unsaved texts: {"key", "time", "files": {path: text}}
    folder/<owner>.lock    locked by that program while it lives; the system lets go of it however the program ends
"""
from __future__ import annotations

import contextlib
import json
import os
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from editor.replay import Replay, replay

MAX_AGE = 30 * 24 * 3600.0   # seconds; older copies are cleared away
DAMAGED = ".damaged"    # behind the name of a journal that could not be read to its end: nobody is offered it any more, and it is not deleted before that age


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a program left behind. key: of its document; files: unsaved text by key; saved: when, seconds since the epoch; journal: all that was done, None for a copy of texts."""

    place: Path
    key: str
    saved: float
    files: dict[str, str]
    journal: Replay | None = None

    def discard(self) -> None:
        """Delete the copy."""
        half = self.place.parent.glob(f".{self.place.name}.*.tmp")   # what a kill in the middle of writing has left
        for path in (self.place, self.place.with_suffix(".lock"), *half):
            path.unlink(missing_ok=True)

    def settle(self) -> Path | None:
        """All that could be read of it is elsewhere: delete it. One that could not be read to its end stays under another name, which is given. Raises OSError."""
        if self.journal is None or not self.journal.broken:
            self.discard()
            return None
        kept = self.place.with_name(self.place.name + DAMAGED)
        self.place.replace(kept)
        self.discard()
        return kept


class Autosave:
    """One per running program. Nothing here raises: a full disk must not stop the work. Files are written and deleted by a thread of its own, one after the
    other, as a disk can take long over that."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._disk = ThreadPoolExecutor(1, "autosave")
        self._place = folder / f"{uuid.uuid4().hex[:16]}.json"
        self._lock = None
        self._used = False  # there may be a copy: without one nothing is to be forgotten
        self.problem = ""   # why the last copy could not be kept
        self.damaged: list[tuple[Path, str, str]] = []      # journals that say nothing of unsaved text as they cannot be read to their end: (where it is now, key, why), found by left_behind

    def drop(self) -> None:
        """Forget the copy: everything is saved, or not wanted."""
        if self._used:
            self._disk.submit(self._drop).result()

    def close(self) -> None:
        """End the thread when it has done what it was asked for."""
        self._disk.shutdown(wait=False)

    def _make_place(self) -> None:
        """Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._lock is None:
            self._lock = take_lock(self._place.with_suffix(".lock"))

    def _drop(self) -> None:
        with contextlib.suppress(OSError):
            self._place.unlink(missing_ok=True)     # before the lock is let go of: another window looks for what nobody holds
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        with contextlib.suppress(OSError):
            Recovered(self._place, "", 0.0, {}).discard()

    def left_behind(self, key: str | None = None) -> Recovered | None:
        """The newest copy (of the document `key`, or of any) whose program has ended."""
        found = []
        for copy in filter(None, map(read_copy, self._orphans())):
            if copy.journal is not None and not copy.files:     # all was saved, or what was not stands behind the damage
                with contextlib.suppress(OSError):
                    kept = copy.settle()
                    if kept is not None:
                        self.damaged.append((kept, copy.key, copy.journal.broken))
            elif key in (None, copy.key):
                found.append(copy)
        return max(found, key=lambda copy: copy.saved, default=None)

    def _orphans(self) -> list[Path]:
        out, places = [], []
        with contextlib.suppress(OSError):
            places = list(self._folder.glob("*.json"))
            for old in self._folder.glob(f"*{DAMAGED}"):
                if time.time() - old.stat().st_mtime > MAX_AGE:
                    old.unlink()
        for place in places:
            with contextlib.suppress(OSError):      # it went meanwhile
                lock = None if place == self._place else take_lock(place.with_suffix(".lock"))
                if lock is None:
                    continue
                lock.close()
                if time.time() - place.stat().st_mtime > MAX_AGE:
                    Recovered(place, "", 0.0, {}).discard()
                else:
                    out.append(place)
        return out


def read_copy(place: Path) -> Recovered | None:
    """A journal, or a copy of texts, from disk; None for one that cannot be read."""
    try:
        data = place.read_bytes()
        replayed = replay(data)
        if replayed is not None:
            return Recovered(place, replayed.key, place.stat().st_mtime, replayed.unsaved(), replayed)
        content = json.loads(data)
        files = {str(key): str(text) for key, text in content["files"].items()}
        return Recovered(place, str(content["key"]), float(content["time"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def take_lock(path: Path):
    """The open, locked file; None when another program (or another part of this one) holds it. Raises OSError where no file can be made."""
    file = path.open("a+b")
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
