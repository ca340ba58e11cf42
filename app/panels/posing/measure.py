"""Measure: what was measured in the view, mass and inertia of the selection, and what holds the pose."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QAction, QBrush, QGuiApplication
from PyQt6.QtWidgets import QAbstractItemView, QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QHeaderView, QLabel, QPushButton, QToolButton, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from app.appearance import signal_colour
from app.context import AppContext
from app.panels.posing.hold_worker import HoldWorker
from app.panels.diagnostics.live_query import PAUSE, LiveQuery
from app.panels.posing.measure_rows import Answer, Question, Row, actuator_rows, as_text, controls_to_set, dof_rows, look, mass_rows, selected_bodies
from app.panels.live_panel import LivePanel
from app.posing.measurements import BETWEEN, Figure, Measurement, row_text
from app.panels.posing.measuring import Measuring
from editor.widgets.section import Section
from physics.model.elements import Element
from physics.query.hold_torque import Hold
from physics.query.measure import angle_between
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

EMPTY = "Measure, then click two points in the view. What was measured is listed here until it is removed."
PLOT_TIP = "Draw the chosen figure over time. The nearest distance has no expression; a sensor of type distance in the text measures it at each step"
REST = 20           # times as long as an answer took nothing is asked
COPIED = 9          # digits on the clipboard
MOST_LISTED = 200   # dofs, actuators
NAMES = 0.45        # of a table's width, for names
MOST_ROWS = 14      # of a table that are seen without scrolling


class RowTree(QTreeWidget):
    """Rows of texts; as high as they are, up to MOST_ROWS."""

    def __init__(self, heads: Sequence[str], name: str):
        super().__init__()
        self.setHeaderLabels(list(heads))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAccessibleName(name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header().setMinimumSectionSize(3 * self.fontMetrics().horizontalAdvance("0"))
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in range(1, len(heads)):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
        self.fit()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._suit_columns()

    def _suit_columns(self) -> None:
        """Columns of figures are as wide as these, but leave names what they need, up to NAMES of the width."""
        wanted = [max(self.sizeHintForColumn(column), self.header().sectionSizeHint(column)) for column in range(1, self.columnCount())]
        room = self.viewport().width() - min(self.sizeHintForColumn(0), round(NAMES * self.viewport().width()))
        share = min(1.0, room / max(1, sum(wanted)))
        for column, width in enumerate(wanted, 1):
            if self.columnWidth(column) != int(share * width):
                self.setColumnWidth(column, int(share * width))

    def fit(self) -> None:
        """Be as high as the rows."""
        count = sum(1 + self.topLevelItem(k).childCount() for k in range(self.topLevelItemCount()))
        row = self.sizeHintForRow(0) if self.topLevelItemCount() else self.fontMetrics().height() + 4
        self.setFixedHeight(row * min(MOST_ROWS, max(1, count)) + (0 if self.isHeaderHidden() else self.header().sizeHint().height()) + 4)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these, in the items that there are."""
        count = self.topLevelItemCount()
        if count != len(rows):
            self.clear()
            self.addTopLevelItems([QTreeWidgetItem() for _ in rows])
            for k, column in product(range(len(rows)), range(1, self.columnCount())):
                self.topLevelItem(k).setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        over = QBrush(signal_colour("error", self.palette().base().color()))
        for k, row in enumerate(rows):
            item = self.topLevelItem(k)
            brush = over if row.over else QBrush()
            for column, text in enumerate(row.cells):
                if item.text(column) != text:
                    item.setText(column, text)
                if item.foreground(column) != brush:
                    item.setForeground(column, brush)
                if item.toolTip(column) != row.tip:
                    item.setToolTip(column, row.tip)
        if count != len(rows):
            self.fit()
        self._suit_columns()

    def texts(self, column: int = 1) -> dict[str, str]:
        """What is shown, by the first column."""
        return {self.topLevelItem(k).text(0): self.topLevelItem(k).text(column) for k in range(self.topLevelItemCount())}


