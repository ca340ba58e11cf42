"""Rebinding of keys: one row per action of the table; a key that is taken in the same place is refused."""
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtWidgets import QDialog, QHBoxLayout, QKeySequenceEdit, QLabel, QLineEdit, QPushButton, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from app.actions import ACTIONS, TEXT, VIEW, Action, by_id
from app.settings import Settings

ID_ROLE = Qt.ItemDataRole.UserRole


class KeysDialog(QDialog):
    """Changes take effect at once and are remembered."""

    def __init__(self, settings: Settings, qt_actions: dict[str, QAction], parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(560, 560)
        self._settings, self._actions = settings, qt_actions
        self._filter = QLineEdit()
        self._filter.setPlaceholderText("Filter")
        self._filter.textChanged.connect(self._show_matching)
        self.table = QTableWidget(len(ACTIONS), 3)
        self.table.setHorizontalHeaderLabels(["Action", "Keys", "Where"])
        self.table.verticalHeader().hide()
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setColumnWidth(0, 250)
        self.table.setColumnWidth(1, 150)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.note = QLabel("Choose a row, click into the field below and press the new key.")
        self.note.setWordWrap(True)
        line = QHBoxLayout()
        line.addWidget(self.edit, 1)
        for title, slot in (("Assign", self.assign), ("Remove", self.remove), ("Default", self.restore)):
            button = QPushButton(title)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, slot=slot: slot())
            line.addWidget(button)
        layout = QVBoxLayout(self)
        for part in (self._filter, self.table, self.note):
            layout.addWidget(part)
        layout.addLayout(line)
        self._fill()

    def _fill(self) -> None:
        for i, row in enumerate(ACTIONS):
            for column, text in enumerate((row.text.rstrip("."), ", ".join(self.keys_of(row)), {VIEW: "in the view", TEXT: "in the text"}.get(row.scope, "anywhere"))):
                item = QTableWidgetItem(text)
                item.setData(ID_ROLE, row.id)
                self.table.setItem(i, column, item)

    def keys_of(self, row: Action) -> tuple[str, ...]:
        """Keys that trigger an action now."""
        return self._settings.keys(row.id, row.keys)

    def select(self, action_id: str) -> None:
        """Choose the row of an action."""
        self.table.selectRow(next(i for i, row in enumerate(ACTIONS) if row.id == action_id))

    def _chosen(self) -> Action | None:
        row = self.table.currentRow()
        return by_id(self.table.item(row, 0).data(ID_ROLE)) if row >= 0 else None

    def _show_matching(self, text: str) -> None:
        for i, row in enumerate(ACTIONS):
            self.table.setRowHidden(i, text.lower() not in row.text.lower())

    def assign(self) -> bool:
        """Bind the entered key to the chosen action; False (and a note) when it is taken or nothing was entered."""
        row, key = self._chosen(), self.edit.keySequence().toString()
        if row is None or not key:
            self.note.setText("Choose a row and press a key first.")
            return False
        taken = next((other for other in ACTIONS if other.id != row.id and (other.scope == TEXT) == (row.scope == TEXT) and key in map(portable, self.keys_of(other))), None)
        if taken is not None:
            self.note.setText(f"{key} already belongs to '{taken.text}'.")
            return False
        self._bind(row, (key,))
        return True

    def remove(self) -> None:
        """Leave the chosen action without a key."""
        row = self._chosen()
        if row is not None:
            self._bind(row, ())

    def restore(self) -> None:
        """The chosen action's key of the table again."""
        row = self._chosen()
        if row is not None:
            self._bind(row, None)

    def _bind(self, row: Action, keys: tuple[str, ...] | None) -> None:
        self._settings.set_keys(row.id, keys)
        self._actions[row.id].setShortcuts([QKeySequence(key) for key in self.keys_of(row)])
        self.note.setText(f"'{row.text}': {', '.join(self.keys_of(row)) or 'no key'}")
        self._fill()


def portable(key: str) -> str:
    """A key as Qt writes it, for comparing."""
    return QKeySequence(key).toString()
