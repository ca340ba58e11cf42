"""A table of constraint rows: a line per row, its part at the left, its numbers beside it."""
from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PyQt6.QtCore import QAbstractTableModel, QEvent, QModelIndex, Qt, pyqtSignal
from PyQt6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from physics.diagnostics.constraint_rows import STATE_MEANINGS, ConstraintRow
from physics.model.model import Model

MOST_LINES = 8      # that are seen without scrolling
MOST_ENTRIES = 12   # of the Jacobian in a tooltip
DIGITS = 4


class Column(NamedTuple):
    """title; unit and formula for the tooltip; the value of a row, a number or a text."""

    title: str
    unit: str
    doc: str
    value: Callable[[ConstraintRow], float | str]


COLUMNS = (
    Column("force", "N or N m", "efc_force: what the row pushes, J' force on the degrees of freedom", lambda r: r.force),
    Column("state", "", "efc_state: zone of the cost that the row is in", lambda r: r.state),
    Column("pos", "m or rad", "efc_pos: the violation; of limits and contacts the distance, negative is beyond", lambda r: r.pos),
    Column("vel", "m/s or rad/s", "efc_vel = J qvel: rate of pos", lambda r: r.vel),
    Column("aref", "m/s² or rad/s²", "efc_aref = -B vel - K I (pos - margin): the acceleration that the row asks for", lambda r: r.aref),
    Column("acc", "m/s² or rad/s²", "J qacc: the acceleration that it gets; while it pushes, force = D (aref - acc)", lambda r: r.acc),
    Column("R", "1/kg or 1/(kg m²)", "efc_R = (1 - I) / I diagA: regularisation; larger is softer", lambda r: r.R),
    Column("D", "kg or kg m²", "efc_D = 1 / R", lambda r: r.D),
    Column("K", "1/s²", "stiffness of the reference acceleration, from solref", lambda r: r.K),
    Column("B", "1/s", "damping of the reference acceleration, from solref", lambda r: r.B),
    Column("I", "", "impedance at the present violation, from solimp", lambda r: r.impedance),
    Column("margin", "m or rad", "efc_margin: taken off pos", lambda r: r.margin),
    Column("diagA", "1/kg or 1/(kg m²)", "efc_diagA: estimate of the diagonal of J inv(M) J'", lambda r: r.diagA),
    Column("b", "m/s² or rad/s²", "efc_b = J qacc_smooth - aref: what is missing without constraints", lambda r: r.b),
    Column("island", "", "island of the row, as the solver treats it on its own; -: islands are off", lambda r: str(r.island) if r.island >= 0 else "-"),
    Column("row", "", "number of the row in efc_ fields", lambda r: str(r.row)),
)


def column_tip(column: Column) -> str:
    """Formula and unit."""
    return column.doc + (f" [{column.unit}]" if column.unit else "")


