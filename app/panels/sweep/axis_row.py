"""One line of the panel: what varies, from where to where, in how many values."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QStringListModel, Qt, pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QComboBox, QCompleter, QGridLayout, QSizePolicy

from app.panels.sweep.plan import Choice
from editor.widgets.number_edit import NumberEdit
from physics.tuning.target_values import PARAMETERS

COUNTS = (9, 7)         # values of the first and the second line at first
MOST = 1000
TIMES = 4.0             # below and above what it is now a range begins and ends
SHARES = frozenset({"solimp[0]", "solimp[1]", "solimp[3]"})     # numbers between 0 and 1
HEADS = ("Vary", "From", "To", "Values", "Even ratios")
TIP = "A number of the tuner: solref[0] to solimp[4]; or a value of the model by name: geom.floor.friction[0], actuator.grip.kp, opt.impratio, geom.*.solref[0]"


class AxisRow(QComboBox):
    """The field for what varies; the others stand beside it in a grid. Signal: edited() anything of the line is another."""

    edited = pyqtSignal()
    named = pyqtSignal(str)         # the user has said what is to vary

    def __init__(self, grid: QGridLayout, line: int, optional: bool):
        super().__init__()
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(TIP + ("\nMay stay empty" if optional else ""))
        self.addItems([*([""] if optional else []), *PARAMETERS])
        self.lineEdit().setPlaceholderText("second value" if optional else "value")
        self._words = QStringListModel([])
        completer = QCompleter(self._words, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCompleter(completer)
        completer.activated.connect(lambda _text: self._commit())
        self.low, self.high = NumberEdit(share=1.2), NumberEdit(share=1.2)
        self.points = NumberEdit(COUNTS[optional], low=2, high=MOST, whole=True, share=0.6, least=0.4)
        self.log = QCheckBox()
        self.log.setToolTip("Each value is the one before times the same, not plus the same")
        for column, part in enumerate((self, self.low, self.high, self.points, self.log)):
            grid.addWidget(part, line, column)
        self._what = self.currentText()
        self.activated.connect(lambda _index: self._commit())
        self.lineEdit().editingFinished.connect(self._commit)
        for field in (self.low, self.high, self.points):
            field.edited.connect(lambda _value: self.edited.emit())
        self.log.clicked.connect(lambda _on: self.edited.emit())
        self._enable()

    @property
    def what(self) -> str:
        """What varies, '' for nothing."""
        return self._what

    @property
    def choice(self) -> Choice | None:
        """The line, None where it is empty."""
        return Choice(self._what, self.low.number, self.high.number, int(self.points.number), self.log.isChecked()) if self._what else None

    def offer(self, names: Sequence[str]) -> None:
        """Names of the model's values, for completion."""
        self._words.setStringList([*PARAMETERS, *names])

    def suggest(self, now: float) -> None:
        """A range about what the value is now."""
        share = self._what in SHARES
        low, high = (0.05, 0.99) if share else (now / TIMES, now * TIMES) if now else (0.0, 1.0)
        self.low.show_value(float(f"{low:.3g}"))
        self.high.show_value(float(f"{high:.3g}"))
        self.log.setChecked(bool(now) and not share)

    def _commit(self) -> None:
        what = self.currentText().strip()
        if what == self._what:
            return
        self._what = what
        self._enable()
        self.named.emit(what)
        self.edited.emit()

    def _enable(self) -> None:
        for part in (self.low, self.high, self.points, self.log):
            part.setEnabled(bool(self._what))
