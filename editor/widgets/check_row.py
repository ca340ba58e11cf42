"""One switch as a row of a RowList: its name and a text beside it."""
from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QWidget

from editor.widgets.slider_row import RowSpec


class CheckRow(QWidget):
    """A row whose value is 0 or 1. Signals: edited(float) when the user switches it."""

    edited = pyqtSignal(float)

    def __init__(self, spec: RowSpec, parent: QWidget | None = None):
        super().__init__(parent)
        self.box = QCheckBox()
        self.box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.readout = QLabel()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, 4, 0)
        layout.addWidget(self.box, 1)
        layout.addWidget(self.readout)
        self.box.clicked.connect(lambda on: self.edited.emit(float(on)))
        self.describe(spec)

    def describe(self, spec: RowSpec) -> None:
        """Be about this from now on."""
        self.box.setText(spec.name)
        self.setToolTip(spec.tip)

    @property
    def name(self) -> str:
        """The row's name."""
        return self.box.text()

    def show_value(self, value: float) -> None:
        """Show a value that comes from elsewhere."""
        self.box.setChecked(bool(value))

    def set_enabled(self, on: bool) -> None:
        """Whether the user may change it."""
        self.box.setEnabled(on)

    def suit(self, width: int) -> int:
        """The height that a row of this width needs."""
        return self.sizeHint().height()

    def set_name_width(self, width: int) -> None:
        """The name takes what room there is."""
