"""File > Open: recent and bundled models with pictures; Browse... for every other file."""
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.dialogs.models import Models
from app.settings import Settings

SIZE = QSize(760, 600)


class OpenModelDialog(QDialog):
    """Signal: chosen(Path). browse(): ask for a file; the path, or None."""

    chosen = pyqtSignal(object)

    def __init__(self, settings: Settings, browse: Callable[[], Path | None], parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle("Open model")
        self._browse = browse
        self.models = Models(settings)
        self.models.chosen.connect(self._done)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.browse_button = buttons.addButton("Browse...", QDialogButtonBox.ButtonRole.ActionRole)
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        self.browse_button.setDefault(True)
        self.browse_button.clicked.connect(lambda _checked=False: self.browse())
        buttons.rejected.connect(self.reject)
        QShortcut(QKeySequence("Ctrl+O"), self, self.browse)    # once more: another file
        layout = QVBoxLayout(self)
        layout.addWidget(self.models)
        layout.addWidget(buttons)
        room = self.screen().availableGeometry().size() if self.screen() is not None else SIZE
        self.resize(SIZE.boundedTo(room - QSize(40, 80)))

    def open(self) -> None:
        """Show it with what there is now."""
        self.models.search.clear()
        self.models.fill()
        self.show()
        self.raise_()
        self.activateWindow()
        self.models.search.setFocus(Qt.FocusReason.ActiveWindowFocusReason)

    def browse(self) -> None:
        """Ask for a file."""
        path = self._browse()
        if path is not None:
            self._done(path)

    def _done(self, path: Path) -> None:
        self.accept()
        self.chosen.emit(path)
