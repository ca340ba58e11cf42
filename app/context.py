"""What every panel and controller is given: the running simulation, the session, the view's state and the signals that tie them together."""
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from app.bridge.view_state import Selection, ViewState
from app.settings import Settings

KEPT_LINES = 500


@dataclass(slots=True)
class Collaborators:
    """The objects wire.py makes once; set before any panel is made."""

    runner: Any = None
    session: Any = None
    settings: Settings | None = None
    options: Any = None          # app.bridge.options.VisOptions
    controllers: dict = field(default_factory=dict)   # 'simulation', 'view', 'files', 'window', 'film'
    actions: dict = field(default_factory=dict)       # id -> QAction


class AppContext(QObject):
    """Signals (all emitted in the GUI thread):

    model_changed(model)       another Model runs now
    snapshot_ready(snapshot)   about 15 times a second while something is shown; valid during the call
    selection_changed(selection)
    options_changed()          what is drawn has changed
    option_edited(name)        a physics option was changed from the window
    logged(level, text)        level 'info', 'warning' or 'error'
    thing_clicked(thing)       a click on something drawn (app.viewport.hover.Thing), or None for a click on nothing
    first_frame()              the first picture is on the screen; heavy imports may start
    """

    model_changed = pyqtSignal(object)
    snapshot_ready = pyqtSignal(object)
    selection_changed = pyqtSignal(object)
    options_changed = pyqtSignal()
    option_edited = pyqtSignal(str)
    logged = pyqtSignal(str, str)
    thing_clicked = pyqtSignal(object)
    first_frame = pyqtSignal()

    def __init__(self, collaborators: Collaborators):
        super().__init__()
        self.collaborators = collaborators
        self.model = None
        self.snapshot = None
        self.view_state = ViewState()   # the one home of what is selected and of the trails; the camera: app.controllers.view
        self.log_lines: deque = deque(maxlen=KEPT_LINES)   # for a log panel made later

    @property
    def selection(self) -> Selection:
        """What is selected; `select` changes it."""
        return self.view_state.selection

    @property
    def runner(self):
        """The physics thread's front (physics.runtime.runner.Runner)."""
        return self.collaborators.runner

    @property
    def session(self):
        """The open document and its compiling (app.session.Session)."""
        return self.collaborators.session

    @property
    def settings(self) -> Settings:
        """What is remembered between launches."""
        return self.collaborators.settings

    @property
    def options(self):
        """What is drawn (app.bridge.options.VisOptions); emit options_changed after changing it."""
        return self.collaborators.options

    def set_model(self, model) -> None:
        """Another model runs: keep the selection where the new model has a body of its name."""
        before, self.model = self.model, model
        old = self.selection
        if old.bodyid:
            same_count = before is not None and before.nbody == model.nbody
            found = model.id("body", old.name) if old.name else old.bodyid if same_count and not model.name("body", old.bodyid) else -1
            skin = old.skin if old.skin < model.nskin else -1
            self.select(Selection(found, old.name, old.localpos, skin) if found > 0 else Selection())
        self.model_changed.emit(model)

    def select(self, selection: Selection) -> None:
        """Select a body, or nothing."""
        if selection != self.selection:
            self.view_state.selection, self.view_state.trail_body = selection, selection.bodyid
            self.selection_changed.emit(selection)

    def select_body(self, bodyid: int, localpos=(0.0, 0.0, 0.0), skin: int = -1) -> None:
        """Select body `bodyid` of the present model at a point of its frame, on a skin or none; 0 or less selects nothing."""
        if self.model is None or bodyid <= 0:
            self.select(Selection())
        else:
            self.select(Selection(int(bodyid), self.model.name("body", int(bodyid)), tuple(map(float, localpos)), int(skin)))

    def log(self, level: str, text: str) -> None:
        """Tell the user; level 'info', 'warning' or 'error'."""
        self.log_lines.append((level, text))
        self.logged.emit(level, text)
