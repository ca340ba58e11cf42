"""In a drive's box: which faders set which controls, and learning others by touching both."""
from __future__ import annotations

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.controllers.teleoperation.learning import FaderTeaching, can_learn
from app.inputs.mapping.drive_mapping import DriveMapping
from app.panels.diagnostics.query_panel import show_note, text_label

TOUCH = "Touch a fader or stick, and the slider of a control (panel Controls) or choose it here. Esc ends."
FADER, CONTROL = "Now touch the fader or stick for {}.", "{}: now touch the slider of its control, or choose it here."
NONE = "Which control?"


class LearnLine(QWidget):
    """Signals: learn_wanted(on), control_chosen(name of an actuator)."""

    learn_wanted = pyqtSignal(bool)
    control_chosen = pyqtSignal(str)

    def __init__(self, one: DriveMapping):
        super().__init__()
        self.learn = QPushButton("Learn")
        self.learn.setCheckable(True)
        self.learn.setToolTip("Say which fader sets which control by touching both. A fader takes over when it comes past its control's value: nothing jumps")
        self.learn.clicked.connect(self.learn_wanted)
        self.control = QComboBox()
        self.control.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.control.setMinimumContentsLength(8)
        self.control.activated.connect(lambda row: self.control_chosen.emit(self.control.itemText(row)) if row > 0 else None)
        self.pairs, self.note = text_label(), text_label()
        for label in (self.pairs, self.note):
            label.setMargin(0)
        self.pairs.setText(", ".join(f"{axis} \u2192 {row[0]}" for axis, row in one.controls.items()))
        self.pairs.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        line, column = QHBoxLayout(), QVBoxLayout(self)
        line.addWidget(self.learn)
        line.addWidget(self.control, 1)
        line.addStretch(0)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.pairs)
        column.addLayout(line)
        column.addWidget(self.note)
        self.setVisible(can_learn(one))
        self.pairs.setVisible(bool(one.controls))
        self.show_state(None, ())

    def show_state(self, teaching: FaderTeaching | None, actuators: tuple[str, ...]) -> None:
        """How far the learning of this drive's faders has come, None: they are not being learnt. actuators: names of those that can be chosen."""
        on = teaching is not None
        self.learn.setChecked(on)
        self.learn.setText("End" if on else "Learn")
        self.control.setVisible(on)
        if not on:
            show_note(self.note, "")
            return
        rows = [NONE, *actuators]
        if [self.control.itemText(k) for k in range(self.control.count())] != rows:
            self.control.clear()
            self.control.addItems(rows)
        self.control.setCurrentIndex(max(0, self.control.findText(teaching.actuator)) if teaching.actuator else 0)
        asked = FADER.format(teaching.actuator) if teaching.actuator else CONTROL.format(teaching.axis) if teaching.axis else TOUCH
        show_note(self.note, f"{teaching.last}. {asked}" if teaching.last else asked)
