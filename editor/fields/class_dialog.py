"""The question before a value goes into a default class: who else has another value by that."""
from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListWidget, QVBoxLayout, QWidget

from editor.inspect.class_edits import ClassEdit

MOST = 500      # lines of the list


class ClassDialog(QDialog):
    """To be opened with open(); accepted when the edit is wanted."""

    def __init__(self, name: str, change: ClassEdit, parent: QWidget):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"{name} into class {change.name}")
        count = len(change.others)
        label = QLabel(f"{count} other {'element starts' if count == 1 else 'elements start'} from the class {change.name} and would change:" if count else
                       f"Nothing else changes by moving {name} into the class {change.name}.")
        label.setWordWrap(True)
        self.list = QListWidget()
        self.list.addItems([str(one) for one in change.others[:MOST]] + ([f"and {count - MOST} more"] if count > MOST else []))
        self.list.setVisible(bool(count))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Move into class")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (label, self.list, self.buttons):
            layout.addWidget(part)
        self.resize(self.fontMetrics().horizontalAdvance("0") * 64, self.sizeHint().height())
