"""Several windows, the palette, the settings: what belongs to the program, not to what one window shows."""
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PyQt6.QtCore import QObject
from PyQt6.QtWidgets import QWidget

from app.appearance import Appearance
from app.context import AppContext
from app.controllers.files import FilesController
from app.controllers.simulation import SimulationController
from app.controllers.view import ViewController
from app.search.entries import Parts


class Windows(Protocol):
    """The program with all its windows (app.program.Program). loader: compiles the kernels for all of them; appearance: their look."""

    loader: QObject
    appearance: Appearance

    def open_window(self, path: Path | None = None) -> object: ...

    def quit(self) -> None: ...


class ProgramController:
    """Handlers of the actions that concern the program. windows: None where there is one window only, as in tests."""

    def __init__(self, context: AppContext, window: QWidget, simulation: SimulationController, view: ViewController, files: FilesController,
                 appearance: Appearance, windows: Windows | None):
        self._context, self._window, self._files, self._appearance, self._windows = context, window, files, appearance, windows
        self._parts = Parts(context, context.settings, window, simulation, view, files, self)
        self.palette = None     # app.dialogs.palette.Palette, once it was asked for
        self.idle: Callable[[str], str] = lambda name: ""      # why a setting does nothing here
        self.welcome = None             # app.windows.welcome.Welcome
        self.open_model_dialog = None   # app.dialogs.open_model.OpenModelDialog, once it was asked for
        self.settings_dialog = None     # app.dialogs.settings.SettingsDialog, likewise

    # ------------------------------------------------------------------ windows

    def new_window(self) -> None:
        """Another window, with models to choose from."""
        self.open_in_new_window_at(None)

    def open_in_new_window(self) -> None:
        """Ask for a model and open it in another window."""
        path = self._files.ask_for_model()
        if path is not None:
            self.open_in_new_window_at(path)

    def open_in_new_window_at(self, path: Path | None) -> None:
        """Open a model (None: one that is chosen there) in another window."""
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

    # ------------------------------------------------------------------ models

    def show_models(self) -> None:
        """Recent and bundled models with pictures, and Browse... for every other file."""
        from app.dialogs.open_model import OpenModelDialog

        if self.open_model_dialog is None:
            self.open_model_dialog = OpenModelDialog(self._context.settings, self._files.ask_for_model, self._window)
            self.open_model_dialog.chosen.connect(self._files.open)
        self.open_model_dialog.open()

    def show_first_steps(self) -> None:
        """The card of gestures over the view."""
        self.welcome.show_card()

    # ------------------------------------------------------------------ the look

    def choose_theme(self, name: str) -> None:
        """'dark', 'light' or 'system', at once and from now on."""
        self._context.settings.set("view/theme", name)
        self._context.options_changed.emit()    # the menu's check marks, though it was chosen before

    def scale_texts(self, direction: int) -> None:
        """All texts a step larger (1), smaller (-1), or as usual (0)."""
        self._appearance.step(direction)

    # ------------------------------------------------------------------ the palette

    def show_palette(self) -> None:
        """A field in which a few letters find anything."""
        from app.dialogs.palette import Palette
        from app.search.providers import sources_of

        if self.palette is None:
            self.palette = Palette(self._window, self._context.settings, lambda: sources_of(self._parts))
        self.palette.open()

    def show_settings(self, name: str = "") -> None:
        """The dialog for everything that is remembered; name: the setting that is meant."""
        from app.dialogs.settings import SettingsDialog

        if self.settings_dialog is None:
            keys = self._window.qt_actions["keys"]
            self.settings_dialog = SettingsDialog(self._context.settings, keys.trigger, self._window, self.idle)
        self.settings_dialog.show_setting(name)
