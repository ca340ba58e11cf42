"""The line above the text: the elements that the caret is in, a click selects one; what is not closed, and what was done, take its place."""
from __future__ import annotations

from html import escape

from PyQt6.QtCore import QEvent, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QPalette
from PyQt6.QtWidgets import QLabel, QSizePolicy

from editor.language.text_elements import Step

SAID_MS = 6000      # that a message stays
SEPARATOR = " › "


class Breadcrumb(QLabel):
    """Signals: chosen(offset) when an element is clicked, by where its tag begins; fault_chosen(offset)."""

    chosen = pyqtSignal(int)
    fault_chosen = pyqtSignal(int)

    def __init__(self):
        super().__init__("")
        self.steps: list[Step] = []
        self._fault: tuple[str, int] = ("", -1)
        self._said = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setContentsMargins(4, 0, 4, 0)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.linkActivated.connect(self._clicked)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._forget)
        self._show()

    def show_path(self, steps: list[Step]) -> None:
        """The elements that the caret is in now."""
        if steps != self.steps:
            self.steps = steps
            self._show()

    def show_fault(self, what: str, offset: int = -1) -> None:
        """What is not closed; '' for nothing."""
        if (what, offset) != self._fault:
            self._fault = what, offset
            self._show()

    def say(self, text: str) -> None:
        """Tell something for a few seconds."""
        self._said = text
        self._timer.start(SAID_MS)
        self._show()

    @property
    def said(self) -> str:
        """What is told at the moment: what was done, else what is not closed."""
        return self._said or self._fault[0]

    def _forget(self) -> None:
        self._said = ""
        self._show()

    def _clicked(self, link: str) -> None:
        what, _, offset = link.partition(":")
        (self.fault_chosen if what == "fault" else self.chosen).emit(int(offset))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_timer"):
            self._show()

    def _show(self) -> None:
        metrics, room = self.fontMetrics(), max(self.width() - 12, 40)
        text = self.said
        self.setToolTip(text or SEPARATOR.join(step.title for step in self.steps))
        colour = self.palette().color(QPalette.ColorRole.WindowText).name()
        if text:
            shown = escape(metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))
            self.setText(f'<a href="fault:{self._fault[1]}" style="color:{colour}">{shown}</a>' if not self._said and self._fault[1] >= 0 else shown)
            return
        steps, left = list(self.steps), False
        while len(steps) > 1 and metrics.horizontalAdvance(("… › " if left else "") + SEPARATOR.join(step.title for step in steps)) > room:
            steps.pop(0)
            left = True
        links = [f'<a href="go:{step.start}" style="color:{colour};text-decoration:none">{escape(metrics.elidedText(step.title, Qt.TextElideMode.ElideRight, room))}</a>' for step in steps]
        self.setText(("… › " if left else "") + SEPARATOR.join(links) or "&nbsp;")
