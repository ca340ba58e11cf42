"""The mark beside the keyframes: some were stored in the window and are not what the file has."""
from __future__ import annotations

from app.context import AppContext
from editor.widgets.changed_mark import ChangedMark
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot


class KeyMark(ChangedMark):
    """Its menu puts the keyframes back."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._targets: tuple[str, ...] = ()
        self.revert.connect(self._revert)
        self.revert_section.connect(self._revert)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Which keyframes differ from the file."""
        changed = [change for change in snapshot.changed_values if change.target.startswith("key[")]
        self._targets = tuple(change.target for change in changed)
        self.show_change(f"other states for {', '.join(change.label for change in changed)}" if changed else "")

    def _revert(self) -> None:
        for target in self._targets:
            self._context.runner.send(commands.RevertValue(target))
