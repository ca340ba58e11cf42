"""Joints: a slider with numeric entry and reset per hinge and slide. They write while paused and show values while running."""
import math

from PyQt6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from app.context import AppContext
from editor.widgets.slider_row import SliderRow
from physics.enums import JNT_HINGE, JNT_SLIDE
from physics.runtime import commands

RANGES = ((JNT_HINGE, math.pi), (JNT_SLIDE, 1.0))   # half range of an unlimited joint


class JointsPanel(QWidget):
    """One row per scalar joint of the visible joint groups."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.rows: dict[int, SliderRow] = {}   # address in qpos -> row
        self._shown_groups = None
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(1)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._show_matching)
        self._layout.addWidget(self.filter)
        self._empty = QLabel("This model has no hinge or slide joints.")
        self._layout.addWidget(self._empty)
        self._layout.addStretch(1)
        context.model_changed.connect(self._fill)
        context.snapshot_ready.connect(self._update)
        context.options_changed.connect(self._groups_changed)
        if context.model is not None:
            self._fill(context.model)

    def _fill(self, model) -> None:
        for row in self.rows.values():
            self._layout.removeWidget(row)
            row.deleteLater()
        self._shown_groups = list(self._context.options.jointgroup)
        half_ranges = dict(RANGES)
        self.rows = {}
        for j in range(model.njnt):
            kind = int(model.jnt_type[j])
            if kind in half_ranges and self._shown_groups[min(max(int(model.jnt_group[j]), 0), 5)]:
                self.rows[int(model.jnt_qposadr[j])] = self._row(model, j, half_ranges[kind])
        for i, row in enumerate(self.rows.values()):
            self._layout.insertWidget(2 + i, row)
        self._empty.setVisible(not self.rows)
        self.filter.setVisible(bool(self.rows))
        self._show_matching(self.filter.text())

    def _row(self, model, j: int, half: float) -> SliderRow:
        low, high = model.jnt_range[j] if model.jnt_limited[j] else (-half, half)
        adr = int(model.jnt_qposadr[j])
        name = model.names["joint"][j] or f"joint {j}"
        row = SliderRow(name, float(low), float(high), float(model.qpos0[adr]), f"{name}: from {low:.4g} to {high:.4g}")
        row.edited.connect(lambda value: self._context.runner.latest(("qpos", adr), commands.SetQpos(adr, value)))
        return row

    def _groups_changed(self) -> None:
        if self._context.model is not None and self._shown_groups != self._context.options.jointgroup:
            self._fill(self._context.model)

    def _show_matching(self, text: str) -> None:
        for row in self.rows.values():
            row.setVisible(text.lower() in row.name.lower())

    def _update(self, snapshot) -> None:
        if not self.isVisible() or snapshot.model is not self._context.model:
            return
        for adr, row in self.rows.items():
            row.show_value(float(snapshot.qpos[adr]))
            row.set_enabled(not snapshot.running)
