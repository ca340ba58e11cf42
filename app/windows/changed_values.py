"""The list of values that differ from the file, opened from the status bar: each can go back to the file's, or all."""
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from app.context import AppContext
from physics.runtime import commands

SIZE = (430, 320)   # logical pixels, at most


class ChangedValuesList(QFrame):
    """A small window above its item of the bar; goes when one clicks elsewhere."""

    def __init__(self, context: AppContext, parent: QWidget):
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._context = context
        self._values: tuple = ()
        self.rows: dict[str, QToolButton] = {}   # the button that reverts it, by target
        self.revert_all = QPushButton("Revert all")
        self.revert_all.setToolTip("Every value as the file has it")
        self.revert_all.clicked.connect(lambda _checked=False: context.runner.send(commands.RevertAll()))
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        head = QHBoxLayout()
        head.addWidget(QLabel("Not as in the file"), 1)
        head.addWidget(self.revert_all)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addWidget(self._area, 1)

    def show_values(self, values: tuple) -> None:
        """The values of a snapshot; the list closes when there are none."""
        if values == self._values and self.rows:
            return
        self._values = tuple(values)
        self.rows.clear()
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setColumnStretch(0, 1)
        for row, value in enumerate(self._values):
            texts = (value.label, value_text(value.file_value), "\u2192", value_text(value.value))
            for column, text in enumerate(texts):
                label = QLabel(text)
                label.setToolTip(value.target)
                grid.addWidget(label, row, column)
            button = QToolButton()
            button.setText("\u21ba")
            button.setAutoRaise(True)
            button.setToolTip(f"Back to the file's value, {texts[1]}")
            button.clicked.connect(lambda _checked=False, target=value.target: self._context.runner.send(commands.RevertValue(target)))
            grid.addWidget(button, row, len(texts))
            self.rows[value.target] = button
        grid.setRowStretch(len(self._values), 1)
        self._area.setWidget(holder)
        if not self._values:
            self.hide()

    def open_above(self, item: QWidget) -> None:
        """Show the list above an item of the bar."""
        hint = self._area.widget().sizeHint() if self._area.widget() is not None else self.sizeHint()
        self.resize(min(SIZE[0], max(260, hint.width() + 40)), min(SIZE[1], hint.height() + 70))
        corner = item.mapToGlobal(QPoint(item.width(), 0))
        self.move(corner.x() - self.width(), corner.y() - self.height() - 2)
        self.show()


def value_text(value) -> str:
    """A value in few characters."""
    try:
        numbers = list(value)
    except TypeError:
        return f"{value:.6g}" if isinstance(value, float) else str(value)
    if isinstance(value, str):
        return value
    return " ".join(f"{number:.4g}" for number in numbers[:4]) + (" ..." if len(numbers) > 4 else "")
