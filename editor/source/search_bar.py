"""Find and replace, below the text: fields, how to look, how many were found."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from editor.language.search import Query


class SearchBar(QFrame):
    """Signals: changed() when something else is to be found; stepped(back); replace_wanted(all); closed()."""

    changed = pyqtSignal()
    stepped = pyqtSignal(bool)
    replace_wanted = pyqtSignal(bool)
    closed = pyqtSignal()

    def __init__(self):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)      # the text has what is left
        self.field, self.new = _field("Find"), _field("Replace with")
        self.case = _toggle("Aa", "Small and large letters differ")
        self.whole = _toggle("W", "Whole words")
        self.regex = _toggle(".*", "Regular expression, as Python has them; in what is put in $1 stands for its first group")
        self.every = _toggle("All files", "Look in all files of the document, and list what is found")
        self.count = QLabel("")
        self.count.setWordWrap(True)
        self.count.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.back, self.forth, close = _button("↑", "Previous", lambda: self.stepped.emit(True)), _button("↓", "Next", lambda: self.stepped.emit(False)), _button("×", "Close (Esc)", self.close_bar)
        self.replace_one = _button("Replace", "Replace what is selected, and find the next", lambda: self.replace_wanted.emit(False))
        self.replace_all = _button("All", "Replace everything that was found", lambda: self.replace_wanted.emit(True))
        self.second = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        layout.addLayout(_row(QHBoxLayout(), self.field, self.back, self.forth, close))
        _row(QHBoxLayout(self.second), self.new, self.replace_one, self.replace_all)
        layout.addWidget(self.second)
        layout.addLayout(_row(QHBoxLayout(), self.case, self.whole, self.regex, self.every, self.count))
        self.field.textChanged.connect(lambda _text: self.changed.emit())
        for toggle in (self.case, self.whole, self.regex, self.every):
            toggle.toggled.connect(lambda _on: self.changed.emit())
        for field in (self.field, self.new):
            field.installEventFilter(self)
        self.hide()

    @property
    def query(self) -> Query:
        """What is to be found."""
        return Query(self.field.text(), self.case.isChecked(), self.whole.isChecked(), self.regex.isChecked())

    def open(self, text: str = "", replace: bool = False, every: bool | None = None) -> None:
        """Show the bar, with a text to look for where one is given."""
        self.second.setVisible(replace)
        if every is not None:
            self.every.setChecked(every)
        self.show()
        if text:
            self.field.setText(text)
        self.field.setFocus()
        self.field.selectAll()
        self.changed.emit()

    def tell(self, text: str, wrong: bool = False) -> None:
        """How many were found, or what is wrong."""
        self.count.setText(text)
        self.count.setToolTip(text)
        self.count.setStyleSheet("color: #ff5a4d" if wrong else "")

    def close_bar(self) -> None:
        """Take it away."""
        self.hide()
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if watched is self.new:
                    self.replace_wanted.emit(False)
                else:
                    self.stepped.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
                return True
        return False


def _field(hint: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(hint)
    field.setClearButtonEnabled(True)
    return field


def _toggle(text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setCheckable(True)
    button.setStyleSheet("QToolButton:checked { background: palette(highlight); color: palette(highlighted-text); }")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _button(text: str, tip: str, pressed) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(lambda _checked=False: pressed())
    return button


def _row(layout: QHBoxLayout, wide: QWidget, *others: QWidget) -> QHBoxLayout:
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(2)
    for widget in (wide, *others):
        layout.addWidget(widget, 1 if isinstance(widget, QLineEdit | QLabel) else 0)
    return layout
