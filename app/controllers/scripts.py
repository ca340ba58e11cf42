"""Scripts in a window: opening them, keys and selection on their way to them, what they draw, and what is remembered of them for each model."""
from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PyQt6.QtCore import QEvent, QObject, Qt, QTimer, QUrl, pyqtSignal
from PyQt6.QtGui import QDesktopServices, QKeyEvent, QKeySequence
from PyQt6.QtWidgets import QFileDialog, QWidget

from app.context import AppContext
from app.dialogs.files import ask_for_file
from app.model_memory import path_of, remember, remembered
from app.scripts.drawing import Markers
from app.scripts.script import LOADING, Script
from app.scripts.script_set import ScriptSet
from physics.runtime.snapshot import Snapshot

MEMORY, FOLDER, EDITOR = "scripts", "scripts/folder", "scripts/editor"     # what is remembered of a model; settings
FILTER = "Python scripts (*.py)"
TICK_MS = 250       # between two looks at what hangs, has failed, or is new on the disk
HANGS = 1.0         # s after which it is told that a call does not come back
MODIFIERS = frozenset({Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta, Qt.Key.Key_CapsLock, Qt.Key.Key_unknown})


class Docks(Protocol):
    """What arranges the panels (app.windows.dock_layout.DockLayout)."""

    panels: dict[str, QWidget]

    def show(self, panel_id: str) -> QWidget | None: ...


class Window(Protocol):
    """The window (app.windows.main_window.MainWindow, a QWidget)."""

    layout_of_docks: Docks


