"""All that is done to the texts of a window, line by line on the disk as it is done: what a crash leaves is the text and its history of edits, but for the gesture under way.

    document --edited, moved, on_disk--> lines that wait --write (a thread of its own)--> folder/<owner>.json, on the disk (fsync)

The file is there while the document has had unsaved text; it is written anew, with what the history still knows, when it has become large. How its lines look: editor/replay.py.
"""
from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from editor.autosave import Autosave, Recovered, take_lock
from editor.document import Document
from editor.edits.patch import Edit, apply, compose
from editor.replay import Kept, disk_line, edit_line, encoded, file_line, lines_of_all
from physics.files.atomic_write import write_file

__all__ = ["Journal"]

LARGE = 4 << 20     # bytes from which on it is written anew, when that makes it much smaller
MUCH = 4


class Journal(Autosave):
    """One per window: it follows one document (`follow`), and is told of all that happens to it (editor.edits.edited_texts.Recorder). Nothing here raises."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        self._document: Document | None = None
        self._waiting: list[dict | tuple[Edit, bool]] = []    # lines, and edits of which some may become one
        self._told: set[str] = set()        # files whose base is written, or waits to be
        self._begun = False                 # there is a file, or will be when the thread has come to it
        self._failed = False                # of the thread: lines are missing in it
        self._anew = False                  # it is to be written anew
        self._size = self._first_size = 0   # bytes, of the thread
        self._replaced: tuple[Recovered, object] | None = None      # of the thread: what this journal takes the place of once it is written, with its lock

    # ------------------------------------------------------------------ what happens (GUI thread)

    def follow(self, document: Document) -> None:
        """Another document is open: forget what was kept of the one before."""
        if self._document is not None:
            self._document.recorder = None
        if self._begun:
            self._disk.submit(self._drop)
        self._document, self._begun, self._waiting, self._told, self._anew = document, False, [], set(), False
        document.recorder = self

    def edited(self, edit: Edit, back: Edit, grows: bool) -> None:
        """An edit is in the texts."""
        if not self._begun:
            return
        files = self._document.files()
        for file in edit.files:
            if file not in self._told:
                self._told.add(file)
                known = files[file]
                before = apply({file: known.text}, Edit("", tuple(patch for patch in back.patches if patch.file == file)))[file]
                self._waiting += [file_line(file, before, known.codec), disk_line(file, before, known.disk_text, self._document.history.saved_position(file))]
        last = self._waiting[-1] if self._waiting else None
        if grows and isinstance(last, tuple):
            both = compose(last[0], edit)
            if both.patches:
                self._waiting[-1] = both, last[1]
                return
        self._waiting.append((edit, grows))

    def moved(self, position: int) -> None:
        """Something was undone, or done again."""
        if self._begun:
            self._waiting.append({"at": position})

    def on_disk(self, file: str) -> None:
        """The disk has another text of a file."""
        if self._begun and file in self._told:
            known = self._document.files()[file]
            self._waiting.append(disk_line(file, known.text, known.disk_text, self._document.history.saved_position(file)))

    def renamed(self, old: str, new: str) -> None:
        """The main file has another key."""
        if self._begun:
            self._waiting.append({"renamed": [old, new]})
            self._told = {new if file == old else file for file in self._told}

    def forgot(self) -> None:
        """The history was cleared: what was written before tells of entries that there are not any more."""
        self._anew = True

    def replace(self, found: Recovered) -> None:
        """All that was left behind is in the document now: the copy goes as soon as this journal is on the disk, and stays until then. Until it goes it is nobody else's to take."""
        if not self._document.modified:
            with contextlib.suppress(OSError):
                found.settle()
            return
        self._anew = True
        self._disk.submit(self._hold, found)

    def _hold(self, found: Recovered) -> None:
        lock = None
        with contextlib.suppress(OSError):
            lock = take_lock(found.place.with_suffix(".lock"))
        self._replaced = found, lock

    def _let_go_of_replaced(self) -> None:
        if self._replaced is not None:
            (found, lock), self._replaced = self._replaced, None
            if lock is not None:
                lock.close()
            with contextlib.suppress(OSError):
                found.settle()

    # ------------------------------------------------------------------ to the disk

    def write(self, then: Callable[[str], None] = lambda problem: None) -> Future | None:
        """Have what waits written, without waiting for that; then(why it is not on disk, '' where it is) is called in the other thread. None where nothing is to be written."""
        document = self._document
        if document is None:
            return None
        if self._begun and not self._failed and not self._anew and not (self._size > LARGE and self._size > MUCH * self._first_size):
            if not self._waiting:
                return None
            lines, self._waiting = [edit_line(*line) if isinstance(line, tuple) else line for line in self._waiting], []
            return self._submit(lambda: self._append(lines), then)
        if document.sealed or document.open_gesture is not None or not (self._begun or document.modified):
            return None
        self._begun, self._used, self._failed, self._anew, self._waiting = True, True, False, False, []
        all_files = {**document.files(), **document.files_aside()}
        needed = document.history.files() | {document.main_key}
        files = {key: Kept(file.text, file.disk_text, document.history.saved_position(key), file.codec) for key, file in all_files.items() if key in needed or file.modified}
        self._told = set(files)
        key, entries, position = document.key, tuple(document.history.entries), document.history.position
        self._first_size = self._size = 0
        return self._submit(lambda: self._write_all(lines_of_all(key, time.time(), files, entries, position)), then)

    def write_now(self) -> bool:
        """The same, and wait for it; whether all is on disk, else `problem` says why not."""
        done = self.write() or (self._disk.submit(lambda: None) if self._begun else None)      # what was asked for before
        if done is not None:
            done.result()
        return not self._failed

    def _submit(self, job: Callable[[], None], then: Callable[[str], None]) -> Future:
        def run() -> None:
            try:
                job()
                self.problem = ""
            except OSError as error:
                self._failed, self.problem = True, str(error.strerror or error)
            except Exception as error:      # nobody asks the future
                self._failed, self.problem = True, str(error) or type(error).__name__
            then(self.problem)

        return self._disk.submit(run)

    def _write_all(self, lines: list[dict]) -> None:
        self._make_place()
        data = encoded(lines)
        write_file(self._place, data)
        self._size = self._first_size = len(data)
        self._let_go_of_replaced()

    def _append(self, lines: list[dict]) -> None:
        if self._failed:        # lines before these are missing: all is written anew at the next time
            raise OSError(self.problem)
        data = encoded(lines)
        with open(self._place, "ab", buffering=0) as file:
            rest = memoryview(data)
            while rest:     # a disk that is nearly full takes a part, and says so at the next
                done = file.write(rest)
                if not done:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                rest = rest[done:]
            getattr(os, "fdatasync", os.fsync)(file.fileno())
        self._size += len(data)

    def _drop(self) -> None:
        super()._drop()
        self._let_go_of_replaced()

    def close(self) -> None:
        """End the thread when it has done what it was asked for."""
        if self._document is not None:
            self._document.recorder = None
        with contextlib.suppress(RuntimeError):
            super().close()
