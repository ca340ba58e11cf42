"""In a drive's box: learning which fader sets which control, by touching both."""
from __future__ import annotations

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QComboBox, QPushButton, QVBoxLayout, QWidget

from app.controllers.teleoperation.learning import FaderTeaching, can_learn
from app.inputs.mapping.drive_mapping import DriveMapping
from app.panels.diagnostics.query_panel import show_note, text_label

TOUCH = "Touch a fader or stick, and the slider of a control (panel Controls) or choose it here. Esc ends."
FADER, CONTROL = "Now touch the fader or stick for {}.", "{}: now touch the slider of its control, or choose it here."
NONE = "Which control?"
AIR = 16        # logical pixels beside the text of a button that may be narrow


class LearnLine(QWidget):
    """Seen while it learns. learn: the button that begins and ends it, to be placed by the box. Signals: learn_wanted(on), control_chosen(name of an actuator)."""

    learn_wanted = pyqtSignal(bool)
    control_chosen = pyqtSignal(str)

    def __init__(self, one: DriveMapping):
        super().__init__()
        self.learn = QPushButton("Learn")
        self.learn.setCheckable(True)
        self.learn.setMinimumWidth(self.learn.fontMetrics().horizontalAdvance("Learn") + AIR)
        self.learn.setToolTip("Say which fader sets which control by touching both. A fader takes over when it comes past its control's value: nothing jumps")
        self.learn.clicked.connect(self.learn_wanted)
        self.control = QComboBox()
        self.control.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.control.setMinimumContentsLength(8)
        self.control.activated.connect(lambda row: self.control_chosen.emit(self.control.itemText(row)) if row > 0 else None)
        self.note = text_label()
        self.note.setMargin(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.note)
        column.addWidget(self.control)
        self.learn.setVisible(can_learn(one))
        self.show_state(None, ())

    def show_state(self, teaching: FaderTeaching | None, actuators: tuple[str, ...]) -> None:
        """How far the learning of this drive's faders has come, None: they are not being learnt. actuators: names of those that can be chosen."""
        on = teaching is not None
        self.learn.setChecked(on)
        self.learn.setText("End" if on else "Learn")
        self.setVisible(on)
        if not on:
            return
        rows = [NONE, *actuators]
        if [self.control.itemText(k) for k in range(self.control.count())] != rows:
            self.control.clear()
            self.control.addItems(rows)
        self.control.setCurrentIndex(max(0, self.control.findText(teaching.actuator)) if teaching.actuator else 0)
        asked = FADER.format(teaching.actuator) if teaching.actuator else CONTROL.format(teaching.axis) if teaching.axis else TOUCH
        show_note(self.note, f"{teaching.last}. {asked}" if teaching.last else asked)
