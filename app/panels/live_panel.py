"""What panels that follow the simulation have in common."""
from collections.abc import Callable

from PyQt6.QtGui import QShowEvent
from PyQt6.QtWidgets import QWidget

from app.context import AppContext
from physics.runtime.snapshot import Snapshot


class LivePanel(QWidget):
    """`show_snapshot`, which each panel has, is called for each snapshot of the present Model while the panel is seen, and for the newest when it comes into view."""

    show_snapshot: Callable[[Snapshot], None]

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        context.snapshot_ready.connect(self._snapshot_ready)

    def _snapshot_ready(self, snapshot: Snapshot) -> None:
        if self.isVisible() and snapshot.model is self._context.model:
            self.show_snapshot(snapshot)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.catch_up()

    def catch_up(self) -> None:
        """Show the newest snapshot there is, as while paused none may follow."""
        snapshot = self._context.snapshot
        if snapshot is not None:
            self._snapshot_ready(snapshot)
