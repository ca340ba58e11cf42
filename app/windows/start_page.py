"""What an empty window shows in place of a picture: models to open, and that a file may be dropped."""
from pathlib import Path

from PyQt6.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.dialogs.models import Models
from app.settings import Settings

HINT = "Drop a model here: MJCF, URDF, an archive, or a compiled model"
MARGIN, WIDEST = 24, 900    # logical pixels


class StartPage(QFrame):
    """Covers the view. Signals: chosen(Path); browse() and new() when the user asks for another file or a new model."""

    chosen = pyqtSignal(object)
    browse, new = pyqtSignal(), pyqtSignal()

    def __init__(self, settings: Settings, view: QWidget):
        super().__init__(view)
        self.setAutoFillBackground(True)
        self._view = view
        self.models = Models(settings)
        self.models.chosen.connect(self.chosen)
        title = QLabel("Open a model")
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        title.setFont(font)
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.problem.hide()
        hint = QLabel(HINT)
        hint.setForegroundRole(hint.palette().ColorRole.PlaceholderText)
        hint.setWordWrap(True)
        line = QHBoxLayout()
        line.addWidget(hint, 1)
        for text, signal in (("New model", self.new), ("Browse...", self.browse)):
            button = QPushButton(text)
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit())
            line.addWidget(button)
        inside = QWidget()
        inside.setMaximumWidth(WIDEST)
        layout = QVBoxLayout(inside)
        layout.addWidget(title)
        layout.addLayout(line)
        layout.addWidget(self.problem)
        layout.addWidget(self.models, 1)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        whole.addStretch(1)
        whole.addWidget(inside, 1000)
        whole.addStretch(1)
        view.installEventFilter(self)
        self.hide()

    def show_for(self, problem: str = "") -> None:
        """Show it; problem: why there is no model."""
        self.tell(problem)
        self.models.fill()
        self.setGeometry(self._view.rect())
        self.show()
        self.raise_()
        self.models.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def tell(self, problem: str) -> None:
        """Say why there is no model; '' for no reason."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def refresh(self, _path: Path | None = None) -> None:
        """There may be another picture."""
        if self.isVisible():
            self.models.fill()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._view.rect())
        return False
