"""The strip at the lower edge of the view that says what the Pose tool minds."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QComboBox, QFrame, QGridLayout, QToolButton, QWidget

from app.posing.options import ROOT, ROOT_TIP, ROOTS, SWITCHES
from app.settings import Settings

MARGIN = 10
COLUMNS = (6, 3, 2, 1)


class PoseOptions(QFrame):
    """Buttons for the settings, and one that takes all pins away. It stays at the lower edge of `view`, in the middle. Signal: pins_cleared()."""

    pins_cleared = pyqtSignal()

    def __init__(self, view: QWidget, settings: Settings):
        super().__init__(view)
        self._view, self._settings = view, settings
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(8, 3, 4, 3)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self.buttons: dict[str, QCheckBox] = {}
        for name, (text, tip) in SWITCHES.items():
            button = self.buttons[name] = QCheckBox(text)
            button.setToolTip(tip)
            button.setChecked(settings.get(name))
            button.toggled.connect(lambda on, name=name: settings.set(name, on))
        self.root = QComboBox()
        self.root.setToolTip(ROOT_TIP)
        for word, text in ROOTS.items():
            self.root.addItem(text, word)
        self.root.setCurrentIndex(self.root.findData(settings.get(ROOT)))
        self.root.activated.connect(lambda _index: settings.set(ROOT, self.root.currentData()))
        self.clear = QToolButton()
        self.clear.setText("Clear pins")
        self.clear.setToolTip("Take all pins away. P sets one at the pointer or takes it away; with Shift it keeps the orientation too")
        self.clear.clicked.connect(self.pins_cleared)
        self._widgets = (*self.buttons.values(), self.root, self.clear)
        for widget in self._widgets:
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        settings.changed.connect(self._setting_changed)
        view.installEventFilter(self)
        self._place()
        self.show()

    def _setting_changed(self, name: str) -> None:
        """Another window, or the settings' dialog, has set it otherwise."""
        if name in self.buttons:
            self.buttons[name].setChecked(self._settings.get(name))
        elif name == ROOT:
            self.root.setCurrentIndex(self.root.findData(self._settings.get(ROOT)))

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        """As many columns as the view has room for."""
        room = max(1, self._view.width() - 2 * MARGIN)
        for columns in COLUMNS:
            for k, widget in enumerate(self._widgets):
                self._grid.addWidget(widget, k // columns, k % columns)
            self._grid.activate()
            if self._grid.sizeHint().width() <= room:
                break
        size = self._grid.sizeHint()
        self.setGeometry((self._view.width() - size.width()) // 2, self._view.height() - size.height() - MARGIN, size.width(), size.height())
        self.raise_()
