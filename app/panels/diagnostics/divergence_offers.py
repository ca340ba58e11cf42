"""One offer of the divergence page: what may help, whether it survived when it was tried, and buttons that do it."""
from __future__ import annotations

from types import MappingProxyType

from PyQt6.QtGui import QPalette
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.controllers.companions import CompanionRow
from app.controllers.divergence import DivergenceController
from physics.diagnostics.divergence.remedy import Remedy
from physics.diagnostics.divergence.trial import DIVERGES, SURVIVES, UNBOUNDED, Outcome

WAITING, TRYING = "not tried yet", "trying..."
SIGNS = MappingProxyType({SURVIVES: "\u2714", DIVERGES: "\u2718", UNBOUNDED: "\u2718"})


def wrap(label: QLabel) -> None:
    """Have a text wrap in whatever width there is, as high as it needs there."""
    label.setWordWrap(True)
    policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)


class OfferRow(QWidget):
    """Label and state, then the buttons."""

    def __init__(self, remedy: Remedy, divergence: DivergenceController):
        super().__init__()
        self.remedy, self._divergence = remedy, divergence
        self.label, self.state = QLabel(remedy.label), QLabel(WAITING)
        for label in (self.label, self.state):
            wrap(label)
        self.label.setToolTip("\n".join(filter(None, (remedy.why, remedy.text))))
        self.state.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.apply, self.ghost = QToolButton(), QToolButton()
        self.apply.setText("Apply" if remedy.live else "Copy")
        self.apply.setToolTip("Go back to before it began and give the run these values, in place of those of a remedy that was applied before; Space runs on" if remedy.live
                              else "Go back to before it began, and copy what has to be written into the text: it cannot be set while the model runs" if remedy.text
                              else "A script writes it at each step: it is to be changed there")
        self.apply.clicked.connect(self._apply)
        self.ghost.setText("Show")
        self.ghost.setCheckable(True)
        self.ghost.setToolTip("Show what was tried: the same once more as a companion run, drawn as a ghost beside this run; another click ends it")
        self.ghost.clicked.connect(self._show_beside)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.state, 1)
        line.addWidget(self.ghost)
        line.addWidget(self.apply)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.label)
        column.addLayout(line)

    def _apply(self, _checked: bool = False) -> None:
        self._divergence.apply(self.remedy)

    def _show_beside(self, on: bool) -> None:
        if on:
            self._divergence.companion(self.remedy)
        else:
            self._divergence.stop_companion(self.remedy)

    def show_outcome(self, outcome: Outcome | None, trying: bool, applies: bool, beside: CompanionRow | None) -> None:
        """What is known of it. applies: whether the run can still be changed by it; beside: the companion run that shows it."""
        self.apply.setEnabled(applies and (self.remedy.live or bool(self.remedy.text)))
        self.ghost.setEnabled(applies or beside is not None)
        self.ghost.setChecked(beside is not None)
        said = (TRYING if trying else WAITING) if outcome is None else f"{SIGNS.get(outcome.status, '?')}\u00a0{outcome.words}"
        if beside is not None:
            said += f"; beside: {beside.state.status}" + (f" at {beside.state.time:.4g}\u00a0s" if beside.state.status == "diverged" else "")
        self.state.setText(said)
        survives = outcome is not None and outcome.survives
        self.state.setForegroundRole(QPalette.ColorRole.WindowText if survives else QPalette.ColorRole.PlaceholderText)
        font = self.label.font()
        if font.bold() != survives:
            font.setBold(survives)
            self.label.setFont(font)
        self.updateGeometry()
        self.state.setToolTip("" if outcome is None else f"Largest |qvel| at the end {outcome.fastest:.3g}; {outcome.cost:.3g} s of computing for a simulated second")
