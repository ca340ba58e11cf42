"""Pixels into the window of a script: whatever OpenGL context the script has made current, glfw's for instance."""
from __future__ import annotations

import moderngl
import numpy as np


class ScriptWindow:
    """The default framebuffer of the context that is current in this thread. Raises RuntimeError where there is none."""

    def __init__(self):
        try:
            self._ctx = moderngl.create_context(require=210)
        except Exception as error:
            raise RuntimeError(f"no OpenGL context is current: {error}") from error
        if min(self.size) < 1:
            raise RuntimeError("the context that is current has no window")
        self._picture = self._source = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window [pixel]."""
        return tuple(self._ctx.screen.viewport[2:])

    def show(self, pixels: np.ndarray) -> None:
        """Put pixels (height, width, 3), the bottom row first, into the window's back buffer, from its lower left on."""
        height, width = pixels.shape[:2]
        if self._picture is None or self._picture.size != (width, height):
            self.free()
            self._picture = self._ctx.texture((width, height), 3, alignment=1)
            self._source = self._ctx.framebuffer([self._picture])
        self._picture.write(np.ascontiguousarray(pixels).tobytes(), alignment=1)
        self._ctx.screen.viewport = (0, 0, width, height)
        self._ctx.copy_framebuffer(self._ctx.screen, self._source)

    def free(self) -> None:
        """Let go what it has on the graphics card."""
        for item in (self._source, self._picture):
            if item is not None:
                item.release()
        self._picture = self._source = None
