"""Where on the screen the ground is: the one plane that most of a picture may show, looked at tile by tile. No GL.

Coordinates (u, v) on the plane, -1 to 1 over its extent, follow from a pixel (x, y) by a projective map: (U, V, S) = inverse (x, y, 1),
u = U / S, and the depth is 1 / S. What bounds the plane on the screen is linear in U, V, S.

Light on it changes little over a tile, unless a lamp is near or the surface shines sharply. Where that is so, the ground is drawn as a
patch: light is computed at the tiles' corners alone (shaders/lib/broad.glsl).
"""
from dataclasses import dataclass

import numpy as np

from render.gpu import instances as rows_of
from render.gpu.lights import DIRECTIONAL
from render.passes.tiles import EDGE, TILE

DOME_INSIDE = 0.99      # of the sky's radius, a circle within its polygon
BENDING = 4.0           # of the light of a lamp over a plane, per square angle, beside that of its cone
_CORNERS = (0, 0), (1, 0), (0, 1), (1, 1)


@dataclass(slots=True)
class GroundTiles:
    """inside: tiles with nothing but ground; outside: tiles without any; clear: of haze (rows, columns); u, v: on the plane the corners and middles of tiles and
    of their sides (2 rows + 1, 2 columns + 1), meaningless off it; world: the same in the world (3, 2 rows + 1, 2 columns + 1)."""
    inside: np.ndarray
    outside: np.ndarray
    clear: np.ndarray
    u: np.ndarray
    v: np.ndarray
    world: np.ndarray

    def vertices(self) -> np.ndarray:
        """Those points as vertices of a unit plane (n, 9) float32, as geometry/plane.py has them."""
        u, v = self.u.ravel(), self.v.ravel()
        zero, one = np.zeros_like(u), np.ones_like(u)
        return np.stack([u, v, zero, zero, zero, one, (u + 1) / 2, (1 - v) / 2, zero], -1).astype(np.float32)


def find_ground_tiles(row, optics, tiles, dome, hazeless):
    """The GroundTiles of a plane's row; None where it is seen edge on. dome: radius of the sky, 0 without one; hazeless: from below the eye, how
    far no haze lies on the plane."""
    row = row.astype(float)
    frame, half, point = row[rows_of.ROT].reshape(3, 3), row[rows_of.SCALE][:2], row[rows_of.POS]
    plane = np.zeros((4, 3))
    plane[:3, :2], plane[:3, 2], plane[3, 2] = frame[:, :2] * half, point, 1
    on_screen = optics.viewproj @ plane
    try:
        back = np.linalg.inv(on_screen[[0, 1, 3]])
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(back).all():
        return None
    u, v, s = back
    depth, one = on_screen[2] @ back, np.array((0, 0, 1.0))
    x, y = tiles.corners(2)
    inside, outside = np.ones((tiles.rows, tiles.columns), bool), np.zeros((tiles.rows, tiles.columns), bool)
    for a, b, c in (s - u, s + u, s - v, s + v, one - depth, one + depth, s - one / _reach(frame[:, 2], point, optics, dome)):
        margin = 2 * EDGE * (abs(a) / tiles.size[0] + abs(b) / tiles.size[1])
        four = _four(a * x[:, ::2] + b * y[::2] + c)
        inside &= four.min(0) > margin
        outside |= four.max(0) < -margin
    scale = _at(s, x, y)
    scale = np.where(scale > 0, scale, 1)
    across, along = _at(u, x, y) / scale, _at(v, x, y) / scale
    world = plane[:3, :1, None] * across + plane[:3, 1:2, None] * along + plane[:3, 2:, None]
    from_eye = world[:, ::2, ::2] - optics.eye[:, None, None]
    if dome:
        within = (np.hypot(from_eye[0], from_eye[1]) < DOME_INSIDE * dome) & (np.abs(from_eye[2]) < DOME_INSIDE * dome)
        inside &= _four(within).all(0)
    aside = np.sqrt(np.maximum((from_eye ** 2).sum(0) - np.tensordot(frame[:, 2], from_eye, 1) ** 2, 0))
    return GroundTiles(inside, outside, inside & (_four(aside).max(0) < hazeless), across, along, world)


