"""The box that says what was clicked: gone after a while, when nothing is clicked, with Esc and with the model."""
from collections.abc import Callable

from PyQt6.QtCore import QObject, QTimer
from PyQt6.QtGui import QAction

from app.context import AppContext
from app.viewport.overlay import Overlay

STAYS_MS = 6000


class ClickedNote(QObject):
    """Fills and empties the overlay's box; escape: the action of the Esc key."""

    def __init__(self, context: AppContext, overlay: Overlay, refresh: Callable[[], None], escape: QAction):
        super().__init__()
        self._overlay, self._refresh = overlay, refresh
        self._stays = QTimer(self)
        self._stays.setSingleShot(True)
        self._stays.setInterval(STAYS_MS)
        self._stays.timeout.connect(self.clear)
        context.thing_clicked.connect(self._show)
        context.model_changed.connect(lambda _model: self.clear())
        escape.triggered.connect(self.clear)

    def _show(self, thing) -> None:
        if thing is None:
            self.clear()
            return
        self._overlay.clicked = thing.lines
        self._stays.start()
        self._refresh()

    def clear(self) -> None:
        """Take the box away."""
        self._stays.stop()
        if self._overlay.clicked:
            self._overlay.clicked = ()
            self._refresh()
