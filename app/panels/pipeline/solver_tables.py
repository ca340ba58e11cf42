"""Tables of figures that can be copied, and what the Solver panel's two hold: a row per iteration, and a row per constraint row of one iterate."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PyQt6.QtCore import QAbstractTableModel, QEvent, QModelIndex, Qt
from PyQt6.QtGui import QGuiApplication, QKeySequence
from PyQt6.QtWidgets import QAbstractItemView, QTableView

from physics.enums import ConstraintState
from physics.model.model import Model
from physics.pipeline.row_names import row_kind, row_name
from physics.pipeline.solver_trace import Iterate, SolverTrace

LOOKED_AT = 40      # rows in sight whose texts a column is as wide as: of 1,000, as Qt would, it took 220 ms
STATES = tuple(state.name.lower().replace("linearneg", "linear -").replace("linearpos", "linear +") for state in ConstraintState)
HEADERS = (("iteration", "k", "Iterations before this point"),
           ("stage", "Stage", "start: the cheaper of qacc_warmstart and qacc_smooth; solver; noslip"),
           ("cost", "Cost", "Gauss part and constraint part together [N m/s²]"),
           ("above", "Above lowest", "Cost less the lowest that is known, by Newton's method without tolerance [N m/s²]"),
           ("gauss", "Gauss", "(qacc - qacc_smooth)' M (qacc - qacc_smooth) / 2 [N m/s²]"),
           ("constraint", "Constraint", "s(J qacc - aref), the cost of the rows [N m/s²]"),
           ("gradient", "Gradient", "Norm of the cost's gradient [N, N m]"),
           ("active", "Active", "Rows that are not satisfied, that is which have a force"),
           ("changed", "Changed", "Rows whose state is another than in the iterate before"),
           ("improvement", "Improvement", "Drop of the cost / trace(M), as in mjData.solver; compared with tolerance"),
           ("lineslope", "Line slope", "Slope that the line search left, as in mjData.solver"),
           ("neval", "Line search", "Evaluations of the cost along the line"),
           ("dual", "Dual cost", "Cost of the forces, f' (A + R) f / 2 + f' b [N m/s²]: what PGS lowers"))


@dataclass(frozen=True)
class Column:
    """title and tip of the head; text(row)."""

    title: str
    tip: str
    text: Callable[[int], str]
    number: bool = True


class _ColumnsModel(QAbstractTableModel):
    """Columns of texts that are made when they are seen."""

    def __init__(self):
        super().__init__()
        self.columns: Sequence[Column] = ()
        self._rows = 0

    def show(self, columns: Sequence[Column], rows: int) -> None:
        """Show these."""
        self.beginResetModel()
        self.columns, self._rows = columns, rows
        self.endResetModel()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole):
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        return {Qt.ItemDataRole.DisplayRole: self.columns[section].title, Qt.ItemDataRole.ToolTipRole: self.columns[section].tip}.get(role)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return (Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
        return column.text(index.row()) if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole) else None


class ColumnsTable(QTableView):
    """Ctrl+C copies the chosen rows, all where none is chosen, with their heads, for a spreadsheet."""

    def __init__(self):
        super().__init__()
        self._content = _ColumnsModel()
        self.setModel(self._content)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setResizeContentsPrecision(LOOKED_AT)
        self._suit_font()

    def show_columns(self, columns: Sequence[Column], rows: int) -> None:
        """Show these; the widths follow from the texts where the heads are others than before."""
        same = [column.title for column in columns] == [column.title for column in self._content.columns]
        self._content.show(columns, rows)
        if not same and rows:
            self.resizeColumnsToContents()

    def text(self, row: int, title: str) -> str:
        """What the table says in a row under a head."""
        return next(column.text(row) for column in self._content.columns if column.title == title)

    def copied(self) -> str:
        """What Ctrl+C copies."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()}) if len(self.selectionModel().selectedRows()) > 1 else range(self._content.rowCount())
        lines = [[column.title for column in self._content.columns], *([column.text(row) for column in self._content.columns] for row in rows)]
        return "\n".join("\t".join(line) for line in lines) + "\n"

    def copy(self) -> None:
        """Put it on the clipboard."""
        QGuiApplication.clipboard().setText(self.copied())

    def event(self, event) -> bool:
        """Ctrl+C is the table's while it has the keys, not that of the window's actions."""
        if event.type() == QEvent.Type.ShortcutOverride and event.matches(QKeySequence.StandardKey.Copy):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_content"):
            self._suit_font()
            self.resizeColumnsToContents()

    def _suit_font(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 4)


def iteration_columns(trace: SolverTrace, island: int | None) -> tuple[list[Column], int]:
    """A row for each iterate of an island, or of all."""
    figures = trace.figures(island)
    figures["above"] = figures["cost"] - trace.lowest(island)
    known = [head for head in HEADERS if head[0] != "dual" or np.isfinite(figures["dual"]).any()]
    return [Column(title, tip, _texts(figures[name]), name != "stage") for name, title, tip in known], len(figures["cost"])


def row_columns(m: Model, trace: SolverTrace, iterate: Iterate, island: int | None) -> tuple[list[Column], int]:
    """A row for each constraint row of an island, or of all, as an iterate has it."""
    problem = trace.problem
    rows = problem.island_rows(island)
    residual = problem.residual(iterate.qacc)
    columns = [
        Column("Row", "Number of the constraint row", lambda i: str(rows[i])),
        Column("Of", "What it belongs to", lambda i: row_name(m, problem, int(rows[i])), False),
        Column("Kind", "What it constrains", lambda i: row_kind(problem, int(rows[i])), False),
        Column("J qacc - aref", "Acceleration less the reference acceleration [m/s², rad/s²]", lambda i: f"{residual[rows[i]]:.6g}"),
        Column("Force", "efc_force [N, N m]", lambda i: f"{iterate.efc_force[rows[i]]:.6g}"),
        Column("State", "efc_state: the zone of its cost", lambda i: STATES[iterate.efc_state[rows[i]]], False),
        Column("Changed", "Whether the state is another than in the iterate before", lambda i: "changed" if iterate.changed[rows[i]] else "", False),
    ]
    return columns, len(rows)


def _texts(values: np.ndarray) -> Callable[[int], str]:
    if values.dtype.kind == "U":
        return lambda k: str(values[k])
    if values.dtype.kind in "iu":
        return lambda k: str(int(values[k]))
    return lambda k: f"{values[k]:.7g}" if np.isfinite(values[k]) else ""
