"""One offer of the divergence page: what may help, whether it survived when it was tried, and buttons that do it."""
from __future__ import annotations

from types import MappingProxyType

from PyQt6.QtGui import QPalette
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.controllers.divergence import DivergenceController
from physics.diagnostics.divergence.remedies import Remedy
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
        self.remedy = remedy
        self.label, self.state = QLabel(remedy.label), QLabel(WAITING)
        for label in (self.label, self.state):
            wrap(label)
        self.label.setToolTip("\n".join(filter(None, (remedy.why, remedy.text))))
        self.state.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.apply, self.ghost = QToolButton(), QToolButton()
        self.apply.setText("Apply" if remedy.live else "Copy")
        self.apply.setToolTip("Go back to before it began and give the run these values; Space runs on" if remedy.live
                              else "Go back to before it began, and copy what has to be written into the text: it cannot be set while the model runs" if remedy.text
                              else "A script writes it at each step: it is to be changed there")
        self.apply.clicked.connect(lambda _checked=False: divergence.apply(remedy))
        self.ghost.setText("Ghost")
        self.ghost.setToolTip("Run on with it from before it began as a companion run, drawn as a ghost beside this run")
        self.ghost.clicked.connect(lambda _checked=False: divergence.companion(remedy))
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

    def show_outcome(self, outcome: Outcome | None, trying: bool, applies: bool) -> None:
        """What is known of it. applies: whether the run can still be changed by it."""
        self.apply.setEnabled(applies and (self.remedy.live or bool(self.remedy.text)))
        if outcome is None:
            self.state.setText(TRYING if trying else WAITING)
            return
        self.state.setText(f"{SIGNS.get(outcome.status, '?')} {outcome.words}")
        self.state.setForegroundRole(QPalette.ColorRole.WindowText if outcome.survives else QPalette.ColorRole.PlaceholderText)
        font = self.label.font()
        if font.bold() != outcome.survives:
            font.setBold(outcome.survives)
            self.label.setFont(font)
        self.updateGeometry()
        self.state.setToolTip(f"Fastest coordinate at the end {outcome.fastest:.3g}; {outcome.cost:.3g} s of computing for a simulated second")
