"""Joints: a slider with numeric entry and reset per coordinate of every joint. They write while paused and show values while running."""
import math

from PyQt6.QtWidgets import QLabel, QVBoxLayout

from app.context import AppContext
from app.panels.live_panel import LivePanel
from app.panels.values.joint_rows import SOURCES, JointRow, JointValues, joint_rows
from app.panels.values.row_sources import row_sources
from editor.widgets.row_list import RowList
from editor.widgets.slider_row import SliderRow
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot


class JointsPanel(LivePanel):
    """Rows for the joints of the visible joint groups: one for a hinge or slide, three turns for a ball joint, position and turns for a free one."""

    def __init__(self, context: AppContext):
        super().__init__(context)
        self._rows: list[JointRow] = []
        self._values: JointValues | None = None     # of the newest snapshot
        self._sources: tuple | None = None          # what the rows were made of
        self._shown_groups = None
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(1)
        self.list = RowList()
        self.filter = self.list.filter_field()
        self._layout.addWidget(self.filter)
        self._empty = QLabel("This model has no joints in the visible groups.")
        self._layout.addWidget(self._empty)
        self.list.edited.connect(self._edited)
        self._layout.addWidget(self.list)
        self._layout.addStretch(1)
        self.fill_with_models(self._fill, SOURCES)
        context.options_changed.connect(self._groups_changed)

    @property
    def rows(self) -> dict[int, SliderRow]:
        """The rows of hinges and slides by address in qpos; those that nobody has seen are made for this."""
        self.fill_now()
        return {row.adr: self.list.row(i) for i, row in enumerate(self._rows) if row.scalar}

    def row(self, name: str) -> SliderRow:
        """A row by its name ('root z', 'shoulder turn x'). Raises StopIteration where there is none."""
        self.fill_now()
        return self.list.row(next(i for i, row in enumerate(self._rows) if row.spec.name == name))

    def _fill(self, model) -> None:
        sources = (list(self._context.options.jointgroup), row_sources(model, "joint", SOURCES))
        if sources == self._sources:     # most edits: the rows say all that there is to say
            return
        self._shown_groups, self._sources = sources[0], sources
        self._rows = joint_rows(model, [j for j in range(model.njnt) if self._shown_groups[min(max(int(model.jnt_group[j]), 0), 5)]])
        self.list.set_rows([row.spec for row in self._rows])
        self._empty.setVisible(not self._rows)
        self.filter.setVisible(bool(self._rows))

    def _edited(self, i: int, value: float) -> None:
        row = self._rows[i]
        if self._values is not None and len(self._values) == len(self._rows):
            self._values[i] = value   # until the next snapshot says so
        command = commands.SetQpos(row.adr, value) if row.scalar else commands.SetJointCoordinate(row.joint, row.component, value)
        self._context.runner.latest(("joint", row.joint, row.component), command)

    def _groups_changed(self) -> None:
        if self._filled_with is self._context.model is not None and self._shown_groups != self._context.options.jointgroup:
            self._fill(self._context.model)
            self.catch_up()     # while paused no snapshot follows

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """The present values."""
        rows, values = self._rows, JointValues(self._rows, snapshot.qpos)
        self._values = values
        self.list.show_values(values, not snapshot.running, lambda i: f"{math.degrees(values[i]):.1f}\u00b0" if rows[i].turns else "")