class ScriptsController(QObject):
    """Handlers of the scripts' actions. set: the scripts themselves.

    Signal: changed() when there are other scripts, or one of them is in another state.
    """

    changed = pyqtSignal()
    _posted = pyqtSignal(object)

    def __init__(self, context: AppContext, host: QWidget, window: Window):
        super().__init__()
        self._context, self._window = context, window
        self._path = ""             # of the model that the scripts belong to
        self._told_hanging = self._any_model = False
        self._states: tuple = ()
        self._shows: set[Path] = set()      # entries whose plots are to be shown, as the user has just opened them
        self._waiting: dict[Path, list[tuple[str, ...]]] = {}    # charts by script, until there is a panel for them
        self._charts: dict[Path, list[tuple[str, ...]]] = {}     # those that are in the panel
        self._posted.connect(self._call)
        self.set = ScriptSet(context.runner.send, context.runner.latest, self._post, context.log)
        self.set.markers = context.markers
        self.set.on_changed.append(self._set_changed)
        self.set.on_loaded.append(self._script_loaded)
        self._tick = QTimer(self)
        self._tick.timeout.connect(self._look)
        self._host = host
        host.installEventFilter(self)
        context.model_changed.connect(self._model_changed)
        context.selection_changed.connect(self._selection_changed)

    def _post(self, function: Callable[[], None]) -> None:
        """From any thread: have this called in the window's."""
        with contextlib.suppress(RuntimeError):     # the window was closed meanwhile
            self._posted.emit(function)

    def _call(self, function: Callable[[], None]) -> None:
        function()

    # ------------------------------------------------------------------ what the user does

    def open_dialog(self) -> None:
        """Ask for a script and open it."""
        path = ask_for_file(self._window, "Open script", self._folder(), FILTER)
        if path is not None:
            self.open(path)

    def open_folder_dialog(self) -> None:
        """Ask for a folder and open all scripts in it."""
        name = QFileDialog.getExistingDirectory(self._window, "Open folder of scripts", str(self._folder()))
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a script, or a folder of scripts, for the present model, and show the panel; False (and a line in the log) where there is none."""
        path = Path(path).absolute()
        self._shows.add(path)
        if not self.set.add(path):
            self._shows.discard(path)
            return False
        self._context.settings.set(FOLDER, str(path if path.is_dir() else path.parent))
        self.panel("scripts")
        return True

    def _folder(self) -> Path:
        kept = self._context.settings.get(FOLDER)
        path = path_of(self._context.model)
        return Path(kept) if kept else Path(path).parent if path else Path.home()

    def reload(self) -> None:
        """Load all of them again."""
        self.set.reload()

    def stop(self) -> None:
        """End what hangs, and call nothing more."""
        if self.set.scripts:
            self.set.stop()
            self._context.log("info", "Scripts are stopped; Reload scripts starts them again")

    def panel(self, panel_id: str) -> QWidget | None:
        """Show a panel; it, or None before the first picture."""
        return self._window.layout_of_docks.show(panel_id)

    def edit(self, path: Path, line: int = 0) -> None:
        """Open a file in the editor that the settings name, at a line, or in the desktop's."""
        import shlex     # late: seldom needed
        import subprocess

        command = self._context.settings.get(EDITOR)
        if not command:
            if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
                self._context.log("warning", f"The desktop has no program for {path.name}; Settings > Editor of scripts names one")
            return
        try:
            words = [word.replace("{file}", str(path)).replace("{line}", str(max(1, line))) for word in shlex.split(command)]
            subprocess.Popen(words if "{file}" in command else [*words, str(path)], start_new_session=True)
        except (OSError, ValueError) as error:
            self._context.log("error", f"The editor of scripts could not be started ({command}): {error}")

    # ------------------------------------------------------------------ what the window tells scripts

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A key in the view: every script hears of it before the window's own actions do; one that it has declared is its alone."""
        if watched is self._host and event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and self.set.scripts:
            key = key_text(event)
            if key and event.type() == QEvent.Type.ShortcutOverride and self._context.model is not None and self.set.key_pressed(key):
                event.accept()
                return True
            return event.type() == QEvent.Type.KeyPress and key in self.set.keys
        return False

    def _selection_changed(self, selection) -> None:
        if self._context.model is not None:
            self.set.selected(selection.elements)

    def draw(self, snapshot: Snapshot | None) -> bool:
        """A snapshot is about to be shown: have the scripts draw for it. Whether any did."""
        markers = self.set.markers
        if markers is None or snapshot is None or not self.set.drawing.wanted or snapshot.model is not self._context.model:
            return False
        self.set.drawing.draw(markers, snapshot.model, snapshot)
        return True

    @property
    def markers(self) -> Markers | None:
        """What is drawn into."""
        return self.set.markers

    # ------------------------------------------------------------------ what scripts tell the window

    def _set_changed(self) -> None:
        if self.set.scripts and not self._tick.isActive():
            self._tick.start(TICK_MS)
        elif not self.set.scripts:
            self._tick.stop()
        there = {script.path for script in self.set.scripts}
        for gone in [name for name in self._charts if name not in there]:
            del self._charts[gone]
        self._waiting = {path: charts for path, charts in self._waiting.items() if path in there}
        self._remember()
        self.changed.emit()

    def _script_loaded(self, script: Script) -> None:
        if script.plots or script.path in self._charts:
            self._waiting[script.path] = list(script.plots)
            if script.entry in self._shows and script.plots:
                self.panel("plots")
            self._show_plots()
        self._shows.discard(script.entry)

    def _show_plots(self) -> None:
        """Put the charts that wait into the panel, where there is one."""
        panel = self._window.layout_of_docks.panels.get("plots") if self._waiting else None
        if panel is not None and self._context.model is not None:
            waiting, self._waiting = self._waiting, {}
            for path, charts in waiting.items():
                panel.show_charts(charts, self._charts.get(path, []))
                self._charts[path] = charts

    def _look(self) -> None:
        """Now and then: does something hang, has a function failed, is there a new file?"""
        self._show_plots()
        self.set.rescan()
        hanging = self.set.hanging()
        hangs = hanging is not None and hanging[1] > HANGS
        if hangs and not self._told_hanging:
            self._context.log("warning", f"{hanging[0]} has not come back for {hanging[1]:.0f} s. Simulation > Stop scripts ends it")
        states = (hangs, self.set.stopped, tuple((script.state, script.problem) for script in self.set.scripts))
        if states != self._states:
            self._states = states
            self.changed.emit()
        self._told_hanging = hangs
        self._remember()

    @property
    def loading(self) -> bool:
        """Whether one of them is still being loaded."""
        return any(script.state == LOADING for script in self.set.scripts)

    @property
    def hanging(self) -> str:
        """What has been called and does not come back, in words; '' where nothing hangs."""
        found = self.set.hanging()
        return found[0] if found is not None and found[1] > HANGS else ""

    # ------------------------------------------------------------------ remembering

    def _model_changed(self, model) -> None:
        if self._context.newly_opened:
            self._remember()
            earlier = [] if self._any_model else list(self.set.entries)     # opened while there was no model yet
            self._path, self._any_model = "", True         # while the set changes
            self.set.take(remembered(self._context.settings, path_of(model), MEMORY))
            for entry in earlier:
                self.set.add(entry)
        self._path = path_of(model)

    def _remember(self) -> None:
        if self._path:
            remember(self._context.settings, self._path, MEMORY, self.set.record())

    def close(self) -> None:
        """The window goes: end what hangs, so that nobody waits for it."""
        self._tick.stop()
        self._remember()
        self._path = ""
        self._host.removeEventFilter(self)
        self.set.close()


def key_text(event: QKeyEvent) -> str:
    """A key with its modifiers, as 'K', 'Shift+Up' or 'Ctrl+1'; '' for a modifier alone."""
    return "" if event.key() in MODIFIERS else QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
