"""Camera, what is drawn and what is selected, in the script and in the window: both may change them, and each is told what the other has changed.

    script's cam, opt --take--> view, options        what the user changes --tell--> script, by its next sync
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PyQt6.QtCore import QObject, QTimer

from app.passive.view_values import changed, put_values, values_of
from app.wire import Application
from render.scene.camera import FIXED, FREE, TRACKING, CameraState

LOOK_MS = 30    # between two looks at the camera, which the mouse moves


class ViewExchange(QObject):
    """tell({"options": values that were changed, "camera": CameraState, "select": body, "viewport": (width, height)}) with what is new, each left out where it is as before."""

    def __init__(self, application: Application, tell: Callable[[dict], None]):
        super().__init__(application)
        self._application, self._context, self._control, self._tell = application, application.context, application.view_control, tell
        self._options = values_of(self._context.options)
        self._camera, self._selected, self._size = self._control.camera, self._context.selection.bodyid, self._pixels()
        self._context.options_changed.connect(self.look)
        self._context.selection_changed.connect(self._selection_changed)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def now(self) -> dict:
        """All there is to tell."""
        self._options, self._camera, self._selected = values_of(self._context.options), self._control.camera, self._context.selection.bodyid
        self._size = self._pixels()
        return {"options": dict(self._options), "camera": self._camera, "select": self._selected, "viewport": self._size}

    def _pixels(self) -> tuple[int, int]:
        """Width and height of the view [pixel of the screen]."""
        host = self._application.viewport.host
        ratio = host.devicePixelRatioF()
        return round(host.width() * ratio), round(host.height() * ratio)

    def look(self) -> None:
        """Tell what has changed since the last look."""
        told: dict = {}
        options = values_of(self._context.options)
        if options != self._options:
            told["options"], self._options = changed(options, self._options), options
        if self._control.camera != self._camera:
            told["camera"] = self._camera = self._control.camera
        if self._context.selection.bodyid != self._selected:
            told["select"] = self._selected = self._context.selection.bodyid
        if self._size != (size := self._pixels()):
            told["viewport"] = self._size = size
        if told:
            self._tell(told)

    def _selection_changed(self, _selection) -> None:
        self.look()

    def take(self, told: dict) -> None:
        """The script has changed these. What does not fit is told in the log."""
        try:
            if "options" in told:
                put_values(self._context.options, told["options"])
            if "camera" in told:
                self._look_from(told["camera"])
            if "select" in told:
                self._context.select_body(int(told["select"]))
        except (KeyError, IndexError, ValueError) as error:
            self._context.log("warning", f"The script's view: {error.args[0]}")
        self._context.options_changed.emit()    # told to the script too, which knows
        self.now()

    def _look_from(self, camera: CameraState) -> None:
        model, control = self._context.model, self._control
        if camera.kind == FIXED and not 0 <= camera.fixedcamid < model.ncam:
            raise ValueError(f"there is no camera {camera.fixedcamid}, the model has {model.ncam}")
        if camera.kind == TRACKING and not 0 <= camera.trackbodyid < model.nbody:
            raise ValueError(f"there is no body {camera.trackbodyid}, the model has {model.nbody}")
        if camera.kind == FIXED:
            control.set_camera(camera.fixedcamid)
            return
        control.move(replace(camera, kind=FREE, trackbodyid=-1, fixedcamid=-1))
        if camera.kind == TRACKING:
            control.track_body(camera.trackbodyid)
