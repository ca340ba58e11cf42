"""Opening and saving: what the File menu does."""
from pathlib import Path

from PyQt6.QtGui import QCloseEvent
from PyQt6.QtWidgets import QFileDialog, QMenu, QMessageBox, QWidget

from app.dialogs.files import ask_for_file, ask_for_new_file
from app.session import Session
from app.session_files import compiled_path
from app.settings import Settings

MODEL_FILTER = "Models (*.xml *.mjcf *.urdf *.zip *.mjz *.lwb *.h5);;All files (*)"
TEXT_FILTER = "Models (*.xml *.mjcf *.urdf);;All files (*)"
COMPILED_FILTER = "Compiled models (*.lwb)"
UNPACK_FILTER = "Model and its files (*.xml);;Archives (*.zip)"


class FilesController:
    """Handlers of the file actions. window: where dialogs belong, and what quitting closes."""

    def __init__(self, session: Session, settings: Settings, window: QWidget):
        self._session, self._settings, self._window = session, settings, window
        session.may_leave = lambda: self.may_leave()
        self.recent_menu = QMenu("Open recent")
        self.recent_menu.aboutToShow.connect(self._fill_recent)

    # ------------------------------------------------------------------ opening

    def open(self, path: Path) -> None:
        """Open a model after asking about unsaved text; it runs where the settings say so, and goes on running where the one before did."""
        if self.may_leave():
            self._session.open(Path(path), run=True if self._settings.get("run/start_running") else None)

    def open_dialog(self) -> None:
        """Ask for a model and open it."""
        path = self.ask_for_model()
        if path is not None:
            self.open(path)

    def ask_for_model(self) -> Path | None:
        """The file that the user chooses; None when the user gives up."""
        folder = Path(self._settings.get("files/folder") or self.start_folder())
        path = ask_for_file(self._window, "Open model", folder, MODEL_FILTER, [Path(text).parent for text in self._settings.get("files/recent")])
        if path is not None:
            self._settings.set("files/folder", str(path.parent))
        return path

    def start_folder(self) -> Path:
        """Folder of the model, or the user's."""
        path = self._session.path
        return path.parent if path is not None else Path.home()

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for text in self._settings.get("files/recent"):
            action = self.recent_menu.addAction(text)
            action.setEnabled(Path(text).exists())
            action.triggered.connect(lambda _checked=False, text=text: self.open(Path(text)))
        if self.recent_menu.isEmpty():
            self.recent_menu.addAction("None yet").setEnabled(False)
        self.recent_menu.setToolTipsVisible(True)

    def new(self) -> None:
        """A small new model without a file."""
        if self.may_leave():
            self._session.new()

    def reload(self) -> None:
        """Compile the files again and start afresh."""
        self._session.reload()

    def apply(self) -> None:
        """Have the edited text run."""
        self._session.apply()

    # ------------------------------------------------------------------ saving

    def save(self) -> bool:
        """Write the texts that have changed; False when the user gave up or it failed."""
        archive = self._session.document.archive
        if archive is not None:
            self._session.save()   # says why it cannot
            return self._ask(f"{archive.name} is an archive, which is only read. Unpack its model into a folder, where it can be changed?") and self.save_as()
        if self._session.document.recorded is not None:
            return self._ask(f"{self._session.path.name} is a recording, which is only read. Write the text of its model (MJCF) into a file, where it can be changed?") and self.save_as()
        if self._session.document.compiled:
            return self._ask(f"{self._session.path.name} is a compiled model, which has no text. Write its text (MJCF) into a file, where it can be changed?") and self.save_as()
        if self._session.path is None:
            return self.save_as()
        return self._session.save()

    def save_as(self) -> bool:
        """Ask for a name and write the main text there, or unpack an archive."""
        kinds = TEXT_FILTER if self._session.document.archive is None else UNPACK_FILTER
        name, _ = QFileDialog.getSaveFileName(self._window, "Save model as", str(self.start_folder() / "model.xml"), kinds)
        return bool(name) and self._session.save_as(Path(name))

    def save_compiled(self) -> bool:
        """Ask for a name and write the model that runs, with what was changed in the window, as a compiled model."""
        path = self._session.path
        start = self.start_folder() / f"{path.stem if path is not None else 'model'}.lwb"
        path = ask_for_new_file(self._window, "Save compiled model", start, COMPILED_FILTER, lambda entered, _filter: compiled_path(entered))
        return path is not None and self._session.save_compiled(path)

    def revert(self) -> None:
        """Back to the text on disk, after asking."""
        if not self._session.modified or self._ask("Drop the unsaved text and go back to the files?"):
            self._session.revert()

    def _ask(self, text: str) -> bool:
        return QMessageBox.question(self._window, "Linkwork", text) == QMessageBox.StandardButton.Yes

    def may_leave(self) -> bool:
        """Whether unsaved text may be left behind: saved, dropped on request, or there is none."""
        if not self._session.modified:
            return True
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(self._window, "Unsaved text", "The text of the model has changes that are not saved.", buttons.Save | buttons.Discard | buttons.Cancel)
        return self.save() if answer == buttons.Save else answer == buttons.Discard

    # ------------------------------------------------------------------ the end

    def closing(self, event: QCloseEvent) -> None:
        """The window is about to close: keep it open when the user wants to stay."""
        if not self.may_leave():
            event.ignore()
