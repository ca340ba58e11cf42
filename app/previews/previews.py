"""Pictures of models that do not run: what a dialog would make, drawn off-screen in a thread of its own."""
from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PyQt6.QtCore import QObject

from app.bridge.bounds import bounds_of
from app.bridge.options import VisOptions
from app.bridge.view import free_camera, lens_of
from app.bridge.view_state import OutlineStyle, Selection, ViewState
from app.film.offscreen_renderer import OffscreenRenderer, Texts
from app.panels.pipeline.newest_work import NewestWork
from physics.model.data import Data
from physics.model.elements import element
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from physics.simulate import warm_up
from physics.simulate.stages import com_pos, kinematics, tendon
from render.scene.camera import CameraState

DRAWN = ("body", "geom", "site", "tendon", "skin")     # kinds that a picture can show
MARGIN = 1.15       # of the distance from which a ball fills the picture
STEEPEST = 89.0     # degrees


class Previews:
    """One for a window. `draw` may be called from any thread, one at a time; the renderer is kept until `let_go`."""

    def __init__(self):
        self._lock = threading.Lock()
        self._renderer: OffscreenRenderer | None = None
        self._drawn: tuple[Model, Snapshot] | None = None

    def work(self, parent: QObject) -> NewestWork:
        """A thread for a dialog, of whose work the newest counts."""
        return NewestWork("preview", parent)

    def draw(self, m: Model, made: Sequence[tuple[str, int]], look, size: tuple[int, int]) -> np.ndarray:
        """(height, width, 3) uint8 of a Model at qpos0, what is `made` in the middle with a line about it. look: editor.tree.preview.Look. Raises RuntimeError with the reason where
        there is no picture."""
        with self._lock:
            if self._renderer is None:
                self._renderer = OffscreenRenderer()
            snapshot = self._posed(m)
            elements = tuple(element(m, kind, number) for kind, number in made if kind in DRAWN)
            options = VisOptions()
            if look.alone and elements:
                options.isolated = frozenset(elements)
            state = ViewState(selection=Selection(elements=() if look.alone else elements), outline=OutlineStyle())
            return self._renderer.shot(snapshot, options, framed(m, snapshot, elements, look, size), size, Texts(labels=False), state=state)

    def _posed(self, m: Model) -> Snapshot:
        if self._drawn is None or self._drawn[0] is not m:
            if not warm_up.covers(m):
                raise RuntimeError("the physics engine is still being compiled")
            d = Data(m)
            kinematics(m, d)
            com_pos(m, d)
            tendon(m, d)
            snapshot = Snapshot(m, d, 0)
            snapshot.copy_from(d)
            self._drawn = m, snapshot
        return self._drawn[1]

    def let_go(self) -> None:
        """No more pictures are wanted for now. Returns at once: the renderer ends when the picture under way is there."""
        threading.Thread(target=self._end, name="preview ends", daemon=True).start()

    def _end(self) -> None:
        with self._lock:
            renderer, self._renderer, self._drawn = self._renderer, None, None
            if renderer is not None:
                renderer.close()


def framed(m: Model, snapshot: Snapshot, elements: Sequence, look, size: tuple[int, int]) -> CameraState:
    """A free camera that looks at elements so that they fill a picture; at the whole model without any."""
    start = free_camera(m)
    balls = [ball for what in elements if what.kind != "body" and (ball := bounds_of(m, snapshot, what)) is not None]
    balls = balls or [ball for what in elements if (ball := bounds_of(m, snapshot, what)) is not None]
    point, radius = np.array(m.stat_center), float(m.stat_extent)
    if balls:
        low = np.min([centre - reach for centre, reach in balls], axis=0)
        high = np.max([centre + reach for centre, reach in balls], axis=0)
        point, radius = (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2 if len(balls) > 1 else balls[0][1], 1e-3 * m.stat_extent)
    lens = lens_of(m)
    half = np.radians(min(lens.fovy, 90.0)) / 2
    half = min(half, np.arctan(np.tan(half) * size[0] / size[1]))     # of a picture that is higher than wide the width counts
    distance = radius * MARGIN * look.distance / (1.0 if lens.orthographic else np.sin(half))
    elevation = float(np.clip(start.elevation + look.elevation, -STEEPEST, STEEPEST))
    return replace(start, lookat=tuple(map(float, point)), distance=float(distance), azimuth=start.azimuth + look.azimuth, elevation=elevation)
