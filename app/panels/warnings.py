"""Warnings: the kinds of warning that the physics counts, how often each came up since the last reset, when last and for what."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QLabel, QPushButton, QTableWidget, QTableWidgetItem, QVBoxLayout

from app.context import AppContext
from app.panels.live_panel import LivePanel
from physics.enums import WarningType
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot
from physics.simulate.warnings import counted, in_words

COLUMNS = ("Warning", "Count", "Last at", "Of")


class WarningsPanel(LivePanel):
    """One row per kind that has come up; all kinds, greyed, where none has."""

    scrolls = False

    def __init__(self, context: AppContext):
        super().__init__(context)
        self._before: dict[int, int] = {}    # count of each kind as shown last
        self._times: dict[int, float] = {}   # simulated time at which a kind was seen to grow
        self._starts = -1
        self.summary = QLabel("No warnings.")
        reset = QPushButton("Reset counts")
        reset.setToolTip("Count from 0 again; the simulation goes on")
        reset.clicked.connect(lambda _checked=False: context.runner.send(commands.ClearWarnings()))
        self.table = QTableWidget(len(WarningType), len(COLUMNS))
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        for kind in WarningType:
            for column in range(len(COLUMNS)):
                self.table.setItem(int(kind), column, QTableWidgetItem(in_words(kind).capitalize() if column == 0 else ""))
        line = QHBoxLayout()
        line.addWidget(self.summary, 1)
        line.addWidget(reset)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 2, 4, 2)
        layout.addLayout(line)
        layout.addWidget(self.table, 1)
        self._suit_font()
        self.catch_up()

    def _suit_font(self) -> None:
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontMetrics().height() + 5)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "table"):
            self._suit_font()

    def text(self, kind: WarningType, column: str) -> str:
        """What the table says of a kind."""
        return self.table.item(int(kind), COLUMNS.index(column)).text()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """The present counts."""
        if snapshot.starts != self._starts:
            self._starts, self._before, self._times = snapshot.starts, {}, {}
        total = 0
        for kind in WarningType:
            count = int(snapshot.warning_number[kind])
            total += count
            if count > self._before.get(int(kind), 0):
                self._times[int(kind)] = snapshot.time
            self._before[int(kind)] = count
            told = counted(snapshot.model, snapshot, int(kind)) if count else None
            texts = (str(count), f"{self._times.get(int(kind), snapshot.time):.3f} s", told.element) if told is not None else ("", "", "")
            for column, text in enumerate(texts, 1):
                self.table.item(int(kind), column).setText(text)
            flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled if count else Qt.ItemFlag.ItemIsSelectable
            if self.table.item(int(kind), 0).flags() != flags:
                for column in range(len(COLUMNS)):
                    self.table.item(int(kind), column).setFlags(flags)
        self.summary.setText(f"{total} warning{'s' * (total != 1)} since the last reset." if total else "No warnings since the last reset.")
