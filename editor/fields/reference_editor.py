"""A name of another element: typed, or chosen from a list that is searched while one types."""
from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import QEvent, QStringListModel, Qt, pyqtSignal
from PyQt6.QtWidgets import QComboBox, QCompleter, QSizePolicy

from editor.fields.number_field import MIXED, leaves_undo
from editor.widgets.number_edit import BAD_STYLE
from editor.widgets.wheel_guard import guard_wheel


class ReferenceBox(QComboBox):
    """Signal: chosen(name). Its names are asked for when somebody opens the list or begins to type."""

    chosen = pyqtSignal(str)

    def __init__(self, names: Callable[[], list[str]]):
        super().__init__()
        self._names, self._word, self._mixed = names, "", False
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(4)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._list = QStringListModel(self)
        completer = QCompleter(self._list, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)
        completer.activated.connect(self._take)
        self.activated.connect(lambda place: self._take(self.itemText(place)))
        self.lineEdit().editingFinished.connect(self._finished)
        self.lineEdit().textEdited.connect(lambda _text: self._fill())
        self.lineEdit().setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.lineEdit().installEventFilter(self)
        guard_wheel(self)

    def show_word(self, word: str, mixed: bool) -> None:
        """Show a name; what the user is typing stays."""
        line = self.lineEdit()
        if line.hasFocus() and line.isModified():
            return
        self._word, self._mixed = word, mixed
        self.setStyleSheet("")
        self.setToolTip("")
        line.setPlaceholderText(MIXED if mixed else "none")
        if line.text() != ("" if mixed else word):
            line.setText("" if mixed else word)
            line.setCursorPosition(0)
        line.setModified(False)

    def refuse(self, why: str) -> None:
        """Say what is wrong with what was typed."""
        self.setStyleSheet(f"QComboBox {{ {BAD_STYLE} }}")
        self.setToolTip(why)

    def _fill(self) -> None:
        names = self._names()
        if self._list.stringList() != names:
            self._list.setStringList(names)

    def showPopup(self) -> None:
        """The list, with the present name chosen."""
        names = self._names()
        text = self.lineEdit().text()
        if [self.itemText(k) for k in range(self.count())] != names:
            self.blockSignals(True)
            self.clear()
            self.addItems(names)
            self.blockSignals(False)
        self.setCurrentIndex(self.findText(text))
        self.lineEdit().setText(text)
        super().showPopup()

    def _take(self, name: str) -> None:
        self.lineEdit().setText(name)
        self.lineEdit().setModified(False)
        if name != self._word or self._mixed:
            self._word = name
            self.chosen.emit(name)

    def _finished(self) -> None:
        if not self.completer().popup().isVisible():
            self.commit()

    def commit(self) -> None:
        """Tell what was typed."""
        if self.lineEdit().isModified():
            self._take(self.lineEdit().text().strip())

    def eventFilter(self, line, event: QEvent) -> bool:
        """Esc takes back what was typed; undo of the window's own goes to it."""
        if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape and (line.isModified() or self.styleSheet()):
            line.setModified(False)
            self.show_word(self._word, self._mixed)
            return True
        if event.type() == QEvent.Type.ShortcutOverride and leaves_undo(line, event):
            event.ignore()
            return True
        return super().eventFilter(line, event)
