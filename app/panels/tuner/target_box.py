"""The list of what a panel of tuning can be about: what it is about now, what is selected, and the contacts that press hardest."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QComboBox, QSizePolicy

from app.panels.tuner import choice
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from physics.tuning.target import Target


class TargetBox(QComboBox):
    """Signals: opening() before its list is shown; chosen(Target) by the user."""

    opening = pyqtSignal()
    chosen = pyqtSignal(object)

    def __init__(self, tip: str):
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setToolTip(tip)
        self._offered: tuple[Target, ...] = ()
        self.activated.connect(self._choose)

    def offer(self, m: Model | None, snapshot: Snapshot | None, now: Target | None, selected: Sequence[Target]) -> None:
        """List these and what presses hardest, each once; an open list, and one without a state of the Model, stays as it is."""
        if m is None or snapshot is None or snapshot.model is not m or self.view().isVisible():
            return
        unique: dict[tuple, Target] = {}
        for target in (*((now,) if now is not None else ()), *selected, *choice.pressing(m, snapshot)):
            unique.setdefault(choice.key_of(target), target)
        self._offered = tuple(unique.values())
        self.clear()
        self.addItems([choice.name_of(target) for target in self._offered])
        self.setCurrentIndex(0 if self._offered else -1)

    def forget(self) -> None:
        """What was offered is of a Model that has gone."""
        self._offered = ()

    def showPopup(self) -> None:
        self.opening.emit()
        super().showPopup()

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._offered):
            self.chosen.emit(self._offered[index])