def _at(linear, x, y):
    return linear[0] * x + linear[1] * y + linear[2]


def _four(values):
    """Values at the corners of each tile (4, rows, columns) from those at all corners."""
    return np.stack([values[j:values.shape[0] - 1 + j, i:values.shape[1] - 1 + i] for i, j in _CORNERS])


def _reach(normal, point, optics, dome):
    """The greatest depth at which the plane can be seen."""
    reach = 2 * optics.far
    if dome and not optics.orthographic:
        upright = abs(normal[2]) > 1 - 1e-9
        below = (point - optics.eye)[2] if upright else 0
        reach = min(reach, np.hypot(*optics.forward[:2]) * dome + (optics.forward[2] * below if upright else abs(optics.forward[2]) * dome))
    return max(reach, 1e-9)


def bending(ground, row, optics, size, lights) -> np.ndarray:
    """By how many steps of 255 the light inside each tile may differ from what follows from its corners (rows, columns): half its second
    derivative at most, summed over the lamps whose cone meets it."""
    specular, shininess = row[rows_of.SURFACE][:2].astype(float)
    normal, world = row[rows_of.ROT].astype(float)[2::3], ground.world[:, ::2, ::2]
    steps = _four(_steps(world)).max(0)
    glance = 0.0 if optics.orthographic else 2 * TILE / size[1] / np.linalg.norm(optics.viewproj[1, :3])     # angle of a tile [rad]
    out = np.zeros_like(ground.inside, float)
    for light in lights:
        diffuse, glitter = 255 * light.rows[3:5, :3].sum(0).max(), 255 * specular * light.rows[5, :3].max()
        if light.kind == DIRECTIONAL:
            out += glitter * shininess * (glance / 2) ** 2 / 8
            continue
        to = light.pos[:, None, None] - world
        distance = np.maximum(np.sqrt((to ** 2).sum(0)), 1e-9)
        to = to / distance
        turn, near = _turn(to), steps / _four(distance).min(0)
        fading = near ** 2 if tuple(light.rows[2, :3]) != (1, 0, 0) else 0
        cone, angle = light.rows[2, 3], _four(np.arccos(np.clip(-np.tensordot(light.dir, to, 1), -1, 1))).min(0) - turn
        bend = (diffuse + glitter) * (BENDING * fading + (BENDING + cone) * turn ** 2 + np.sqrt(1 + cone) * turn * near)
        bend = bend * np.clip(_four(np.tensordot(normal, to, 1)).max(0) + turn, 0, 1) + glitter * shininess * ((turn + glance) / 2) ** 2
        out += np.where(angle < np.radians(min(light.cutoff, 180.0)), bend * np.cos(np.clip(angle, 0, np.pi / 2)) ** cone / 8, 0)
    return out


def _turn(to):
    """Angle between the directions at opposite corners of each tile [rad]; to (3, rows + 1, columns + 1) unit vectors."""
    first, second = to[:, :-1, :-1] - to[:, 1:, 1:], to[:, :-1, 1:] - to[:, 1:, :-1]
    return 2 * np.arcsin(np.clip(0.5 * np.sqrt(np.maximum((first ** 2).sum(0), (second ** 2).sum(0))), 0, 1))


def _steps(world):
    """About how far the corners of the tiles lie apart there (rows + 1, columns + 1)."""
    across, along = (np.sqrt((np.diff(world, axis=axis) ** 2).sum(0)) for axis in (1, 2))
    return np.maximum(np.concatenate([across, across[-1:]], 0), np.concatenate([along, along[:, -1:]], 1))
