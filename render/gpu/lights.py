"""Lights of one frame: what shines, the uniform block that carries it (binding 1, shaders/lib/lights.glsl), and the code that unrolls it."""
from dataclasses import dataclass

import numpy as np

MAX_LIGHTS = 16
MAX_TILES = 16      # shadow maps of one frame
_ROWS = 1 + 6 * MAX_LIGHTS + (4 + 3 + 4) * MAX_TILES + 1
DARK = (0.3, 0.3, 0.3, 0)       # ambient light of a scene without any light
SPOT, DIRECTIONAL, POINT = 'SPOT', 'DIRECTIONAL', 'POINT'      # names of the shader's macros


@dataclass(frozen=True, slots=True)
class Light:
    """One light in world coordinates; dir is a unit vector, cutoff in degrees, rows (6, 4) its columns of the uniform block; home: (place, direction)
    at the model's start."""
    kind: str
    pos: np.ndarray
    dir: np.ndarray
    cutoff: float
    castshadow: bool
    rows: np.ndarray
    bulbradius: float = 0.0
    home: tuple | None = None


@dataclass(frozen=True, slots=True)
class Tile:
    """One shadow map: world to (0..1, 0..1, depth), its place (x, y, width, height) in the atlas, how it is read: (shift along the normal per
    unit of distance, margin at its edge, largest depth that can be in shadow, whether it is a perspective), and its penumbra: (half width in
    tiles along x and y per metre between blocker and receiver, or per 1/metre in a perspective; its nearest and farthest distance [m])."""
    matrix: np.ndarray
    place: tuple
    reading: tuple
    blur: tuple = (0, 0, 0, 1)


class LightBlock:
    """The uniform buffer of all lights and their shadow maps."""

    def __init__(self, ctx):
        self.buffer = ctx.buffer(reserve=16 * _ROWS, dynamic=True)
        self._data = np.zeros((_ROWS, 4), np.float32)

    def write(self, lights, shadows, texel: float):
        """lights: from `gather`; shadows: {index of a light: list of its Tiles}; texel: size of one atlas texel."""
        data = self._data
        data[0] = (0, 0, 0, 0) if lights else DARK
        block, data_tiles = data[1:1 + 6 * MAX_LIGHTS].reshape(6, MAX_LIGHTS, 4), data[1 + 6 * MAX_LIGHTS:-1]
        matrices, planes = (data_tiles[start * MAX_TILES:(start + 4) * MAX_TILES].reshape(MAX_TILES, 4, 4) for start in (0, 7))
        places, readings, blurs = data_tiles[4 * MAX_TILES:7 * MAX_TILES].reshape(3, MAX_TILES, 4)
        for i, light in enumerate(lights):
            block[:, i] = light.rows
        for k, tile in enumerate(tile for tiles in shadows.values() for tile in tiles):
            matrices[k], places[k], readings[k], blurs[k] = tile.matrix.T, tile.place, tile.reading, tile.blur
            planes[k] = _inverse(tile.matrix)     # GL reads it transposed, which is how planes are moved
        data[-1, 0] = texel
        self.buffer.write(data)
        self.buffer.bind_to_uniform_block(1)

    def release(self):
        """Free the buffer."""
        self.buffer.release()


def _inverse(matrix):
    """The inverse (4, 4), zero where there is none."""
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return np.zeros((4, 4))


def light_code(lights, shadows):
    """Defines that unroll the lights in the surface program: LIGHTS_PLAIN and LIGHTS_CAST (shadows as for LightBlock.write), CASTING their number,
    CONES that of spots among the former, FADING whether any of them grows weaker with distance."""
    plain = [f'{light.kind}({i})' for i, light in enumerate(lights) if i not in shadows]
    cast, first = [], 0
    for i, tiles in shadows.items():
        cast.append(f'{lights[i].kind}_CAST({i},{first},{len(tiles)})')
        first += len(tiles)
    return {'LIGHTS_PLAIN': ' '.join(plain), 'LIGHTS_CAST': ' '.join(cast), 'CASTING': len(cast), 'CONES': sum(text.startswith(SPOT) for text in plain),
            'FADING': int(any(tuple(light.rows[2, :3]) != (1, 0, 0) for light in lights if light.kind != DIRECTIONAL))}


def gather(scene, optics, faithful: bool = False, physical: bool = False):
    """Lights that count, headlight first, at most MAX_LIGHTS. faithful: without those that the official renderer ignores; physical: a light
    may give its strength in candela, then the others give nothing."""
    out = []
    head = scene.headlight
    photometric = physical and bool((scene.lights.view('intensity') > 0).any())
    faithful = faithful and not physical
    if head.active and not (photometric and head.auto):
        out.append(_light(DIRECTIONAL, optics.eye, optics.forward, (1, 0, 0), 180, 0, (head.ambient, head.diffuse, head.specular), False))
    lights = scene.lights
    kinds = {lights.SPOT: SPOT, lights.DIRECTIONAL: DIRECTIONAL} | ({} if faithful else {lights.POINT: POINT})
    for i in range(lights.n):
        kind = kinds.get(int(lights.type[i]))
        known = kind and np.isfinite(lights.pos[i]).all() and np.isfinite(lights.dir[i]).all() and (kind == POINT or np.any(lights.dir[i]))
        candela = lights.intensity[i] if photometric else 1.0
        if known and candela > 0 and len(out) < MAX_LIGHTS:
            cutoff = 180 if kind == POINT else lights.cutoff[i]
            attenuation = (0, 0, 1) if photometric and kind != DIRECTIONAL else lights.attenuation[i]
            out.append(_light(kind, lights.pos[i], lights.dir[i], attenuation, cutoff, lights.exponent[i],
                              (lights.ambient[i], candela * lights.diffuse[i], lights.specular[i]), bool(lights.castshadow[i]), float(lights.bulbradius[i]),
                              (lights.home[i], lights.home_dir[i]) if physical else None))
    return out


def _unit(direction):
    direction = np.asarray(direction, float)
    length = np.linalg.norm(direction)
    return direction / length if length > 1e-12 else np.array((0.0, 0.0, -1.0))


def _light(kind, pos, direction, attenuation, cutoff, exponent, colours, castshadow, bulbradius=0.0, home=None):
    pos, direction = np.asarray(pos, float), _unit(direction)
    known = home is not None and np.isfinite(home).all()
    home = (np.asarray(home[0], float), _unit(home[1])) if known else (pos, direction)
    rows = np.zeros((6, 4), np.float32)
    rows[0, :3] = pos
    rows[1] = *direction, np.cos(np.radians(min(cutoff, 180.0))) if cutoff < 180 else -2
    rows[2] = *attenuation, exponent
    rows[3:, :3] = colours
    return Light(kind, pos, direction, float(cutoff), castshadow, rows, bulbradius, home)
