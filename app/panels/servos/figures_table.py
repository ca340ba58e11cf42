"""The figures as a table: in force and tried, each held and in the mechanism."""
from __future__ import annotations

from PyQt6.QtCore import Qt

from app.panels.diagnostics.fitted_tree import put
from app.panels.servos.figures import FIGURES, NONE, texts
from app.panels.servos.shared_columns import SharedColumns
from app.panels.servos.study import Tried

NAME, RUNS_HELD, RUNS_REAL, TRIED_HELD, TRIED_REAL = range(5)
TITLES = ("", "Runs, held", "Runs", "Tried, held", "Tried")
TIPS = ("", "What runs, with all else of the mechanism held: by the one-coordinate simulation and in closed form", "What runs, in the whole mechanism: by the engine on a copy",
        "The values being tried, with all else held", "The values being tried, in the whole mechanism")
NUMBERS = (RUNS_HELD, RUNS_REAL, TRIED_HELD, TRIED_REAL)


class ServoFigures(SharedColumns):
    """show_figures() shows them."""

    def __init__(self):
        super().__init__(TITLES, dict.fromkeys(NUMBERS, "0.00000 kg m²"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for column, tip in enumerate(TIPS):
            self.headerItem().setToolTip(column, tip)
        for figure in FIGURES:
            item = self.add(None, [figure.name, *[NONE] * len(NUMBERS)], figure.tip)
            for column in NUMBERS:
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column in NUMBERS:
            self.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        self.fit()

    def show_figures(self, runs: Tried | None, tried: Tried | None, units: tuple[str, str]) -> bool:
        """runs: the values in force; tried: others, None where there are none. Lines that neither has are left out; whether there are some."""
        for k, figure in enumerate(FIGURES):
            item, shown = self.topLevelItem(k), (*texts(figure, runs, units), *texts(figure, tried, units))
            for column, text in zip(NUMBERS, shown, strict=True):
                put(item, column, text, f"{text}\n{figure.tip}")
            item.setHidden(not any(text not in ("", NONE) for text in shown))
        if self.isColumnHidden(TRIED_HELD) is not (tried is None):
            for column in (TRIED_HELD, TRIED_REAL):
                self.setColumnHidden(column, tried is None)
            self.share_columns()
        self.fit()
        return not all(self.topLevelItem(k).isHidden() for k in range(len(FIGURES)))

    def text(self, name: str, column: int) -> str:
        """What stands in the row of that name."""
        row = next(k for k, figure in enumerate(FIGURES) if figure.name == name)
        return self.topLevelItem(row).text(column)
