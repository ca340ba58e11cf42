"""Everything that is remembered, in one dialog made from the table of settings: searched, explained, each put back by itself or all at once.

What is changed here holds at once in every window; a row says so where it does not.
"""
from collections.abc import Callable

from PyQt6.QtCore import QEvent, QObject, QSize, Qt
from PyQt6.QtGui import QColor, QIcon, QPixmap
from PyQt6.QtWidgets import (
    QAbstractSpinBox, QCheckBox, QColorDialog, QComboBox, QDialog, QDialogButtonBox, QDoubleSpinBox, QFileDialog, QFrame, QGridLayout, QHBoxLayout, QLabel,
    QLineEdit, QPushButton, QScrollArea, QSpinBox, QToolButton, QVBoxLayout, QWidget,
)

from app.settings import SETTINGS, Setting, Settings

SIZE = QSize(640, 620)
NOTHING = "No setting is called so."


class QuietWheel(QObject):
    """The wheel scrolls the page; it changes a value only where the keys are."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not watched.hasFocus():
            event.ignore()
            return True
        return False


class Field:
    """The widget for one setting: `widget`, `show(value)`, and `changed(value)` is called when the user changes it."""

    def __init__(self, row: Setting, changed: Callable[[object], None]):
        self.row, self._changed = row, changed
        make = self._choice if row.choices else {"colour": self._colour, "file": self._file}.get(row.kind) or {
            bool: self._switch, int: self._number, float: self._number, str: self._text}[row.type]
        self.widget, self.show = make()

    def _switch(self):
        box = QCheckBox()
        box.toggled.connect(self._changed)
        return box, lambda value: self._quietly(box, box.setChecked, value)

    def _choice(self):
        box, choices = QComboBox(), [choice for choice, _words in self.row.choices]
        box.addItems([words for _choice, words in self.row.choices])
        box.activated.connect(lambda i: self._changed(choices[i]))
        return box, lambda value: box.setCurrentIndex(choices.index(value))

    def _number(self):
        box = QSpinBox() if self.row.type is int else QDoubleSpinBox()
        box.setRange(self.row.low, self.row.high)
        box.setSuffix(self.row.unit)
        box.setKeyboardTracking(False)      # not at each digit
        box.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        box.valueChanged.connect(self._changed)
        return box, lambda value: self._quietly(box, box.setValue, value)

    def _text(self):
        line = QLineEdit()
        line.editingFinished.connect(lambda: self._changed(line.text()))
        return line, line.setText

    def _file(self):
        holder, line, button = QWidget(), QLineEdit(), QToolButton()
        button.setText("...")
        button.setToolTip("Choose a file")
        holder.setFocusProxy(line)      # the keys are for the line
        layout = QHBoxLayout(holder)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(line, 1)
        layout.addWidget(button)
        line.editingFinished.connect(lambda: self._changed(line.text()))

        def choose() -> None:
            name, _ = QFileDialog.getSaveFileName(holder, self.row.title, line.text(), "All files (*)", options=QFileDialog.Option.DontConfirmOverwrite)
            if name:
                self._changed(name)

        button.clicked.connect(choose)
        return holder, line.setText

    def _colour(self):
        button = QPushButton()
        button.setAutoDefault(False)

        def show(value: str) -> None:
            colour = QColor(value) if value else button.palette().highlight().color()
            picture = QPixmap(32, 16)
            picture.fill(colour)
            button.setIcon(QIcon(picture))
            button.setIconSize(picture.size())
            button.setText(value or "As the colours have it")

        def choose() -> None:
            colour = QColorDialog.getColor(button.palette().highlight().color(), button, self.row.title)
            if colour.isValid():
                self._changed(colour.name())

        button.clicked.connect(choose)
        return button, show

    @staticmethod
    def _quietly(widget: QWidget, put: Callable, value) -> None:
        """Show a value without telling that it has changed."""
        widget.blockSignals(True)
        put(value)
        widget.blockSignals(False)


class Row(QFrame):
    """One setting: title, field, what it means, from when it holds, why it does nothing here, and a button that puts it back."""

    def __init__(self, name: str, row: Setting, settings: Settings, quiet: QObject, idle: str = ""):
        super().__init__()
        self.name, self.row, self._settings = name, row, settings
        self.words = f"{row.title} {row.doc} {row.group} {name} {' '.join(words for _, words in row.choices)}".lower()
        self.field = Field(row, lambda value: settings.set(name, value))
        self.field.widget.installEventFilter(quiet)
        self.field.widget.setToolTip(name)
        title = QLabel(row.title)
        title.setBuddy(self.field.widget)
        about = QLabel(" ".join(f"{part}." for part in (row.doc, row.applies and f"Holds {row.applies}", idle) if part))
        about.setWordWrap(True)
        about.setForegroundRole(about.palette().ColorRole.PlaceholderText)
        self.back = QToolButton()
        self.back.setText("↺")
        self.back.setAutoRaise(True)
        self.back.setToolTip(f"Back to {default_text(row)}")
        self.back.clicked.connect(lambda: settings.reset(name))
        keep = self.back.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(keep)
        layout = QGridLayout(self)
        layout.setContentsMargins(2, 4, 2, 4)
        layout.setColumnStretch(0, 3)
        layout.setColumnStretch(1, 2)
        layout.addWidget(title, 0, 0)
        layout.addWidget(self.field.widget, 0, 1)
        layout.addWidget(self.back, 0, 2)
        layout.addWidget(about, 1, 0, 1, 2)
        self.refresh()

    def refresh(self) -> None:
        """Show the present value."""
        self.field.show(self._settings.get(self.name))
        self.back.setVisible(not self._settings.is_default(self.name))


class SettingsDialog(QDialog):
    """show_keys(): open the dialog for keys; idle(name): why a setting does nothing on this machine, '' when it does something."""

    def __init__(self, settings: Settings, show_keys: Callable[[], None], parent: QWidget | None = None, idle: Callable[[str], str] = lambda name: ""):
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self._settings, self._quiet, self._idle = settings, QuietWheel(self), idle
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show_matching)
        self.rows: dict[str, Row] = {}
        self._titles: dict[str, QLabel] = {}
        self._nothing = QLabel(NOTHING)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(self._page())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)     # Return enters what is typed in a field
        for text, slot in (("Keys...", show_keys), ("Everything as at first", self.reset_all)):
            button = buttons.addButton(text, QDialogButtonBox.ButtonRole.ResetRole)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, slot=slot: slot())
        layout = QVBoxLayout(self)
        for part in (self.search, self._area, buttons):
            layout.addWidget(part)
        settings.changed.connect(self._changed)
        room = self.screen().availableGeometry() if self.screen() is not None else None
        self.resize(SIZE if room is None else SIZE.boundedTo(QSize(room.width() - 40, room.height() - 80)))
        self.search.setFocus()

    def _page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.addWidget(self._nothing)
        self._nothing.hide()
        for group in dict.fromkeys(row.group for row in SETTINGS.values() if row.title):
            title = self._titles[group] = QLabel(group)
            font = title.font()
            font.setBold(True)
            title.setFont(font)
            title.setContentsMargins(0, 10, 0, 0)
            layout.addWidget(title)
            for name, row in SETTINGS.items():
                if row.title and row.group == group:
                    self.rows[name] = Row(name, row, self._settings, self._quiet, self._idle(name))
                    layout.addWidget(self.rows[name])
        layout.addStretch(1)
        return page

    def _changed(self, name: str) -> None:
        if name in self.rows:
            self.rows[name].refresh()
        if name in ("view/theme", "view/accent"):
            self.rows["view/accent"].refresh()

    def _show_matching(self, text: str) -> None:
        words = text.lower().split()
        for row in self.rows.values():
            row.setVisible(all(word in row.words for word in words))
        for group, title in self._titles.items():
            title.setVisible(any(row.isVisibleTo(self) for row in self.rows.values() if row.row.group == group))
        self._nothing.setVisible(not any(row.isVisibleTo(self) for row in self.rows.values()))

    def show_setting(self, name: str) -> None:
        """Open on one setting, with the keys in its field."""
        self.show()
        self.raise_()
        self.activateWindow()
        if name in self.rows:
            self.search.clear()
            self._area.ensureWidgetVisible(self.rows[name])
            self.rows[name].field.widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def reset_all(self) -> None:
        """Every setting of the dialog back to its default."""
        for name in self.rows:
            self._settings.reset(name)


def default_text(row: Setting) -> str:
    """The default in words."""
    words = dict(row.choices).get(row.default)
    if row.type is bool:
        words = "on" if row.default else "off"
    return words or (f"{row.default}{row.unit}" if row.default != "" else "nothing")
