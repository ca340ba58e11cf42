"""The section Policy of the panel Demonstrations: which process drives, how it goes, and taking over from it."""
from __future__ import annotations

import shlex
from pathlib import Path

from PyQt6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QToolButton, QVBoxLayout

from app.controllers.teleoperation.policy import PERSON, PolicyController
from app.panels.compare.wrapped_row import WrappedRow
from app.panels.diagnostics.query_panel import show_note, text_label
from editor.widgets.number_edit import NumberEdit
from editor.widgets.section import Section

MOST_RATE, LONGEST = 120, 600       # as the settings allow


class PolicyBox(Section):
    """Follows a PolicyController; folded until it is wanted."""

    def __init__(self, control: PolicyController):
        super().__init__("Policy", opened=False)
        self.control = control
        self.command, self.browse, self.start = QLineEdit(control.command), QToolButton(), QPushButton("Start")
        self.command.setPlaceholderText("policy.py, a command line, or 127.0.0.1:5555")
        self.command.setToolTip("How the process is started that drives by the states which it is given (docs/demonstrations.md), or where one listens")
        self.command.returnPressed.connect(self._start)
        self.browse.setText("…")
        self.browse.setToolTip("Choose a Python file")
        self.browse.clicked.connect(self.choose)
        self.start.setToolTip("Start it, and have it drive as soon as it answers; or stop it: what it drove holds")
        self.start.clicked.connect(self._start)
        self.rate = NumberEdit(control.rate, 1, MOST_RATE, whole=True)
        self.rate.setToolTip("States that it is given per simulated second")
        self.take, self.give, self.back = QPushButton("Take over"), QPushButton("Hand back"), QPushButton("Rewind and take over")
        self.take.setToolTip("A person drives at once, until Hand back; closing the clutch of an armed drive does so until it is opened")
        self.give.setToolTip("The policy drives on, from where the targets are now")
        self.back.setToolTip("Go back so many seconds, and drive from there")
        for button, asked in ((self.take, control.take_over), (self.give, control.hand_back), (self.back, control.rewind)):
            button.clicked.connect(lambda _on=False, asked=asked: asked())
        self.seconds = NumberEdit(control.seconds, 1, LONGEST, whole=True)
        self.seconds.edited.connect(control.rewind_by)
        self.state, self.note = text_label(), text_label()
        self._lay_out()
        control.changed.connect(self._show)
        control.told.connect(lambda text: show_note(self.note, text))
        show_note(self.note, "")
        self._show()

    def _lay_out(self) -> None:
        rows = ((QLabel("States per second"), self.rate, self.start), (self.take, self.give), (self.back, self.seconds, QLabel("s")))
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        first = QHBoxLayout()
        first.setSpacing(3)
        first.addWidget(self.command)
        first.addWidget(self.browse)
        column.addLayout(first)
        for widgets in rows:
            column.addWidget(WrappedRow(*widgets))
        column.addWidget(self.state)
        column.addWidget(self.note)

    def choose(self) -> None:
        """Take a Python file as the policy."""
        words = self.command.text().split()
        folder = str(Path(words[0]).parent) if words else ""
        name, _ = QFileDialog.getOpenFileName(self, "Policy", folder, "Python (*.py);;All files (*)")
        if name:
            self.command.setText(shlex.quote(name))

    def _start(self, _on: bool = False) -> None:
        if self.control.alive:
            self.control.stop()
        else:
            self.control.start(self.command.text().strip(), int(self.rate.number))

    def _show(self) -> None:
        control = self.control
        alive, person = control.alive, control.driver == PERSON
        self.start.setText("Stop" if alive else "Start")
        self.command.setEnabled(not alive)
        self.rate.setEnabled(not alive)
        self.browse.setEnabled(not alive)
        self.take.setEnabled(not person)
        self.give.setEnabled(alive and person and control.waits)
        show_note(self.state, control.state)
