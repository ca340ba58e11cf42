"""Work of several panels, a piece in each turn of the event loop: the window answers between them."""
from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PyQt6 import sip
from PyQt6.QtCore import QObject, QTimer


class InTurn(QObject):
    """For the GUI thread. Pieces are done in the order in which they were posted."""

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._waiting: deque[tuple[QObject, Callable[[], None]]] = deque()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)

    def post(self, owner: QObject, work: Callable[[], None]) -> None:
        """Have this done in a turn of its own, once however often it was posted before that; not when its owner is gone by then."""
        if (owner, work) not in self._waiting:
            self._waiting.append((owner, work))
            self._timer.start()

    def _next(self) -> None:
        owner, work = self._waiting.popleft()
        if self._waiting:
            self._timer.start()
        if not sip.isdeleted(owner):
            work()


def in_turn_of(context: QObject) -> InTurn:
    """The one that all panels of a window share."""
    return context.findChild(InTurn) or InTurn(context)
