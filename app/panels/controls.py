"""Controls: a slider with numeric entry and reset per control."""
import numpy as np
from PyQt6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.context import AppContext
from editor.widgets.row_list import RowList
from editor.widgets.slider_row import RowSpec, SliderRow
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

UNLIMITED = (-1.0, 1.0)


class ControlsPanel(QWidget):
    """One row per control; the running control shows while nobody holds the slider."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(1)
        self.list = RowList()
        self.filter = self.list.filter_field()
        self._clear = QPushButton("Clear all")
        self._clear.clicked.connect(lambda _checked=False: context.runner.send(commands.ClearCtrl()))
        self._layout.addWidget(self.filter)
        self._layout.addWidget(self._clear)
        self._empty = QLabel("This model has no actuators.")
        self._layout.addWidget(self._empty)
        self.list.edited.connect(lambda i, value: context.runner.latest(("ctrl", i), commands.SetCtrl(i, value)))
        self._layout.addWidget(self.list)
        self._layout.addStretch(1)
        context.model_changed.connect(self._fill)
        context.snapshot_ready.connect(self._update)
        if context.model is not None:
            self._fill(context.model)

    @property
    def rows(self) -> list[SliderRow]:
        """All rows, by number of the control; those that nobody has seen are made for this."""
        return [self.list.row(i) for i in range(len(self.list))]

    def _fill(self, model) -> None:
        self._actuators = np.repeat(np.arange(model.nactuator), model.actuator_ctrlnum)   # of each control
        self.list.set_rows([_spec(model, i, name) for i, name in enumerate(control_names(model))])
        self._empty.setVisible(not len(self.list))
        for widget in (self.filter, self._clear):
            widget.setVisible(len(self.list) > 0)

    def _update(self, snapshot: Snapshot) -> None:
        if not self.isVisible() or len(snapshot.ctrl) != len(self.list):
            return
        disabled = snapshot.model.opt.disableactuator
        groups = snapshot.model.actuator_group[self._actuators]
        off = (groups >= 0) & (groups < 31) & (disabled >> np.clip(groups, 0, 30) & 1).astype(bool)
        self.list.show_values(snapshot.ctrl, ~off)


def _spec(model, i: int, name: str) -> RowSpec:
    low, high = model.actuator_ctrlrange[i] if model.actuator_ctrllimited[i] else UNLIMITED
    return RowSpec(name, float(low), float(high), 0.0, f"{name}: control from {low:g} to {high:g}")


def control_names(model) -> list[str]:
    """Names of the controls: the actuator's, with a number where it has several."""
    names = []
    for i in range(model.nactuator):
        name, count = model.names["actuator"][i] or f"actuator {i}", int(model.actuator_ctrlnum[i])
        names += [name] if count == 1 else [f"{name}/{k}" for k in range(count)]
    return names