class MeasurePanel(LivePanel):
    """Three sections; what is folded is not computed."""

    def __init__(self, context: AppContext, measuring: Measuring, actions: Mapping[str, QAction]):
        super().__init__(context)
        self._measuring = measuring
        self._question = Question()     # taken by the physics thread when it looks
        self.answer: Answer | None = None
        self.hold: Hold | None = None
        self._query = LiveQuery(context, lambda m, d: look(m, d, self._question), self)
        self._query.answered.connect(self._show_answer)
        self._worker = HoldWorker(context, self)
        self._worker.found.connect(self._show_hold)
        context.model_changed.connect(lambda _model: self._forget_hold())
        layout = QVBoxLayout(self)
        layout.setSpacing(1)
        for section in (self._distances(actions), self._mass(), self._hold()):
            layout.addWidget(section)
        layout.addStretch(1)
        self._worker.failed.connect(self.hold_note.setText)
        measuring.changed.connect(self._fill)
        measuring.answered.connect(self._figures_changed)
        context.selection_changed.connect(lambda _selection: self._selection_changed())
        self._fill()

    def _selection_changed(self) -> None:
        self.catch_up()
        self.ask(at_once=True)

    # ------------------------------------------------------------------ parts

    def _distances(self, actions: Mapping[str, QAction]) -> Section:
        section = Section("Distances and angles", True)
        self.start = QToolButton()
        self.start.setDefaultAction(actions["measure"])
        self.start.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.between = QComboBox()
        self.between.addItems(BETWEEN)
        self.between.setToolTip("What nearest points are looked for on: the geoms that were clicked, their bodies, or these with all that they carry")
        self.between.activated.connect(lambda k: self._measuring.choose_between(BETWEEN[k]))
        self.list = RowTree(("Measurement", "Value"), "Measurements")
        self.list.setRootIsDecorated(True)
        self.list.itemSelectionChanged.connect(self._show_buttons)
        self.note = QLabel(EMPTY)
        self.note.setWordWrap(True)
        self.axes = QLabel("")
        self.axes.setWordWrap(True)
        self.axes.setToolTip("Of the two joints that were selected last; a ball or free joint has no axis of its own")
        self.plot = _button("Plot", PLOT_TIP, self._plot)
        self.copy = _button("Copy", "The chosen measurements, or all, as text", self._copy)
        self.remove = _button("Remove", "The chosen measurements", self._remove)
        self.clear = _button("Remove all", "", lambda: self._measuring.remove(self._measuring.items))
        column = _column(section)
        column.addWidget(self.start)
        column.addLayout(_line(QLabel("Nearest points of"), self.between))
        column.addWidget(self.note)
        column.addWidget(self.list)
        column.addWidget(self.axes)
        column.addLayout(_pairs(self.plot, self.copy, self.remove, self.clear))
        return section

    def _mass(self) -> Section:
        self.mass_section = section = Section("Mass of the selection", True)
        self.of = QLabel("")
        self.of.setWordWrap(True)
        self.subtree = QCheckBox("With all that they carry")
        self.subtree.setChecked(True)
        self.subtree.clicked.connect(lambda _on: self.ask(at_once=True))
        self.mass = RowTree(("", "Value"), "Mass and inertia")
        self.mass.setHeaderHidden(True)
        copy = _button("Copy", "As text", lambda: QGuiApplication.clipboard().setText(as_text(mass_rows(self.answer.mass, COPIED))) if self.answer and self.answer.mass else None)
        column = _column(section)
        column.addWidget(self.of)
        column.addWidget(self.subtree)
        column.addWidget(self.mass)
        column.addLayout(_line(copy))
        return section

    def _hold(self) -> Section:
        self.hold_section = section = Section("Torque to hold the pose", False)
        self.contacts = QCheckBox("Contacts carry")
        self.contacts.setToolTip("Count the contact forces of this moment as support")
        self.contacts.clicked.connect(lambda _on: self.ask(at_once=True))
        self.dofs = RowTree(("Degree of freedom", "Needed"), "Torque of each degree of freedom")
        self.dofs.headerItem().setToolTip(1, "Force or torque that keeps the pose; in colour where no actuator can give all of it")
        self.actuators = RowTree(("Actuator", "Control", "Of range"), "Controls that hold")
        self.set_controls = _button("Set controls to hold", "Send these controls, inside their ranges", self._set_controls)
        self.hold_note = QLabel("")
        self.hold_note.setWordWrap(True)
        copy = _button("Copy", "Both tables as text", self._copy_hold)
        column = _column(section)
        for widget in (self.contacts, self.dofs, self.actuators, self.hold_note):
            column.addWidget(widget)
        column.addLayout(_pairs(self.set_controls, copy))
        for one in (self.mass_section, section):
            one.folded.connect(lambda _opened: self.ask(at_once=True))
        return section

    # ------------------------------------------------------------------ measurements

    def _fill(self) -> None:
        """All measurements anew."""
        chosen = self.chosen
        self.list.clear()
        for item in self._measuring.items:
            row = QTreeWidgetItem([item.title, ""])
            row.setData(0, Qt.ItemDataRole.UserRole, item)
            row.setToolTip(0, item.title)
            self.list.addTopLevelItem(row)
            row.setExpanded(True)
            row.setSelected(item in chosen)
        self.note.setVisible(not self._measuring.items)
        self.list.setVisible(bool(self._measuring.items))
        self.between.setCurrentText(self._measuring.between)
        self._figures_changed()
        self._show_buttons()

    def _figures_changed(self) -> None:
        snapshot = self._context.snapshot
        if not self.seen or snapshot is None or snapshot.model is not self._context.model:
            return
        grown = False
        for k, item in enumerate(self._measuring.items):
            row, figures = self.list.topLevelItem(k), item.figures(snapshot)
            extra = nearest_note(item)
            grown |= row.childCount() != len(figures) + bool(extra)
            while row.childCount() > len(figures) + bool(extra):
                row.takeChild(row.childCount() - 1)
            while row.childCount() < len(figures) + bool(extra):
                row.addChild(QTreeWidgetItem())
            for child, figure in enumerate(figures):
                self._show_figure(row.child(child), figure)
            if extra:
                row.child(len(figures)).setText(0, extra)
                row.child(len(figures)).setText(1, "")
                row.child(len(figures)).setData(0, Qt.ItemDataRole.UserRole, "")
                row.child(len(figures)).setToolTip(0, extra)
        if grown:
            self.list.fit()

    @staticmethod
    def _show_figure(child: QTreeWidgetItem, figure: Figure) -> None:
        name, _, value = row_text(figure).partition(" ")
        child.setText(0, name)
        child.setText(1, value)
        child.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        child.setData(0, Qt.ItemDataRole.UserRole, figure.text)
        child.setToolTip(0, "")

    @property
    def chosen(self) -> list[Measurement]:
        """The measurements that are chosen in the list, by a row of theirs."""
        rows = [item.parent() or item for item in self.list.selectedItems()]
        found = [row.data(0, Qt.ItemDataRole.UserRole) for row in rows]
        return [item for item in self._measuring.items if item in found]

    def _plotted(self) -> str:
        """The expression of the chosen figure; of a measurement that of its distance."""
        for item in self.list.selectedItems():
            row = item if item.parent() is not None else item.child(0)
            text = row.data(0, Qt.ItemDataRole.UserRole) if row is not None else ""
            if isinstance(text, str) and text:
                return text
        return ""

    def _show_buttons(self) -> None:
        self.plot.setEnabled(bool(self._plotted()))
        self.remove.setEnabled(bool(self.chosen))
        for button in (self.copy, self.clear):
            button.setEnabled(bool(self._measuring.items))

    def _plot(self) -> None:
        self._measuring.plot_wanted.emit(self._plotted())

    def _remove(self) -> None:
        self._measuring.remove(self.chosen)

    def _copy(self) -> None:
        snapshot = self._context.snapshot
        if snapshot is not None:
            parts = [[item.title, *(f"{figure.name}\t{figure.value:.9g} {figure.unit}" for figure in item.figures(snapshot))] for item in self.chosen or self._measuring.items]
            QGuiApplication.clipboard().setText("\n".join("\n".join(part) for part in parts))

    # ------------------------------------------------------------------ the selection, and the pose

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Figures of this moment; what takes longer is asked of the physics thread."""
        self._figures_changed()
        text = axes_text(snapshot, self._context.selection.elements)
        self.axes.setText(text)
        self.axes.setVisible(bool(text))
        self.ask()

    def ask(self, at_once: bool = False) -> None:
        """Ask for mass and torques where they are seen."""
        m = self._context.model
        if not self.seen or m is None:
            return
        chosen = selected_bodies(m, self._context.selection.elements)
        bodies = (chosen or tuple(range(1, m.nbody))) if self.mass_section.opened else None
        self._question = Question(bodies, self.subtree.isChecked())
        if bodies is not None:
            self._query.ask(at_once)
        if self.hold_section.opened:
            self._worker.ask(self.contacts.isChecked())

    def _show_answer(self, answer: Answer) -> None:
        self.answer, m = answer, self._context.model
        self._query.pause = max(PAUSE, REST * answer.seconds)
        if answer.mass is not None and m is not None:
            self.mass.show_rows(mass_rows(answer.mass))
            count = len(answer.mass.bodies)
            whole = not selected_bodies(m, self._context.selection.elements)
            self.of.setText(f"Nothing is selected: all {count} bodies of the model" if whole else f"{count} {'body' if count == 1 else 'bodies'}")

    def _show_hold(self, hold: Hold) -> None:
        self.hold, m = hold, self._context.model
        self.dofs.show_rows(dof_rows(m, hold, MOST_LISTED))
        self.actuators.show_rows(actuator_rows(m, hold, MOST_LISTED))
        self.actuators.setVisible(m.nactuator > 0)
        self.set_controls.setEnabled(bool(controls_to_set(m, hold)))
        self.hold_note.setText(hold_text(hold))

    def _set_controls(self) -> None:
        m = self._context.model
        if self.hold is not None:
            for index, value in controls_to_set(m, self.hold):
                self._context.runner.send(commands.SetCtrl(index, value))

    def _copy_hold(self) -> None:
        m = self._context.model
        if self.hold is not None:
            QGuiApplication.clipboard().setText(as_text(dof_rows(m, self.hold)) + "\n\n" + as_text(actuator_rows(m, self.hold)))

    def _forget_hold(self) -> None:
        self.hold = None
        self.set_controls.setEnabled(False)
        for tree in (self.dofs, self.actuators):
            tree.show_rows(())


def axes_text(snapshot: Snapshot, elements: Sequence[Element]) -> str:
    """The angle between the axes of two selected joints; '' where not two are."""
    joints = [what for what in elements if what.kind == "joint"]
    if len(joints) < 2 or max(what.id for what in joints) >= len(snapshot.xaxis):
        return ""
    one, two = joints[-2:]
    return f"Angle between the axes of {one} and {two}: {np.degrees(angle_between(snapshot.xaxis[one.id], snapshot.xaxis[two.id])):.4g}\u00b0"


def nearest_note(item: Measurement) -> str:
    """What there is to say of nearest points beside their distance."""
    nearest = item.nearest
    if nearest is None:
        return ""
    if nearest.problem:
        return f"nearest: {nearest.problem}"
    return f"{nearest.unknown} pair{'s' * (nearest.unknown != 1)} of geoms left out: no distance is known for their shapes" if nearest.unknown else ""


def hold_text(hold: Hold) -> str:
    """Whether the pose can be held."""
    missing, over = int((hold.remainder != 0).sum()), int((~hold.within).sum())
    said = [f"{missing} degree{'s' * (missing != 1)} of freedom cannot be held by the actuators."] if missing else []
    said += [f"{over} actuator{'s' * (over != 1)} would be beyond the range."] if over else []
    return " ".join(said) or "The actuators can hold this pose."


def _button(text: str, tip: str, pressed) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.clicked.connect(lambda _checked=False: pressed())
    return button


def _line(*widgets) -> QHBoxLayout:
    line = QHBoxLayout()
    for widget in widgets:
        line.addWidget(widget)
    line.addStretch(1)
    return line


def _pairs(*widgets) -> QGridLayout:
    """Two beside each other in each line."""
    grid = QGridLayout()
    for k, widget in enumerate(widgets):
        grid.addWidget(widget, k // 2, k % 2)
    return grid


def _column(section: Section) -> QVBoxLayout:
    column = QVBoxLayout(section.body)
    column.setContentsMargins(6, 0, 6, 0)
    column.setSpacing(3)
    return column