class RowsModel(QAbstractTableModel):
    """names: whether lines say what their row belongs to, as well as which part of it."""

    def __init__(self, names: bool):
        super().__init__()
        self.rows: tuple[ConstraintRow, ...] = ()
        self.of: weakref.ref[Model] | None = None       # their Model, for the names of joints in the Jacobian; rows that nobody looks at keep none
        self._names = names

    def show_rows(self, rows: Sequence[ConstraintRow]) -> bool:
        """Show these; whether they are other lines than before."""
        same = [(r.kind, r.name, r.part) for r in rows] == [(r.kind, r.name, r.part) for r in self.rows]
        if not same:
            self.beginResetModel()
        self.rows = tuple(rows)
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1), [Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole])
        return not same

    def title(self, row: ConstraintRow) -> str:
        """The line's text."""
        return f"{row.name}: {row.part}" if self._names else row.part

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole):
        if orientation == Qt.Orientation.Horizontal:
            column = COLUMNS[section]
            return {Qt.ItemDataRole.DisplayRole: column.title, Qt.ItemDataRole.ToolTipRole: column_tip(column)}.get(role)
        if section >= len(self.rows):
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._row_tip(self.rows[section])
        return self.title(self.rows[section]) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        column, row = COLUMNS[index.column()], self.rows[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole and column.title != "state":
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        value = column.value(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return value if isinstance(value, str) else f"{value:.{DIGITS}g}"
        if column.title == "state":
            return f"{row.state}: {STATE_MEANINGS[row.state]}"
        return f"{self.title(row)}, {column.title} = {value if isinstance(value, str) else repr(value)}\n{column_tip(column)}"

    def _row_tip(self, row: ConstraintRow) -> str:
        entries = [f"{value:.4g} at dof {dof}{self._of_joint(dof)}" for dof, value in row.jacobian[:MOST_ENTRIES]]
        more = len(row.jacobian) - len(entries)
        return "\n".join((f"{row.name}: {row.part}", f"{row.kind}, row {row.row}", "J:", *entries, *((f"and {more} more",) if more else ())))

    def _of_joint(self, dof: int) -> str:
        m = self.of() if self.of is not None else None
        if m is None or dof >= m.nv:
            return ""
        joint = int(m.dof_jntid[dof])
        return f" ({m.names['joint'][joint] or f'joint {joint}'})"


class RowsTable(QTableView):
    """Show constraint rows. Lines stay selected while only their numbers change; Ctrl+C copies the selected lines, all where none is, with titles.

    names: lines say what their row belongs to. Signal: element_wanted(Element) at a double-click on a line.
    """

    element_wanted = pyqtSignal(object)

    def __init__(self, names: bool = False):
        super().__init__()
        self._rows = RowsModel(names)
        self.setModel(self._rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.verticalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.doubleClicked.connect(lambda index: self.element_wanted.emit(self._rows.rows[index.row()].element))
        self.verticalHeader().sectionDoubleClicked.connect(lambda line: self.element_wanted.emit(self._rows.rows[line].element))
        self._suit()

    @property
    def rows(self) -> tuple[ConstraintRow, ...]:
        """What is shown."""
        return self._rows.rows

    def show_rows(self, rows: Sequence[ConstraintRow], m: Model | None = None) -> None:
        """Show these rows. m: their Model, for the names of joints in the Jacobian's tooltip."""
        if m is not None:
            self._rows.of = weakref.ref(m)
        if self._rows.show_rows(rows):
            self._suit()

    def text(self, line: int, column: str) -> str:
        """What the table says."""
        return self._rows.data(self._rows.index(line, next(k for k, c in enumerate(COLUMNS) if c.title == column)))

    def as_text(self) -> str:
        """The selected lines, or all, with titles: tab-separated."""
        chosen = sorted({index.row() for index in self.selectedIndexes()}) or range(len(self.rows))
        lines = [("part", *(column.title for column in COLUMNS))]
        for k in chosen:
            row = self.rows[k]
            values = (column.value(row) for column in COLUMNS)
            lines.append((self._rows.title(row), *(value if isinstance(value, str) else repr(value) for value in values)))
        return "\n".join("\t".join(line) for line in lines)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_rows"):
            self._suit()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._suit_titles()

    def _suit(self) -> None:
        """As high as its lines, columns as wide as their numbers may become."""
        metrics = self.fontMetrics()
        line = metrics.height() + 4
        self.verticalHeader().setDefaultSectionSize(line)
        self.verticalHeader().setMinimumSectionSize(line)
        wide, state = metrics.horizontalAdvance("-0.0000e+00") + 8, metrics.horizontalAdvance("linear negative") + 8
        for k, column in enumerate(COLUMNS):
            self.setColumnWidth(k, state if column.title == "state" else metrics.horizontalAdvance("island") + 12 if column.title in ("island", "row") else wide)
        shown = max(1, min(MOST_LINES, len(self.rows)))
        self.setFixedHeight(shown * line + self.horizontalHeader().sizeHint().height() + self.horizontalScrollBar().sizeHint().height() + 4)
        self._suit_titles()

    def _suit_titles(self) -> None:
        """The lines' titles take at most two fifths of the width."""
        metrics = self.verticalHeader().fontMetrics()
        longest = max((metrics.horizontalAdvance(self._rows.title(row)) for row in self.rows), default=0)
        self.verticalHeader().setFixedWidth(max(metrics.horizontalAdvance("normal") + 8, min(longest + 10, int(0.4 * self.width()))))

