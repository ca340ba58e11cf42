"""All servos of a robot with their gains before and after, what these do, and which of them are to be written."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import Qt, pyqtSignal

from app.panels.servos.figures import plain, share_text
from app.panels.servos.shared_columns import SharedColumns
from app.panels.servos.study import JointRow

NAME, KP, KV, HELD, REAL = range(5)
TITLES = ("Servo", "kp", "kv", "Held", "All moving")
TIPS = ("Those that are ticked are written", "Before and after", "Before and after", "Bandwidth that a step measures, all else held",
        "Bandwidth that a step measures in the mechanism, with all servos at their new gains")


class JointsTable(SharedColumns):
    """show_rows(), chosen. Signal: ticked() others are."""

    ticked = pyqtSignal()

    def __init__(self):
        super().__init__(TITLES, {KP: "0000 → 000.0", KV: "00.00 → 00.00", HELD: "0.000 Hz", REAL: "All moving"})
        for column, tip in enumerate(TIPS):
            self.headerItem().setToolTip(column, tip)
            if column != NAME:
                self.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        self.outline_checks()
        self.rows: tuple[JointRow, ...] = ()
        self.itemChanged.connect(lambda _item, column: self.ticked.emit() if column == NAME else None)
        self.hide()

    def show_rows(self, rows: Sequence[JointRow]) -> None:
        """Show these; what could not be given as wanted is not ticked."""
        self.rows = tuple(rows)
        self.blockSignals(True)
        self.clear()
        for row in rows:
            t = row.tuned
            item = self.add(None, [row.name, f"{row.before[0]:.4g} → {t.law.kp:.4g}", f"{row.before[1]:.4g} → {t.law.kv:.4g}", plain(row.held[0], "Hz"), plain(row.real[0], "Hz")],
                            "\n".join(t.warnings))
            for column in (KP, KV):
                item.setToolTip(column, item.text(column))
            item.setToolTip(HELD, f"Overshoot {share_text(row.held[1])}")
            item.setToolTip(REAL, f"Overshoot {share_text(row.real[1])}")
            item.setCheckState(NAME, Qt.CheckState.Checked if t.feasible else Qt.CheckState.Unchecked)
            for column in (KP, KV, HELD, REAL):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.blockSignals(False)
        self.setVisible(bool(rows))
        self.fit()
        self.ticked.emit()

    @property
    def chosen(self) -> tuple[JointRow, ...]:
        """Rows that are ticked."""
        return tuple(row for k, row in enumerate(self.rows) if self.topLevelItem(k).checkState(NAME) == Qt.CheckState.Checked)
