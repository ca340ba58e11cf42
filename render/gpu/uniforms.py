"""The view of one picture: its matrices, and the uniform block (binding 0) that carries them, laid out as shaders/lib/view.glsl says."""
from dataclasses import dataclass

import numpy as np

from render.scene.camera import View, projection_matrix, view_matrix

_VIEW_FLOATS = 16 + 7 * 4
NO_CLIP = (0.0, 0.0, 0.0, 1.0)


@dataclass(slots=True)
class Optics:
    """Matrices of one picture: world to clip, and eye, forward as the shaders need them; bias: depth [of clip space] by which each
    segment number comes nearer than the one before."""
    viewproj: np.ndarray
    eye: np.ndarray
    forward: np.ndarray
    orthographic: bool
    far: float
    bias: float = 0.0

    @classmethod
    def of(cls, view: View, aspect: float):
        """From a camera's view and the picture's aspect ratio."""
        forward = np.asarray(view.forward, float)
        return cls(projection_matrix(view, aspect) @ view_matrix(view), np.asarray(view.pos, float), forward / np.linalg.norm(forward),
                   view.orthographic, view.far)

    def mirrored(self, point, normal):
        """The picture seen in the plane through point with that unit normal."""
        flip = np.eye(3) - 2 * np.outer(normal, normal)
        mirror = np.eye(4)
        mirror[:3, :3] = flip
        mirror[:3, 3] = 2 * np.dot(normal, point) * normal
        return Optics(self.viewproj @ mirror, flip @ self.eye + mirror[:3, 3], flip @ self.forward, self.orthographic, self.far, self.bias)


class ViewBlock:
    """One uniform buffer for a picture."""

    def __init__(self, ctx):
        self.buffer = ctx.buffer(reserve=4 * _VIEW_FLOATS, dynamic=True)
        self._data = np.zeros(_VIEW_FLOATS, np.float32)

    def write(self, optics: Optics, size, look=None, fog=False, clip=NO_CLIP, rgb_scale=1.0):
        """Upload a picture's matrices; look gives the fog."""
        data = self._data
        data[0:16] = optics.viewproj.T.ravel()
        data[16:20] = *optics.eye, float(optics.orthographic)
        data[20:24] = *optics.forward, optics.bias
        data[24:28] = clip
        data[28:32] = size[0], size[1], 1 / size[0], 1 / size[1]
        if look is not None:
            data[32:36] = *look.fog_rgba[:3], float(fog)
            data[36:40] = look.fogstart * look.extent, look.fogend * look.extent, optics.far, 0
        data[40:44] = rgb_scale, 0, 0, 0
        self.buffer.write(data)

    def bind(self):
        """Make it the current view."""
        self.buffer.bind_to_uniform_block(0)

    def release(self):
        """Free the buffer."""
        self.buffer.release()
