"""Companion runs: others beside the run, with other values, a branch or a recording; drawn as ghosts, their curves dashed."""
from __future__ import annotations

from functools import partial
from pathlib import Path

from PyQt6.QtCore import QStringListModel, Qt
from PyQt6.QtGui import QColor, QIcon, QKeyEvent, QPixmap
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QCompleter,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from app.context import AppContext
from app.controllers.companions import OPACITY, CompanionRow, CompanionsController, described, offered
from app.controllers.recordings import FILTER
from app.panels.diagnostics.query_panel import show_note
from app.panels.live_panel import LivePanel
from editor.widgets.colour_button import ColourButton
from editor.widgets.slider_row import RowSpec, SliderRow
from physics.runtime.companions.companion import LAGGING
from physics.runtime.companions.companions import MOST
from physics.runtime.snapshot import Snapshot

EMPTY = "A companion run takes the same inputs at the same times with values of its own, and is drawn as a ghost. Start one, then give it another value."
NAME, STATE, BEHIND, COST = range(4)
HEADS = ("Companion", "State", "Behind", "Cost")
SWATCH = 12     # logical pixels
LEAST_OPACITY = 0.05    # of a ghost that is shown
MOST_BRANCHES = 20      # in the menu


class CompanionsPanel(LivePanel):
    """A list of the companions; below it what the chosen one differs in and how it is shown. The box before a name shows its ghost, Delete stops it."""

    scrolls = False

    def __init__(self, context: AppContext, companions: CompanionsController):
        super().__init__(context)
        self._companions = companions
        self._items: dict[CompanionRow, QTreeWidgetItem] = {}
        self._refused: dict[CompanionRow, int] = {}     # how many refusals were told
        self._filling = False
        self.start = QPushButton("Start")
        self.start.setToolTip("Start a companion run from the present moment")
        self.start.clicked.connect(lambda _checked=False: self._start())
        self.kinds = QToolButton()
        self.kinds.setText("\u22ee")
        self.kinds.setToolTip("Other kinds of companion: a branch of the history, a recording, the model of before the last edit")
        self.kinds.clicked.connect(lambda _checked=False: self._open_menu())
        self.stop = QPushButton("Stop")
        self.stop.clicked.connect(lambda _checked=False: self._stop())
        self.stop_all = QPushButton("Stop all")
        self.stop_all.clicked.connect(lambda _checked=False: companions.stop_all())
        self.note = QLabel(EMPTY)
        self.note.setWordWrap(True)
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setHeaderLabels(HEADS)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed)
        self.list.header().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.list.header().setStretchLastSection(False)
        for column in (STATE, BEHIND, COST):
            self.list.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.list.itemChanged.connect(self._edited)
        self.list.currentItemChanged.connect(lambda _now, _before: self._show_chosen())
        self.edit = QLineEdit()
        self.edit.setPlaceholderText("Change a value: timestep = 0.001")
        self.edit.setToolTip("Change a value of the chosen companion: an option, or a field as in geom_friction[floor] = 0.5 0.005 0.0001")
        self._words = QStringListModel([])
        completer = QCompleter(self._words, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.edit.setCompleter(completer)
        self.edit.returnPressed.connect(self._enter)
        self.adopt = QPushButton("Use its values")
        self.adopt.setToolTip("Give the primary run the values by which the chosen companion differs")
        self.adopt.clicked.connect(lambda _checked=False: self._adopt())
        self.differs = QLabel("")
        self.differs.setWordWrap(True)
        self.beside = QCheckBox("Side by side")
        self.beside.setToolTip("Also in a picture of its own, seen by the same camera")
        self.beside.clicked.connect(lambda on: self._show(beside=on))
        self.tint = ColourButton("Tint of the ghost", 3)
        self.tint.edited.connect(lambda value: self._show(tint=value))
        self.opacity = SliderRow(RowSpec("Opacity", LEAST_OPACITY, 1.0, OPACITY, limited=True))
        self.opacity.edited.connect(lambda value: self._show(opacity=min(max(value, LEAST_OPACITY), 1.0)))
        self._lay_out()
        companions.changed.connect(self.refresh)
        context.model_changed.connect(lambda _model: self.refresh())
        self.refresh()

    def _lay_out(self) -> None:
        first, values, looks = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for widget in (self.start, self.kinds, self.stop, self.stop_all):
            first.addWidget(widget)
        first.addStretch(1)
        values.addWidget(self.differs, 1)
        values.addWidget(self.adopt)
        looks.addWidget(self.beside)
        looks.addWidget(self.tint)
        looks.addWidget(self.opacity, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addLayout(first)
        column.addWidget(self.note)
        column.addWidget(self.list, 1)
        column.addWidget(self.edit)
        column.addLayout(values)
        column.addLayout(looks)

    # ------------------------------------------------------------------ what is shown

    @property
    def chosen(self) -> CompanionRow | None:
        """The companion that is chosen in the list."""
        item = self.list.currentItem()
        return next((row for row, other in self._items.items() if other is item), None)

    def refresh(self) -> None:
        """Show the companions that there are."""
        rows = self._companions.rows
        self._filling = True
        for row in [row for row in self._items if row not in rows]:
            self.list.takeTopLevelItem(self.list.indexOfTopLevelItem(self._items.pop(row)))
            self._refused.pop(row, None)
        for row in rows:
            if row not in self._items:
                item = self._items[row] = QTreeWidgetItem(self.list)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEditable)
                self.list.setCurrentItem(item)
            self._fill(row)
        self._filling = False
        self._tell_refused()
        self.start.setEnabled(len(rows) < MOST)
        self.stop_all.setEnabled(bool(rows))
        self._words.setStringList([f"{name} = " for name in offered(self._context.model)])
        self._show_chosen()

    def _fill(self, row: CompanionRow) -> None:
        """The line of a companion."""
        item, state = self._items[row], row.state
        item.setCheckState(NAME, Qt.CheckState.Checked if row.visible else Qt.CheckState.Unchecked)
        item.setText(NAME, row.title)
        item.setIcon(NAME, swatch(row.tint))
        item.setText(STATE, state.status)
        item.setToolTip(STATE, state.text)
        item.setText(BEHIND, f"{state.lag:.2f} s" if state.status == LAGGING else "")
        item.setText(COST, f"{state.step_us:.0f} us" if state.step_us else "")
        item.setToolTip(COST, "Processor time of a step")

    def _show_chosen(self) -> None:
        row = self.chosen
        for widget in (self.stop, self.beside, self.tint, self.opacity):
            widget.setEnabled(row is not None)
        self.edit.setEnabled(row is not None and row.live)
        self.adopt.setEnabled(row is not None and bool(row.changes))
        if row is not None:
            self.beside.setChecked(row.beside)
            self.tint.show_value(row.tint)
            self.opacity.show_value(row.opacity)
        self.differs.setText("Differs in " + ", ".join(map(described, row.changes)) if row is not None and row.changes else "")
        if not self._companions.rows:
            self._say(EMPTY)
        elif self.note.text() == EMPTY:
            self._say("")

    def _tell_refused(self) -> None:
        """Why the newest value that was asked for is not there, once."""
        for row in self._companions.rows:
            if row.said[1] > self._refused.get(row, 0):
                self._refused[row] = row.said[1]
                self._say(f"{row.title}: {row.companion.refused[-1]}")

    def _say(self, text: str) -> None:
        show_note(self.note, text)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """States and costs, as they change."""
        self._filling = True
        for row, item in self._items.items():
            if row in self._companions.rows and not self.list.isPersistentEditorOpen(item, NAME) and self.list.state() != QAbstractItemView.State.EditingState:
                self._fill(row)
        self._filling = False

    # ------------------------------------------------------------------ what the user does

    def _start(self) -> None:
        if self._companions.start() is not None:
            self.edit.setFocus()

    def _stop(self) -> None:
        if self.chosen is not None:
            self._companions.stop(self.chosen)

    def _enter(self) -> None:
        row = self.chosen
        if row is None:
            return
        why = self._companions.change(row, self.edit.text())
        self._say(why)
        if not why:
            self.edit.clear()

    def _adopt(self) -> None:
        if self.chosen is not None:
            self._companions.adopt(self.chosen)

    def _show(self, **settings) -> None:
        if self.chosen is not None:
            self._companions.show(self.chosen, **settings)

    def _edited(self, item: QTreeWidgetItem, column: int) -> None:
        """The box or the name of a line was changed by the user."""
        if self._filling or column != NAME:
            return
        row = next((row for row, other in self._items.items() if other is item), None)
        if row is not None:
            text = item.text(NAME).strip()
            self._companions.show(row, visible=item.checkState(NAME) == Qt.CheckState.Checked, name="" if text == row.title and not row.name else text)

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.kinds.mapToGlobal(self.kinds.rect().bottomLeft()))

    def menu(self) -> QMenu:
        """All kinds of companion that can be started."""
        menu, snapshot = QMenu(self), self._context.snapshot
        room = len(self._companions.rows) < MOST
        menu.addAction("From the present moment", self._start).setEnabled(room and self._context.model is not None)
        menu.addAction("With the model of before the last edit", self._companions.start_before).setEnabled(room and self._companions.has_before)
        branches = menu.addMenu("A branch of the history")
        others = [info for info in snapshot.history_branches if not info.shown] if snapshot is not None else []
        for info in others[-MOST_BRANCHES:]:
            branches.addAction(f"{info.text} ({info.start:.3g} to {info.end:.3g} s)", partial(self._companions.start_branch, info))
        branches.setEnabled(room and bool(others))
        menu.addAction("A recording...", self._ask_recording).setEnabled(room and self._context.model is not None)
        return menu

    def _ask_recording(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Show a recording beside", "", FILTER)
        if name:
            self._companions.start_recording(Path(name))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.list.hasFocus():
            self._stop()
        else:
            super().keyPressEvent(event)


def swatch(tint: tuple[float, float, float]) -> QIcon:
    """A field of a colour, as large as an icon in a list."""
    pixmap = QPixmap(SWATCH, SWATCH)
    pixmap.fill(QColor.fromRgbF(*tint))
    return QIcon(pixmap)
