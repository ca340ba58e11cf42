"""Presets, the place at which values are written, what that changes, and the button that does."""
from __future__ import annotations

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.panels.diagnostics.query_panel import text_label
from app.panels.tuner.writing import Writing, follows
from editor.tuning.place import Place
from physics.tuning.presets import PRESETS

SAID = 4        # others that change, that are named below the chooser
ALL_WRITTEN = "The text says these values already."


class WriteBar(QWidget):
    """show_state() after anything has changed. Signals: preset_chosen(name); apply_wanted(); revert_wanted(); set_wanted()."""

    preset_chosen = pyqtSignal(str)
    apply_wanted = pyqtSignal()
    revert_wanted = pyqtSignal()
    set_wanted = pyqtSignal()

    def __init__(self, writing: Writing):
        super().__init__()
        self._writing, self._shown = writing, None
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
        self.add_set = QPushButton("Add as set")
        self.add_set.setToolTip("Keep these values as a set of the panel Compare, where sets run beside each other")
        self.add_set.clicked.connect(lambda _checked=False: self.set_wanted.emit())
        self.place = QComboBox()
        self.place.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.place.activated.connect(writing.choose)
        self.follow = QCheckBox("Write while dragging")
        self.follow.setChecked(True)
        self.follow.setToolTip("A handle that is dragged changes the text and the model that runs at once; Esc takes it back, and one undo all of it.\n"
                               "Not where the place is still to be made in the text: there Apply does it.")
        self.told = text_label()
        self.told.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self._lay_out()
        writing.changed.connect(self._show_places)
        self._show_places()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.presets)
        head.addStretch(1)
        head.addWidget(self.revert)
        head.addWidget(self.apply)
        grid = QGridLayout()
        grid.setHorizontalSpacing(6)
        grid.addWidget(QLabel("Write to"), 0, 0)
        grid.addWidget(self.place, 0, 1)
        grid.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(3)
        layout.addLayout(head)
        layout.addLayout(grid)
        layout.addWidget(self.told)
        foot = QHBoxLayout()
        foot.addWidget(self.follow)
        foot.addStretch(1)
        foot.addWidget(self.add_set)
        layout.addLayout(foot)

    def minimumSizeHint(self) -> QSize:
        """As narrow as its buttons."""
        return QSize(self.presets.sizeHint().width() + self.revert.sizeHint().width() + self.apply.sizeHint().width() + 16, super().minimumSizeHint().height())

    def _show_places(self) -> None:
        """The places to choose from; an open list stays as it is."""
        writing = self._writing
        if not self.place.view().isVisible():
            shown = tuple((place.title, place.refusal) for place in writing.places)
            if shown != self._shown:
                self._shown = shown
                self.place.clear()
                for k, place in enumerate(writing.places):
                    self.place.addItem(place.title)
                    self.place.setItemData(k, place.refusal or "\n".join(place.notes), Qt.ItemDataRole.ToolTipRole)
                    self.place.model().item(k).setEnabled(not place.refusal)
            self.place.setCurrentIndex(writing.chosen if writing.places else -1)
        self.place.setEnabled(bool(writing.places))
        place = writing.place
        self.follow.setEnabled(follows(place))
        text = told(place) if place is not None else writing.problem
        if self.told.text() != text:
            self.told.setText(text)
        self.told.setVisible(bool(text))

    def show_state(self, changed: bool, known: bool, why_no_preset: str, room: bool = True) -> None:
        """changed: whether the values are others than those in force; known: whether something is tuned; room: for one more set; why_no_preset: '' where presets can be chosen."""
        why = self._writing.ready
        self.apply.setEnabled(known and changed and not why)
        self.apply.setToolTip(why or ("Write these values into the text, as one change that can be undone" if changed else ALL_WRITTEN))
        self.revert.setEnabled(changed)
        self.add_set.setEnabled(known and room)
        self.presets.setEnabled(not why_no_preset)
        self.presets.setToolTip(why_no_preset or "Values of a material for this contact and time step")


def told(place: Place) -> str:
    """What writing there means, in a few lines."""
    if place.refusal:
        return place.refusal
    others = [*place.others[:SAID], *((f"and {len(place.others) - SAID} more",) if len(place.others) > SAID else ())]
    lines = [f"Changes {', '.join(others)}, too" if others else "Changes nothing else", *place.notes]
    return "\n".join(f"{line[:1].upper()}{line[1:]}." for line in lines)
