"""The strip at the lower edge of the view that says what the Pose tool minds."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QToolButton, QWidget

from app.posing.options import ROOT, ROOT_TIP, ROOTS, SWITCHES
from app.settings import Settings

MARGIN = 10


class PoseOptions(QFrame):
    """Buttons for the settings, and one that takes all pins away. It stays at the lower edge of `view`, in the middle. Signal: pins_cleared()."""

    pins_cleared = pyqtSignal()

    def __init__(self, view: QWidget, settings: Settings):
        super().__init__(view)
        self._view, self._settings = view, settings
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 3, 4, 3)
        row.setSpacing(2)
        self.buttons: dict[str, QToolButton] = {}
        for name, (text, tip) in SWITCHES.items():
            button = self.buttons[name] = self._button(text, tip, row)
            button.setCheckable(True)
            button.setChecked(settings.get(name))
            button.toggled.connect(lambda on, name=name: settings.set(name, on))
        self.root = QComboBox()
        self.root.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.root.setToolTip(ROOT_TIP)
        for word, text in ROOTS.items():
            self.root.addItem(text, word)
        self.root.setCurrentIndex(self.root.findData(settings.get(ROOT)))
        self.root.activated.connect(lambda _index: settings.set(ROOT, self.root.currentData()))
        row.addWidget(self.root)
        self.clear = self._button("Clear pins", "Take all pins away; P sets and takes away one at the pointer, with Shift one that keeps the orientation too", row)
        self.clear.clicked.connect(self.pins_cleared)
        view.installEventFilter(self)
        self._place()
        self.show()

    def _button(self, text: str, tip: str, row: QHBoxLayout) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row.addWidget(button)
        return button

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        self.adjustSize()
        width = min(self.width(), max(1, self._view.width() - 2 * MARGIN))
        self.setGeometry((self._view.width() - width) // 2, self._view.height() - self.height() - MARGIN, width, self.height())
        self.raise_()
