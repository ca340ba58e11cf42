"""Findings as a tree, a branch for each rule."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import PurePath

from PyQt6.QtCore import QPoint, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QIcon, QPainter, QPalette, QPen, QPolygonF
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from app.appearance import signal_colour
from editor.widgets.drawn_icon import drawn_picture
from physics.lint.finding import ERROR, NOTE, SEVERITIES, Finding
from physics.lint.table import by_id

WHAT, WHERE = range(2)
FINDINGS, KEY = (int(Qt.ItemDataRole.UserRole) + k for k in range(2))
GRID, STROKE = 16, 1.4     # logical pixels
RATIOS = (1, 2, 3)


class FindingTree(QTreeWidget):
    """Signals: chosen() when others are current; went_to(Finding) a row was clicked, or moved to by keys; menu_wanted(QPoint) at a place of the screen."""

    chosen = pyqtSignal()
    went_to = pyqtSignal(object)
    menu_wanted = pyqtSignal(QPoint)

    def __init__(self):
        super().__init__()
        self.setColumnCount(2)
        self.setHeaderLabels(("Finding", "Line"))
        self.setIndentation(12)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAccessibleName("Findings")
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(WHAT, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(WHERE, QHeaderView.ResizeMode.ResizeToContents)
        self._filling = False
        self.itemClicked.connect(lambda item, _column: self._go(item))
        self.currentItemChanged.connect(lambda item, _before: self._current_changed(item))
        self.customContextMenuRequested.connect(lambda at: self.menu_wanted.emit(self.viewport().mapToGlobal(at)))

    def show_findings(self, findings: Sequence[Finding], ignored: Collection[str]) -> None:
        """List these; what was current or closed stays so."""
        current = self.currentItem().data(WHAT, KEY) if self.currentItem() is not None else None
        closed = {item.data(WHAT, KEY) for k in range(self.topLevelItemCount()) if not (item := self.topLevelItem(k)).isExpanded()}
        self._filling = True
        self.clear()
        by_rule: dict[str, list[Finding]] = {}
        for finding in findings:
            by_rule.setdefault(finding.rule, []).append(finding)
        faint = self.palette().color(QPalette.ColorRole.PlaceholderText)
        icons = {severity: severity_icon(severity, self.palette()) for severity in SEVERITIES}
        for rule, rows in by_rule.items():
            branch = self._branch(rule, rows, icons)
            for finding in rows:
                item = self._row(branch, finding, icons)
                if finding.key in ignored:
                    for column in (WHAT, WHERE):
                        item.setForeground(column, faint)
            branch.setExpanded(rule not in closed)
        self._filling = False
        self._find_again(current)
        self.chosen.emit()

    def _branch(self, rule: str, rows: list[Finding], icons: dict[str, QIcon]) -> QTreeWidgetItem:
        title = by_id(rule).title
        branch = QTreeWidgetItem(self, [f"{title} ({len(rows)})", ""])
        branch.setIcon(WHAT, icons[rows[0].severity])
        branch.setData(WHAT, FINDINGS, rows)
        branch.setData(WHAT, KEY, rule)
        branch.setToolTip(WHAT, by_id(rule).meaning)
        return branch

    def _row(self, branch: QTreeWidgetItem, finding: Finding, icons: dict[str, QIcon]) -> QTreeWidgetItem:
        where = f"{PurePath(finding.place.file).name}:{finding.place.line}" if finding.place is not None else ""
        item = QTreeWidgetItem(branch, [finding.text, where])
        item.setIcon(WHAT, icons[finding.severity])
        item.setData(WHAT, FINDINGS, [finding])
        item.setData(WHAT, KEY, finding.key)
        item.setToolTip(WHAT, finding.text)
        item.setToolTip(WHERE, str(finding.place or ""))
        return item

    def _find_again(self, key: str | None) -> None:
        """Make the row current that was; where it is gone the first of its rule."""
        if key is None:
            return
        branches = [self.topLevelItem(k) for k in range(self.topLevelItemCount())]
        rows = [item for branch in branches for item in (branch, *(branch.child(i) for i in range(branch.childCount())))]
        found = next((item for item in rows if item.data(WHAT, KEY) == key), None)
        found = found or next((branch.child(0) for branch in branches if branch.data(WHAT, KEY) == key.partition(":")[0]), None)
        if found is not None:
            self._filling = True
            self.setCurrentItem(found)
            self._filling = False

    # ------------------------------------------------------------------ what is chosen

    @property
    def chosen_findings(self) -> list[Finding]:
        """Those of the current row: one, or all of a rule."""
        item = self.currentItem()
        return list(item.data(WHAT, FINDINGS)) if item is not None else []

    @property
    def chosen_rule(self) -> str | None:
        """The rule whose branch is current; None where a finding is."""
        item = self.currentItem()
        return item.data(WHAT, KEY) if item is not None and item.parent() is None else None

    def _current_changed(self, item: QTreeWidgetItem | None) -> None:
        if self._filling:
            return
        self.chosen.emit()
        if item is not None and self.hasFocus() and item.parent() is not None:
            self._go(item)

    def _go(self, item: QTreeWidgetItem) -> None:
        if item.parent() is not None:
            self.went_to.emit(item.data(WHAT, FINDINGS)[0])


def severity_icon(severity: str, palette: QPalette) -> QIcon:
    """A disc with a bar for an error, a triangle for a warning, a ring for a note."""
    text = palette.color(QPalette.ColorRole.Text)
    colour = QColor(signal_colour(severity, palette.color(QPalette.ColorRole.Base)) or text)
    made = QIcon()
    for ratio in RATIOS:
        made.addPixmap(drawn_picture(lambda painter: _draw(painter, severity, colour), GRID, GRID, STROKE, colour, ratio))
    return made


def _draw(painter: QPainter, severity: str, colour: QColor) -> None:
    if severity == NOTE:
        painter.drawEllipse(QRectF(2.5, 2.5, 11, 11))
        painter.drawLine(QPointF(8, 7.5), QPointF(8, 11))
        painter.drawPoint(QPointF(8, 5))
    elif severity == ERROR:
        painter.setBrush(colour)
        painter.drawEllipse(QRectF(2, 2, 12, 12))
        painter.setPen(QPen(Qt.GlobalColor.white, 1.8))
        painter.drawLine(QPointF(5.5, 5.5), QPointF(10.5, 10.5))
        painter.drawLine(QPointF(10.5, 5.5), QPointF(5.5, 10.5))
    else:
        painter.drawPolygon(QPolygonF([QPointF(8, 2), QPointF(14.5, 13.5), QPointF(1.5, 13.5)]))
        painter.drawLine(QPointF(8, 6.5), QPointF(8, 9.5))
        painter.drawPoint(QPointF(8, 11.6))
