"""Draws a moment of a simulation into an array, away from any view: pictures and the frames of films."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.bridge import build_scene
from app.bridge.model_visuals import ModelVisuals, visuals_of
from app.bridge.options import VisOptions
from app.bridge.view import view_of
from app.bridge.view_state import ViewState
from app.film.formats import TooLarge, check_size
from physics.runtime.snapshot import Snapshot
from render import pictures
from render.annotate import annotate, font_height
from render.offscreen import Offscreen
from render.quality import Quality
from render.scene.camera import CameraState
from render.scene.label_layout import LabelLayout
from render.scene.snapshot import Scene


@dataclass(frozen=True, slots=True)
class Texts:
    """What is written on a picture: the scene's labels and legend; a caption at the bottom left, empty for none."""

    labels: bool = True
    caption: str = ""


class OffscreenRenderer:
    """An off-screen camera. Raises RuntimeError where there is no OpenGL.

    quality None: chosen by the driver. lent: as Offscreen has it.
    """

    def __init__(self, quality: Quality | None = None, lent=None):
        self._offscreen = Offscreen(16, 16, quality, lent)
        self._scene = Scene()
        self._layout = LabelLayout()    # keeps labels steady from frame to frame
        self._track = None
        self._visuals: ModelVisuals | None = None

    def shot(self, snapshot: Snapshot, options: VisOptions, camera: CameraState, size: tuple[int, int], texts: Texts = Texts(), transparent: bool = False,
             state: ViewState | None = None) -> np.ndarray:
        """(height, width, 3) uint8 of a Snapshot, or (height, width, 4) with straight alpha. state: what is selected, and the trails that the first picture goes on with.

        Raises FilmError for an impossible size, TooLarge where OpenGL cannot draw it.
        """
        import moderngl

        check_size(*size)
        m = snapshot.model
        state = state or ViewState()
        if self._track is None:
            self._track = state.track.copy()    # a window feeds its own at other times
        self._visuals = visuals_of(m, self._visuals)
        build_scene(self._visuals, snapshot, options, self._scene, replace(state, track=self._track))
        view = view_of(m, snapshot, camera)
        try:
            picture = pictures.draw(self._offscreen, self._scene, view, size, transparent)
        except (moderngl.Error, MemoryError, ValueError) as error:
            raise TooLarge(f"OpenGL cannot draw a picture of {size[0]} x {size[1]} here: {error}") from error
        if texts.labels and (self._scene.labels.pos or self._scene.legend):
            picture = annotate(picture, self._scene, view, self._layout)
        return captioned(picture, texts.caption) if texts.caption else picture

    def begin(self) -> None:
        """Another film or picture: trails start from the window's, labels are placed afresh."""
        self._track, self._layout = None, LabelLayout()

    def close(self) -> None:
        """Free everything; calling it again does nothing."""
        self._offscreen.close()


def captioned(picture: np.ndarray, text: str) -> np.ndarray:
    """A copy of the picture (height, width, 3 or 4) uint8 with a line of text at its bottom left."""
    from PIL import Image, ImageDraw, ImageFont

    from assets.locate import font

    size = font_height(picture.shape[0])
    image = Image.fromarray(picture)
    ImageDraw.Draw(image).text((0.6 * size, picture.shape[0] - 0.6 * size), text, font=ImageFont.truetype(str(font()), size), fill=(255, 255, 255), anchor="lb",
                               stroke_width=max(1, round(size / 8)), stroke_fill=(16, 20, 28))
    return np.array(image)


def time_caption(time: float, speed: float) -> str:
    """Simulated time, and the speed of the film where it is not that of life."""
    return f"{time:.2f} s" + ("" if speed == 1 else f"   {100 * speed:.4g} %")
