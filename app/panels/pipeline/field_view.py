"""What a stage has written and read: the fields, and in each the rows of what is selected first, with what changed marked."""
from __future__ import annotations

from functools import partial

import numpy as np
from PyQt6.QtCore import QItemSelectionModel, Qt
from PyQt6.QtGui import QBrush, QColor
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from app.panels.pipeline.rows import namer, rows_of
from physics.fields.layout import LAYOUTS
from physics.model.model import Model
from physics.pipeline.formulas import FORMULAS
from physics.pipeline.target import Target
from physics.pipeline.walk import Moment, Walk, WalkedStage, differs

COLUMNS = ("Field", "value", "before")
WRITTEN, READ = "written", "read"
PLACE, KEY = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
MOST_ROWS = 200     # of a field that are listed
CHANGED_DARK, CHANGED_LIGHT = QColor("#f0a04b"), QColor("#b35900")


class FieldView(QTreeWidget):
    """Two groups, written and read; a field for each row, its own rows below it, made when it is opened. What was opened or closed by hand stays so for the other
    states and stages."""

    def __init__(self):
        super().__init__()
        self.setColumnCount(len(COLUMNS))
        self.setHeaderLabels(COLUMNS)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.setMinimumHeight(60)
        self.setIndentation(12)
        header = self.header()
        header.setMinimumSectionSize(30)
        header.setStretchLastSection(False)
        for column in range(len(COLUMNS)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch if column else QHeaderView.ResizeMode.Interactive)
        self._fields: list[tuple[str, np.ndarray, np.ndarray | None]] = []      # whose rows are made when they are opened: the item's data
        self._now: tuple[Model, Moment, Target] | None = None
        self._by_hand: dict[tuple[str, str], bool] = {}     # (group, field or '' for the group) -> whether it was opened
        self._number, self._making, self._width = -1, False, -1
        self.itemExpanded.connect(self._fill)
        self.itemExpanded.connect(partial(self._note_opened, True))
        self.itemCollapsed.connect(partial(self._note_opened, False))

    def forget(self) -> None:
        """Show nothing."""
        self.clear()
        self._fields, self._now, self._number = [], None, -1

    def show_stage(self, m: Model, walk: Walk, stage: WalkedStage, target: Target) -> None:
        """The fields of a stage. Of the same stage as before the same rows stay in view."""
        same, scrolled, current = stage.number == self._number, self.verticalScrollBar().value(), self._path(self.currentItem())
        self._making = True
        self._fill_with(m, walk, stage, target)
        self._making, self._number = False, stage.number
        if same:
            found = self._at(current)
            if found is not None:
                self.selectionModel().setCurrentIndex(self.indexFromItem(found), QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows)
            self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(scrolled if same else 0)

    def _fill_with(self, m: Model, walk: Walk, stage: WalkedStage, target: Target) -> None:
        width = self.viewport().width()
        if width != self._width:        # else it is as wide as the user made it
            self._width = width
            self.setColumnWidth(0, max(90, width * 2 // 5))
        self._fields.clear()
        self.clear()
        self._now = m, walk.after(stage.number), target
        shown = FORMULAS[stage.number].shown
        written = sorted(stage.writes, key=lambda name: (shown.index(name) if name in shown else len(shown), name))
        read = sorted((name for name in stage.reads if name not in stage.writes))
        self._add_group(WRITTEN, [(name, stage.writes[name], stage.before[name]) for name in written], shown)
        self._add_group(READ, [(name, stage.reads[name], None) for name in read], ())

    def _add_group(self, title: str, fields: list[tuple[str, np.ndarray, np.ndarray | None]], opened: tuple[str, ...]) -> None:
        group = QTreeWidgetItem(self, [f"{title} ({len(fields)})"])
        font = group.font(0)
        font.setBold(True)
        group.setFont(0, font)
        group.setFirstColumnSpanned(True)
        group.setData(0, KEY, (title, ""))
        for name, value, before in fields:
            item = QTreeWidgetItem(group, [name])
            item.setData(0, KEY, (title, name))
            row = LAYOUTS["d"].rows[name]
            item.setToolTip(0, f"{name} ({row.shape or 'number'}){' [' + row.unit + ']' if row.unit else ''}: {row.doc}")
            changed = differs(before, value) if before is not None else None
            if value.ndim == 0:
                item.setText(1, _text(value))
                if before is not None:
                    item.setText(2, _text(before))
                    self._mark(item, bool(changed))
                continue
            size = "x".join(map(str, value.shape))
            if changed is None:
                item.setText(1, size)
            else:
                item.setText(1, f"{size}, {int(changed.sum())} changed" if value.size else "none")
                item.setToolTip(1, item.text(1))
                self._mark(item, bool(changed.any()))
            if value.size:
                item.setData(0, PLACE, len(self._fields))
                self._fields.append((name, value, before))
                item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
        group.setExpanded(self._by_hand.get((title, ""), title == WRITTEN))
        for k, (name, value, _before) in enumerate(fields):
            if value.size and self._by_hand.get((title, name), k == 0 and name in opened):
                group.child(k).setExpanded(True)

    def _note_opened(self, on: bool, item: QTreeWidgetItem) -> None:
        if not self._making:
            self._by_hand[tuple(item.data(0, KEY))] = on

    @staticmethod
    def _path(item: QTreeWidgetItem | None) -> tuple[str, str, str] | None:
        """Group, field and row of an item, '' for what it has not."""
        if item is None:
            return None
        key = item.data(0, KEY)
        return (*key, "") if key is not None else (*item.parent().data(0, KEY), item.text(0))

    def _at(self, path: tuple[str, str, str] | None) -> QTreeWidgetItem | None:
        """The item of a path."""
        if path is None:
            return None
        found = next((self.topLevelItem(g) for g in range(self.topLevelItemCount()) if self.topLevelItem(g).data(0, KEY)[0] == path[0]), None)
        for name in path[1:]:
            if found is not None and name:
                found = next((found.child(k) for k in range(found.childCount()) if found.child(k).text(0) == name), None)
        return found

    def _mark(self, item: QTreeWidgetItem, changed: bool) -> None:
        """Colour a row where something changed."""
        if changed:
            dark = self.palette().base().color().lightness() < 128
            item.setForeground(1, QBrush(CHANGED_DARK if dark else CHANGED_LIGHT))

    def _fill(self, item: QTreeWidgetItem) -> None:
        """The rows of a field, when it is opened first."""
        place = item.data(0, PLACE)
        if place is None or self._now is None or item.childCount():
            return
        (name, value, before), (m, v, target) = self._fields[place], self._now
        chosen = rows_of(m, v, name, target)
        chosen = chosen[(chosen >= 0) & (chosen < len(value))]
        rest = np.setdiff1d(np.arange(min(len(value), MOST_ROWS)), chosen)
        name_of = namer(m, v, name)
        for k in (*chosen.tolist(), *rest.tolist()[:MOST_ROWS - len(chosen)]):
            was = before[k] if before is not None and k < len(before) else None
            child = QTreeWidgetItem(item, [name_of(k), _text(value[k]), _text(was) if was is not None else ""])
            for column in range(len(COLUMNS)):
                child.setToolTip(column, f"{name}[{k}] = {_text(value[k], 12)}" + (f"\nbefore {_text(was, 12)}" if was is not None else ""))
            if k in chosen:
                font = child.font(0)
                font.setBold(True)
                child.setFont(0, font)
            self._mark(child, before is not None and (was is None or bool(differs(np.atleast_1d(was), np.atleast_1d(value[k])).any())))
        if len(value) > MOST_ROWS:
            QTreeWidgetItem(item, [f"... {len(value) - item.childCount()} rows more"])

    def value_of(self, field: str, row: str | None = None, column: int = 1) -> str:
        """What is shown of a field, or of one of its rows that is open; '' where there is none."""
        for g in range(self.topLevelItemCount()):
            group = self.topLevelItem(g)
            for k in range(group.childCount()):
                item = group.child(k)
                if item.text(0) == field:
                    if row is None:
                        return item.text(column)
                    return next((item.child(c).text(column) for c in range(item.childCount()) if item.child(c).text(0) == row), "")
        return ""


def _text(value, digits: int = 5) -> str:
    """A number or a row of numbers."""
    array = np.ravel(value)
    if array.dtype == bool or np.issubdtype(array.dtype, np.integer):
        return " ".join(map(str, array.tolist()))
    return " ".join(f"{0.0 if x == 0 else x:.{digits}g}" for x in array.tolist())
