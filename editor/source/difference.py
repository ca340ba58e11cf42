"""Shows how the text in the window differs from the file on disk."""
import difflib
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QFontDatabase
from PyQt6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from physics.files.read_regular import read_regular
from physics.files.text_codec import decode

LARGEST = 4 << 20    # bytes: comparing larger texts would keep the window waiting


def difference(path: Path, text: str) -> str:
    """Unified difference from the file on disk to `text`; says so when there is none or the file is gone."""
    try:
        disk, _codec = decode(read_regular(path, LARGEST))
    except OSError as error:
        return f"{path} cannot be read: {error.strerror or error}"
    lines = difflib.unified_diff(disk.splitlines(), text.splitlines(), "on disk", "in the window", lineterm="")
    return "\n".join(lines) or ("There is no difference." if disk == text else "Only the ends of lines differ.")


def show_difference(parent: QWidget, path: Path, text: str) -> QDialog:
    """Open a window with the difference."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(f"{path.name}: disk and window")
    view = QPlainTextEdit(difference(path, text))
    view.setReadOnly(True)
    view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    QVBoxLayout(dialog).addWidget(view)
    dialog.resize(760, 480)
    dialog.show()
    return dialog
