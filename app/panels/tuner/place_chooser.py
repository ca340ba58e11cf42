"""The list of places at which values can be written, and below it what writing there changes."""
from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QComboBox, QGridLayout, QLabel, QSizePolicy, QWidget

from app.panels.diagnostics.query_panel import text_label
from app.panels.tuner.writing import Writing
from editor.tuning.place import Place

SAID = 4        # others that change, that are named below the chooser


class PlaceChooser(QWidget):
    """place: the list; told: what comes of the chosen one, or why nothing can be written."""

    def __init__(self, writing: Writing):
        super().__init__()
        self._writing, self._shown = writing, None
        self.place = QComboBox()
        self.place.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.place.activated.connect(writing.choose)
        self.told = text_label()
        self.told.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        grid.addWidget(QLabel("Write to"), 0, 0)
        grid.addWidget(self.place, 0, 1)
        grid.addWidget(self.told, 1, 0, 1, 2)
        grid.setColumnStretch(1, 1)
        writing.changed.connect(self._show_places)
        self._show_places()

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
        text = told(place) if place is not None else writing.problem
        if self.told.text() != text:
            self.told.setText(text)
        self.told.setVisible(bool(text))


def told(place: Place) -> str:
    """What writing there means, in a few lines."""
    if place.refusal:
        return place.refusal
    others = [*place.others[:SAID], *((f"and {len(place.others) - SAID} more",) if len(place.others) > SAID else ())]
    lines = [f"Changes {', '.join(others)}, too" if others else "Changes nothing else", *place.notes]
    return "\n".join(f"{line[:1].upper()}{line[1:]}." for line in lines)
