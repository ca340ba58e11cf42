"""Cameras and what is drawn: what the View menu and the letter keys do."""
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from PyQt6.QtGui import QGuiApplication

from app.bridge import view as bridge_view
from app.bridge.options import LOOKS
from app.bridge.view import default_camera, lens_of, view_of
from app.context import AppContext
from app.controllers.camera_flight import CameraFlight
from physics.runtime.snapshot import Snapshot
from render.scene import camera
from render.scene.camera import FIXED, FREE, TRACKING, CameraState, Lens, View
from render.scene.snapshot import SHOWN

FREE_INDEX, TRACKING_INDEX = -2, -1

MARGIN = 1.15   # around what is framed
# azimuth and elevation that show a side of a thing whose front is along x and left along y, as robots are built
SIDES = MappingProxyType({"front": (180.0, 0.0), "back": (0.0, 0.0), "left": (-90.0, 0.0), "right": (90.0, 0.0), "top": (90.0, -90.0), "bottom": (90.0, 90.0)})


class ViewController:
    """Owns the camera; handlers of the view's actions. Camera indices: -2 free, -1 tracking, 0 and up the model's cameras."""

    def __init__(self, context: AppContext):
        self._context = context
        self.camera = CameraState()
        self._free = CameraState()   # where the free camera was before a fixed one was chosen
        self._through = ("camera", "")   # kind and name of what a fixed or tracking camera hangs on, to find it in a reloaded model
        self._flight = CameraFlight(lambda: self.camera, self._fly)
        context.model_changed.connect(self._model_changed)

    # ------------------------------------------------------------------ what the camera sees

    def _model_changed(self, model) -> None:
        if self._context.newly_opened:
            self.align()
            self.set_camera(default_camera(model).fixedcamid if default_camera(model).kind == FIXED else FREE_INDEX)
        elif self.camera.kind == FIXED:
            self._find_again(model, self.camera.fixedcamid, model.ncam, "fixedcamid")
        elif self.camera.kind == TRACKING:
            self._find_again(model, self.camera.trackbodyid, model.nbody, "trackbodyid")

    def _find_again(self, model, index: int, count: int, attribute: str) -> None:
        kind, name = self._through
        found = model.id(kind, name) if name else index if index < count else -1
        if found < 0:
            self.free_camera()
        else:
            self.camera = replace(self.camera, **{attribute: found})

    def lens(self) -> Lens:
        """Lens of the free camera of the present model."""
        model = self._context.model
        return Lens() if model is None else lens_of(model)

    @property
    def extent(self) -> float:
        """Size of the model [m]."""
        return float(self._context.model.stat.extent) if self._context.model is not None else 1.0

    def view(self, snapshot: Snapshot | None) -> View:
        """The view to draw `snapshot` from; a tracking camera follows its body."""
        if snapshot is None:
            return camera.free_view(self.camera, self.lens())
        if self.camera.kind == TRACKING:
            self.camera = camera.track(self.camera, self.camera.trackbodyid, snapshot.subtree_com[self.camera.trackbodyid])
        return view_of(snapshot.model, snapshot, self.camera)

    # ------------------------------------------------------------------ camera actions

    def move(self, state: CameraState) -> None:
        """The mouse has moved the camera."""
        self.camera = state

    def _fly(self, state: CameraState) -> None:
        self.camera = state
        self._context.camera_moved.emit()

    @property
    def flying(self) -> bool:
        """Whether the camera is on its way somewhere."""
        return self._flight.flying

    def close(self) -> None:
        """The window goes: nothing moves the camera any more."""
        self._flight.stop()

    def frame(self, point, radius: float) -> None:
        """Fill the view with a ball, from the side that it is seen from; a fixed camera becomes free."""
        start = self._free_start()
        half = np.radians(min(self.lens().fovy, 90.0)) / 2
        distance = radius * MARGIN / (np.sin(half) if not self.lens().orthographic else 1.0)
        distance = float(np.clip(distance, 0.01 * self.extent, 100 * self.extent))
        self._flight.go(start, replace(start, lookat=tuple(map(float, point)), distance=distance))

    def turn_to(self, azimuth: float, elevation: float) -> None:
        """Turn about what is looked at, until the view is along these angles [degree]; a tracking camera goes on to track."""
        start = self.camera if self.camera.kind == TRACKING else self._free_start()
        self._flight.go(start, replace(start, azimuth=azimuth, elevation=elevation))

    def look_from(self, side: str) -> None:
        """Look from one of SIDES."""
        self.turn_to(*SIDES[side])

    def show_cube(self, on: bool) -> None:
        """The cube at the top right of the view, now and from now on."""
        self._context.settings.set("view/cube", on)

    def _free_start(self) -> CameraState:
        """The present view as a free camera; the last one where a fixed camera is looked through."""
        state = self._free if self.camera.kind == FIXED else self.camera
        return camera.look_at_point(state, state.lookat)

    def align(self) -> None:
        """Free camera at the model's default view."""
        model = self._context.model
        if model is None:
            return
        self.camera = bridge_view.free_camera(model)
        self._context.options_changed.emit()

    def camera_index(self) -> int:
        """Index of the camera in use."""
        return {FREE: FREE_INDEX, TRACKING: TRACKING_INDEX}.get(self.camera.kind, self.camera.fixedcamid)

    def set_camera(self, index: int) -> None:
        """Choose a camera by index."""
        model = self._context.model
        if model is None or index >= model.ncam:
            return
        if self.camera.kind != FIXED:
            self._free = self.camera
        if index >= 0:
            self.camera = CameraState(kind=FIXED, fixedcamid=index)
            self._through = ("camera", model.name("camera", index))
        elif index == TRACKING_INDEX:
            self.track_body(self._context.selection.bodyid or min(1, model.nbody - 1))
        else:
            self.free_camera()
        self._context.options_changed.emit()

    def free_camera(self) -> None:
        """Back to the free camera where it was."""
        if self.camera.kind == FIXED:
            self.camera = camera.look_at_point(self._free, self._free.lookat)
        elif self.camera.kind == TRACKING:
            self.camera = camera.look_at_point(self.camera, self.camera.lookat)
        self._context.options_changed.emit()

    def track_body(self, bodyid: int) -> None:
        """Tracking camera on a body."""
        start = self._free if self.camera.kind == FIXED else self.camera
        snapshot = self._context.snapshot
        if snapshot is not None:
            self.camera = camera.track(start, bodyid, snapshot.subtree_com[bodyid])
            self._through = ("body", snapshot.model.name("body", bodyid))
            self._context.options_changed.emit()

    def look_at(self, point) -> None:
        """Recentre on a clicked point."""
        self.camera = camera.look_at_point(self._free if self.camera.kind == FIXED else self.camera, point)
        self._context.options_changed.emit()

    def cycle_camera(self, direction: int) -> None:
        """The next or previous camera of free, tracking and the model's own."""
        count = 2 + (self._context.model.ncam if self._context.model is not None else 0)
        self.set_camera((self.camera_index() + 2 + direction) % count - 2)

    def copy_camera(self) -> None:
        """The present view as a <camera> element on the clipboard."""
        view = self.view(self._context.snapshot)
        numbers = [*view.right(), *view.up]
        text = '<camera pos="{}" xyaxes="{}"/>'.format(" ".join(f"{x:.3f}" for x in view.pos), " ".join(f"{x:.3f}" for x in numbers))
        QGuiApplication.clipboard().setText(text)
        self._context.log("info", "Camera copied to the clipboard as a <camera> element")

    # ------------------------------------------------------------------ what is drawn

    def toggle_flag(self, name: str) -> None:
        """Switch one flag of app.bridge.options by its identifier."""
        self._context.options.toggle(name)
        self._context.options_changed.emit()

    def clear_markers(self) -> None:
        """Take out what scripts have drawn, whoever did."""
        self._context.markers.clear()

    def use_physical_look(self, on: bool) -> None:
        """The physically based look or the classic one; remembered."""
        self.choose_look(LOOKS[on])

    def choose_look(self, look: str) -> None:
        """One of LOOKS; remembered."""
        self._context.options.look = look
        self._context.settings.set("view/look", look)
        self._context.options_changed.emit()

    def toggle_group(self, which: tuple[str, int]) -> None:
        """Switch one group: ('geom', 3)."""
        kind, number = which
        groups = self._context.options.group(kind)
        groups[number] = not groups[number]
        self._context.options_changed.emit()

    def choose_mode(self, which: tuple[str, str]) -> None:
        """A label or frame mode by name: ('label', 'Body')."""
        what, name = which
        setattr(self._context.options, what, name)
        self._context.options_changed.emit()

    def cycle_label(self) -> None:
        """The next label mode."""
        self._context.options.cycle("label")
        self._context.options_changed.emit()

    def cycle_shown(self) -> None:
        """The next kind of picture: colours, depth, things, types, numbers, normals."""
        options = self._context.options
        options.show = SHOWN[(SHOWN.index(options.show) + 1) % len(SHOWN)]
        self._context.options_changed.emit()

    def cycle_frame(self) -> None:
        """The next frame mode."""
        self._context.options.cycle("frame")
        self._context.options_changed.emit()
