"""What panels have in common that ask the physics thread about the present state."""
from __future__ import annotations

from typing import Any

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtWidgets import QLabel, QSizePolicy

from app.context import AppContext
from app.panels.diagnostics.live_query import PAUSE, LiveQuery
from app.panels.live_panel import LivePanel
from physics.model.data import Data
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot


class QueryPanel(LivePanel):
    """A panel has `_look`, called in the physics thread while `_asks` says that there is something to ask, and `_answered`, which is given what `_look` found.
    note: a line for what there is to say, `_say` fills it."""

    def __init__(self, context: AppContext):
        super().__init__(context)
        self.note = text_label()
        self._query = LiveQuery(context, self._look, self, forces=True)
        self._problem = ""              # why there was no answer, while that is what the note says
        self._query.answered.connect(self._take)
        self._query.failed.connect(self._failed)
        self._settle = QTimer(self)     # while paused changes come one by one, and each is to be seen
        self._settle.setSingleShot(True)
        self._settle.setInterval(int(1000 * PAUSE))
        self._settle.timeout.connect(self._ask_at_once)

    @property
    def _asks(self) -> bool:
        return True

    def _look(self, m: Model, d: Data) -> Any:
        """Each panel's own: what it asks, in the physics thread, of a Data that it only reads."""
        raise NotImplementedError

    def _answered(self, found: Any) -> None:
        """Each panel's own: show what `_look` has found, in the GUI thread."""
        raise NotImplementedError

    def _failed(self, text: str) -> None:
        self._problem = f"This could not be computed: {text}"
        self._say(self._problem)

    def _take(self, found: Any) -> None:
        if self._problem and self.note.text() == self._problem:
            self._say("")
        self._problem = ""
        self._answered(found)

    def _ask_at_once(self) -> None:
        """Something else is wanted, or the run stands still: ask for the present state without delay, where somebody looks."""
        if self.seen and self._asks:
            self._query.ask(at_once=True)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Ask for what is new."""
        if self._asks:
            self._query.ask()
            if not snapshot.running:
                self._settle.start()

    def _say(self, text: str) -> None:
        show_note(self.note, text)


def text_label(rich: bool = False) -> QLabel:
    """A text as wide as the panel, in as many lines as it needs."""
    label = QLabel("")
    label.setTextFormat(Qt.TextFormat.RichText if rich else Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setMargin(4)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label


def show_note(label: QLabel, text: str) -> None:
    """The label's text where it is another one; hidden for ''."""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))
