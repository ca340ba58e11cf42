"""Pictures without a window: colours, depths and segments as arrays.

    with Offscreen(640, 480) as camera:
        rgb = camera.rgb(scene, view)

The context is current only inside the calls, so Qt may live in the same process.
"""
import numpy as np

from render.gpu import context
from render.quality import Quality
from render.renderer import Renderer
from render.scene import identity


class Offscreen:
    """Own target, in an own standalone context. Raises RuntimeError with a hint where GL is missing, ValueError for an empty size.

    lent: makes a host's context current for a with block, `with lent() as ctx`, which is drawn in then in place of an own one.
    """

    def __init__(self, width: int, height: int, quality: Quality | None = None, lent=None):
        self._lent = lent
        self.ctx = context.standalone() if lent is None else None
        self._target = None
        self.size = (0, 0)
        with self._current() as ctx:
            self.ctx = ctx
            self.renderer = Renderer(ctx, quality)
        self.resize(width, height)

    @property
    def driver(self) -> str:
        """GL_RENDERER."""
        return self.ctx.info['GL_RENDERER']

    def _current(self):
        return context.use(self.ctx) if self._lent is None else self._lent()

    @property
    def largest(self) -> int:
        """Largest side of a picture that the driver draws at once [pixel]."""
        return min(self.ctx.info['GL_MAX_TEXTURE_SIZE'], self.ctx.info['GL_MAX_RENDERBUFFER_SIZE'])

    def resize(self, width: int, height: int):
        """Change the picture's size [pixel]."""
        if width < 1 or height < 1:
            raise ValueError(f'a picture needs at least one pixel, not {width} x {height}')
        if max(width, height) > self.largest:
            raise ValueError(f'{width} x {height} is larger than this driver draws ({self.largest})')
        if (width, height) != self.size:
            with self._current():
                old = self._target
                self._target = self.ctx.framebuffer([self.ctx.renderbuffer((width, height), 4)])      # a depth would be resolved with it, for nothing
                self._target.use()      # before the old one goes: moderngl re-binds what was bound last
                if old is not None:
                    _free(old)
            self.size = (width, height)
            self._pixels = np.empty((height, width, 3), np.uint8)       # kept: fresh memory costs as much as reading

    def rgb(self, scene, view, samples: int | None = None, background=None) -> np.ndarray:
        """The picture, (height, width, 3) uint8, top row first. background: a colour in place of the sky."""
        with self._current():
            self.renderer.background = background
            self.renderer.draw(scene, view, self._target, self.size, samples)
            self._target.read_into(self._pixels, components=3, alignment=1)
        return np.flipud(self._pixels).copy()

    def depth(self, scene, view) -> np.ndarray:
        """Distance along the view of the nearest surface [m], (height, width) float32; inf where there is nothing."""
        ids = self._ids(scene, view, True)
        return np.where(ids[..., 0] > 0.5, ids[..., 1], np.float32(np.inf))

    def segments(self, scene, view) -> np.ndarray:
        """Segment number per pixel, (height, width) int32, -1 where there is nothing."""
        return np.rint(self._ids(scene, view, True)[..., 0]).astype(np.int32) - 1

    def segmentation(self, scene, view) -> np.ndarray:
        """(height, width, 2) int32: object id and type per pixel as the instance or line says, (-1, -1) where there is nothing."""
        told = identity.table(scene)[:, [1, 0]]
        return np.concatenate([told, np.full((1, 2), -1, np.int32)])[self.segments(scene, view)]

    def normals(self, scene, view) -> np.ndarray:
        """Unit normal of the nearest surface in world coordinates, on the side that is seen, (height, width, 3) float32; 0 where there is nothing."""
        with self._current():
            data = self.renderer.read_normals(scene, view, self.size)
        return np.ascontiguousarray(np.flipud(np.frombuffer(data, np.float32).reshape(self.size[1], self.size[0], 4))[..., :3])

    def _ids(self, scene, view, with_transparent):
        with self._current():
            data = self.renderer.read_ids(scene, view, self.size, with_transparent)
        return np.flipud(np.frombuffer(data, np.float32).reshape(self.size[1], self.size[0], 2))

    def close(self):
        """Free everything, the context too; calling it again does nothing."""
        if self.ctx is None:
            return
        with self._current():
            self.renderer.release()
            _free(self._target)
            self._target = None
        if self._lent is None:
            self.ctx.release()
        self.ctx = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _free(target):
    for item in (*target.color_attachments, target):
        item.release()
