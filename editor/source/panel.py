"""The XML panel: one tab per loaded file, problems marked and listed, conflicts with the disk offered for a decision.

The panel talks to a session (app.session.Session) through the AppContext it is given; it never compiles or saves by itself.
Applying happens on Ctrl+Enter and after a pause in typing; it does not save.
"""
from PyQt6.QtCore import Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QPushButton, QTabWidget, QVBoxLayout, QWidget

from editor.source.editor import XmlEditor

LIST_HEIGHT = 96


class SourcePanel(QWidget):
    """The panel; `scrolls` False tells the dock that it brings its own scroll bars."""

    scrolls = False

    def __init__(self, context):
        super().__init__()
        self._session = context.session
        self._settings = context.settings
        self._editors: dict[str, XmlEditor] = {}
        self._loading = False
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        self._problems = QListWidget()
        self._problems.setMaximumHeight(LIST_HEIGHT)
        self._problems.setWordWrap(True)
        self._problems.itemActivated.connect(self._jump)
        self._problems.itemClicked.connect(self._jump)
        self._bar = ConflictBar()
        self._status = QLabel("")
        self._apply_timer = QTimer(self)
        self._apply_timer.setSingleShot(True)
        self._apply_timer.timeout.connect(self._session.apply)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        for widget in (self._bar, self._tabs, self._problems, self._status):
            layout.addWidget(widget)
        self._bar.hide()
        self._problems.hide()
        self._connect()
        self.load()

    def _connect(self) -> None:
        session = self._session
        session.document_opened.connect(self.load)
        session.files_changed.connect(self.load)
        session.modified_changed.connect(lambda _modified: self._show_marks())
        session.issues_changed.connect(self.show_issues)
        session.conflict.connect(self._show_conflict)
        session.busy_changed.connect(lambda busy: self._status.setText("Compiling..." if busy else ""))
        self._bar.take_disk.connect(self._take_disk)
        self._bar.keep_mine.connect(self._keep_mine)
        self._bar.difference.connect(self._show_difference)

    # ------------------------------------------------------------------ tabs

    def load(self) -> None:
        """Show the document's files; texts that are the same stay as they are (cursor, folds, undo)."""
        files = self._session.document.files()
        self._loading = True
        for key in [key for key in self._editors if key not in files]:
            editor = self._editors.pop(key)
            self._tabs.removeTab(self._tabs.indexOf(editor))
            editor.deleteLater()
        for i, (key, file) in enumerate(files.items()):
            if key not in self._editors:
                editor = XmlEditor(self._settings.get("editor/font_size"))
                editor.textChanged.connect(lambda key=key: self._edited(key))
                self._editors[key] = editor
                self._tabs.insertTab(i, editor, file.name)
                self._tabs.setTabToolTip(i, key)
            if self._editors[key].text() != file.text:
                self._editors[key].replace_text(file.text)
        self._loading = False
        self._show_marks()
        self.show_issues(self._session.issues)

    def _show_marks(self) -> None:
        for key, file in self._session.document.files().items():
            if key in self._editors:
                self._tabs.setTabText(self._tabs.indexOf(self._editors[key]), ("*" if file.modified else "") + file.name)

    def editor(self, key: str | None = None) -> XmlEditor:
        """The editor of a file by key; the main file's by default."""
        return self._editors[key or self._session.document.key]

    def _edited(self, key: str) -> None:
        if self._loading or key not in self._session.document.files():
            return
        self._session.set_text(key, self._editors[key].text())
        self._show_marks()
        delay = self._settings.get("editor/apply_delay_ms")
        if delay > 0:
            self._apply_timer.start(delay)

    # ------------------------------------------------------------------ problems

    def show_issues(self, issues) -> None:
        """Mark the places and list the problems."""
        self._problems.clear()
        for editor in self._editors.values():
            editor.clear_marks()
        for issue in issues:
            item = QListWidgetItem(str(issue))
            item.setData(Qt.ItemDataRole.UserRole, issue)
            self._problems.addItem(item)
            editor = self._editors.get(issue.place.file)
            if editor is not None:
                editor.mark(issue.place.line, issue.place.column, issue.severity, f"{issue.what} {issue.hint}".strip())
        self._problems.setVisible(bool(issues))

    def _jump(self, item: QListWidgetItem) -> None:
        self.go_to(item.data(Qt.ItemDataRole.UserRole).place)

    def go_to(self, place) -> None:
        """Put the cursor at a Place of one of the files."""
        editor = self._editors.get(place.file)
        if editor is not None:
            self._tabs.setCurrentWidget(editor)
            editor.go_to(place.line, place.column)

    # ------------------------------------------------------------------ conflicts with the disk

    def _show_conflict(self, key: str) -> None:
        self._bar.show_for(key, self._session.document.files()[key].name)

    def _take_disk(self, key: str) -> None:
        self._session.take_disk(key)

    def _keep_mine(self, key: str) -> None:
        self._session.keep_mine(key)

    def _show_difference(self, key: str) -> None:
        from editor.source.difference import show_difference

        file = self._session.document.files()[key]
        show_difference(self, file.path, file.text)


class ConflictBar(QFrame):
    """Offers what to do when a file changed on disk while its text here is not saved. Signals carry the file's key."""

    take_disk = pyqtSignal(str)
    keep_mine = pyqtSignal(str)
    difference = pyqtSignal(str)

    def __init__(self):
        super().__init__()
        self._key = ""
        self._text = QLabel("")
        self._text.setWordWrap(True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 2, 6, 2)
        layout.addWidget(self._text, 1)
        for title, signal, closes in (("Take disk", self.take_disk, True), ("Keep mine", self.keep_mine, True), ("Show difference", self.difference, False)):
            button = QPushButton(title)
            button.setObjectName(title.lower().replace(" ", "_"))
            button.clicked.connect(lambda _checked=False, signal=signal, closes=closes: self._decide(signal, closes))
            layout.addWidget(button)
        self.setStyleSheet("ConflictBar { background: #7a4a12; }")

    def show_for(self, key: str, name: str) -> None:
        """Offer the choice for a file."""
        self._key = key
        self._text.setText(f"{name} changed on disk; the text here is not saved.")
        self.show()

    def _decide(self, signal, closes: bool) -> None:
        if closes:
            self.hide()
        signal.emit(self._key)
