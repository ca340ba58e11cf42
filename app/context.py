"""What panels and controllers have in common: the simulation's newest state, what is selected and drawn, the log, and the signals that tie them together."""
from collections import deque

from PyQt6.QtCore import QObject, pyqtSignal

from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import Selection, ViewState
from app.settings import Settings
from app.simulation_client import SimulationClient
from app.watched_fields import WatchedFields
from physics.model.model import Model
from physics.runtime.events import Event
from physics.runtime.runner import Runner
from physics.runtime.snapshot import Snapshot

KEPT_LINES = 500


class AppContext(QObject):
    """Signals (all emitted in the GUI thread):

    model_changed(model)       another Model runs now
    snapshot_ready(snapshot)   about 15 times a second while something is shown; valid during the call
    selection_changed(selection)
    options_changed()          what is drawn has changed
    option_edited(name)        a physics option was changed from the window
    logged(level, text)        level 'info', 'warning' or 'error'
    progress_changed(text, share)  what takes long and how much of it is done (0 to 1, below 0: not known); '' when nothing does any more
    thing_clicked(thing)       a click on something drawn (app.viewport.hover.Thing), or None for a click on nothing
    first_frame()              the first picture is on the screen; heavy imports may start
    """

    model_changed = pyqtSignal(object)
    snapshot_ready = pyqtSignal(object)
    selection_changed = pyqtSignal(object)
    options_changed = pyqtSignal()
    option_edited = pyqtSignal(str)
    logged = pyqtSignal(str, str)
    progress_changed = pyqtSignal(str, float)
    thing_clicked = pyqtSignal(object)
    first_frame = pyqtSignal()

    def __init__(self, client: SimulationClient, settings: Settings, options: VisOptions):
        super().__init__()
        self._client = client
        self.settings = settings
        self.options = options          # emit options_changed after changing it
        self.view_state = ViewState()   # the one home of what is selected and of the trails; the camera: app.controllers.view
        self.model: Model | None = None
        self.prepared: ModelVisuals | None = None   # of the Model compiled last, made in the compiler's thread, until somebody draws it
        self.log_lines: deque = deque(maxlen=KEPT_LINES)   # for a log panel made later
        self._busy: dict[str, tuple[str, float]] = {}   # by who is busy, the newest last
        self.watched = WatchedFields(self.runner.send)     # what the snapshots carry beside their own fields
        client.on_swap.append(self._swapped)
        client.on_message.append(self.log)
        client.on_snapshot.append(self.snapshot_ready.emit)

    @property
    def runner(self) -> Runner:
        """The physics thread's front, which takes commands."""
        return self._client.runner

    @property
    def snapshot(self) -> Snapshot | None:
        """The newest state, unchanged during the handling of an event; None before the first model."""
        return self._client.snapshot

    @property
    def selection(self) -> Selection:
        """What is selected; `select` changes it."""
        return self.view_state.selection

    def _swapped(self, event: Event) -> None:
        """Another model runs: keep the selection where the new model has a body of its name."""
        before, model = self.model, event.details["model"]
        self.model = model
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

    def busy(self, text: str, share: float = -1.0, who: str = "") -> None:
        """Tell what takes longer than a blink and how much of it is done (0 to 1, below 0: not known), until `who` is idle."""
        self._busy.pop(who, None)
        self._busy[who] = (text, share)
        self.progress_changed.emit(text, share)

    def idle(self, who: str = "") -> None:
        """What `who` was busy with is over."""
        if self._busy.pop(who, None) is not None:
            self.progress_changed.emit(*(list(self._busy.values())[-1] if self._busy else ("", 0.0)))

    def tell_snapshot(self) -> None:
        """Hand the present state out once more: to a panel that has just been made or shown while the simulation is paused."""
        if self.snapshot is not None:
            self.snapshot_ready.emit(self.snapshot)
