"""The list of values that differ from the file, opened from the status bar: each can go back to the file's or be written into the text, or all."""
from collections.abc import Callable

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.document_selection import DocumentSelection
from app.session import Session
from physics.model.elements import element
from physics.runtime import commands

SIZE = (430, 320)   # logical pixels, at most


class ChangedValuesList(QFrame):
    """A small window above its item of the bar; goes when one clicks elsewhere."""

    def __init__(self, context: AppContext, session: Session, document_selection: DocumentSelection, parent: QWidget):
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._context, self._session, self._document_selection = context, session, document_selection
        self._values: tuple = ()
        self.rows: dict[str, QToolButton] = {}   # the button that reverts it, by target
        self.writers: dict[str, QToolButton] = {}   # the one that writes it into the text
        self.write_all = QPushButton("Write all into the text")
        self.write_all.setToolTip("The text says what the model has, in one change that can be undone; it is not saved")
        self.write_all.clicked.connect(lambda _checked=False: self.write(self._values))
        self.revert_all = QPushButton("Revert all")
        self.revert_all.setToolTip("Every value as the file has it")
        self.revert_all.clicked.connect(lambda _checked=False: context.runner.send(commands.RevertAll()))
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        head = QHBoxLayout()
        head.addWidget(QLabel("Not as in the file"), 1)
        head.addWidget(self.write_all)
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
        self.writers.clear()
        self.write_all.setEnabled(not self._session.document.sealed)
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setColumnStretch(0, 1)
        for row, value in enumerate(self._values):
            texts = (value.label, value_text(value.file_value), "\u2192", value_text(value.value))
            for column, text in enumerate(texts):
                label = QLabel(text)
                label.setToolTip(value.target)
                grid.addWidget(label, row, column)
            self.writers[value.target] = small_button("\u270e", f"Write {texts[3]} into the text", lambda value=value: self.write((value,)))
            self.writers[value.target].setEnabled(not self._session.document.sealed)
            self.rows[value.target] = small_button("\u21ba", f"Back to the file's value, {texts[1]}",
                                                   lambda target=value.target: self._context.runner.send(commands.RevertValue(target)))
            grid.addWidget(self.writers[value.target], row, len(texts))
            grid.addWidget(self.rows[value.target], row, len(texts) + 1)
        grid.setRowStretch(len(self._values), 1)
        self._area.setWidget(holder)
        if not self._values:
            self.hide()

    def write(self, values: tuple) -> bool:
        """Have the text say what the running model has, in one edit; what it cannot say is told in the log. Whether anything was written."""
        from editor.inspect.into_text import into_text      # at the start every import counts
        from editor.inspect.subject import Reading

        m, version = self._context.model, self._session.document.version()
        if version.root is None or m is None:
            self._context.log("error", "Not written: the text is not well-formed")
            return False
        try:
            written = into_text(Reading(version), m, values, lambda kind, number: self._document_selection.id_of(element(m, kind, number)))
            if written.edit.patches:
                self._session.edit(written.edit)
        except ValueError as why:
            self._context.log("error", f"Not written: {why}")
            return False
        for label, why in written.left_out:
            self._context.log("warning", f"Not written: {label}: {why}")
        return bool(written.edit.patches)

    def open_above(self, item: QWidget) -> None:
        """Show the list above an item of the bar."""
        hint = self._area.widget().sizeHint() if self._area.widget() is not None else self.sizeHint()
        self.resize(min(SIZE[0], max(260, hint.width() + 40)), min(SIZE[1], hint.height() + 70))
        corner = item.mapToGlobal(QPoint(item.width(), 0))
        self.move(corner.x() - self.width(), corner.y() - self.height() - 2)
        self.show()


def small_button(sign: str, tip: str, job: Callable[[], None]) -> QToolButton:
    """A button of a row."""
    button = QToolButton()
    button.setText(sign)
    button.setAutoRaise(True)
    button.setToolTip(tip)
    button.clicked.connect(lambda _checked=False: job())
    return button


def value_text(value) -> str:
    """A value in few characters."""
    try:
        numbers = list(value)
    except TypeError:
        return f"{value:.6g}" if isinstance(value, float) else str(value)
    if isinstance(value, str):
        return value
    return " ".join(f"{number:.4g}" for number in numbers[:4]) + (" ..." if len(numbers) > 4 else "")
