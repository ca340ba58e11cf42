"""Controls: a slider with numeric entry and reset per control."""
import numpy as np
from PyQt6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.context import AppContext
from editor.widgets.slider_row import SliderRow
from physics.runtime import commands

UNLIMITED = (-1.0, 1.0)


class ControlsPanel(QWidget):
    """One row per control; the running control shows while nobody holds the slider."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.rows: list[SliderRow] = []
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(1)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._show_matching)
        self._clear = QPushButton("Clear all")
        self._clear.clicked.connect(lambda _checked=False: context.runner.send(commands.ClearCtrl()))
        self._layout.addWidget(self.filter)
        self._layout.addWidget(self._clear)
        self._empty = QLabel("This model has no actuators.")
        self._layout.addWidget(self._empty)
        self._layout.addStretch(1)
        context.model_changed.connect(self._fill)
        context.snapshot_ready.connect(self._update)
        if context.model is not None:
            self._fill(context.model)

    def _fill(self, model) -> None:
        for row in self.rows:
            self._layout.removeWidget(row)
            row.deleteLater()
        self._actuators = np.repeat(np.arange(model.nactuator), model.actuator_ctrlnum)   # of each control
        self.rows = [self._row(model, i, name) for i, name in enumerate(control_names(model))]
        for i, row in enumerate(self.rows):
            self._layout.insertWidget(3 + i, row)
        self._empty.setVisible(not self.rows)
        for widget in (self.filter, self._clear):
            widget.setVisible(bool(self.rows))
        self._show_matching(self.filter.text())

    def _row(self, model, i: int, name: str) -> SliderRow:
        low, high = model.actuator_ctrlrange[i] if model.actuator_ctrllimited[i] else UNLIMITED
        row = SliderRow(name, float(low), float(high), 0.0, f"{name}: control from {low:g} to {high:g}")
        row.edited.connect(lambda value, i=i: self._context.runner.latest(("ctrl", i), commands.SetCtrl(i, value)))
        return row

    def _show_matching(self, text: str) -> None:
        for row in self.rows:
            row.setVisible(text.lower() in row.name.lower())

    def _update(self, snapshot) -> None:
        if not self.isVisible() or len(snapshot.ctrl) != len(self.rows):
            return
        disabled = snapshot.model.opt.disableactuator
        groups = snapshot.model.actuator_group[self._actuators]
        for i, row in enumerate(self.rows):
            row.show_value(float(snapshot.ctrl[i]))
            row.set_enabled(not (0 <= groups[i] < 31 and disabled >> int(groups[i]) & 1))


def control_names(model) -> list[str]:
    """Names of the controls: the actuator's, with a number where it has several."""
    names = []
    for i in range(model.nactuator):
        name, count = model.names["actuator"][i] or f"actuator {i}", int(model.actuator_ctrlnum[i])
        names += [name] if count == 1 else [f"{name}/{k}" for k in range(count)]
    return names
