"""Keeps the workspaces: which one is open, what the user has made of each, and files with one of them.

    choose: record of the old one kept -> docks and switches of the new one
    a change of the docks -> a little later the records that are new are written, among those of other windows
"""
import json
import math
import tomllib
from collections.abc import Container
from contextlib import suppress
from pathlib import Path

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.controllers.view_choice import choice_of, take_choice
from app.panels.table import Services
from app.settings import Settings
from app.windows import toml_text
from app.windows.dock_layout import DockLayout
from app.workspaces import WORKSPACES, Workspace, by_id
from physics.files.atomic_write import write_file
from render.scene.camera import FIXED, FREE, TRACKING, CameraState
from render.scene.snapshot import COLOUR

SETTING = "window/workspaces"
WRITE_AFTER_MS = 800


def _stored(settings: Settings) -> dict:
    """What windows have remembered: {"current": id, "records": {id: record}}; empty where that is damaged."""
    try:
        stored = json.loads(settings.get(SETTING) or "{}")
    except ValueError:
        return {}
    return stored if isinstance(stored, dict) and isinstance(stored.get("records"), dict) else {}


class WorkspaceMemory(QObject):
    """Signals: chosen(id) when another workspace is open; due() when what is remembered should be written."""

    chosen, due = pyqtSignal(str), pyqtSignal()

    def __init__(self, layout: DockLayout, services: Services):
        super().__init__(layout)
        self._layout, self._services = layout, services
        self._records: dict[str, dict] = {}     # of the workspaces that were open in this window, as they were left
        self._unwritten: set[str] = set()       # whose records the settings do not have yet
        self.current: Workspace = WORKSPACES[0]
        self._to_take: tuple[dict, list | None] | None = None       # cameras, when there is a Model
        self._over = False
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(WRITE_AFTER_MS)
        self._due.timeout.connect(self.due)
        layout.changed.connect(self.touch)
        services.context.options_changed.connect(self.touch)

    def touch(self) -> None:
        """Something changed that is remembered."""
        if not self._over:
            self._due.start()

    def close(self) -> None:
        """The window is gone: nothing is remembered any more."""
        self._over = True
        self._due.stop()
        self._layout.close()

    # ------------------------------------------------------------------ choosing

    def choose(self, workspace_id: str) -> None:
        """Open a workspace as it was left; its own arrangement at first. Raises KeyError for an unknown one."""
        workspace = by_id(workspace_id)
        if workspace is not self.current:
            self._keep()
            self.current = workspace
            self._open()
        self.chosen.emit(workspace.id)   # again too: the tab or menu entry that was clicked shows it

    def _keep(self) -> None:
        self._records[self.current.id] = {**self._layout.record(), "view": choice_of(self._services.context.options)}
        self._unwritten.add(self.current.id)

    def _record(self) -> dict:
        """The present workspace as this window left it, or else as the last one that wrote it did."""
        found = self._records.get(self.current.id) or _stored(self._services.settings).get("records", {}).get(self.current.id)
        return found if isinstance(found, dict) else {}

    def _open(self) -> None:
        record = self._record()
        if not self._layout.take(record):
            self._layout.arrange(self.current)
        self._take_view(record.get("view"))
        self.touch()

    def _take_view(self, choice: dict | None) -> None:
        take_choice(self._services.context.options, choice if choice is not None else {"on": list(self.current.flags)})
        self._services.context.options_changed.emit()

    def arrange(self) -> None:
        """The panels as this workspace has them at first."""
        self._layout.arrange(self.current)
        self.touch()

    def first_view(self) -> None:
        """What is drawn as this workspace has it at first, in colour."""
        self._services.context.options.show = COLOUR
        self._take_view(None)

    def toggle_side(self, side: str) -> None:
        """Hide the panels of a side, or bring them back."""
        self._layout.toggle_side(side, self.current)

    # ------------------------------------------------------------------ between launches

    def remember(self) -> None:
        """Put what is new into the settings; what other windows have written of other workspaces stays."""
        self._due.stop()
        self._keep()
        stored = _stored(self._services.settings).get("records", {})
        records = {workspace.id: stored[workspace.id] for workspace in WORKSPACES if workspace.id in stored}
        records.update((workspace_id, self._records[workspace_id]) for workspace_id in self._unwritten)
        self._services.settings.set(SETTING, json.dumps({"current": self.current.id, "records": records}))
        self._unwritten.clear()

    def restore(self) -> bool:
        """Take up what is remembered; False where there is nothing that fits."""
        try:
            self.current = by_id(_stored(self._services.settings)["current"])
        except KeyError:
            return False
        record = self._record()
        self._take_view(record.get("view"))
        self.chosen.emit(self.current.id)
        return self._layout.take(record)

    # ------------------------------------------------------------------ files

    def save(self, path: Path) -> bool:
        """Write the present workspace as a TOML file; False (and a log entry) when that fails."""
        self._keep()
        record = dict(self._records[self.current.id])
        view = record.pop("view")
        camera = self._services.view.camera
        content = {"workspace": self.current.id, "panels": record.pop("open"), "speed": self._services.simulation.speed or "max",
                   "camera": self._camera_values(camera), "view": view, "layout": record}
        model = self._services.context.model
        if self.current.cameras and model is not None:
            content["cameras"] = [model.name("camera", camera) or camera for camera in self._services.insets.cameras]
        try:
            write_file(path, toml_text.dumps(content, "A workspace of Linkwork: linkwork MODEL --workspace FILE"))
        except OSError as error:
            self._services.context.log("error", f"Workspace not saved: {error}")
            return False
        self._services.context.log("info", f"Workspace saved to {path.name}")
        return True

    def _camera_values(self, camera: CameraState) -> dict:
        model = self._services.context.model
        values = {"kind": camera.kind, "lookat": [float(x) for x in camera.lookat], "distance": camera.distance, "azimuth": camera.azimuth, "elevation": camera.elevation}
        if camera.kind == FIXED and model is not None:
            values["camera"] = model.name("camera", camera.fixedcamid) or camera.fixedcamid
        if camera.kind == TRACKING and model is not None:
            values["body"] = model.name("body", camera.trackbodyid) or camera.trackbodyid
        return values

    def load(self, path: Path, without: Container[str] = ()) -> bool:
        """Open a workspace file; False (and a log entry) when it cannot be read. The camera waits for a model where there is none yet.

        without: 'speed' or 'camera', where these are not to be taken from it.
        """
        try:
            content = tomllib.loads(Path(path).read_text())
            workspace = by_id(content["workspace"])
            check_tables(content)
            speed, camera = speed_of(content), content.get("camera", {})
            free_camera(camera)
        except (OSError, ValueError, TypeError) as error:
            self._services.context.log("error", f"{path}: the workspace cannot be read: {error}")
            return False
        except KeyError as error:
            self._services.context.log("error", f"{path}: there is no workspace {error}")
            return False
        if workspace is not self.current:
            self._keep()
            self.current = workspace
        if not self._layout.take(content.get("layout", {})):
            self._layout.arrange(workspace)
            for panel_id in content.get("panels", ()):
                self._layout.show(panel_id)
        self._take_view(content.get("view"))
        if "speed" not in without:
            self._services.simulation.set_speed(speed)
        self.chosen.emit(workspace.id)
        self._take_cameras_when_there(camera if "camera" not in without else {}, content.get("cameras") if workspace.cameras else None)
        return True

    def _take_cameras_when_there(self, values: dict, seen: list | None) -> None:
        """The view's camera, {} for the one there is, and those that are seen in the view, None for those that are."""
        context = self._services.context
        if not values and seen is None:
            return
        first, self._to_take = self._to_take is None, (values, seen)
        if context.model is not None:
            self._model_there(context.model)
        elif first:
            context.model_changed.connect(self._model_there)

    def _model_there(self, model) -> None:
        (values, seen), self._to_take = self._to_take, None
        with suppress(TypeError):       # it was there
            self._services.context.model_changed.disconnect(self._model_there)
        if values:
            self._take_camera(values)
        if seen is not None:
            self._services.insets.choose([element_index(model, "camera", named) for named in seen])

    def _take_camera(self, values: dict) -> None:
        model, control = self._services.context.model, self._services.view
        kind = values.get("kind", FREE)
        if kind != FIXED:
            control.move(free_camera(values))
        found = element_index(model, "camera", values.get("camera")) if kind == FIXED else -1
        if found >= 0:
            control.set_camera(found)
        body = element_index(model, "body", values.get("body")) if kind == TRACKING else -1
        if body > 0:
            control.track_body(body)
        self._services.context.options_changed.emit()


