"""Equality: a switch per equality constraint."""
from PyQt6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from app.context import AppContext
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot


class EqualityPanel(QWidget):
    """One check box per constraint, by name."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.boxes: list[QCheckBox] = []
        self._layout = QVBoxLayout(self)
        self._empty = QLabel("This model has no equality constraints.")
        self._layout.addWidget(self._empty)
        self._layout.addStretch(1)
        context.model_changed.connect(self._fill)
        context.snapshot_ready.connect(self._update)
        if context.model is not None:
            self._fill(context.model)

    def _fill(self, model) -> None:
        while len(self.boxes) > model.neq:
            box = self.boxes.pop()
            self._layout.removeWidget(box)
            box.deleteLater()
        for i in range(len(self.boxes), model.neq):
            self.boxes.append(box := QCheckBox())
            box.clicked.connect(lambda on, i=i: self._context.runner.send(commands.SetEqActive(i, on)))
            self._layout.insertWidget(i, box)
        for i, box in enumerate(self.boxes):    # those of the model before are written into
            box.setText(model.names["equality"][i] or f"equality {i}")
            box.setChecked(bool(model.eq_active0[i]))
        self._empty.setVisible(not self.boxes)

    def _update(self, snapshot: Snapshot) -> None:
        if self.isVisible() and len(snapshot.eq_active) == len(self.boxes):
            for box, active in zip(self.boxes, snapshot.eq_active, strict=True):
                box.setChecked(bool(active))
