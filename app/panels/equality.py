"""Equality: a switch per equality constraint, with how far each is from being fulfilled."""
import numpy as np
from PyQt6.QtWidgets import QLabel, QVBoxLayout

from app.context import AppContext
from app.panels.live_panel import LivePanel
from editor.widgets.check_row import CheckRow
from editor.widgets.row_list import RowList
from editor.widgets.slider_row import RowSpec
from physics.enums import CNSTR_EQUALITY, EqType
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot


class EqualityPanel(LivePanel):
    """One check box per constraint, by name; only those that can be seen are made."""

    def __init__(self, context: AppContext):
        super().__init__(context)
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(1)
        self.list = RowList(CheckRow)
        self.filter = self.list.filter_field()
        self._layout.addWidget(self.filter)
        self._empty = QLabel("This model has no equality constraints.")
        self._layout.addWidget(self._empty)
        self.list.edited.connect(lambda i, value: context.runner.send(commands.SetEqActive(i, bool(value))))
        self._layout.addWidget(self.list)
        self._layout.addStretch(1)
        self.fill_with_models(self._fill)

    def _fill(self, model) -> None:
        self.list.set_rows([_spec(model, i) for i in range(model.neq)])
        self.list.show_values(model.eq_active0.copy())
        self._empty.setVisible(not model.neq)
        self.filter.setVisible(bool(model.neq))

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """The present values."""
        rows = snapshot.efc_type == CNSTR_EQUALITY
        off = np.sqrt(np.bincount(snapshot.efc_id[rows], np.square(snapshot.efc_pos[rows]), minlength=snapshot.model.neq))
        active = snapshot.eq_active.copy()
        self.list.show_values(active, readouts=lambda i: f"{off[i]:.3g}" if active[i] else "")


def _spec(model, i: int) -> RowSpec:
    kind = EqType(int(model.eq_type[i])).name.lower()
    return RowSpec(model.names["equality"][i] or f"equality {i}", 0.0, 1.0, float(model.eq_active0[i]), f"{kind}; beside it how far it is violated [m, rad]")
