"""Pictures of a run's cameras as they are asked for, in the thread that asks: for pages that show one."""
from __future__ import annotations

from physics.runtime.runner import Runner

SIZE = 480, 360     # pixels


class CameraPictures:
    """Called with the name of a camera (app.inputs.server.geometry.cameras_of) gives (height, width, 3) uint8 of the newest Snapshot, None before the first or for a camera that is gone.

    All calls, `close` too, in one thread, which has the OpenGL context. reader: a number of `Runner.add_reader` that nobody else uses meanwhile; None: one of its own.
    """

    def __init__(self, runner: Runner, size: tuple[int, int] = SIZE, reader: int | None = None):
        self._runner, self._reader, self._size = runner, runner.add_reader() if reader is None else reader, size
        self._pictures = None

    def __call__(self, camera: str):
        from app.inputs.server.geometry import cameras_of
        from app.pictures import Pictures

        snapshot = self._runner.acquire(self._reader)
        if snapshot is None or camera not in cameras_of(snapshot.model):
            return None
        if self._pictures is None or self._pictures.model is not snapshot.model:
            self.close()
            self._pictures = Pictures(snapshot.model, *self._size, quality="low")
        self._pictures.look(snapshot, cameras_of(snapshot.model).index(camera))
        return self._pictures.rgb()

    def close(self) -> None:
        """Free what was made."""
        if self._pictures is not None:
            self._pictures.close()
            self._pictures = None
