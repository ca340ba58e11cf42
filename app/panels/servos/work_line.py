"""A line that says of which moment the figures are, and what is being worked out: on a busy machine that takes seconds."""
from __future__ import annotations

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QLabel, QSizePolicy

PATIENCE_MS = 250       # what is done sooner is not told


class WorkLine(QLabel):
    """show_state()."""

    def __init__(self):
        super().__init__("")
        self.setMargin(4)
        self.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._state, self._told = ("", ""), False       # whether what goes on is told
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(PATIENCE_MS)
        self._late.timeout.connect(self._tell)

    def show_state(self, of: str, doing: str) -> None:
        """of: what is known already; doing: what is being worked out, '' for nothing."""
        if (of, doing) == self._state:
            return
        self._state = (of, doing)
        if not doing or self._told:
            self._late.stop()
            self._tell()
        elif not self._late.isActive():
            self._late.start()

    def _tell(self) -> None:
        self._told = bool(self._state[1])
        text = " ".join(part for part in self._state if part)
        self.setText(text)
        self.setToolTip(text)
        self.setVisible(bool(text))
