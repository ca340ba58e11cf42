"""Teleoperation in the window: which devices drive what, begun by the arm button and ended by it or by Esc.

    mapping (file beside the model, else proposals) --> Hub (app/inputs/hub.py), made when something is armed for the first time --> commands
    keys of the view while armed --> the source `keyboard`          events of devices (start, success, reset, ...) --> marked(name)
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QGuiApplication, QPainter
from PyQt6.QtWidgets import QWidget

from app.context import AppContext
from app.controllers.teleoperation.page import LOOPBACK, PAGE, ServedPage
from app.controllers.view import ViewController
from app.session import Session
from physics.model.model import Model
from physics.runtime import commands
from render.scene.camera import View

if TYPE_CHECKING:   # at the start every import counts: what drives is imported when something is to be driven, or to be shown
    from app.inputs.hub import DriveState, Hub
    from app.inputs.intervention import Intervention
    from app.inputs.latency import Spread
    from app.inputs.mapping.drive_mapping import DriveMapping, Mapping
    from app.inputs.source import Source
    from app.viewport.teleop_keys import TeleopKeys
    from app.viewport.teleop_wheel import TeleopWheel

KEYBOARD = "keyboard"
CLICK = 2 ** 0.25    # factor of a scale by a click of the wheel: four double it
SETTLE = 5      # snapshots in a row in which all drives have let go, until the window says so: an order to arm is on its way for one


class TeleoperationController(QObject):
    """Signals: changed() another mapping, or other sources; armed_changed(whether anything is armed); told(text) what goes wrong, '' when that is over; marked(name) that a device has
    given, one of app.inputs.sample.EVENTS; visited(app.inputs.server.client.Visitor, answer) somebody wants to come in at the page.

    mapping: in force; path: its file, None for a model without one; saved: whether the file says it."""

    changed = pyqtSignal()
    armed_changed = pyqtSignal(bool)
    told = pyqtSignal(str)
    marked = pyqtSignal(str)
    visited = pyqtSignal(object, object)
    _event = pyqtSignal(str)      # from the hub's thread

    def __init__(self, context: AppContext, session: Session, view: ViewController, host: QWidget, parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._session, self._view, self._host = context, session, view, host
        self._mapping: Mapping | None = None        # None: the model's was not looked for yet
        self.saved = True
        self.hub: Hub | None = None
        self.intervention: Intervention | None = None   # of the hub, from the first policy on
        self.resets: Callable[[], bool] = lambda: False     # goes to the start of an episode, where there are any
        self._served = ServedPage(self)
        self._served.told.connect(self.told)
        self._missing: dict[str, str] = {}      # why sources are not there, by name
        self._armed, self._settle = False, 0
        self.keyboard: Source | None = None         # and who hands it the view's keys
        self.keys: TeleopKeys | None = None
        self._wheel: TeleopWheel | None = None
        self._event.connect(self._take_event)
        context.model_changed.connect(self._model_changed)
        context.camera_moved.connect(self._look_at_view)
        context.snapshot_ready.connect(lambda _snapshot: self._look())
        QGuiApplication.instance().focusWindowChanged.connect(self._focus_changed)

    # ------------------------------------------------------------------ what drives what

    @property
    def path(self) -> Path | None:
        """The mapping file of the present model."""
        from app.inputs.mapping.drive_mapping import SUFFIX

        path = self._session.document.path
        return path.with_suffix(SUFFIX) if path is not None else None

    @property
    def mapping(self) -> Mapping:
        """The one in force; looked for when somebody asks for the first time."""
        if self._mapping is None:
            from app.inputs.mapping.drive_mapping import Mapping

            self._mapping = Mapping()
            self.load()
        return self._mapping

    def _model_changed(self, _model: Model) -> None:
        if self._mapping is not None and (self._context.newly_opened or not self._mapping.drives):
            self.disarm()
            self._mapping = None
            self.changed.emit()

    def load(self) -> bool:
        """The mapping of the file, else the likeliest drive by the keyboard; False where the file is wrong, which is told."""
        from app.inputs.mapping import proposals
        from app.inputs.mapping.drive_mapping import Mapping
        from app.inputs.mapping.mapping_file import MappingError, read

        m, path = self._context.model, self.path
        found, wrong = proposals.first(m, KEYBOARD) if m is not None else Mapping(), ""
        if path is not None and path.is_file():
            try:
                found = read(path)
            except (MappingError, OSError) as why:
                wrong = f"{path.name}: {why.strerror if isinstance(why, OSError) else why}"
        self.saved = not wrong
        self._set(found)
        self.told.emit(wrong)
        if wrong:
            self._context.log("error", wrong)
        return not wrong

    def offered(self, source: str = KEYBOARD) -> tuple[DriveMapping, ...]:
        """What that source could drive in the present model, the likeliest first."""
        from app.inputs.mapping import proposals

        m = self._context.model
        return proposals.propose(m, source).drives if m is not None else ()

    @property
    def not_legs(self) -> str:
        """Why something in the present model that looks like a walker is not offered to walk; ''."""
        from app.inputs.mapping import proposals

        m = self._context.model
        return proposals.not_legs(m) if m is not None else ""

    def add(self, drive: DriveMapping) -> str:
        """One drive more, under a name of its own, which is returned."""
        names = {one.name for one in self.mapping.drives}
        name, k = drive.name, 2
        while name in names:
            name, k = f"{drive.name} {k}", k + 1
        self._edit((*self.mapping.drives, replace(drive, name=name)))
        return name

    def remove(self, name: str) -> None:
        """A drive less."""
        self._edit(tuple(one for one in self.mapping.drives if one.name != name))

    def change(self, name: str, **values) -> None:
        """Other values of a drive's fields; all drives are let go of."""
        self._edit(tuple(replace(one, **values) if one.name == name else one for one in self.mapping.drives))

    def change_source(self, name: str, source: str) -> None:
        """Have another device drive it: its axes, clutch and filter are those of that kind of device again."""
        from app.inputs.mapping import proposals
        from app.inputs.mapping.drive_mapping import Filter

        before = next((one for one in self.mapping.drives if one.name == name), None)
        if before is None or before.source == source:
            return
        of_source = next((one for one in self.offered(source) if one.kind == before.kind), None)
        gripper = replace(before.gripper, axis=of_source.gripper.axis, toggle=of_source.gripper.toggle) if before.gripper and of_source and of_source.gripper else before.gripper
        controls = of_source.controls if of_source is not None else before.controls
        frame = proposals.frame_of(source) if before.frame == proposals.frame_of(before.source) else before.frame     # what was chosen stays
        self.change(name, source=source, frame=frame, clutch="", axes={}, filter=Filter(), gripper=gripper, controls=controls)

    def rescale(self, name: str, scale: float) -> None:
        """Another scale of ways, also while it is armed."""
        one = next((one for one in self.mapping.drives if one.name == name), None)
        if one is None or one.scale[0] == scale:
            return
        factor = scale / one.scale[0]
        self._mapping = replace(self.mapping, drives=tuple(replace(other, scale=(scale, other.scale[1])) if other is one else other for other in self.mapping.drives))
        self.saved = False
        if self.hub is not None:
            self.hub.rescale(name, factor)
        self.changed.emit()

    def zoom(self, clicks: float) -> bool:
        """The wheel: another scale of ways of the drives that somebody holds now, up for more; False where there are none."""
        from app.inputs.mapping.clutch import LARGEST, SMALLEST

        held = {state.name for state in self.states if state.engaged and state.target is not None} if self._armed else set()
        for one in self.mapping.drives if held else ():
            if one.name in held:
                scale = one.scale[0]
                self.rescale(one.name, min(max(scale * CLICK ** clicks, min(SMALLEST, scale)), max(LARGEST, scale)))
        return bool(held)

    def _edit(self, drives: tuple[DriveMapping, ...]) -> None:
        self.saved = False
        self._set(replace(self.mapping, drives=drives))

    def _set(self, mapping: Mapping) -> None:
        self._mapping = mapping
        self._set_armed(False)
        if self.hub is not None:
            self._leave_keys()
            self.hub.configure(mapping)
            self._drop_sources()
        self.changed.emit()

    def save(self, path: Path | None = None) -> bool:
        """Write the mapping beside the model; False where that cannot be, which is told."""
        from app.inputs.mapping.mapping_file import to_text
        from physics.files.atomic_write import replacing

        path = path or self.path
        if path is None:
            self.told.emit("The model has no file yet: save it first, its mapping lies beside it.")
            return False
        try:
            with replacing(path) as file:
                file.write(to_text(self.mapping).encode("utf-8"))
        except OSError as why:
            self.told.emit(f"{path} cannot be written: {why.strerror or why}")
            return False
        self.saved = True
        self.told.emit("")
        self._context.log("info", f"{path.name} has the mapping now")
        self.changed.emit()
        return True

    # ------------------------------------------------------------------ arming

    @property
    def armed(self) -> bool:
        """Whether anything is, or holds until it hears of its device again."""
        return self._armed

    @property
    def states(self) -> tuple[DriveState, ...]:
        """Of all drives, in the order of the mapping."""
        from app.inputs.hub import DriveState
        from app.inputs.mapping.dead_man import Lamp

        if self.hub is not None and len(self.hub.states) == len(self.mapping.drives):
            return self.hub.states
        return tuple(DriveState(one.name, one.source, one.kind, Lamp.DISARMED, False, None, one.scale[0], ()) for one in self.mapping.drives)

    def toggle(self) -> None:
        """Arm all drives, or let go of all."""
        if self._armed:
            self.disarm()
        else:
            self.arm()

    def arm(self, name: str | None = None) -> bool:
        """Have a drive follow its device, None: all of them; the run goes on if it was paused. False where there is nothing that could, which is told."""
        drives = [one for one in self.mapping.drives if name is None or one.name == name]
        if not drives:
            self.told.emit("There is nothing to be driven: choose one of the proposals of 'Add'.")
            return False
        hub = self._begin()
        there = [one for one in drives if self._source_of(one.source) is not None]
        self.told.emit("\n".join(dict.fromkeys(self._missing.get(one.source, "") for one in drives if one not in there)))
        for one in there:
            hub.arm(one.name)
        if not there:
            return False
        if any(one.source == KEYBOARD for one in there):
            self.keys.arm(True)
            self._host.setFocus()
        snapshot = self._context.snapshot
        if snapshot is not None and not snapshot.running:
            self._context.runner.send(commands.Run())
        self._set_armed(True)
        return True

    def disarm(self, name: str | None = None) -> None:
        """Let go of a drive, None: of all; what it drives stays where it is."""
        if self.hub is not None:
            self.hub.disarm(name)
        if name is None:
            self._leave_keys()
            self._set_armed(False)

    def intervene(self, intervention: Intervention) -> None:
        """Have drives take over from a policy by their clutches from now on."""
        self.intervention = intervention
        if self.hub is not None:
            self.hub.intervention = intervention

    def _leave_keys(self) -> None:
        if self.keys is not None and self.keys.armed:
            self.keys.arm(False)

    def _set_armed(self, armed: bool) -> None:
        if armed != self._armed:
            self._armed = armed
            self.armed_changed.emit(armed)

    def _begin(self) -> Hub:
        if self.hub is None:
            from app.inputs.hub import Hub

            self.hub = Hub(self._context.runner)
            self.hub.intervention = self.intervention
            self.hub.on_event.append(lambda _source, name: self._event.emit(name))
            self.hub.start()
            self.hub.configure(self.mapping)
            if self._wheel is None:
                from app.viewport.teleop_wheel import TeleopWheel

                self._wheel = TeleopWheel(self._host, self.zoom)
        self._look_at_view()
        self._focus_changed()
        return self.hub

    def _look(self) -> None:
        """Drives that have let go by themselves: a device that was gone for long, another Model."""
        if self._armed and self.hub is not None and len(self.hub.states) == len(self.mapping.drives) and all(one.lamp == "disarmed" for one in self.hub.states):
            self._settle += 1
            if self._settle > SETTLE:
                self._leave_keys()
                self._set_armed(False)
        else:
            self._settle = 0

    def _look_at_view(self) -> None:
        if self.hub is not None:
            self.hub.view = radians(self._view.camera.azimuth)

    def _focus_changed(self, *_window) -> None:
        if self.hub is not None:
            self.hub.focus = QGuiApplication.focusWindow() is not None

    def _take_event(self, name: str) -> None:
        if name != "reset":
            self.marked.emit(name)
        elif not self.resets():
            self._context.runner.send(commands.Reset())

    # ------------------------------------------------------------------ sources

    @property
    def sources(self) -> tuple[tuple[str, str], ...]:
        """(name, how it stands) of all sources of the mapping."""
        there = self.hub.sources if self.hub is not None else {}
        found = {}
        for one in self.mapping.drives:
            source = there.get(self._key(one.source))
            found[one.source] = source.state if source is not None else self._missing.get(one.source, "off until it is armed")
        return tuple(found.items())

    def source(self, name: str) -> Source:
        """The source of that name, started. Raises SourceMissing."""
        from app.inputs.source import SourceMissing
        from app.inputs.table import kind_of, make

        hub, key = self._begin(), self._key(name)
        found = hub.sources.get(key)
        if found is None and kind_of(name).server:      # nothing is served that was not switched on
            raise SourceMissing("the page is off", "switch it on by the button 'Pair' of the panel Teleoperation")
        if found is None:
            found = self._keyboard() if name == KEYBOARD else make(key)
            hub.add(found)
            self.changed.emit()
        return found

    def listen(self, name: str) -> bool:
        """Have a source started, armed or not; False where it is not there, which is told."""
        there = self._source_of(name) is not None
        self.told.emit("" if there else self._missing[name])
        return there

    def stop_source(self, name: str) -> None:
        """End a source; what it drives holds."""
        if self.hub is not None:
            self.hub.remove(self._key(name))
            self.changed.emit()

    def paint(self, painter: QPainter, width: float, height: float, snapshot, view: View) -> None:
        """Draw the targets of what is armed over the picture [logical pixels]."""
        if self._armed and snapshot.model is self._context.model:
            from app.viewport.teleop_targets import paint_targets

            paint_targets(painter, (width, height), self.states, view)

    def _keyboard(self) -> Source:
        if self.keyboard is None:
            from app.inputs.sources.keyboard import Keyboard
            from app.viewport.teleop_keys import TeleopKeys

            self.keyboard = Keyboard()
            self.keys = TeleopKeys(self._host, self.keyboard, self.disarm)
        return self.keyboard

    def _source_of(self, name: str) -> Source | None:
        from app.inputs.source import SourceMissing

        try:
            found = self.source(name)
        except (SourceMissing, ImportError) as why:
            self._missing[name] = f"{name}: {why}"
            return None
        self._missing.pop(name, None)
        return found

    # ------------------------------------------------------------------ the page for headsets and phones

    @property
    def page(self):
        """The source that serves it (app.inputs.server.source.WebSource), None while it is off."""
        return self.hub.sources.get(PAGE) if self.hub is not None else None

    def serve(self, host: str = LOOPBACK, secure: bool = True, port: int | None = None) -> None:
        """Serve it at an address, by HTTPS or, to this machine alone, without, until `stop_serving`; visitors are asked about by `visited`. Raises SourceMissing."""
        self.stop_serving()
        self._served.serve(self._begin(), self.visited.emit, host, secure, port)
        self.changed.emit()

    def stop_serving(self) -> None:
        """Let all clients go; what they drive holds."""
        if self._served.on:
            self._served.stop(self.hub)
            self.changed.emit()

    @staticmethod
    def _key(name: str) -> str:
        """Sources of one server are one."""
        from app.inputs.source import SourceMissing
        from app.inputs.table import kind_of

        try:
            kind = kind_of(name)
        except SourceMissing:
            return name
        return kind.prefix if kind.server else name

    def _drop_sources(self) -> None:
        """End those that drive nothing any more; a server stays until it is switched off."""
        from app.inputs.table import kind_of

        wanted = {self._key(one.source) for one in self.mapping.drives}
        for name in self.hub.sources:
            if name not in wanted and not kind_of(name).server:
                self.hub.remove(name)

    def latency(self) -> dict[str, Spread]:
        """Of the newest samples, by part; empty while there are none."""
        return self.hub.latency.spread() if self.hub is not None else {}

    def close(self) -> None:
        """The window goes."""
        self._leave_keys()
        if self.hub is not None:
            self._served.stop(self.hub, wait=True)
            self.hub.stop()
            self.hub = None
