"""What the simulation shows to pages: the geometry of its Model when it is another, the poses of its bodies as they come, at most RATE times a second, and pictures of cameras."""
from __future__ import annotations

import io
import threading
import weakref
from collections.abc import Callable

from app.inputs.mapping.scene_frame import SceneFrame
from app.inputs.server import frames
from app.inputs.server.geometry import cameras_of, packed_geometry
from app.inputs.server.server import Server

RATE = 75.0     # poses a second
QUALITY = 75    # of JPEG
UNMOVED = SceneFrame()


class Feed:
    """On one Server, which has started. `publish` and `show_picture` may be called from any thread, one at a time each.

    wanted: names of the cameras that somebody looks through. on_wanted: called in the server's thread when these change. No Model is kept here: a large one lives no longer for having been shown.
    """

    def __init__(self, server: Server):
        self.wanted: frozenset[str] = frozenset()
        self.on_wanted: Callable[[frozenset[str]], None] | None = None
        self._server, self._room = server, server.room
        self._model: weakref.ref | None = None
        self._revision = None
        self._generation = 0
        self._pictures = 0
        self._lock = threading.Lock()
        self._pending: tuple | None = None      # frame, applied, generation, scene
        self._due = False       # whether it is to be sent anyway
        # in the server's thread:
        self._sent_at = 0.0
        self._shown = self._packing = 0     # generation of the geometry that is shown, and that is being packed
        self._asked: tuple = (0, _no_model)     # generation, what gives its Model while there is one
        server.call(self._join)

    def publish(self, snapshot, applied: int = -1, lamp: str = "disarmed", scene: SceneFrame = UNMOVED) -> None:
        """Show a Snapshot, which may change afterwards. applied: number of the newest Sample (its seq) that has had its effect by then; lamp: one of frames.LAMPS; scene: where hands have brought the scene."""
        m = snapshot.model
        if m is None:
            return
        if self._model is None or m is not self._model() or snapshot.revision != self._revision:
            self._model, self._revision = weakref.ref(m), snapshot.revision
            self._generation += 1
            self._server.call(self._ask, self._generation, self._model)
        frame = frames.poses(self._generation, lamp, snapshot.number, float(snapshot.time), snapshot.xpos, snapshot.xquat)
        with self._lock:
            self._pending = frame, applied, self._generation, scene
            due, self._due = self._due, True
        if not due:
            self._server.call(self._flush)

    def show_picture(self, camera: str, jpeg: bytes) -> None:
        """A picture of a camera for who looks through it; the newest only is sent."""
        self._pictures += 1
        self._server.call(self._show_picture, camera, self._pictures, jpeg)

    def due(self, camera: str) -> bool:
        """Whether somebody who looks through a camera has seen the picture before, so that another would be sent at once. From any thread."""
        place = self._room.camera_number(camera)
        return place is not None and any(client.camera == place and client.outbox.wants_picture for client in tuple(self._room.clients))

    # ------------------------------------------------ in the server's thread

    def _join(self) -> None:
        self._room.on_enter, self._room.on_cameras = self._pack, self._cameras

    def _cameras(self, numbers: frozenset[int]) -> None:
        wanted = frozenset(self._room.cameras[i] for i in numbers if i < len(self._room.cameras))
        if wanted != self.wanted:
            self.wanted = wanted
            if self.on_wanted is not None:
                self.on_wanted(wanted)

    def _ask(self, generation: int, model: Callable[[], object]) -> None:
        self._asked = generation, model
        self._pack()

    def _pack(self) -> None:
        """Have the newest geometry packed in another thread, if there is anybody to see it."""
        generation, model = self._asked
        m = model()
        if m is not None and self._room.clients and generation not in (self._shown, self._packing):
            import asyncio

            self._packing = generation
            loop = asyncio.get_running_loop()
            cameras = cameras_of(m)
            loop.run_in_executor(None, packed_geometry, m).add_done_callback(lambda done: self._packed(generation, cameras, done))

    def _packed(self, generation: int, cameras: tuple[str, ...], done) -> None:
        if done.cancelled() or generation != self._asked[0]:
            return
        if done.exception() is not None:
            self._room.count("geometry_failed")
            return
        self._shown = generation
        self._room.show_geometry(frames.geometry(generation, done.result()), cameras)
        self._flush()

    def _flush(self) -> None:
        """Send the newest poses, unless some were sent just now: then a little later."""
        import asyncio

        loop = asyncio.get_running_loop()
        wait = self._sent_at + 1 / RATE - loop.time()
        if wait > 0:
            loop.call_later(wait, self._flush)
            return
        with self._lock:
            pending, self._due = self._pending, False
        if pending is not None:
            frame, applied, generation, scene = pending
            if generation == self._shown:
                self._sent_at = loop.time()
                self._room.show_scene(frames.text("scene", scale=scene.scale, yaw=scene.yaw, pos=list(scene.pos)))
                self._room.show_poses(frame, applied)

    def _show_picture(self, camera: str, number: int, jpeg: bytes) -> None:
        place = self._room.camera_number(camera)
        if place is not None:
            self._room.show_picture(place, number, frames.picture(number, place, jpeg))


def jpeg_of(rgb, quality: int = QUALITY) -> bytes:
    """A picture (height, width, 3) uint8, top row first, as JPEG."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(rgb).save(out, "JPEG", quality=quality)
    return out.getvalue()


def _no_model() -> None:
    """Nothing was published yet."""
