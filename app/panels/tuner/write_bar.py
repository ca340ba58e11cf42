"""Presets, the place at which values are written, what that changes, and the button that does."""
from __future__ import annotations

from PyQt6.QtCore import QSize, pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QHBoxLayout, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.panels.tuner.place_chooser import PlaceChooser
from app.panels.tuner.writing import Writing, follows
from physics.tuning.presets import PRESETS

ALL_WRITTEN = "The text says these values already."


class WriteBar(QWidget):
    """show_state() after anything has changed. Signals: preset_chosen(name); apply_wanted(); revert_wanted(); set_wanted()."""

    preset_chosen = pyqtSignal(str)
    apply_wanted = pyqtSignal()
    revert_wanted = pyqtSignal()
    set_wanted = pyqtSignal()

    def __init__(self, writing: Writing):
        super().__init__()
        self._writing = writing
        self.presets = QToolButton()
        self.presets.setText("Presets")
        self.presets.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.presets)
        self.menu.setToolTipsVisible(True)
        for preset in PRESETS.values():
            action = self.menu.addAction(preset.name.capitalize())
            action.setToolTip(f"{preset.words}: restitution {preset.restitution:g} at 2 m/s, {1e3 * preset.rest_depth:g} mm deep under its own weight")
            action.triggered.connect(lambda _checked=False, name=preset.name: self.preset_chosen.emit(name))
        self.presets.setMenu(self.menu)
        self.revert, self.apply = QPushButton("Revert"), QPushButton("Apply")
        self.revert.setToolTip("Back to the values that are in force")
        self.revert.clicked.connect(lambda _checked=False: self.revert_wanted.emit())
        self.apply.clicked.connect(lambda _checked=False: self.apply_wanted.emit())
        self.chooser = PlaceChooser(writing)
        self.place, self.told = self.chooser.place, self.chooser.told
        self.add_set = QPushButton("Add as set")
        self.add_set.setToolTip("Keep these values as a set of the panel Compare, where sets run beside each other")
        self.add_set.clicked.connect(lambda _checked=False: self.set_wanted.emit())
        self.follow = QCheckBox("Write while dragging")
        self.follow.setChecked(True)
        self.follow.setToolTip("A handle that is dragged changes the text and the model that runs at once; Esc takes it back, and one undo all of it.\n"
                               "Not where the place is still to be made in the text: there Apply does it.")
        self._lay_out()
        writing.changed.connect(self._show_follow)
        self._show_follow()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.presets)
        head.addStretch(1)
        head.addWidget(self.revert)
        head.addWidget(self.apply)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(3)
        layout.addLayout(head)
        layout.addWidget(self.chooser)
        foot = QHBoxLayout()
        foot.addWidget(self.follow)
        foot.addStretch(1)
        foot.addWidget(self.add_set)
        layout.addLayout(foot)

    def minimumSizeHint(self) -> QSize:
        """As narrow as its buttons."""
        return QSize(self.presets.sizeHint().width() + self.revert.sizeHint().width() + self.apply.sizeHint().width() + 16, super().minimumSizeHint().height())

    def _show_follow(self) -> None:
        self.follow.setEnabled(follows(self._writing.place))

    def show_state(self, changed: bool, known: bool, why_no_preset: str, room: bool = True) -> None:
        """changed: whether the values are others than those in force; known: whether something is tuned; room: for one more set; why_no_preset: '' where presets can be chosen."""
        why = self._writing.ready
        self.apply.setEnabled(known and changed and not why)
        self.apply.setToolTip(why or ("Write these values into the text, as one change that can be undone" if changed else ALL_WRITTEN))
        self.revert.setEnabled(changed)
        self.add_set.setEnabled(known and room)
        self.presets.setEnabled(not why_no_preset)
        self.presets.setToolTip(why_no_preset or "Values of a material for this contact and time step")
