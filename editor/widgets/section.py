"""A titled part of a panel that folds."""
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QToolButton, QVBoxLayout, QWidget


class Section(QWidget):
    """Title bar and body; put the content's layout on `body`."""

    def __init__(self, title: str, opened: bool = True):
        super().__init__()
        self._bar = QToolButton()
        self._bar.setText(title)
        self._bar.setAutoRaise(True)
        self._bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        font = self._bar.font()   # no style sheet: it would keep the first colours when the palette changes
        font.setBold(True)
        self._bar.setFont(font)
        self.body = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(1)
        layout.addWidget(self._bar)
        layout.addWidget(self.body)
        self._bar.clicked.connect(lambda: self._fold(self.body.isHidden()))
        self._fold(opened)

    def _fold(self, opened: bool) -> None:
        self.body.setVisible(opened)
        self._bar.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
