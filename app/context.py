"""What panels and controllers have in common: the simulation's newest state, what is selected and drawn, the log, and the signals that tie them together."""
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from app.bridge.ghost import Ghost
from app.bridge.markers import Markers
from app.bridge.model_visuals import ModelVisuals, Preparation
from app.bridge.options import VisOptions
from app.bridge.view_state import Selection, ViewState
from app.settings import Settings
from app.simulation_client import SimulationClient
from app.timeline.bookmarks import Bookmarks
from app.timeline.region import TimelineRegion
from app.traced import Traced
from app.watched_fields import WatchedFields
from physics.model.elements import Element, body_of, element, find_all_again, identity_of
from physics.model.model import Model
from physics.runtime.events import Event
from physics.runtime.runner import Runner
from physics.runtime.snapshot import Snapshot

KEPT_LINES = 500


class AppContext(QObject):
    """Signals (all emitted in the GUI thread):

    model_changed(model)       another Model runs now
    model_edited(fields)       an edit of the text was written into the Model that runs: names of the fields that are other numbers now
    snapshot_ready(snapshot)   about 15 times a second while something is shown; valid during the call
    selection_changed(selection)
    options_changed()          what is drawn has changed
    camera_moved()             the camera is elsewhere, on its way or not
    option_edited(name)        a physics option was changed from the window
    control_touched(number)    the slider of a control was taken hold of, or changed
    logged(level, text)        level 'info', 'warning' or 'error'
    progress_changed(text, share)  what takes long and how much of it is done (0 to 1, below 0: not known); '' when nothing does any more
    diverged(event)            the run has diverged (physics.runtime.events.DIVERGED)
    thing_clicked(thing)       a click on something drawn (app.viewport.hover.Thing), or None for a click on nothing
    first_frame()              the first picture is on the screen; heavy imports may start
    """

    model_changed = pyqtSignal(object)
    model_edited = pyqtSignal(tuple)
    snapshot_ready = pyqtSignal(object)
    selection_changed = pyqtSignal(object)
    options_changed = pyqtSignal()
    camera_moved = pyqtSignal()
    option_edited = pyqtSignal(str)
    control_touched = pyqtSignal(int)
    logged = pyqtSignal(str, str)
    progress_changed = pyqtSignal(str, float)
    diverged = pyqtSignal(object)
    thing_clicked = pyqtSignal(object)
    first_frame = pyqtSignal()

    def __init__(self, client: SimulationClient, settings: Settings, options: VisOptions):
        super().__init__()
        self._client = client
        self.settings = settings
        self.options = options          # emit options_changed after changing it
        self.view_state = ViewState()   # the one home of what is selected and of the trails; the camera: app.controllers.view
        self.markers = Markers()        # what scripts draw, from any thread; the view looks for changes by itself
        self._ghosts_of: dict[str, tuple[Ghost, ...]] = {}
        self.ghosts: tuple[Ghost, ...] = ()   # other poses to be drawn; set anew from the GUI thread whenever there are newer ones
        self.model: Model | None = None
        self.document: Any = None       # whose model that is (SwapModel.document): another at each opening, the same when its file gets another name
        self.newly_opened = False       # whether the model before was that of another document
        self.prepared: ModelVisuals | Preparation | None = None   # of the Model compiled last, made in the compiler's thread, until somebody draws it
        self.log_lines: deque = deque(maxlen=KEPT_LINES)   # for a log panel made later
        self.log_times: deque = deque(maxlen=KEPT_LINES)   # when each was told (datetime)
        self._busy: dict[str, tuple[str, float]] = {}   # by who is busy, the newest last
        self.watched = WatchedFields(self.runner.send)     # what the snapshots carry beside their own fields
        self.traced = Traced(self.runner.send)             # what is taken at every step
        self.bookmarks, self.region = Bookmarks(), TimelineRegion()     # of the present history
        client.on_swap.append(self._swapped)
        client.on_message.append(self.log)
        client.on_edit.append(self.model_edited.emit)
        client.on_snapshot.append(self.snapshot_ready.emit)
        client.on_diverged.append(self.diverged.emit)

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
        """Another model runs: keep what is selected and hidden where the new model has it too."""
        before, model, document = self.model, event.details["model"], event.details.get("document")
        self.newly_opened = before is None or document != self.document     # names that are the same by chance mean nothing there
        if self.newly_opened and before is not None:
            self.markers.clear()
            self._ghosts_of.clear()
            self.ghosts = ()
        self.model, self.document = model, document
        old, options = self.selection, self.options
        for name in ("hidden", "isolated"):
            setattr(options, name, frozenset(() if self.newly_opened else find_all_again(before, model, getattr(options, name))))
        if old.elements:
            elements = find_all_again(before, model, old.elements)
            self.select(self._selection_of(elements, replace(old, skin=old.skin if old.skin < model.nskin else -1)))
        self.model_changed.emit(model)

    def show_ghosts(self, owner: str, ghosts: tuple[Ghost, ...]) -> None:
        """Draw these poses in place of those that the same owner has shown before, beside those of others."""
        if ghosts or self._ghosts_of.get(owner):
            self._ghosts_of[owner] = ghosts
            self.ghosts = tuple(ghost for shown in self._ghosts_of.values() for ghost in shown)

    def with_added(self, state: ViewState) -> ViewState:
        """A copy of a view's state for a picture, with the markers and ghosts of this moment; the track is the same one, which whoever draws feeds."""
        return replace(state, markers=self.markers.now(), ghosts=self.ghosts)

    def select(self, selection: Selection) -> None:
        """Make this the selection: its body is the one that is pulled and followed."""
        if selection != self.selection:
            self.view_state.selection, self.view_state.trail_body = selection, selection.bodyid
            self.selection_changed.emit(selection)

    def select_nothing(self) -> None:
        """Nothing is selected."""
        self.select(Selection())

    def select_elements(self, elements: Iterable[Element], add: bool = False, toggle: bool = False) -> None:
        """Select these of the present model, the last one active. add: beside what is selected; toggle: as add, but those that are selected are not any more."""
        same, wanted, before = self._identity, tuple(dict.fromkeys(elements)), self.selection.elements
        if add or toggle:
            fresh, there = frozenset(map(same, wanted)), frozenset(map(same, before))
            kept = tuple(what for what in before if same(what) not in fresh)
            wanted = kept + tuple(what for what in wanted if not toggle or same(what) not in there)
        self.select(self._selection_of(wanted, self.selection))

    def is_selected(self, what: Element) -> bool:
        """Whether an element of the present model is selected; a contact also where it is somewhat elsewhere by now."""
        return self._identity(what) in map(self._identity, self.selection.elements)

    def _identity(self, what: Element) -> object:
        return identity_of(self.snapshot.model, self.snapshot, what) if self.snapshot is not None else what

    def select_body(self, bodyid: int, localpos=(0.0, 0.0, 0.0), skin: int = -1) -> None:
        """Select body `bodyid` of the present model at a point of its frame, on a skin or none; 0 or less selects nothing."""
        if self.model is None or bodyid <= 0:
            self.select_nothing()
        else:
            body = element(self.model, "body", int(bodyid))
            self.select(Selection(body.id, body.name, tuple(map(float, localpos)), int(skin), (body,)))

    def _selection_of(self, elements: tuple[Element, ...], before: Selection) -> Selection:
        """The selection of these elements; the point on the active one's body stays where it is the same body."""
        if not elements or self.model is None:
            return Selection()
        bodyid = body_of(self.model, elements[-1])
        name = self.model.name("body", bodyid) if bodyid else ""
        same = bodyid and (name == before.name if name else bodyid == before.bodyid)
        return Selection(bodyid, name, before.localpos if same else (0.0, 0.0, 0.0), before.skin if same else -1, elements)

    def log(self, level: str, text: str) -> None:
        """Tell the user; level 'info', 'warning' or 'error'."""
        self.log_lines.append((level, text))
        self.log_times.append(datetime.now())
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
