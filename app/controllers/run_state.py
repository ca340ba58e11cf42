"""Whether time passes, as the window shows it: one answer for every button, menu and bar.

    command sent --expect--> the wish is shown --a snapshot agrees, or PATIENCE is over--> what the newest snapshot says
"""
from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from physics.runtime.snapshot import Snapshot

PATIENCE_MS = 600   # that a wish is shown without a snapshot that agrees: it was refused, or undone since


class RunState(QObject):
    """Signal changed(shown): after each wish and each snapshot, whether it says something new or not, so that a sign that went wrong by itself is set right."""

    changed = pyqtSignal(bool)

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._wish: bool | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._forget)
        context.snapshot_ready.connect(self._take)

    @property
    def shown(self) -> bool:
        """Whether time passes, or is about to."""
        snapshot = self._context.snapshot
        return bool(snapshot is not None and snapshot.running) if self._wish is None else self._wish

    def expect(self, running: bool) -> None:
        """A command was sent that will make it so."""
        self._wish = running
        self._patience.start()
        self.changed.emit(running)

    def _take(self, snapshot: Snapshot) -> None:
        if snapshot.running == self._wish:
            self._wish = None
            self._patience.stop()
        self.changed.emit(self.shown)

    def _forget(self) -> None:
        self._wish = None
        self.changed.emit(self.shown)
