"""mujoco.Renderer: pictures, distances and segmentation of a model as arrays, the top row first."""
from __future__ import annotations

import numpy as np

from .functions.render import TABLE
from .functions.visualize import mjv_defaultFreeCamera, mjv_updateScene
from .picture_structs import MjrRect, MjvCamera, MjvOption
from .pictures.context import OFFSCREEN, MjrContext
from .scene_structs import MjvScene, rows_of

EVERYTHING, FREE, FIXED, ZERO_FAR = 7, 0, 2, 1      # mjCAT_ALL, mjtCamera, mjDEPTH_ZEROFAR
SEGMENT, IDCOLOR = 8, 9                             # mjtRndFlag


class Renderer:
    """An offscreen camera on a model. Raises ValueError where the picture is larger than visual/global/offwidth and offheight."""

    def __init__(self, model, height: int = 240, width: int = 320, max_geom: int = 10000, font_scale=150) -> None:
        self._mjr_context = self._gl_context = None
        limits = model.vis.global_
        for what, wanted, most in (("width", width, limits.offwidth), ("height", height, limits.offheight)):
            if wanted > most:
                raise ValueError(f'Image {what} {wanted} > framebuffer {what} {most}. Either reduce the image {what} or specify a larger offscreen framebuffer in the model XML using '
                                 f'the clause:\n<visual>\n  <global off{what}="my_{what}"/>\n</visual>')
        self._model, self._height, self._width = model, height, width
        self._scene, self._scene_option, self._rect = MjvScene(model=model, maxgeom=max_geom), MjvOption(), MjrRect(0, 0, width, height)
        self._mjr_context = MjrContext(model, getattr(font_scale, "value", font_scale))
        self._mjr_context.currentBuffer, self._mjr_context.readDepthMap = OFFSCREEN, ZERO_FAR
        self._depth_rendering = self._segmentation_rendering = False

    @property
    def model(self):
        """The MjModel."""
        return self._model

    @property
    def scene(self) -> MjvScene:
        """What is drawn; a script may append geoms after update_scene."""
        return self._scene

    @property
    def height(self) -> int:
        """Rows of a picture."""
        return self._height

    @property
    def width(self) -> int:
        """Columns of a picture."""
        return self._width

    def enable_depth_rendering(self) -> None:
        """Have render give distances along the view [m]."""
        self._segmentation_rendering, self._depth_rendering = False, True

    def disable_depth_rendering(self) -> None:
        """Have render give colours."""
        self._depth_rendering = False

    def enable_segmentation_rendering(self) -> None:
        """Have render give the id and type (mjtObj) of what is seen, -1 -1 for nothing."""
        self._segmentation_rendering, self._depth_rendering = True, False

    def disable_segmentation_rendering(self) -> None:
        """Have render give colours."""
        self._segmentation_rendering = False

    def render(self, *, out: np.ndarray | None = None) -> np.ndarray:
        """The picture, the top row first: (height, width, 3) uint8, distances (height, width) float32, or segmentation (height, width, 2) int32. out: an array of that shape
        that it goes into. Raises RuntimeError after close, ValueError for another shape of out."""
        if self._mjr_context is None:
            raise RuntimeError("render cannot be called after close.")
        shape = (self._height, self._width, *(() if self._depth_rendering else (2,) if self._segmentation_rendering else (3,)))
        if out is not None and out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead. When using depth rendering, the out array should be of shape `(height, width)`, when "
                             f"using segmentation rendering `(height, width, 2)`, and otherwise `(height, width, 3)`. Got `(self.height, self.width)={(self._height, self._width)}`, "
                             f"`self._depth_rendering={self._depth_rendering}`, and `self._segmentation_rendering={self._segmentation_rendering}`.")
        flags = self._scene.flags.copy()
        try:
            if self._depth_rendering or self._segmentation_rendering:
                self._scene.flags[SEGMENT] = self._scene.flags[IDCOLOR] = 1
            TABLE["mjr_render"](self._rect, self._scene, self._mjr_context)
            picture = np.flipud(self._metres() if self._depth_rendering else self._segments() if self._segmentation_rendering else self._colours())
        finally:
            self._scene.flags[:] = flags
        if out is None:
            return np.ascontiguousarray(picture)
        np.copyto(out, picture, casting="unsafe")
        return out

    def _colours(self) -> np.ndarray:
        pixels = np.empty((self._height, self._width, 3), np.uint8)
        TABLE["mjr_readPixels"](pixels, None, self._rect, self._mjr_context)
        return pixels

    def _metres(self) -> np.ndarray:
        """Depths of the buffer as distances: 1 / z = 1 / far + depth (1 / near - 1 / far), of an orthographic camera in proportion."""
        depth = np.empty((self._height, self._width), np.float32)
        TABLE["mjr_readPixels"](None, depth, self._rect, self._mjr_context)
        vis, extent = self._model.vis, self._model._inner.stat_extent
        near, far = float(vis.map.znear) * extent, float(vis.map.zfar) * extent
        depth = depth.astype(float)
        z = far - depth * (far - near) if self._scene.camera[0].orthographic else 1 / (1 / far + depth * (1 / near - 1 / far))
        return z.astype(np.float32)

    def _segments(self) -> np.ndarray:
        numbers = self._colours().astype(np.int64) @ (1, 1 << 8, 1 << 16)
        rows, n = rows_of(self._scene), self._scene.ngeom
        seen = np.flatnonzero(rows.segid[:n] >= 0)
        told = np.full((max(n, int(rows.segid[:n].max(initial=-1)) + 1) + 1, 2), -1, np.int32)
        told[rows.segid[seen] + 1, 0], told[rows.segid[seen] + 1, 1] = rows.objid[seen], rows.objtype[seen]
        return told[numbers]

    def update_scene(self, data, camera=-1, scene_option=None) -> None:
        """Take the state of an MjData. camera: an MjvCamera, a name or a number, -1 for the free one. Raises ValueError for a camera that there is not."""
        if not isinstance(camera, MjvCamera):
            camera = self._camera(camera)
        mjv_updateScene(self._model, data, scene_option or self._scene_option, None, camera, EVERYTHING, self._scene)

    def _camera(self, wanted: str | int) -> MjvCamera:
        m, number = self._model._inner, wanted
        if isinstance(wanted, str):
            number = m.id("camera", wanted)
            if number < 0:
                raise ValueError(f'The camera "{wanted}" does not exist.')
        if not -1 <= number < m.ncam:
            raise ValueError(f"The camera id {number} is out of range [-1, {m.ncam}).")
        camera = MjvCamera()
        camera.fixedcamid = int(number)
        if number == -1:
            camera.type = FREE
            mjv_defaultFreeCamera(self._model, camera)
        else:
            camera.type = FIXED
        return camera

    def close(self) -> None:
        """Free everything; calling it again does nothing."""
        if self._mjr_context is not None:
            self._mjr_context.free()
        self._mjr_context = None

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
