"""Asking what happened, for a report."""
from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

TEXT = """A report is one file: everything that happened since the model was opened, its texts, the log, the settings and the versions.
The names of your own folders are left out. Nothing is sent: the file is for you to hand on."""


class ReportDialog(QDialog):
    """A text that goes into the report."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle("Save a report")
        self.note = QPlainTextEdit()
        self.note.setPlaceholderText("What happened, and what should have happened?")
        self.note.setTabChangesFocus(True)
        words = QLabel(TEXT)
        words.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(words)
        layout.addWidget(self.note, 1)
        layout.addWidget(buttons)
        self.resize(520, 320)


def ask_for_note(parent: QWidget | None) -> str | None:
    """What the user writes; None where the user gives up."""
    dialog = ReportDialog(parent)
    chosen = dialog.note.toPlainText().strip() if dialog.exec() else None
    dialog.deleteLater()
    return chosen
