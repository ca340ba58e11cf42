"""Which demonstration is shown as a ghost over each attempt, and taking it away."""
from __future__ import annotations

from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.controllers.teleoperation.ghost import GhostController


class GhostBox(QWidget):
    """A line that is there while there is something to tell."""

    def __init__(self, ghost: GhostController):
        super().__init__()
        self._ghost = ghost
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.take_away = QPushButton("Take away")
        self.take_away.setToolTip("Show no demonstration beside what is done now")
        self.take_away.clicked.connect(lambda _checked=False: ghost.take_away())
        line = QHBoxLayout(self)
        line.setContentsMargins(4, 0, 0, 0)
        line.addWidget(self.state, 1)
        line.addWidget(self.take_away)
        ghost.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.state.setText(self._ghost.state)
        self.take_away.setVisible(self._ghost.on)
        self.setVisible(bool(self._ghost.state))
