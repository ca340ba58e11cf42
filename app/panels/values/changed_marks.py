"""Marks beside the values of a panel that differ from the file, kept by what the physics thread remembers (Snapshot.changed_values)."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PyQt6.QtCore import QObject
from PyQt6.QtWidgets import QWidget

from app.context import AppContext
from app.panels.live_panel import Sight, in_front
from editor.widgets.changed_mark import ChangedMark
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class _Place:
    """A mark, what it is about, and how the part of the value that it stands for is read and written."""

    mark: ChangedMark
    target: str
    part: Callable
    text: Callable[[object], str]


def number_text(value) -> str:
    """A value as the marks and lists say it."""
    return " ".join(f"{float(v):.7g}" for v in np.ravel(value))


def component(index: int | None) -> Callable:
    """The part of a vector that one field shows; None: the whole value."""
    return (lambda value: value) if index is None else (lambda value: np.ravel(value)[index])


def on_off(value) -> str:
    """A switch in words."""
    return "on" if value else "off"


class ChangedMarks(QObject):
    """The marks of one panel. `add` each (one mark may stand for several values); they follow the snapshots while the panel is seen."""

    def __init__(self, context: AppContext, panel: QWidget):
        super().__init__(panel)
        self._context, self._panel = context, panel
        self._places: list[_Place] = []
        self._sections: dict[str, set[str]] = defaultdict(set)   # the targets in each
        self._shown: tuple | None = None
        Sight(panel).changed.connect(self._seen_changed)
        context.snapshot_ready.connect(self._update)

    def add(self, mark: ChangedMark, section: str, target: str, part: Callable = component(None), text: Callable[[object], str] = number_text) -> None:
        """A mark beside a value. target: as ChangedValue names it; part: what of its value the row shows; text: how the menu says it."""
        self._places.append(_Place(mark, target, part, text))
        self._sections[section].add(target)
        mark.revert.connect(lambda: self._revert(target))
        mark.revert_section.connect(lambda: self._revert(*sorted(self._sections[section])))
        self._shown = None

    def _seen_changed(self, seen: bool) -> None:
        if seen:
            self.catch_up()

    def catch_up(self) -> None:
        """Show what the newest snapshot says, as while paused none may follow."""
        if self._context.snapshot is not None:
            self._update(self._context.snapshot)

    def _revert(self, *targets: str) -> None:
        changed = {change.target for change in self._shown or ()}
        for target in targets:
            if target in changed:
                self._context.runner.send(commands.RevertValue(target))

    def _update(self, snapshot: Snapshot) -> None:
        changed = snapshot.changed_values
        if not in_front(self._panel) or changed is self._shown:
            return
        self._shown = changed
        self.show_changes({change.target: (change.file_value, change.value) for change in changed})

    def show_changes(self, changes: dict[str, tuple]) -> None:
        """Mark these targets: {target: (the file's value, the present one)}, and no others."""
        texts: dict[ChangedMark, list[str]] = {place.mark: [] for place in self._places}
        for place in self._places:
            if place.target in changes:
                before, now = (place.part(value) for value in changes[place.target])
                if not np.array_equal(before, now):
                    texts[place.mark].append(place.text(before))
        for mark, parts in texts.items():
            mark.show_change(", ".join(parts))