def check_tables(content: dict) -> None:
    """Raises TypeError where something else is in the place of a table."""
    for name in ("layout", "view", "camera"):
        if not isinstance(content.get(name, {}), dict):
            raise TypeError(f"'{name}' is no table")
    if not isinstance(content.get("cameras", []), list) or any(isinstance(named, bool) or not isinstance(named, str | int) for named in content.get("cameras", [])):
        raise TypeError("'cameras' is no list of names")


def speed_of(content: dict) -> float | None:
    """Simulated over real time, None for 'max'. Raises ValueError or TypeError where it is neither."""
    speed = content.get("speed", 1.0)
    if speed == "max":
        return None
    if not 0 < float(speed) < math.inf:
        raise ValueError(f"{speed} is no speed")
    return float(speed)


def free_camera(values: dict) -> CameraState:
    """The free camera of a file. Raises ValueError or TypeError where its values are no numbers."""
    x, y, z = (float(value) for value in values.get("lookat", (0, 0, 0)))
    return CameraState(FREE, (x, y, z), *(float(values.get(name, 0.0)) for name in ("distance", "azimuth", "elevation")))


def element_index(model, kind: str, named: str | int | None) -> int:
    """Number of an element by name or number; -1 where there is none."""
    if isinstance(named, str):
        return model.id(kind, named)
    count = {"camera": model.ncam, "body": model.nbody}[kind]
    return named if named is not None and 0 <= named < count else -1
