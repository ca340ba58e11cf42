"""A dialog of settings beside a preview of what they make: what it shows is tried as the settings change, and done by OK."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QFrame, QHBoxLayout, QLabel, QLineEdit, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from editor.edits.version import Version
from editor.structure.draft import Change
from editor.tree.preview import Preview, Tried
from editor.widgets.number_edit import NumberEdit
from editor.widgets.row_label import RowLabel

__all__ = ["TrialDialog"]

FORM_LETTERS, PICTURE_LETTERS, LINES = 54, 80, 46     # that the settings and the picture have room for at first


class TrialDialog(QDialog):
    """version: of the texts while the dialog is open; then(make): OK, with what makes the change. Others as Preview has them.

    What a dialog of its own does: fill `form`, connect its fields to `changed`, and give `make`.
    """

    def __init__(self, parent: QWidget, title: str, version: Version, pictures, then: Callable[[Callable[[Version], Change]], object], compat: str = "4.0", known: Iterable[str] = ()):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.version, self._then = version, then
        self.preview, self.form = Preview(pictures, compat, known), QFormLayout()
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.preview.tried.connect(self._tried)
        self.finished.connect(lambda _code: self.preview.end())
        self._lay_out()

    def _lay_out(self) -> None:
        holder = QWidget()
        holder.setLayout(self.form)
        self.form.setContentsMargins(0, 0, 8, 0)
        area = QScrollArea()
        area.setWidget(holder)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area, self._holder = area, holder
        line = QHBoxLayout()
        line.addWidget(area, 2)
        line.addWidget(self.preview, 3)
        layout = QVBoxLayout(self)
        layout.addLayout(line, 1)
        layout.addWidget(self.buttons)

    def fit(self) -> None:
        """As wide and high as the settings and a picture beside them need, within the screen; once the form is filled."""
        wide = max(FORM_LETTERS * self.fontMetrics().averageCharWidth(), self._holder.minimumSizeHint().width())
        self._area.setMinimumWidth(min(wide + self._area.verticalScrollBar().sizeHint().width(), 700))
        room = self.screen().availableSize()
        self.resize(min(room.width() - 40, wide + PICTURE_LETTERS * self.fontMetrics().averageCharWidth()), min(room.height() - 60, LINES * self.fontMetrics().height()))

    # ------------------------------------------------------------------ rows of settings

    def heading(self, words: str) -> QLabel:
        """A line above the settings that belong together."""
        label = QLabel(words)
        font = label.font()
        font.setBold(True)
        label.setFont(font)
        self.form.addRow(label)
        return label

    def row(self, title: str, editors: Sequence[QWidget] | QWidget, tip: str = "") -> QWidget:
        """A setting; a single number can be dragged by its name. The widget to show or hide the row by."""
        editors = [editors] if isinstance(editors, QWidget) else list(editors)
        scrubbed = editors[0] if len(editors) == 1 and isinstance(editors[0], NumberEdit) else None
        label = RowLabel(title, scrubs=scrubbed is not None)
        label.setToolTip(tip)
        if scrubbed is not None:
            label.grabbed.connect(scrubbed.grab)
            label.scrubbed.connect(scrubbed.scrub)
        held = editors[0]
        if len(editors) > 1 or isinstance(held, NumberEdit):
            held = QWidget()
            line = QHBoxLayout(held)
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(3)
            for editor in editors:
                line.addWidget(editor, 1)
            line.addStretch(0)
        held.setSizePolicy(QSizePolicy.Policy.Ignored if not isinstance(held, QLabel) else held.sizePolicy().horizontalPolicy(), held.sizePolicy().verticalPolicy())
        for editor in editors:
            if tip and not editor.toolTip():
                editor.setToolTip(tip)
        self.form.addRow(label, held)
        return held

    # ------------------------------------------------------------------ what comes of it

    @abstractmethod     # a QDialog cannot have the metaclass that would check it
    def make(self) -> Callable[[Version], Change]:
        """What makes the change of the settings as they are."""

    def changed(self, *_new) -> None:
        """Another setting: try it."""
        self.preview.show_change(self.version, self.make())

    def _tried(self, tried: Tried) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(tried.possible)

    def accept(self) -> None:
        focus = self.focusWidget()
        if isinstance(focus, NumberEdit | QLineEdit):
            focus.editingFinished.emit()    # what is being typed counts
        super().accept()
        self._then(self.make())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), QLineEdit):
            return      # it ends a number, of which one wants to see the picture first
        super().keyPressEvent(event)
