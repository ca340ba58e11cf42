"""A row of small buttons with numbers, each of which is on or off: groups."""
from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QToolButton


def number_switches(count: int) -> list[QToolButton]:
    """Checkable buttons 0, 1, ... as narrow as their numbers."""
    made = []
    for number in range(count):
        button = QToolButton()
        button.setText(str(number))
        button.setCheckable(True)
        button.setAutoRaise(True)   # only those that are on have a frame
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setFixedWidth(button.fontMetrics().horizontalAdvance("0") + 16)
        made.append(button)
    return made
