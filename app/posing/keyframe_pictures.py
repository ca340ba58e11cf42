"""Small pictures of keyframes: drawn by the view's renderer one after the other, between its own pictures, where the view is drawn (not in the GUI thread on software GL)."""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from PyQt6.QtCore import QObject, QTimer, pyqtSignal
from PyQt6.QtGui import QImage, QPixmap

from app.bridge.options import VisOptions
from app.bridge.view import free_camera
from app.thumbnails import SIZE
from physics.model.data import Data
from physics.model.model import Model
from physics.query.keyframes import Keyframe
from physics.runtime.snapshot import Snapshot
from physics.simulate.stages import com_pos, kinematics, tendon

PIXELS = (SIZE.width() * 3 // 4, SIZE.height() * 3 // 4)      # of a picture
MOST = 300      # that are kept
MOST_TRIES = 3  # to draw one: none is drawn before the view has had a picture of the Model
LOST_MS = 10_000
PAUSE_MS = 30   # between two, so that the view has its pictures meanwhile


class PoseScratch:
    """A Data of a Model to put poses into, made when it is first needed."""

    def __init__(self):
        self._data: Data | None = None

    def at(self, m: Model, key: Keyframe) -> Data:
        """A Data at a keyframe, with the poses of bodies and tendons that follow; valid until the next call. Raises ValueError where it does not fit."""
        if self._data is None or self._data.model is not m:
            self._data = Data(m)
        d = self._data
        key.write(d)
        kinematics(m, d)
        return d


class KeyframePictures(QObject):
    """draw(snapshot, options, camera, size) -> pixels (height, width, 4) or None: draws in the view's context; run(job, then): has a job done there.

    Signal: changed() when another picture is there."""

    changed = pyqtSignal()

    def __init__(self, draw: Callable, run: Callable, parent: QObject | None = None):
        super().__init__(parent)
        self._draw, self._run = draw, run
        self._made: OrderedDict[tuple, tuple[int, QPixmap]] = OrderedDict()
        self._generation = 0        # of the Model: pictures of the one before are shown until there are others
        self._wanted: list[tuple[tuple, Model, Keyframe]] = []
        self._tries: dict[tuple, int] = {}
        self._out = False
        self._scratch = PoseScratch()
        self._lost = QTimer(self)       # a context that went away never answers
        self._lost.setSingleShot(True)
        self._lost.setInterval(LOST_MS)
        self._lost.timeout.connect(self._forget)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._next)

    def of(self, m: Model, key: Keyframe) -> QPixmap | None:
        """The picture of a keyframe; None while it is not there."""
        return self._made.get(_name(key), (0, None))[1]

    def model_changed(self, another: bool) -> None:
        """Another Model runs: its pictures are to be drawn. another: of another document, so that those there are mean nothing."""
        self._generation += 1
        self._wanted, self._tries, self._scratch = [], {}, PoseScratch()
        if another:
            self._made.clear()

    def want(self, m: Model, keys) -> None:
        """Draw those of these that are not there; what was wanted before is not any more."""
        self._wanted = [(name, m, key) for key in keys if self._made.get(name := _name(key), (-1, None))[0] != self._generation and self._tries.get(name, 0) < MOST_TRIES]
        if self._wanted and not self._out:
            self._pause.start()

    def _next(self) -> None:
        if self._out or not self._wanted:
            return
        name, m, key = self._wanted.pop(0)
        self._tries[name] = self._tries.get(name, 0) + 1
        self._out = True
        self._lost.start()
        generation, scratch = self._generation, self._scratch

        def job(_ctx):
            try:
                d = scratch.at(m, key)
                com_pos(m, d)
                tendon(m, d)
                snapshot = Snapshot(m, d, 0)
                snapshot.copy_from(d)
                return self._draw(snapshot, VisOptions(), free_camera(m), PIXELS)
            except Exception:   # without a picture the list is still of use
                return None

        self._run(job, lambda pixels: self._take(name, generation, pixels))

    def _forget(self) -> None:
        self._out = False

    def _take(self, name: tuple, generation: int, pixels: np.ndarray | None) -> None:
        self._out = False
        self._lost.stop()
        if pixels is not None and generation == self._generation:
            pixels = np.ascontiguousarray(pixels)
            image = QImage(pixels.ctypes.data, pixels.shape[1], pixels.shape[0], 4 * pixels.shape[1], QImage.Format.Format_RGB32).copy()
            self._made[name] = generation, QPixmap.fromImage(image)
            while len(self._made) > MOST:
                self._made.popitem(last=False)
            self.changed.emit()
        if self._wanted:
            self._pause.start()


def _name(key: Keyframe) -> tuple:
    return key.qpos.tobytes(), key.mocap_pos.tobytes(), key.mocap_quat.tobytes()
