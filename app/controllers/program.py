"""Several windows, the palette, the settings: what belongs to the program, not to what one window shows."""
from pathlib import Path
from typing import Protocol

from PyQt6.QtCore import QObject
from PyQt6.QtWidgets import QWidget

from app.context import AppContext
from app.controllers.files import FilesController


class Windows(Protocol):
    """The program with all its windows (app.program.Program). loader: compiles the kernels for all of them."""

    loader: QObject

    def open_window(self, path: Path | None = None) -> object: ...

    def quit(self) -> None: ...


class ProgramController:
    """Handlers of the actions that concern the program. windows: None where there is one window only, as in tests."""

    def __init__(self, context: AppContext, window: QWidget, files: FilesController, windows: Windows | None):
        self._context, self._window, self._files, self._windows = context, window, files, windows

    # ------------------------------------------------------------------ windows

    def new_window(self) -> None:
        """Another window, with a new model."""
        self.open_in_new_window_at(None)

    def open_in_new_window(self) -> None:
        """Ask for a model and open it in another window."""
        path = self._files.ask_for_model()
        if path is not None:
            self.open_in_new_window_at(path)

    def open_in_new_window_at(self, path: Path | None) -> None:
        """Open a model (None: a new one) in another window."""
        if self._windows is not None:
            self._windows.open_window(path)

    def close_window(self) -> None:
        """Close this window; the last ends the program."""
        self._window.close()

    def quit(self) -> None:
        """Close all windows and with them the program; each may ask about its unsaved text."""
        if self._windows is not None:
            self._windows.quit()
        else:
            self._window.close()
