"""Trying values live, taking them back, writing them; whether a handle that is dragged writes as it goes on."""
from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

FOLLOWS = ("The name of a number that is dragged changes the text and the model that runs at once; Esc takes it back, and one undo all of it.\n"
           "Not delay and timeconst, and not while values are tried live: there Apply does it.")
LIVE = ("Give the run these values without writing them; off again, when another servo is chosen, or out of sight, it has those of the text back.\n"
        "armature, gear, delay, and whether there is a range, need the text.")
WRITES, ALL_WRITTEN = "Write these values into the text, as one change that can be undone", "The text says these values already."


class ServoBar(QWidget):
    """try_live, follow, revert, apply; show_state()."""

    def __init__(self):
        super().__init__()
        self.try_live, self.follow, self.revert, self.apply = QPushButton("Try live"), QCheckBox("Write while dragging"), QPushButton("Revert"), QPushButton("Apply")
        self.try_live.setCheckable(True)
        self.try_live.setToolTip(LIVE)
        self.follow.setChecked(True)
        self.follow.setToolTip(FOLLOWS)
        self.revert.setToolTip("Back to the values that are in force")
        line, column = QHBoxLayout(), QVBoxLayout(self)
        line.addWidget(self.try_live)
        line.addStretch(1)
        line.addWidget(self.revert)
        line.addWidget(self.apply)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(3)
        column.addLayout(line)
        column.addWidget(self.follow, 0, Qt.AlignmentFlag.AlignLeft)

    def show_state(self, known: bool, changed: bool, live: bool, why_not: str) -> None:
        """known: whether there is a servo; changed: whether its values are others than those in force; live: whether they are tried in the run; why_not: why nothing can be
        written, '' where it can."""
        self.apply.setEnabled(known and changed and not why_not)
        self.apply.setToolTip(why_not or (WRITES if changed else ALL_WRITTEN))
        self.revert.setEnabled(known and changed)
        self.try_live.setEnabled(known and (changed or live))
        self.try_live.setChecked(live)
        self.follow.setEnabled(known and not live)
