"""What a document does with edits: texts changed, undone and done again, and what they read as, with the same ids for the same elements.

    apply(edit) --> texts, history, ids        undo(), redo(), go_to(position)        gesture: editor.edits.gesture
    version(): what the present texts read as        last_good: the last tree there was, where its elements stand now
"""
from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from editor.edits.changed_tags import with_changed_tags
from editor.edits.handing_over import handed_over
from editor.edits.history import NONE, History
from editor.edits.last_good import LastGood
from editor.edits.patch import Edit, apply, compose, edit_between, inverse
from editor.edits.version import Ids, Version, carried, taken_away
from physics.spec.element import remade, written_id

if TYPE_CHECKING:
    from editor.source_file import SourceFile

__all__ = ["EditedTexts", "Recorder"]

LONG = 2 << 20      # characters that are not read between two keys
FEW = 64    # entries whose edits are put together one by one when the history moves over them


class Recorder(Protocol):
    """Who is told of all that happens to the texts (editor.journal.Journal)."""

    def edited(self, edit: Edit, back: Edit, grows: bool) -> None: ...

    def moved(self, position: int) -> None: ...

    def on_disk(self, file: str) -> None: ...

    def renamed(self, old: str, new: str) -> None: ...

    def forgot(self) -> None: ...


class UnderWay(Protocol):
    """A gesture that has not ended (editor.edits.gesture.Gesture)."""

    def end(self) -> Edit | None: ...

    def cancel(self) -> Edit: ...


