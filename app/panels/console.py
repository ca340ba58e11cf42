"""Console: Python on the running model. What it needs is imported, aside, when it is seen for the first time."""
from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.console.names import Names, NoAnswerError, Values
from app.console.verbs import Ui
from app.context import AppContext
from app.controllers.scripts import ScriptsController
from app.controllers.simulation import SimulationController
from app.controllers.view import ViewController
from app.panels.live_panel import Sight, in_front
from app.session import Session
from app.settings import state_folder

TEXT = "app.console.widget"      # module of the text, and of all that it needs
MISSING = "The console needs the packages qtconsole and ipykernel: pip install qtconsole ipykernel\n({})"


class ConsolePanel(QWidget):
    """text: the console's widget, None until all is imported."""

    scrolls = False
    _imported = pyqtSignal(str)
    _taken = pyqtSignal()

    def __init__(self, context: AppContext, session: Session, simulation: SimulationController, view: ViewController, scripts: ScriptsController, actions: Mapping[str, QAction]):
        super().__init__()
        self.text, self._over = None, False     # first: Qt tells of fonts and colours at once
        self.names = Names(context)
        self.ui = Ui(context, self.names, session, simulation, view, scripts, actions)
        self.ui.changed = self._names_changed
        self.q = Values(context, self.names)
        self.note = QLabel("Python is being loaded ...")
        self.note.setWordWrap(True)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.note)
        self._imported.connect(self._make)
        self._taken.connect(self._names_changed)
        context.model_changed.connect(self._model_changed)
        Sight(self).changed.connect(self._seen_changed)
        threading.Thread(target=self._import, name="load console", daemon=True).start()

    def _import(self) -> None:
        """In a thread of its own: it takes a second."""
        sys.modules.setdefault("debugpy", None)     # IPython's kernel does without a debugger, which takes as long again and looks into every thread
        try:
            import_module("ipykernel.debugger")
            import_module(TEXT)
            problem = ""
        except ImportError as error:
            problem = str(error)
        finally:
            if sys.modules.get("debugpy", self) is None:
                del sys.modules["debugpy"]
        with suppress(RuntimeError):    # the window was closed meanwhile
            self._imported.emit(problem)

    def _make(self, problem: str) -> None:
        if self._over:
            return
        if problem:
            self.note.setText(MISSING.format(problem))
            return
        text = import_module(TEXT)
        with suppress(NoAnswerError):
            self.names.refresh()
        self.note.hide()
        self.text = text.ConsoleText({**self.present(), "q": self.q, "ui": self.ui}, self._refreshed, state_folder(), self)
        self.text.exit_requested.connect(self._leave)
        self.layout().addWidget(self.text, 1)
        if in_front(self):
            self.text.setFocus()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (event.Type.PaletteChange, event.Type.FontChange) and self.text is not None:
            self.text.dress()

    def present(self) -> dict:
        """The names that change."""
        return {"m": self.names.m, "d": self.names.d, "sel": self.names.sel}

    def _refreshed(self) -> dict:
        self.names.refresh()
        return self.present()

    def _names_changed(self) -> None:
        if self.text is not None and not self._over:
            self.text.shell.push(self.present())

    def _model_changed(self, _model) -> None:
        """The Model before is let go at once; d, which is completed while one types, is taken aside where somebody looks."""
        self.names.let_go()
        self._names_changed()
        self._seen_changed(in_front(self))

    def _seen_changed(self, seen: bool) -> None:
        if seen and self.text is not None and not self._over and self.names.d is None:
            self.names.refresh_later(self._tell_taken)

    def _tell_taken(self) -> None:
        """In the physics thread."""
        with suppress(RuntimeError):    # the window was closed meanwhile
            self._taken.emit()

    def _leave(self, _text=None) -> None:
        """exit(): the panel goes, its names stay."""
        dock = self.parentWidget()
        if dock is not None:
            dock.hide()

    def end(self) -> None:
        """The window goes."""
        self._over = True
        if self.text is not None:
            self.text.end()
