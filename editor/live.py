"""Changes of the texts that reach the Model that runs without a compile: which ones do, and what they write.

    texts of now --classify--> only attributes of the table of parameters (physics/compiler/parameters.py) differ from what was compiled?   yes: rows of fields    no: compile
                 after a pause: one full compile; all fields must be those in force, else it is a mistake of ours, told, and the compiled Model is swapped in
    texts that cannot be compiled, where a tool has changed them: only the elements that it has changed
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:   # at the start every import counts
    from physics.compiler.live.kept import KeptCompile
    from physics.model.changes.field_changes import FieldChange
    from physics.mjcf.reader import ReadResult
    from physics.spec.element import Element

__all__ = ["FieldEdit", "LiveModel"]


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """What has to be written. model: the Model that it is for; changes: so many that of several such edits the newest is enough; number: which edit since the program's
    start; level: 'P1' or 'P3'; changed: the fields that are others than with the text before: `changes` has what earlier edits wrote, too."""

    model: Any
    changes: tuple[FieldChange, ...]
    number: int
    level: str
    changed: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that are written."""
        return tuple(change.name for change in self.changes)

    @property
    def rows(self) -> tuple:
        """As SetFields has them."""
        return tuple(tuple(change) for change in self.changes)


class LiveModel:
    """The Model that runs, what is kept of its compile, and what was written into it since. All methods may be called from any thread; `hand_over` is called with the
    lock held, so that what is sent is in order."""

    def __init__(self):
        self._lock = threading.RLock()
        self._kept: KeptCompile | None = None
        self._model: Any = None
        self._given: tuple[FieldChange, ...] = ()       # what the text of the last edit has that the kept Model has not
        self._sent: tuple[FieldChange, ...] = ()        # what may be on its way, or is written and not what is kept
        self._read: ReadResult | None = None            # what the texts read as that all of it is of
        self._before: tuple[FieldChange, ...] = ()      # what was given before the last entry of the history
        self._back: tuple[FieldChange, ...] = ()        # what makes the Model that of before it
        self._entry: Hashable = None
        self._number = 0
        self._ids: dict[int, int] = {}                  # ids that elements have elsewhere -> those that they have in the reading of the kept compile

    @property
    def number(self) -> int:
        """How many edits there were."""
        return self._number

    @property
    def model(self) -> Any:
        """The Model that runs, or will as soon as the physics thread has it; None where nothing of it is kept."""
        return self._model

    @property
    def written(self) -> bool:
        """Whether the Model that runs has all that was handed over."""
        return self._model is None or not self._sent or self._model.revision.edit >= self._number

    def started(self, model: Any, kept: KeptCompile | None, hand_over: Callable[[], None] = lambda: None) -> None:
        """Another Model was compiled and will run."""
        with self._lock:
            old, self._kept, self._model, self._given, self._sent = self._kept, kept, model if kept is not None else None, (), ()
            self._read, self._before, self._back, self._entry, self._ids = kept.read if kept is not None else None, (), (), None, {}
            self._number += 1
            hand_over()
        if old is not None:
            old.close()

    def edit(self, read: ReadResult, quick: bool, hand_over: Callable[[FieldEdit], None], entry: Hashable = None) -> FieldEdit | None:
        """Find what the texts of now change, and hand it over; None where that takes a compile. read: what they read as; quick: only what takes no more than a millisecond or so;
        entry: the same for edits in a row that are one entry of the history, None for one by itself."""
        with self._lock:
            kept = self._kept
            if kept is None or read.root is None:
                return None
            changed = kept.changed(read)
            found = kept.rows(changed, quick) if changed is not None else None
            if found is None:
                return None
            from physics.model.changes.field_changes import disagreeing, put_together

            arrived = self._model.revision.edit >= self._number
            changes = put_together(kept.image, found.changes, self._given if arrived else self._sent)
            changed_now = disagreeing(found.changes, self._given)
            self._note(found.changes, entry)
            self._given, self._sent, self._read = found.changes, changes, read
            self._number += 1
            edit = FieldEdit(self._model, changes, self._number, found.level, changed_now)
            hand_over(edit)
            return edit

    def edit_elements(self, elements: Iterable[Element], hand_over: Callable[[FieldEdit], None], entry: Hashable = None) -> FieldEdit | None:
        """The same where the texts of now cannot be compiled: of some elements of theirs alone; what is in force stays for all others."""
        from editor.live_parts import with_elements

        with self._lock:
            elements, read = tuple(elements), None
            if self._read is not None:
                read = with_elements(self._read, elements) or self._ids and with_elements(self._read, elements, self._ids) or None
            return self.edit(read, False, hand_over, entry) if read is not None else None

    def known_as(self, model: Any, ids: Mapping[int, int]) -> None:
        """The texts of `model` were read elsewhere meanwhile, where elements have got other ids. ids: those of the kept compile's reading -> those; nothing where another Model runs."""
        with self._lock:
            if model is self._model:
                self._ids = {other: mine for mine, other in ids.items()}

    def _note(self, changes: tuple[FieldChange, ...], entry: Hashable) -> None:
        """What there was before an edit."""
        from physics.model.changes.field_changes import disagreeing, put_together

        if not disagreeing(changes, self._given):
            return
        if entry is None or entry != self._entry:
            self._before, self._entry = self._given, entry
        self._back = put_together(self._kept.image, self._before, changes)

    @property
    def changed(self) -> bool:
        """Whether there is a Model of `before`."""
        return bool(self._back)

    def before(self) -> Any:
        """The Model that runs as it was before the last edit that was written into it, as one of its own; None where there was none since it was compiled."""
        from physics.model.changes.field_changes import names_of, write
        from physics.model.model_copy import model_beside

        with self._lock:
            if self._model is None or not self._back:
                return None
            made = model_beside(self._model)
            write(made, self._back)
            made.revised(names_of(self._back))
            return made

    def reading(self) -> ReadResult | None:
        """What the texts read as that the Model that runs has all of."""
        return self._read

    def verified(self, number: int, model: Any, kept: KeptCompile | None) -> tuple[str, ...] | None:
        """A full compile of the text of edit `number` gave `model`: the fields in which that differs from what is in force, () for none; then what is kept is of it from now
        on, else it is the caller's. None where there were more edits meanwhile, which says nothing."""
        with self._lock:
            if number != self._number or self._kept is None or kept is None:
                if kept is not None:
                    kept.close()
                return None
            wrong = _differing(self._kept, self._given, self._model, model)
            if wrong:
                return wrong
            old, self._kept = self._kept, kept
            arrived = self._model.revision.edit >= self._number
            self._given, self._sent, self._before, self._entry, self._read = (), () if arrived else self._sent, (), None, kept.read
        old.close()
        return ()

    def close(self) -> None:
        """Nothing runs any more."""
        self.started(None, None)


def _differing(kept: KeptCompile, given: tuple[FieldChange, ...], running: Any, model: Any) -> tuple[str, ...]:
    """Fields in which a Model is not the kept one with what was given."""
    from physics.model.changes.field_changes import TREES, differences, disagreeing
    from physics.model.model_changes import APART

    if model.names != kept.names:
        return ("names",)
    wanted = differences(kept.image, model)
    if wanted is None:
        return ("sizes",)
    wrong = list(disagreeing(given, wanted))
    for name in model.layout.arrays:
        mine, theirs = getattr(running, name), getattr(model, name)
        if name.startswith(TREES):
            mine, theirs = mine[len(kept.image[name]):], theirs[len(kept.image[name]):]     # those of meshes
        if name.startswith((*APART, TREES)) and not np.array_equal(mine, theirs):
            wrong.append(name)
    if tuple(model.view_only) != tuple(kept.view_only) and [issue.what for issue in model.view_only] != [issue.what for issue in kept.view_only]:
        wrong.append("view_only")
    return tuple(sorted(wrong))
