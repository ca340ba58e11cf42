"""The figures as a table, and the warnings above it as a text."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtWidgets import QLabel, QSizePolicy

from app.panels.diagnostics.fitted_tree import FittedTree, put
from app.panels.tuner.figures import FIGURES, NONE, Given, table
from physics.tuning.badges import Badge

NAME, NOMINAL, EFFECTIVE, MEASURED = range(4)
TIPS = ("", "What solref and solimp say by themselves", "What they do here: with the present load, inverse mass and friction; restitution and impacts are simulated",
        "What the contact has done lately, from the states of the run")
SEVERE, MILD = "#d55e00", "#b8860b"     # to be read on light and dark


class FiguresTable(FittedTree):
    """show_figures() shows them; None: nothing is known."""

    def __init__(self):
        super().__init__(("", "Nominal", "Effective", "Measured"), NAME)
        self.setRootIsDecorated(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSelectionMode(self.SelectionMode.NoSelection)
        for column, tip in enumerate(TIPS):
            self.headerItem().setToolTip(column, tip)
        for figure in FIGURES:
            item = self.add(None, [figure.name, NONE, NONE, NONE], figure.tip)
            for column in (NOMINAL, EFFECTIVE, MEASURED):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column in (NOMINAL, EFFECTIVE, MEASURED):
            self.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        self._suit()
        self.fit()

    def show_figures(self, given: Given | None) -> None:
        """Of these values and this row."""
        if given is None:
            for k in range(self.topLevelItemCount()):
                for column in (NOMINAL, EFFECTIVE, MEASURED):
                    put(self.topLevelItem(k), column, NONE)
            return
        for k, (figure, texts) in enumerate(table(given)):
            for column, text in zip((NOMINAL, EFFECTIVE, MEASURED), texts, strict=True):
                put(self.topLevelItem(k), column, text, f"{text}\n{figure.tip}")

    def text(self, name: str, column: int) -> str:
        """What stands in the row of that name."""
        row = next(k for k, figure in enumerate(FIGURES) if figure.name == name)
        return self.topLevelItem(row).text(column)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._suit()

    def _suit(self) -> None:
        metrics = self.fontMetrics()
        for column, longest in ((NOMINAL, "0.0000 ms"), (EFFECTIVE, "0.000 ± 0.000"), (MEASURED, "0.000 ± 0.000 (0)")):
            self.header().resizeSection(column, metrics.horizontalAdvance(longest) + 12)


class BadgesLabel(QLabel):
    """Warnings in words, the severe ones marked."""

    def __init__(self):
        super().__init__("")
        self.setWordWrap(True)
        self.setMargin(4)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.badges: Sequence[Badge] = ()
        self.hide()

    def show_badges(self, badges: Sequence[Badge]) -> None:
        """Show these."""
        if tuple(badges) != tuple(self.badges):
            self.badges = tuple(badges)
            self.setText("<br>".join(f'<span style="color:{SEVERE if badge.severe else MILD}">●</span>&nbsp;{escape(badge.words)}' for badge in self.badges))
            self.setVisible(bool(self.badges))
