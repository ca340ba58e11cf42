"""Controls: a slider with numeric entry and reset per control, beside it the force that it makes and the activation between."""
import numpy as np
from PyQt6.QtWidgets import QLabel, QPushButton, QVBoxLayout

from app.context import AppContext
from app.panels.elements.values import steady
from app.panels.live_panel import LivePanel
from physics.quantities.actuator_units import control_unit, length_units
from app.panels.values.row_sources import row_sources
from editor.widgets.row_list import RowList
from editor.widgets.slider_row import RowSpec, SliderRow
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

UNLIMITED = (-1.0, 1.0)
SOURCES = ("actuator_ctrlnum", "actuator_ctrllimited", "actuator_ctrlrange", "actuator_forcelimited", "actuator_forcerange", "actuator_actnum", "actuator_actlimited",
           "actuator_actrange", "actuator_trntype", "actuator_trnid", "actuator_gear", "actuator_outadr", "actuator_gaintype", "actuator_gainprm", "actuator_biastype",
           "actuator_biasprm", "actuator_dyntype", "jnt_type")     # fields that rows are made of, beside names
FORCE_ROOM, ACTIVATION_ROOM = "-0.000 N m", "  a -0.00"


class ControlsPanel(LivePanel):
    """One row per control; the running control shows while nobody holds the slider."""

    def __init__(self, context: AppContext):
        super().__init__(context)
        self._sources: tuple | None = None      # what the rows were made of
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
        self.list.edited.connect(lambda i, _value: context.control_touched.emit(i))
        self.list.touched.connect(context.control_touched)
        self._layout.addWidget(self.list)
        self._layout.addStretch(1)
        self.fill_with_models(self._fill, SOURCES)

    @property
    def rows(self) -> list[SliderRow]:
        """All rows, by number of the control; those that nobody has seen are made for this."""
        self.fill_now()
        return [self.list.row(i) for i in range(len(self.list))]

    def _fill(self, model) -> None:
        sources = row_sources(model, "actuator", SOURCES)
        if sources == self._sources:     # most edits
            return
        self._sources = sources
        self._actuators = np.repeat(np.arange(model.nactuator), model.actuator_ctrlnum)   # of each control
        self._force_units = [length_units(model, i)[0] for i in range(model.nactuator)]
        self.list.set_rows([_spec(model, i, int(self._actuators[i]), name) for i, name in enumerate(control_names(model))])
        self._empty.setVisible(not len(self.list))
        for widget in (self.filter, self._clear):
            widget.setVisible(len(self.list) > 0)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """The present values."""
        disabled = snapshot.model.opt.disableactuator
        groups = snapshot.model.actuator_group[self._actuators]
        off = (groups >= 0) & (groups < 31) & (disabled >> np.clip(groups, 0, 30) & 1).astype(bool)
        self.list.show_values(snapshot.ctrl.copy(), ~off, self._readout)

    def _readout(self, control: int) -> str:
        """The force that control number `control` makes now, with its activation."""
        snapshot = self._context.snapshot
        if snapshot is None or snapshot.model is not self._filled_with:     # a row that comes into view before the panel is of the new model
            return ""
        m, i = snapshot.model, int(self._actuators[control])
        first, count = int(m.actuator_outadr[i]), int(m.actuator_outnum[i])
        if count == int(m.actuator_ctrlnum[i]):   # one output each
            first, count = first + control - int(m.actuator_ctrladr[i]), 1
        forces = snapshot.actuator_force[first:first + count]
        force = float(forces[0]) if count == 1 else float(np.linalg.norm(forces))
        text = f"{steady(force)} {self._force_units[i]}".rstrip()
        if m.actuator_actnum[i] > 0:
            text += f"  a {snapshot.act[m.actuator_actadr[i]]:.2g}"
        return text


def _spec(model, i: int, actuator: int, name: str) -> RowSpec:
    limited = bool(model.actuator_ctrllimited[i])
    low, high = model.actuator_ctrlrange[i] if limited else UNLIMITED
    unit = control_unit(model, actuator)
    tip = f"{name}: control from {low:g} to {high:g}{' ' + unit if unit else ''}" + ("" if limited else " (it has no range)")
    if model.actuator_forcelimited[actuator]:
        tip += f"\nforce from {model.actuator_forcerange[actuator, 0]:g} to {model.actuator_forcerange[actuator, 1]:g} {length_units(model, actuator)[0]}"
    if model.actuator_actnum[actuator] > 0:
        tip += "\nbeside it: force, and activation (a)"
        if model.actuator_actlimited[actuator]:
            tip += f" from {model.actuator_actrange[actuator, 0]:g} to {model.actuator_actrange[actuator, 1]:g}"
    room = FORCE_ROOM + (ACTIVATION_ROOM if model.actuator_actnum[actuator] > 0 else "")
    return RowSpec(name, float(low), float(high), 0.0, tip, limited=limited, readout=room)


def control_names(model) -> list[str]:
    """Names of the controls: the actuator's, with a number where it has several."""
    names = []
    for i in range(model.nactuator):
        name, count = model.names["actuator"][i] or f"actuator {i}", int(model.actuator_ctrlnum[i])
        names += [name] if count == 1 else [f"{name}/{k}" for k in range(count)]
    return names
