"""A titled part of a panel that folds."""
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QToolButton, QVBoxLayout, QWidget


class Section(QWidget):
    """Title bar and body; put the content's layout on `body`."""

    def __init__(self, title: str, opened: bool = True):
        super().__init__()
        self._bar = QToolButton()
        self._bar.setText(title)
        self._bar.setCheckable(True)
        self._bar.setAutoRaise(True)
        self._bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._bar.setStyleSheet("QToolButton { font-weight: bold; border: none; }")
        self.body = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(1)
        layout.addWidget(self._bar)
        layout.addWidget(self.body)
        self._bar.toggled.connect(self._fold)
        self._bar.setChecked(opened)
        self._fold(opened)

    def _fold(self, opened: bool) -> None:
        self.body.setVisible(opened)
        self._bar.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
