"""What was done to texts by edits, to be undone and done again, over all files.

    add(edit, inverse) --> entries[:position] undone one by one by undo(), entries[position:] done again by redo()

Edits in a row with the same merge key become one entry until `seal`, or a pause. Texts are no business of the history: who calls it applies what it gives.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from editor.edits.patch import Edit, compose

__all__ = ["Entry", "History"]

PAUSE = 1.0                 # s after which typing goes on as an entry of its own
MOST_ENTRIES, MOST_CHARACTERS = 10_000, 20 << 20     # of these the oldest are forgotten


@dataclass(frozen=True, slots=True)
class Entry:
    """edit: what was done; inverse: what takes it back, of the texts after it; time: when it was done last, any clock in seconds."""

    edit: Edit
    inverse: Edit
    time: float

    @property
    def size(self) -> int:
        """Characters it holds."""
        return self.edit.size + self.inverse.size


class History:
    """entries: oldest first; position: how many of them are done. Both are only read outside."""

    def __init__(self):
        self.entries: list[Entry] = []
        self.position = 0
        self._open = False          # the last entry may grow
        self._saved: dict[str, int] = {}    # by file: the position at which the disk had its text; -1 for one that was forgotten

    def add(self, edit: Edit, inverse: Edit, now: float) -> None:
        """An edit was applied. What had been undone cannot be done again after it; an edit without patches is none."""
        if not edit.patches:
            return
        for file, position in self._saved.items():
            if position > self.position:
                self._saved[file] = -1
        del self.entries[self.position:]
        last = self.entries[-1] if self.entries else None
        if last is not None and self._open and edit.merge is not None and last.edit.merge == edit.merge and now - last.time < PAUSE and self.position not in self._saved.values():
            self._open = self._grow(last, edit, inverse, now)
        else:
            self.entries.append(Entry(edit, inverse, now))
            self._open = True
        self.position = len(self.entries)
        self._forget_oldest()

    def _grow(self, last: Entry, edit: Edit, inverse: Edit, now: float) -> bool:
        """Whether anything is left of the entry."""
        both = compose(last.edit, edit)
        if both.patches:
            self.entries[-1] = Entry(both, replace(compose(inverse, last.inverse), label=edit.label, merge=edit.merge), now)
            return True
        self.entries.pop()      # what was written is gone again
        return False

    def _forget_oldest(self) -> None:
        held, gone = sum(entry.size for entry in self.entries), 0
        while len(self.entries) - gone > 1 and (len(self.entries) - gone > MOST_ENTRIES or held > MOST_CHARACTERS):
            held -= self.entries[gone].size
            gone += 1
        if gone:
            del self.entries[:gone]
            self.position -= gone
            self._saved = {file: max(position - gone, -1) for file, position in self._saved.items()}

    def seal(self) -> None:
        """The next edit is an entry of its own, whatever its key: a gesture has ended, the caret has jumped, the text was applied."""
        self._open = False

    @property
    def undo_label(self) -> str:
        """What `undo` would take back, '' for nothing."""
        return self.entries[self.position - 1].edit.label if self.position else ""

    @property
    def redo_label(self) -> str:
        """What `redo` would do again, '' for nothing."""
        return self.entries[self.position].edit.label if self.position < len(self.entries) else ""

    def undo(self) -> Edit | None:
        """The edit that takes the last one back, which counts as undone from now on; None where there is none."""
        self.seal()
        if not self.position:
            return None
        self.position -= 1
        return self.entries[self.position].inverse

    def redo(self) -> Edit | None:
        """The edit that was undone last, which counts as done from now on; None where there is none."""
        self.seal()
        if self.position == len(self.entries):
            return None
        self.position += 1
        return self.entries[self.position - 1].edit

    def mark_saved(self, files: Mapping[str, object] | tuple[str, ...] | list[str]) -> None:
        """The disk has the present texts of these files."""
        self.seal()
        self._saved.update(dict.fromkeys(files, self.position))

    def saved_position(self, file: str) -> int | None:
        """Where among the entries the disk's text of a file stands; None where that is not known or cannot be reached any more."""
        found = self._saved.get(file, -1)
        return found if found >= 0 else None

    def clear(self) -> None:
        """Forget everything: another document."""
        self.entries.clear()
        self._saved.clear()
        self.position, self._open = 0, False
