"""The pixels that mjr_* draw into and read: colours and depths of the window, the offscreen buffer and the auxiliary ones, the bottom row first as in OpenGL.

    mjr_render -> Job (nothing is drawn yet) -> colours, or depths, or numbers, when they are read or drawn over

A script that only reads depths pays for no colours. The renderer draws in a context of its own, which is current only meanwhile: a script may have another one.
"""
from __future__ import annotations

import threading
from dataclasses import dataclass, field

import numpy as np

from render.annotate import draw_labels
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.camera import View
from render.scene.snapshot import Labels, Scene

from .cameras import mean_camera, view_of_scene
from .drawn import by_number, fill, labels_of

SIDE_BY_SIDE = 2        # mjtStereo
KEPT = 2                # cameras without an owner that are kept for the next one: shaders take a while to compile


class Cameras:
    """The process's cameras that nobody uses; lock: held while one draws."""

    def __init__(self):
        self.lock, self._idle = threading.RLock(), []

    def borrow(self) -> Offscreen:
        """One for whoever asks. Raises RuntimeError where OpenGL is missing."""
        with self.lock:
            return self._idle.pop() if self._idle else Offscreen(16, 16, QUALITIES["classic"])

    def give_back(self, camera: Offscreen) -> None:
        """Nobody uses this one any more."""
        with self.lock:
            if len(self._idle) < KEPT:
                self._idle.append(camera)
            else:
                camera.close()


CAMERAS = Cameras()


@dataclass(slots=True)
class Job:
    """A picture that was asked for: what is seen from where, in which part of the buffer (left, bottom, width, height)."""

    scene: Scene
    parts: list[tuple[View, tuple[int, int, int, int]]]
    numbered: bool
    frame: tuple[int, np.ndarray]
    labels: Labels
    waits: set = field(default_factory=lambda: {"colour", "depth"})


class Buffer:
    """One framebuffer. colour (height, width, 3) uint8; depth (height, width) float32, 0 near, 1 far."""

    def __init__(self, width: int, height: int):
        self.job: Job | None = None
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Another size; what was drawn is lost."""
        self.colour, self.job = np.zeros((height, width, 3), np.uint8), None
        self._depth: np.ndarray | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [pixel]."""
        return self.colour.shape[1], self.colour.shape[0]

    @property
    def depth(self) -> np.ndarray:
        """Depths of all pixels."""
        if self._depth is None:
            self._depth = np.ones(self.colour.shape[:2], np.float32)
        return self._depth

    def part(self, plane: np.ndarray, area: tuple[int, int, int, int]) -> np.ndarray:
        """What of colours or depths lies in an area."""
        left, bottom, width, height = area
        return plane[max(bottom, 0):max(bottom + height, 0), max(left, 0):max(left + width, 0)]


def put_picture(plane: np.ndarray, area: tuple[int, int, int, int], picture: np.ndarray) -> None:
    """Write a picture, the bottom row first, into an area of a plane; what lies outside is cut off."""
    left, bottom, width, height = area
    x, y = max(left, 0), max(bottom, 0)
    right, top = min(left + width, plane.shape[1]), min(bottom + height, plane.shape[0])
    if right > x and top > y:
        plane[y:top, x:right] = picture[y - bottom:top - bottom, x - left:right - left]


class Canvas:
    """What an MjrContext draws with: the buffers and the camera."""

    def __init__(self):
        self._camera: Offscreen | None = None

    def ask(self, buffer: Buffer, visuals, scn, area: tuple[int, int, int, int]) -> None:
        """An MjvScene is to be seen in an area of a buffer."""
        if buffer.job is not None and any(part != now for (_v, part), now in zip(buffer.job.parts, [area])):
            self.settle(buffer, "colour")
            self.settle(buffer, "depth")
        left, bottom, width, height = area
        if scn.stereo == SIDE_BY_SIDE:
            half = width // 2
            parts = [(view_of_scene(scn, gl), (left + k * half, bottom, half, height)) for k, gl in enumerate(scn.camera)]
        else:
            parts = [(view_of_scene(scn, mean_camera(*scn.camera)), area)]
        scene = Scene()
        fill(scene, visuals, scn)
        buffer.job = Job(scene, [part for part in parts if min(part[1][2:]) > 0], by_number(scn), (scn.framewidth, np.array(scn.framergb)), labels_of(scn))

    def settle(self, buffer: Buffer, what: str) -> None:
        """Draw what was asked for: 'colour' or 'depth'."""
        job = buffer.job
        if job is None or what not in job.waits:
            return
        job.waits.discard(what)
        with CAMERAS.lock:
            if self._camera is None:
                self._camera = CAMERAS.borrow()
            for view, area in job.parts:
                self._camera.resize(*area[2:])
                if what == "depth":
                    put_picture(buffer.depth, area, np.flipud(buffer_depth(view, self._camera.depth(job.scene, view))))
                else:
                    put_picture(buffer.colour, area, np.flipud(self._colours(job, view)))
                    _frame(buffer, area, *job.frame)

    def _colours(self, job: Job, view: View) -> np.ndarray:
        if job.numbered:
            numbers = self._camera.segments(job.scene, view) + 1
            return np.stack([numbers >> shift & 255 for shift in (0, 8, 16)], axis=-1).astype(np.uint8)
        rgb = self._camera.rgb(job.scene, view)
        return draw_labels(rgb, job.labels, view) if job.labels.pos else rgb

    def close(self) -> None:
        """Give the camera back; a later picture takes another one."""
        if self._camera is not None:
            CAMERAS.give_back(self._camera)
            self._camera = None


def buffer_depth(view: View, metres: np.ndarray) -> np.ndarray:
    """Distances along the view as OpenGL's depths, 0 near, 1 far: (1 / near - 1 / z) / (1 / near - 1 / far), of orthographic views in proportion."""
    near, far = float(view.near), float(view.far)
    z = np.clip(metres.astype(float), near, far)
    return ((z - near) / (far - near) if view.orthographic else (1 / near - 1 / z) / (1 / near - 1 / far)).astype(np.float32)


def _frame(buffer: Buffer, area: tuple[int, int, int, int], width: int, rgb: np.ndarray) -> None:
    if width > 0:
        part, colour = buffer.part(buffer.colour, area), np.rint(255 * np.clip(rgb, 0, 1)).astype(np.uint8)
        for edge in (part[:width], part[-width:], part[:, :width], part[:, -width:]):
            edge[:] = colour