@dataclass(slots=True, kw_only=True)
class EditedTexts(ABC):
    """history: of all files' edits. open_gesture: the one under way; recorder: who keeps all of it for after a crash."""

    history: History = field(default_factory=History, repr=False)
    open_gesture: UnderWay | None = field(default=None, repr=False)
    recorder: Recorder | None = field(default=None, repr=False)
    _version: Version | None = field(default=None, repr=False)
    _ids: Ids = field(default_factory=dict, repr=False)
    _good: Version | None = field(default=None, repr=False)         # the last whose texts were all XML
    _since: Edit = field(default=Edit("", ()), repr=False)          # what has changed after it
    _last_good: LastGood | None = field(default=None, repr=False)
    _away: dict[str, SourceFile] = field(default_factory=dict, repr=False)     # files that are not included any more

    # what the document has

    @abstractmethod
    def files(self) -> dict[str, SourceFile]:
        """All files by key, the main file first."""

    @abstractmethod
    def bring_back(self, key: str) -> None:
        """Have a file again that is not included any more."""

    @abstractmethod
    def read_texts(self) -> dict[str, str]:
        """The texts that the reader is given, the main one first."""

    @property
    @abstractmethod
    def main_key(self) -> str:
        """Key of the main file."""

    @property
    @abstractmethod
    def base_dir(self) -> str | None:
        """The folder that files are looked up in."""

    @property
    @abstractmethod
    def sealed(self) -> str:
        """Why no text can be changed here; '' where it can."""

    def texts(self) -> dict[str, str]:
        """{key: text} of all files, the main one first."""
        return {key: file.text for key, file in self.files().items()}

    # ------------------------------------------------------------------ what they read as

    def version(self) -> Version:
        """What the present texts read as. An element keeps its id from one version to the next."""
        texts = self.read_texts()
        if self._version is None or self._version.texts != texts:
            self._set_version(self._of_changed_tags(texts) or Version.of(texts, self.main_key, self.base_dir, self._ids))
        return self._version

    def _of_changed_tags(self, texts: dict[str, str]) -> Version | None:
        """The version of texts in which only numbers have changed since the last one, as with every motion of a drag; None where they are to be read."""
        if self._version is None or self._version is not self._good or not self._since.patches:
            return None
        return with_changed_tags(self._version, self._since, texts, self.main_key, self.base_dir, self._ids)

    @property
    def known_version(self) -> Version | None:
        """The version of the present texts, if these have been read."""
        return self._version if self._version is not None and self._version.texts == self.read_texts() else None

    @property
    def last_good(self) -> LastGood:
        """The tree to show and to work on: that of the present version, else, while a text is no XML, the last there was with its elements where they stand now."""
        version = self.version()
        if self._last_good is None:
            if self._good is version:
                self._last_good = LastGood(version, version.texts)
            else:
                self._last_good = LastGood(self._good or version, {**self.all_texts(), **version.texts}, self._since, self._ids)
        return self._last_good

    def _set_version(self, version: Version) -> None:
        self._version, self._ids, self._last_good = version, version.ids, None
        if version.root is not None and not version.read.broken:
            self._good, self._since = version, Edit("", ())

    @property
    def ids(self) -> Ids:
        """Ids of elements by file and by where they begin in the present texts: whoever reads these gives the same ids. Before they were read at all, and of texts that take long,
        as far as they are known."""
        if self._version is None or sum(map(len, self.texts().values())) > LONG:
            return self._ids
        return self.version().ids

    @property
    def known_ids(self) -> Ids:
        """The same, without reading anything."""
        return self._ids

    @property
    def read_already(self):
        """What somebody has read the present texts as (physics.mjcf.reader.ReadResult); None where nobody has, and where something was wrong, which files may mend that come."""
        version = self._version
        if version is None or version.texts != self.read_texts() or any(issue.severity == "error" for issue in version.read.issues):
            return None
        return version.read

    def adopt_reading(self, read) -> None:
        """Take what somebody has read the texts as (physics.mjcf.reader.ReadResult, with `ids`) for the version, if those of all files that it met are still the present ones.

        Not where these were read here meanwhile, and elements have got other ids: `other_ids` tells those.
        """
        now, mine = self.texts(), self.read_texts()
        version = self._version
        if version is not None and version.root is not None and version.root is read.root and version.texts == mine and read.all_sources.keys() <= self._ids.keys():
            return      # what was read here has come back
        mine_still = self._version is not None and all(mine.get(file) == text for file, text in self._version.texts.items())     # files that it did not know may have come
        if self._version is not None and (self._version.read is read or mine_still and (_same(self._version.read, read) or self.other_ids(read))):
            return
        if all(now.get(file) == text for file, text in read.all_sources.items()):
            self._set_version(Version.of_reading(read, mine, self.main_key, self.base_dir, self._ids))

    def other_ids(self, read) -> dict[int, int]:
        """Ids that elements have in a reading by somebody else -> those that they have here, where the texts are the same and these differ. Of files that nobody has read
        here elements have the reading's from now on."""
        now = self.texts()
        if self._version is not None and self._version.read is read or not all(now.get(file, text) == text for file, text in read.all_sources.items()):
            return {}
        found: dict[int, int] = {}
        unread = read.all_sources.keys() - self._ids.keys()
        for reading in (read, *read.attached.values()):
            for one in reading.root.walk() if reading.root is not None else ():
                if one.origin.file in unread:
                    self._ids.setdefault(one.origin.file, {})[one.origin.start] = written_id(one.id)
                    continue
                known = self._ids[one.origin.file].get(one.origin.start) if one.origin.file in self._ids else None
                if known is not None and known != written_id(one.id):
                    found[one.id] = remade(one.id, known)
        return found

    # ------------------------------------------------------------------ changes

    def apply(self, edit: Edit) -> None:
        """Change texts by an edit, which can be undone. A gesture that is under way has ended by this. Raises ValueError for an edit that does not fit, or texts that are only
        read; then nothing has changed."""
        if self.sealed:
            raise ValueError(self.sealed)
        before, ids = self.all_texts(), self._ids
        back = handed_over(edit, before, ids)
        if self.open_gesture is not None:
            apply(before, edit)     # it may not fit
            self.open_gesture.end()
        self.put(edit, back)
        self.added(edit, inverse(edit, before), taken_away(ids, edit))

    def added(self, edit: Edit, back: Edit, gone: Ids) -> None:
        """An edit is in the texts: it is an entry of the history. back: its inverse; gone: ids that it has taken away."""
        grows = self.history.add(edit, back, time.monotonic(), gone)
        if self.recorder is not None and edit.patches:
            self.recorder.edited(edit, back, grows)

    def undo(self) -> Edit | None:
        """Take the last edit back, or give the gesture up that is under way; what did that, None where there is none."""
        if self.open_gesture is not None:
            return self.open_gesture.cancel()
        if self.history.last is None:
            return None
        done = self._undone()
        self._tell_moved()
        return done

    def redo(self) -> Edit | None:
        """Do what was undone last again; what did that, None where there is none."""
        if self.open_gesture is not None:
            self.open_gesture.end()
        if self.history.next is None:
            return None
        done = self._done_again()
        self._tell_moved()
        return done

    def _undone(self) -> Edit:
        entry = self.history.last
        done = self.history.undo(taken_away(self._ids, entry.inverse))
        self.put(done, entry.gone)
        return done

    def _done_again(self) -> Edit:
        entry = self.history.next
        done = self.history.redo(taken_away(self._ids, entry.edit))
        self.put(done, entry.made)
        return done

    def _tell_moved(self) -> None:
        if self.recorder is not None:
            self.recorder.moved(self.history.position)

    def go_to(self, position: int) -> Edit | None:
        """Undo, or do again, until so many entries of the history are done; all of it as one edit, None where nothing is to be done."""
        if self.open_gesture is not None:
            self.open_gesture.end()
        history = self.history
        position = max(0, min(position, len(history.entries)))
        count, back, before, steps = abs(position - history.position), position < history.position, self.all_texts(), []
        for _ in range(count):
            steps.append(self._undone() if back else self._done_again())
        if not steps:
            return None
        self._tell_moved()
        label = steps[-1].label
        if count <= FEW:
            whole = steps[0]
            for step in steps[1:]:
                whole = compose(whole, step)
            return Edit(label, whole.patches)
        after = self.all_texts()
        return Edit(label, tuple(patch for file in dict.fromkeys(file for step in steps for file in step.files)
                                 for patch in edit_between(label, file, before[file], after[file]).patches))

    def put(self, edit: Edit, back: Ids = NONE, ids: Ids | None = None) -> None:
        """Change texts by an edit that the history knows, or is not to know (`Gesture`). back: ids of elements that it puts back; ids: of all of them after it, where these are
        known. Raises ValueError for an edit that does not fit; then nothing has changed."""
        texts = apply(self.all_texts(), edit)
        if self._version is None:
            self.version()      # so that there is a last good one
        for file in texts:
            if file in self._away:
                self.bring_back(file)
        self._ids = carried(self._ids, edit, back) if ids is None else ids
        if self._good is not None:
            self._since = compose(self._since, edit)
        files = self.files()
        for key, text in texts.items():
            files[key].text = text

    def files_aside(self) -> dict[str, SourceFile]:
        """Files that are not included any more, by key."""
        return dict(self._away)

    def all_texts(self) -> dict[str, str]:
        """Those of files that are not included any more, too."""
        return {**{key: file.text for key, file in self._away.items()}, **self.texts()}


def _same(one, other) -> bool:
    """Whether two readings have the same tree, and found the same."""
    return one.root is not None and one.root is other.root and one.issues == other.issues
