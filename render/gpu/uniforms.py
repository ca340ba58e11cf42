"""Uniform blocks shared by all programs: the view (binding 0) and the lights (binding 1), laid out as shaders/lib says."""
from dataclasses import dataclass

import numpy as np

from render.scene.camera import View, projection_matrix, view_matrix

MAX_LIGHTS = 16
_VIEW_FLOATS = 16 + 7 * 4
_LIGHT_ROWS = 1 + 6 * MAX_LIGHTS + 4 * MAX_LIGHTS + MAX_LIGHTS + 1
NO_CLIP = (0.0, 0.0, 0.0, 1.0)


@dataclass(slots=True)
class Optics:
    """Matrices of one picture: world to clip, and eye, forward as the shaders need them."""
    viewproj: np.ndarray
    eye: np.ndarray
    forward: np.ndarray
    orthographic: bool
    far: float

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
        return Optics(self.viewproj @ mirror, flip @ self.eye + mirror[:3, 3], flip @ self.forward, self.orthographic, self.far)


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
        data[20:24] = *optics.forward, 0
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


class LightBlock:
    """All lights of a frame. `gather` collects scene lights and headlight; `write` uploads them with their shadow tiles."""

    def __init__(self, ctx):
        self.buffer = ctx.buffer(reserve=16 * _LIGHT_ROWS, dynamic=True)

    def write(self, lights, shadows, texel):
        """lights: list of dicts from `gather`; shadows: {index of light: (matrix, tile)}; texel: size of one atlas texel."""
        data = np.zeros((_LIGHT_ROWS, 4), np.float32)
        data[0] = (0, 0, 0, 0) if lights else (0.3, 0.3, 0.3, 0)
        block = data[1:1 + 6 * MAX_LIGHTS].reshape(6, MAX_LIGHTS, 4)
        matrices = data[1 + 6 * MAX_LIGHTS:1 + 10 * MAX_LIGHTS].reshape(MAX_LIGHTS, 4, 4)
        tiles = data[1 + 10 * MAX_LIGHTS:1 + 11 * MAX_LIGHTS]
        for i, light in enumerate(lights):
            block[:, i] = light['rows']
        for tile, (matrix, place) in enumerate(shadows.values()):
            matrices[tile] = matrix.T
            tiles[tile] = place
        data[-1, 0] = texel
        self.buffer.write(data)
        self.buffer.bind_to_uniform_block(1)

    def release(self):
        """Free the buffer."""
        self.buffer.release()


def light_code(lights, shadows):
    """Defines that unroll the lights in the surface program: LIGHTS_PLAIN and LIGHTS_CAST (shadows as for LightBlock.write)."""
    tiles = {i: tile for tile, i in enumerate(shadows)}
    plain = [f"{'SPOT' if light['spot'] else 'DIRECTIONAL'}({i})" for i, light in enumerate(lights) if i not in tiles]
    cast = [f"{'SPOT' if lights[i]['spot'] else 'DIRECTIONAL'}_CAST({i},{tile})" for i, tile in tiles.items()]
    return {'LIGHTS_PLAIN': ' '.join(plain), 'LIGHTS_CAST': ' '.join(cast)}


def gather(scene, optics: Optics):
    """Lights that count, headlight first, at most MAX_LIGHTS: dicts with their six uniform rows and what shadows need."""
    out = []
    head = scene.headlight
    if head.active:
        out.append(_light(0, optics.eye, optics.forward, (1, 0, 0), 180, 0, head.ambient, head.diffuse, head.specular, False))
    lights = scene.lights
    for i in range(lights.n):
        known = lights.type[i] in (lights.SPOT, lights.DIRECTIONAL) and np.isfinite(lights.pos[i]).all() and np.any(lights.dir[i])
        if known and np.isfinite(lights.dir[i]).all() and len(out) < MAX_LIGHTS:
            spot = int(lights.type[i] == lights.SPOT)
            out.append(_light(spot, lights.pos[i], lights.dir[i], lights.attenuation[i], lights.cutoff[i], lights.exponent[i], lights.ambient[i],
                              lights.diffuse[i], lights.specular[i], bool(lights.castshadow[i])))
    return out


def _light(spot, pos, direction, attenuation, cutoff, exponent, ambient, diffuse, specular, castshadow):
    direction = np.asarray(direction, float)
    direction = direction / max(np.linalg.norm(direction), 1e-12)
    rows = np.zeros((6, 4), np.float32)
    rows[0] = *pos, spot
    rows[1] = *direction, np.cos(np.radians(min(cutoff, 180.0))) if cutoff < 180 else -2
    rows[2] = *attenuation, exponent
    rows[3, :3], rows[4, :3], rows[5, :3] = ambient, diffuse, specular
    return {'rows': rows, 'spot': bool(spot), 'pos': np.asarray(pos, float), 'dir': direction, 'cutoff': float(cutoff), 'castshadow': castshadow}
