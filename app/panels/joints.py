"""Joints: a slider with numeric entry and reset per hinge and slide. They write while paused and show values while running."""
import math

from PyQt6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.context import AppContext
from editor.widgets.row_list import RowList
from editor.widgets.slider_row import RowSpec, SliderRow
from physics.enums import JNT_HINGE, JNT_SLIDE
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

RANGES = ((JNT_HINGE, math.pi), (JNT_SLIDE, 1.0))   # half range of an unlimited joint


class JointsPanel(QWidget):
    """One row per scalar joint of the visible joint groups."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._addresses: list[int] = []     # in qpos, of each row
        self._shown_groups = None
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(1)
        self.list = RowList()
        self.filter = self.list.filter_field()
        self._layout.addWidget(self.filter)
        self._empty = QLabel("This model has no hinge or slide joints.")
        self._layout.addWidget(self._empty)
        self.list.edited.connect(self._edited)
        self._layout.addWidget(self.list)
        self._layout.addStretch(1)
        context.model_changed.connect(self._fill)
        context.snapshot_ready.connect(self._update)
        context.options_changed.connect(self._groups_changed)
        if context.model is not None:
            self._fill(context.model)

    @property
    def rows(self) -> dict[int, SliderRow]:
        """All rows by address in qpos; those that nobody has seen are made for this."""
        return {adr: self.list.row(i) for i, adr in enumerate(self._addresses)}

    def _fill(self, model) -> None:
        self._shown_groups = list(self._context.options.jointgroup)
        half_ranges = dict(RANGES)
        joints = [j for j in range(model.njnt)
                  if int(model.jnt_type[j]) in half_ranges and self._shown_groups[min(max(int(model.jnt_group[j]), 0), 5)]]
        self._addresses = [int(model.jnt_qposadr[j]) for j in joints]
        self.list.set_rows([_spec(model, j, half_ranges[int(model.jnt_type[j])]) for j in joints])
        self._empty.setVisible(not joints)
        self.filter.setVisible(bool(joints))

    def _edited(self, i: int, value: float) -> None:
        adr = self._addresses[i]
        self._context.runner.latest(("qpos", adr), commands.SetQpos(adr, value))

    def _groups_changed(self) -> None:
        if self._context.model is not None and self._shown_groups != self._context.options.jointgroup:
            self._fill(self._context.model)

    def _update(self, snapshot: Snapshot) -> None:
        if self.isVisible() and snapshot.model is self._context.model:
            self.list.show_values(snapshot.qpos[self._addresses], [not snapshot.running] * len(self._addresses))


def _spec(model, j: int, half: float) -> RowSpec:
    low, high = model.jnt_range[j] if model.jnt_limited[j] else (-half, half)
    name = model.names["joint"][j] or f"joint {j}"
    return RowSpec(name, float(low), float(high), float(model.qpos0[model.jnt_qposadr[j]]), f"{name}: from {low:.4g} to {high:.4g}")
