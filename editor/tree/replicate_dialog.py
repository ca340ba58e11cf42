"""Copies of what is selected side by side, with a preview: count, offset and turn from copy to copy."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PyQt6.QtWidgets import QLineEdit, QPushButton, QWidget

from editor.edits.version import Version
from editor.structure.draft import Change
from editor.wording import what
from editor.structure.poses import settings_of
from editor.structure.replicate import MOST, Repetition, repetition_of, replicate
from editor.tree.trial_dialog import TrialDialog
from editor.widgets.number_edit import NumberEdit
from editor.widgets.vector_edit import VectorEdit

__all__ = ["ReplicateDialog"]


class ReplicateDialog(TrialDialog):
    """numbers: ids of the elements; a replicate alone is changed. Others as TrialDialog has them."""

    def __init__(self, parent: QWidget, version: Version, numbers: Sequence[int], pictures, then: Callable[[Callable[[Version], Change]], object], compat: str = "4.0",
                 known: Iterable[str] = ()):
        old = repetition_of(version, numbers[0]) if len(numbers) == 1 else None
        named = what(version.element(numbers[0])) if len(numbers) == 1 else f"{len(numbers)} elements"
        super().__init__(parent, f"Change {named}" if old is not None else f"Replicate {named}", version, pictures, then, compat, known)
        self._numbers, start = tuple(numbers), old or Repetition()
        degrees, sequence = settings_of(version)
        self._turn = 360.0 if degrees else 6.283185307179586
        self.count, self.offset, self.euler, self.sep = NumberEdit(start.count, 1, MOST, whole=True), VectorEdit(3), VectorEdit(3), QLineEdit(start.sep)
        self.offset.show_value(start.offset)
        self.euler.show_value(start.euler)
        self.sep.setPlaceholderText("nothing")
        self.full = QPushButton("Full turn")
        self.full.setAutoDefault(False)
        self.full.setToolTip("Turn so that the copies close a circle: about the axis with a turn, else about z")
        self.full.clicked.connect(self._close_circle)
        self.row("Count", self.count, "How many there are in all")
        self.row("Offset [m]", self.offset, "From copy to copy along x, y and z, turned with the copies")
        self.row(f"Turn [{'degree' if degrees else 'rad'}]", (self.euler, self.full), f"From copy to copy: Euler angles in the sequence {sequence}, as in euler")
        self.row("Separator", self.sep, "What stands between a name and the number of its copy")
        self.count.edited.connect(self.changed)
        self.offset.edited.connect(self.changed)
        self.euler.edited.connect(self.changed)
        self.sep.textChanged.connect(self.changed)
        self.fit()
        self.changed()

    def repetition(self) -> Repetition:
        """What the fields say."""
        return Repetition(int(self.count.number), self.offset.value, self.euler.value, self.sep.text().strip())

    def make(self) -> Callable[[Version], Change]:
        return partial(_replicated, numbers=self._numbers, wanted=self.repetition())

    def _close_circle(self) -> None:
        euler = list(self.euler.value)
        axis = next((k for k in (2, 1, 0) if euler[k]), 2)
        euler[axis] = self._turn / max(1.0, self.count.number)
        self.euler.show_value(euler)
        self.changed()


def _replicated(version: Version, numbers: Sequence[int], wanted: Repetition) -> Change:
    return replicate(version, numbers, wanted)
