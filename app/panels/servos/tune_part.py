"""Gains for a wanted bandwidth and damping: of one servo, or of all of a robot with a table of what comes of it."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QGridLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.panels.diagnostics.query_panel import text_label
from app.panels.servos.joints_table import JointsTable
from app.panels.servos.study import JointRow
from editor.widgets.number_edit import NumberEdit


class TunePart(QWidget):
    """Signals: one_wanted(), all_wanted(): gains for the numbers in `hertz`, `zeta`, `heaviest`; write_wanted(): those of the table that are ticked."""

    one_wanted = pyqtSignal()
    all_wanted = pyqtSignal()
    write_wanted = pyqtSignal()

    def __init__(self):
        super().__init__()
        self.hertz, self.zeta = NumberEdit(5.0, 1e-3, 1e4, share=1.2, least=0.5), NumberEdit(1.0, 1e-3, 100.0, share=1.2, least=0.5)
        self.hertz.setToolTip("Up to which the joint follows its control, to 3 dB; of a velocity servo the velocity")
        self.zeta.setToolTip("1: no overshoot; 0.7: 5 %, and faster")
        self.heaviest = QCheckBox("for the heaviest pose")
        self.heaviest.setToolTip("Gains for the largest effective inertia within the joints' ranges, in place of that of this pose")
        self.one, self.all = QPushButton("Tune this servo"), QPushButton("Tune all joints")
        self.one.setToolTip("Gains for this servo; they wait for Apply")
        self.all.setToolTip("Gains for all servos of this robot, measured by the engine on a copy")
        self.table, self.reasons, self.write = JointsTable(), text_label(), QPushButton("Apply")
        self.write.setToolTip("Write the gains of all that are ticked into the text, each where its servo stands, as one change that can be undone")
        self._why = ""
        grid = QGridLayout(self)
        grid.setContentsMargins(4, 2, 4, 2)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        for place, part in enumerate((QLabel("Bandwidth [Hz]"), self.hertz, QLabel("Damping"), self.zeta)):
            grid.addWidget(part, 0, place)
        grid.addWidget(self.heaviest, 1, 0, 1, 4)
        grid.addWidget(self.one, 2, 0, 1, 2)
        grid.addWidget(self.all, 2, 2, 1, 2)
        grid.addWidget(self.table, 3, 0, 1, 5)
        grid.addWidget(self.reasons, 4, 0, 1, 5)
        grid.addWidget(self.write, 5, 0, 1, 4)
        grid.setColumnStretch(4, 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.one.clicked.connect(lambda _checked=False: self.one_wanted.emit())
        self.all.clicked.connect(lambda _checked=False: self.all_wanted.emit())
        self.write.clicked.connect(lambda _checked=False: self.write_wanted.emit())
        self.table.ticked.connect(self._show_write)
        self.show_rows(())

    def show_rows(self, rows: Sequence[JointRow]) -> None:
        """The table, and in words what is to be said of its rows."""
        self.table.show_rows(rows)
        lines = [f"{row.name}: {warning}." for row in rows for warning in row.tuned.warnings]
        self.reasons.setText("\n".join(lines))
        self.reasons.setVisible(bool(lines))
        self._show_write()

    def show_state(self, servo: bool, busy: bool, why_not: str) -> None:
        """servo: whether there is one; busy: whether gains are being worked out; why_not: why nothing can be written, '' where it can."""
        self._why = why_not
        for button in (self.one, self.all):
            button.setEnabled(servo and not busy)
        self.all.setText("Measuring…" if busy else "Tune all joints")
        self._show_write()

    def _show_write(self) -> None:
        count = len(self.table.chosen)
        self.write.setVisible(bool(self.table.rows))
        self.write.setEnabled(count > 0 and not self._why)
        self.write.setText(f"Apply to {count} servo{'' if count == 1 else 's'}")
