"""Which parts of a picture hold edges, shadows or mirror images, and which nothing but ground or sky. No GL.

Multisampling shades once per pixel; its samples only matter where an edge runs. So in software, where every sample costs, the picture is
cut into tiles: those with things or the ground's edge in them are drawn with all samples, the others straight into the target. Ground
tiles further tell whether a shadow or a mirror image can fall into them: the others need no look into a map.

Everything is bounded by spheres and boxes, so a tile may be called full that is empty, never the other way.
"""
from dataclasses import dataclass, field

import numpy as np

from render.gpu import instances as rows_of
from render.gpu import meshes
from render.gpu.lights import DIRECTIONAL

TILE = 32               # [pixel]
EDGE = 2.0              # pixels around an edge
WORTH = 0.75            # share of the picture with edges from which on it is drawn as a whole
FLAT = (meshes.PLANE, meshes.GRID)
_BOXED = (meshes.BOX, meshes.SPHERE, meshes.CYLINDER, *FLAT)
_SIGNS = tuple((x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
_DOME_INSIDE = 0.99     # of its radius, a circle within the sky's polygon
BOXES_UP_TO = 400       # instances
RIM = 4                 # texels by which the filter of a shadow map widens shadows


@dataclass(slots=True)
class Regions:
    """Rectangles (x, y, width, height) [pixel]: many: of edges; ground: (rectangle, shadows fall there, mirror images lie there);
    rest: neither. mirrored: around what is seen in the ground, None if nothing is."""
    many: list = field(default_factory=list)
    ground: list = field(default_factory=list)
    rest: list = field(default_factory=list)
    mirrored: tuple = None


def find_ground(work):
    """The one plane that may be drawn without samples: the largest opaque one in view; None if there is none."""
    found = np.flatnonzero(work.seen & ~work.clear & np.isin(work.kind, FLAT))
    return int(found[np.argmax(work.radius[found])]) if len(found) else None


def cut(plan, optics, size, boxes, dome, lights, shadows, texel):
    """Regions of a picture, None where most of it has edges. boxes (n, 6): centre and half sizes of the model's meshes; dome: radius of
    the sky, 0 without one; shadows, texel: of ShadowPass.prepare."""
    work, tiles = plan.work, _Tiles(size)
    if work is None or not len(work.kind):
        return None
    things = work.seen.copy()
    inside = outside = None
    if plan.ground is not None:
        things[plan.ground.index] = False
        found = _ground_tiles(work, plan.ground.index, optics, tiles, dome)
        if found is None:
            return None
        inside, outside = found
    many = tiles.touched(*_bounds(work, np.flatnonzero(things), optics, boxes)) | tiles.touched(*_line_bounds(plan.lines, optics, size))
    if inside is None:
        inside, outside = np.zeros_like(many), np.ones_like(many)
    many |= ~(inside | outside)
    if many.mean() > WORTH:
        return None
    return _sorted(plan, optics, tiles, boxes, many, inside & ~many, [(lights[i], maps, texel) for i, maps in shadows.items()])


def _sorted(plan, optics, tiles, boxes, many, ground, shadows):
    """The regions of tiles with edges, tiles of ground, and the others."""
    out = Regions(tiles.rectangles(many), [], tiles.rectangles(~(many | ground)))
    if plan.ground is None:
        return out
    work, index, mirror = plan.work, plan.ground.index, plan.ground.mirror
    mirrored, shadowed = np.zeros_like(many), np.zeros_like(many)
    if mirror is not None:
        seen = optics.mirrored(mirror.point, mirror.normal)
        mirrored = tiles.touched(*_bounds(work, mirror.seen, seen, boxes)) | tiles.touched(*_line_bounds(plan.lines, seen, tiles.size))
        mirrored |= mirror.rough > 0        # a rough mirror spreads what is seen in it
        rows, columns = np.nonzero(mirrored & (ground | many))
        out.mirrored = tiles.rectangle(columns.min(), rows.min(), columns.max() + 1, rows.max() + 1) if len(rows) else None
    for light, maps, texel in shadows:
        shadowed |= tiles.touched(*_shadow_bounds(work, index, light, maps, texel, optics))
    for s in (False, True):
        for m in (False, True):
            out.ground += [(rectangle, s, m) for rectangle in tiles.rectangles(ground & (shadowed == s) & (mirrored == m))]
    return out


class _Tiles:
    """The tiles of a picture: masks (rows, columns) from the bottom."""

    def __init__(self, size):
        self.size = size
        self.columns, self.rows = (-(-side // TILE) for side in size)

    def corners(self):
        """x (1, columns + 1) and y (rows + 1, 1) of the tiles' corners in the clip space's square."""
        width, height = self.size
        return 2 * TILE * np.arange(self.columns + 1)[None] / width - 1, 2 * TILE * np.arange(self.rows + 1)[:, None] / height - 1

    def touched(self, low, high):
        """Mask of the tiles that rectangles touch; low, high (n, 2) in the clip space's square."""
        size = np.array(self.size)
        count = np.array((self.columns, self.rows))
        there = (low <= 1).all(1) & (high >= -1).all(1)
        a = np.clip(np.floor(((low[there] + 1) / 2 * size - EDGE) / TILE), 0, count - 1).astype(int)
        b = np.clip(np.floor(((high[there] + 1) / 2 * size + EDGE) / TILE), 0, count - 1).astype(int) + 1
        steps = np.zeros((self.rows + 1, self.columns + 1), int)
        for y, x, step in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            np.add.at(steps, (y[:, 1], x[:, 0]), step)
        return steps.cumsum(0).cumsum(1)[:-1, :-1] > 0

    def rectangle(self, left, bottom, right, top):
        """Pixels of the tiles from (left, bottom) up to (right, top)."""
        x, y = int(left) * TILE, int(bottom) * TILE
        return x, y, min(int(right) * TILE, self.size[0]) - x, min(int(top) * TILE, self.size[1]) - y

    def rectangles(self, mask):
        """Few rectangles that cover the tiles of a mask and no others."""
        out, begun = [], {}
        padded = np.zeros((self.rows, self.columns + 2), np.int8)
        padded[:, 1:-1] = mask
        for row, steps in enumerate(np.diff(padded)):
            ends = np.flatnonzero(steps)
            runs = set(zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True))
            for run in begun.keys() - runs:
                out.append(self.rectangle(run[0], begun.pop(run), run[1], row))
            for run in runs - begun.keys():
                begun[run] = row
        return out + [self.rectangle(a, bottom, b, self.rows) for (a, b), bottom in begun.items()]


def _ground_tiles(work, index, optics, tiles, dome):
    """(tiles with nothing but ground, tiles without any); None where it is seen edge on.

    Coordinates (u, v) on the plane, -1 to 1 over its extent, follow from a pixel (x, y) by a projective map: (U, V, S) = inverse (x, y, 1),
    u = U / S, and the depth is 1 / S. What bounds the plane on the screen is linear in U, V, S.
    """
    row = work.rows[index].astype(float)
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
    depth = on_screen[2] @ back
    one = np.array((0, 0, 1.0))
    bounds = [s - u, s + u, s - v, s + v, one - depth, one + depth, s - one / _reach(frame[:, 2], point, optics, dome)]
    x, y = tiles.corners()
    inside, outside = np.ones((tiles.rows, tiles.columns), bool), np.zeros((tiles.rows, tiles.columns), bool)
    for a, b, c in bounds:
        margin = 2 * EDGE * (abs(a) / tiles.size[0] + abs(b) / tiles.size[1])
        four = _four(a * x + b * y + c)
        inside &= four.min(0) > margin
        outside |= four.max(0) < -margin
    if dome:
        with np.errstate(all='ignore'):
            across = [_at(u, x, y) / _at(s, x, y), _at(v, x, y) / _at(s, x, y)]
            from_eye = [plane[k, 0] * across[0] + plane[k, 1] * across[1] + plane[k, 2] - optics.eye[k] for k in range(3)]
            within = (np.hypot(from_eye[0], from_eye[1]) < _DOME_INSIDE * dome) & (np.abs(from_eye[2]) < _DOME_INSIDE * dome)
        inside &= _four(within).all(0)
    return inside, outside


def _at(linear, x, y):
    return linear[0] * x + linear[1] * y + linear[2]


def _four(values):
    """Values at the corners of each tile (4, rows, columns) from those at all corners."""
    return np.stack([values[:-1, :-1], values[1:, :-1], values[:-1, 1:], values[1:, 1:]])


def _reach(normal, point, optics, dome):
    """The greatest depth at which the plane can be seen."""
    reach = 2 * optics.far
    if dome and not optics.orthographic:
        upright = abs(normal[2]) > 1 - 1e-9
        below = (point - optics.eye)[2] if upright else 0
        reach = min(reach, np.hypot(*optics.forward[:2]) * dome + (optics.forward[2] * below if upright else abs(optics.forward[2]) * dome))
    return max(reach, 1e-9)


def _bounds(work, which, optics, boxes):
    """Rectangles (low (n, 2), high (n, 2)) in the clip space's square around instances."""
    low, high = _sphere_bounds(work.center[which], work.radius[which], optics)
    if 0 < len(which) <= BOXES_UP_TO:
        some = np.isin(work.kind[which], (*_BOXED, meshes.CAPSULE)) | ((work.kind[which] >= meshes.MODEL_MESH) & (work.kind[which] < meshes.SKIN))
        boxed_low, boxed_high = _box_bounds(work, which[some], optics, boxes)
        low[some], high[some] = np.maximum(low[some], boxed_low), np.minimum(high[some], boxed_high)
    return low, high


def _box_bounds(work, which, optics, boxes):
    rows, kind = work.rows[which].astype(float), work.kind[which]
    axes, half = rows[:, rows_of.ROT].reshape(-1, 3, 3), rows[:, rows_of.SCALE][:, :3].copy()
    center = rows[:, rows_of.POS].copy()
    half[np.isin(kind, FLAT), 2] = 0
    capsule = kind == meshes.CAPSULE
    half[capsule, 2] = half[capsule, 0] + np.abs(rows[capsule, rows_of.SCALE][:, 3])
    mesh = kind >= meshes.MODEL_MESH
    box = boxes[kind[mesh] - meshes.MODEL_MESH]
    center[mesh] += np.einsum('nij,nj->ni', axes[mesh], half[mesh] * box[:, :3])
    half[mesh] = np.abs(half[mesh]) * box[:, 3:]
    corners = center[:, None] + np.einsum('nij,ncj->nci', axes, half[:, None] * np.array(_SIGNS, float))
    clip = corners @ optics.viewproj[:, :3].T + optics.viewproj[:, 3]
    with np.errstate(all='ignore'):
        at = clip[..., :2] / clip[..., 3:]
    before = (clip[..., 3] > 1e-9).all(1)[:, None]
    return np.where(before, at.min(1), -np.inf), np.where(before, at.max(1), np.inf)


def _sphere_bounds(center, radius, optics):
    """Rectangles around spheres, everything where one is about the eye."""
    m = optics.viewproj
    low, high = np.full((len(center), 2), -np.inf), np.full((len(center), 2), np.inf)
    from_eye = center - optics.eye
    depth = from_eye @ m[3, :3]
    for k in range(2):
        if optics.orthographic:
            middle, wide = center @ m[k, :3] + m[k, 3], radius * np.linalg.norm(m[k, :3])
            low[:, k], high[:, k] = middle - wide, middle + wide
            continue
        ahead = m[3, :3] / np.linalg.norm(m[3, :3])
        skew = m[k, :3] @ ahead
        axis = m[k, :3] - skew * ahead
        scale = np.linalg.norm(axis)
        aside = from_eye @ axis / scale
        with np.errstate(all='ignore'):
            root = radius * np.sqrt(np.maximum(aside ** 2 + depth ** 2 - radius ** 2, 0))
            room = depth ** 2 - radius ** 2
            ends = (aside * depth - root) / room, (aside * depth + root) / room
        before = depth > 1.001 * radius
        low[:, k], high[:, k] = np.where(before, skew + scale * ends[0], -np.inf), np.where(before, skew + scale * ends[1], np.inf)
    return low, high


def _line_bounds(lines, optics, size):
    """Rectangles around segments and their width."""
    if lines is None or not len(lines):
        return np.zeros((0, 2)), np.zeros((0, 2))
    ends = np.stack([lines[:, :3], lines[:, 3:6]], 1).astype(float)
    clip = ends @ optics.viewproj[:, :3].T + optics.viewproj[:, 3]
    with np.errstate(all='ignore'):
        at = clip[..., :2] / clip[..., 3:]
    before = (clip[..., 3] > 1e-9).all(1)[:, None]
    wide = 2 * lines[:, 10:11] / np.array(size)
    return np.where(before, at.min(1) - wide, -np.inf), np.where(before, at.max(1) + wide, np.inf)


def _shadow_bounds(work, index, light, maps, texel, optics):
    """Rectangles around the shadows that things throw on the ground; everything where that is not known."""
    everything = np.full((1, 2), -np.inf), np.full((1, 2), np.inf)
    row = work.rows[index].astype(float)
    normal, point = row[[5, 8, 11]], row[rows_of.POS]
    casts = work.casts & ~work.infinite
    casts[index] = False
    height = (work.center - point) @ normal
    which = np.flatnonzero(casts & (height > -work.radius))
    center, radius, height = work.center[which], work.radius[which], height[which]
    rim = max((RIM * texel / max(tile.place[2] * np.linalg.norm(tile.matrix[0, :3]), 1e-12) for tile in maps), default=0.0)     # [m], per m of distance to a lamp
    for i in np.flatnonzero(work.casts & work.infinite):
        row = work.rows[i].astype(float)
        if (-light.dir @ row[[5, 8, 11]] if light.kind == DIRECTIONAL else (light.pos - row[rows_of.POS]) @ row[[5, 8, 11]]) < 0:
            return everything
    if light.kind == DIRECTIONAL:
        fall = -float(light.dir @ normal)
        if fall < 1e-3:
            return everything
        return _sphere_bounds(center + (height / fall)[:, None] * light.dir, (radius + rim) / fall, optics)
    above = float((light.pos - point) @ normal)
    if above <= 0 or np.any(height + radius > 0.999 * above):
        return everything
    near, far = above / (above - height + radius), above / (above - height - radius)
    to = center - light.pos
    reach = np.linalg.norm(to, axis=1)
    middle = light.pos + 0.5 * (near + far)[:, None] * to
    return _sphere_bounds(middle, 0.5 * (far - near) * reach + far * (radius + rim * reach), optics)
