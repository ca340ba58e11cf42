"""One row of the inspector: where its value comes from, its name, the value's editor, what the compiler made of it, and the way back."""
from __future__ import annotations

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QContextMenuEvent
from PyQt6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QToolButton, QWidget

from editor.fields.badge import Badge, tip_text
from editor.fields.editors import NumbersEditor, ValueEditor, make_editor, unit_label, unit_text
from editor.fields.number_field import DragLabel
from editor.inspect import rows
from editor.inspect.compiled import Compiled
from editor.inspect.rows import Row
from editor.inspect.subject import OWN, Source

NAME_SHARE = 0.38       # of the width, at most, for names in front of values
NARROW = 46             # widths of a digit below which the names of long rows stand above them
SHORT = 2               # numbers that have room beside a name everywhere


class RowView(QWidget):
    """Signals: reset_wanted(); menu_wanted(global position). `editor` tells what the user does with the value."""

    reset_wanted = pyqtSignal()
    menu_wanted = pyqtSignal(object)

    def __init__(self, name: str, kind: str):
        super().__init__()
        self.name, self.kind, self.row = name, kind, None
        self.badge, self.label, self.unit = Badge(), DragLabel(name), unit_label()
        self.label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.editor: ValueEditor = make_editor(kind)
        self.reset = QToolButton()
        self.reset.setText("\u21ba")
        self.reset.setAutoRaise(True)
        self.reset.setToolTip("Take the value away here, so that class or default hold")
        self.reset.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        self.reset.clicked.connect(lambda _checked=False: self.reset_wanted.emit())
        self.compiled = QLabel()
        self.compiled.setForegroundRole(self.compiled.palette().ColorRole.PlaceholderText)
        self.compiled.setWordWrap(True)
        self.compiled.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.compiled.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.compiled.hide()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(3)
        self._grid.setVerticalSpacing(1)
        self._above: bool | None = None
        self._name_width = 0
        self._lay_out(False)
        if isinstance(self.editor, NumbersEditor):
            self.label.grabbed.connect(lambda: self.editor.grabbed.emit(0))
            self.label.dragged.connect(lambda steps, fine: self.editor.dragged.emit(0, steps, fine))
            self.label.dropped.connect(self.editor.dropped)
            self.label.cancelled.connect(self.editor.cancelled)

    def _lay_out(self, above: bool) -> None:
        """above: the name has a line of its own."""
        if above == self._above:
            return
        self._above = above
        grid = self._grid
        for part in (self.badge, self.label, self.editor, self.unit, self.reset, self.compiled):
            grid.removeWidget(part)
        grid.addWidget(self.badge, 0, 0)
        if above:
            grid.addWidget(self.label, 0, 1, 1, 2)
            grid.addWidget(self.unit, 0, 3)
            grid.addWidget(self.reset, 0, 4)
            grid.addWidget(self.editor, 1, 1, 1, 4)
        else:
            grid.addWidget(self.label, 0, 1)
            grid.addWidget(self.editor, 0, 2, 1, 2)
            grid.addWidget(self.reset, 0, 4, Qt.AlignmentFlag.AlignTop)
        self.unit.setVisible(above)
        if isinstance(self.editor, NumbersEditor):
            self.editor.show_unit(not above)
        grid.addWidget(self.compiled, 2, 1 if above else 2, 1, 3)
        grid.setColumnStretch(2, 1)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._suit()

    def set_name_width(self, width: int) -> None:
        """How wide names in front of values are where there is room, in logical pixels: the same for all rows of a form."""
        if width != self._name_width:
            self._name_width = width
            self._suit()

    def _suit(self) -> None:
        digit = max(1, self.fontMetrics().horizontalAdvance("0"))
        count = len(self.row.words) if self.row is not None and self.kind in (rows.VECTOR, rows.COLOUR, rows.ORIENTATION) else 1
        above = count > SHORT and self.width() < NARROW * digit
        if not above:
            self.label.setFixedWidth(max(24, min(self._name_width, round(NAME_SHARE * self.width()))))
        else:
            self.label.setMinimumWidth(24)
            self.label.setMaximumWidth(16777215)
        self._lay_out(above)

    # ------------------------------------------------------------------ what it shows

    def show_row(self, row: Row, chain: tuple[Source, ...], compiled: Compiled | None, several: int, editable: bool) -> None:
        """Show a row. chain: what says anything about it, the strongest last; several: how many elements are selected; editable: whether texts can be changed."""
        count = len(self.row.words) if self.row is not None else 0
        self.row = row
        tip = tip_text(row, chain, compiled, several)
        self.badge.show_row(row, tip, compiled is not None and compiled.inferred)
        self.label.setToolTip(tip)
        self.label.set_drags(self.kind in (rows.NUMBER, rows.VECTOR) and len(row.words) == 1 and editable and not row.blocked)
        font = self.label.font()
        if font.bold() != (row.layer == OWN):
            font.setBold(row.layer == OWN)
            self.label.setFont(font)
        self.label.setForegroundRole(self.palette().ColorRole.PlaceholderText if row.blocked else self.palette().ColorRole.WindowText)
        self.unit.setText(unit_text(row))
        self.editor.show_row(row)
        self.editor.setEnabled(editable and (not row.blocked or row.own))
        self.editor.setToolTip(row.blocked)
        self.reset.setVisible(editable and row.own and not row.required)
        self.show_compiled(compiled)
        if count != len(row.words):
            self._suit()

    def show_compiled(self, compiled: Compiled | None) -> None:
        """What the model has, where that is something else."""
        said = (self.row.blocked or self.row.note) if self.row is not None else ""
        text = "; ".join(part for part in (said, f"model: {compiled.text}" if compiled is not None else "") if part)
        if text != self.compiled.text():
            self.compiled.setText(text)
            self.compiled.setToolTip(compiled.note if compiled is not None else "")
        self.compiled.setVisible(bool(text))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())
