"""What was done to texts by edits, to be undone and done again, over all files.

    add(edit, inverse) --> entries[:position] undone one by one by undo(), entries[position:] done again by redo()

Edits in a row with the same merge key become one entry until `seal`, or a pause. Texts are no business of the history: who calls it applies what it gives.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from editor.edits.patch import Edit, compose, shifted

__all__ = ["Entry", "History"]

PAUSE = 1.0                 # s after which typing goes on as an entry of its own
NONE: Mapping[str, Mapping[int, int]] = MappingProxyType({})
MOST_ENTRIES, MOST_CHARACTERS = 10_000, 20 << 20     # of these the oldest are forgotten


@dataclass(frozen=True, slots=True)
class Entry:
    """edit: what was done; inverse: what takes it back, of the texts after it; time: when it was done last, any clock in seconds.

    gone, made: ids of elements (editor.edits.version.Ids) that the inverse, and the edit when it is done again, puts back.
    """

    edit: Edit
    inverse: Edit
    time: float
    gone: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    made: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Characters it holds."""
        return self.edit.size + self.inverse.size


class History:
    """entries: oldest first; position: how many of them are done; forgotten: how many there were before them. All are only read outside."""

    def __init__(self):
        self.entries: list[Entry] = []
        self.position = 0
        self.forgotten = 0          # entries that there were before the oldest one
        self._open = False          # the last entry may grow
        self._size = 0              # characters of all entries
        self._saved: dict[str, int] = {}    # by file: the position at which the disk had its text; -1 for one that was forgotten

    def add(self, edit: Edit, inverse: Edit, now: float, gone: Mapping[str, Mapping[int, int]] = NONE) -> bool:
        """An edit was applied. What had been undone cannot be done again after it; an edit without patches is none. Whether it has become a part of the last entry.

        gone: ids of elements that it has taken away.
        """
        if not edit.patches:
            return False
        self._drop_undone()
        last = self.entries[-1] if self.entries else None
        grows = (last is not None and self._open and edit.merge is not None and last.edit.merge == edit.merge and now - last.time < PAUSE
                 and self.position not in self._saved.values())
        if grows:
            self.grow(edit, inverse, now, gone)
        else:
            self.append(Entry(edit, inverse, now, gone))
            self._open = True
        return grows

    def append(self, entry: Entry) -> None:
        """Put an entry behind those that are done; what had been undone is gone."""
        self._drop_undone()
        self.entries.append(entry)
        self._size += entry.size
        self.position = len(self.entries)
        self._forget_oldest()

    def _drop_undone(self) -> None:
        for file, position in self._saved.items():
            if position > self.position:
                self._saved[file] = -1
        self._size -= sum(entry.size for entry in self.entries[self.position:])
        del self.entries[self.position:]

    def grow(self, edit: Edit, inverse: Edit, now: float, gone: Mapping[str, Mapping[int, int]] = NONE) -> None:
        """Make an edit a part of the last entry, which goes where nothing is left of both."""
        last = self.entries.pop()
        self._size -= last.size
        both = compose(last.edit, edit)
        self._open = bool(both.patches)      # what was written may be gone again
        if both.patches:
            back = replace(compose(inverse, last.inverse), label=edit.label, merge=edit.merge)
            self.entries.append(Entry(both, back, now, _both(last, gone)))
            self._size += self.entries[-1].size
        self.position = len(self.entries)
        self._forget_oldest()

    def _forget_oldest(self) -> None:
        gone = 0
        while len(self.entries) - gone > 1 and (len(self.entries) - gone > MOST_ENTRIES or self._size > MOST_CHARACTERS):
            self._size -= self.entries[gone].size
            gone += 1
        if gone:
            del self.entries[:gone]
            self.position -= gone
            self.forgotten += gone
            self._saved = {file: max(position - gone, -1) for file, position in self._saved.items()}

    def seal(self) -> None:
        """The next edit is an entry of its own, whatever its key: a gesture has ended, the caret has jumped, the text was applied."""
        self._open = False

    @property
    def undo_label(self) -> str:
        """What `undo` would take back, '' for nothing."""
        return self.last.edit.label if self.last is not None else ""

    @property
    def redo_label(self) -> str:
        """What `redo` would do again, '' for nothing."""
        return self.next.edit.label if self.next is not None else ""

    def undo(self, made: Mapping[str, Mapping[int, int]] = NONE) -> Edit | None:
        """The edit that takes the last one back, which counts as undone from now on; None where there is none. made: ids of elements that it takes away."""
        self.seal()
        if not self.position:
            return None
        self.position -= 1
        entry = self.entries[self.position]
        self.entries[self.position] = replace(entry, made=made)
        return entry.inverse

    def redo(self, gone: Mapping[str, Mapping[int, int]] = NONE) -> Edit | None:
        """The edit that was undone last, which counts as done from now on; None where there is none. gone: ids of elements that it takes away."""
        self.seal()
        if self.position == len(self.entries):
            return None
        entry = self.entries[self.position]
        self.entries[self.position] = replace(entry, gone=gone)
        self.position += 1
        return entry.edit

    @property
    def last(self) -> Entry | None:
        """What `undo` takes back."""
        return self.entries[self.position - 1] if self.position else None

    @property
    def next(self) -> Entry | None:
        """What `redo` does again."""
        return self.entries[self.position] if self.position < len(self.entries) else None

    def mark_saved(self, files: Mapping[str, object] | tuple[str, ...] | list[str]) -> None:
        """The disk has the present texts of these files."""
        self.seal()
        self._saved.update(dict.fromkeys(files, self.position))

    def saved_position(self, file: str) -> int | None:
        """Where among the entries the disk's text of a file stands; None where that is not known or cannot be reached any more."""
        found = self._saved.get(file, -1)
        return found if found >= 0 else None

    def set_saved(self, file: str, position: int | None) -> None:
        """Where among the entries the disk's text of a file stands; None where it stands nowhere."""
        self.seal()
        self._saved[file] = -1 if position is None else position

    def files(self) -> set[str]:
        """The files that the entries change."""
        return {file for entry in self.entries for file in entry.edit.files}

    def rename(self, old: str, new: str) -> None:
        """A file has another key from now on."""
        self.entries = [entry if old not in entry.edit.files else replace(
            entry, edit=_renamed(entry.edit, old, new), inverse=_renamed(entry.inverse, old, new),
            **{name: {new if file == old else file: known for file, known in getattr(entry, name).items()} for name in ("gone", "made")}) for entry in self.entries]
        if old in self._saved:
            self._saved[new] = self._saved.pop(old)

    def clear(self) -> None:
        """Forget everything: another document."""
        self.entries.clear()
        self._saved.clear()
        self.position, self._size, self.forgotten, self._open = 0, 0, 0, False


def _both(first: Entry, gone: Mapping[str, Mapping[int, int]]) -> Mapping[str, Mapping[int, int]]:
    """The ids that an entry and what it grows by have taken away, by where the elements began before the entry: those that it had made itself have begun nowhere."""
    out = {file: dict(known) for file, known in first.gone.items()}
    patches = sorted(first.inverse.patches, key=lambda patch: (patch.start, patch.end))
    for file, known in gone.items():
        for start, number in known.items():
            before = shifted(start, patches, file)
            if before is not None:
                out.setdefault(file, {}).setdefault(before, number)
    return out


def _renamed(edit: Edit, old: str, new: str) -> Edit:
    return replace(edit, patches=tuple(patch._replace(file=new) if patch.file == old else patch for patch in edit.patches))
