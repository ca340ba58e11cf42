"""Which parts of a picture hold edges, shadows or mirror images, and which nothing but ground or sky. No GL.

Multisampling shades once per pixel; its samples only matter where an edge runs. So in software, where every sample costs, the picture is
cut into tiles: those with things or the ground's edge in them are drawn with all samples, the others straight into the target. Ground
tiles further tell whether a shadow or a mirror image can fall into them: the others need no look into a map.

Everything is bounded generously (outlines.py), so a tile may be called full that is empty, never the other way.
"""
from dataclasses import dataclass, field

import numpy as np

from render.gpu import meshes
from render.passes.ground_tiles import bending, find_ground_tiles
from render.passes.outlines import around, around_lines, around_shadows
from render.passes.tiles import Tiles

WORTH = 0.75            # share of the picture with edges from which on it is drawn as a whole
UNEVEN = 8.0            # bound on the steps of 255 by which light from corners misses what it is between them: a step or two in truth
BLOCKS = 4, 2, 1        # tiles along the sides of what is drawn as one
FEW_LIGHTS = 8          # up to here light may be computed at the corners of the ground's tiles
_KINDS = ((False, False), (False, True), (True, False), (True, True))


@dataclass(slots=True)
class Share:
    """Parts of the ground; shadowed, mirrored: whether shadows or mirror images can fall there. rectangles: (x, y, width, height) [pixel],
    shadowed, mirrored; patches: first and number of the patch's indices, shadowed, mirrored."""
    rectangles: list = field(default_factory=list)
    patches: list = field(default_factory=list)


@dataclass(slots=True)
class Regions:
    """How a picture is cut. Rectangles are (x, y, width, height) [pixel].

    many: with edges; beyond: those of them that the ground does not fill; rest: neither edges nor ground. hazed: where haze may be seen, but no
    edges; misty: whether it may be seen among the edges. edged, plain: the ground among the edges and alone. mirrored: around what is seen in
    the ground, None if nothing is. vertices (n, 9) float32, indices (k,) int32: the ground's patch.
    """
    many: list = field(default_factory=list)
    beyond: list = field(default_factory=list)
    rest: list = field(default_factory=list)
    hazed: list = field(default_factory=list)
    misty: bool = True
    edged: Share = field(default_factory=Share)
    plain: Share = field(default_factory=Share)
    mirrored: tuple = None
    vertices: np.ndarray = None
    indices: np.ndarray = None


WHOLE = Regions([None], [None], edged=Share([(None, True, True)]))       # a picture that is not cut


def find_ground(work):
    """The one plane that may be drawn without samples: the largest opaque one in view; None if there is none."""
    found = np.flatnonzero(work.seen & ~work.clear & ((work.kind == meshes.PLANE) | (work.kind == meshes.GRID)))
    return int(found[np.argmax(work.radius[found])]) if len(found) else None


def cut(plan, optics, size, scene, heaven, lights, shadows, texel, patched=True):
    """Regions of a picture, None where most of it has edges. heaven: (radius of the sky, 0 without one; how far
    the ground is clear of haze); shadows, texel: of ShadowPass.prepare; patched: whether light may be computed at the corners of tiles."""
    work, tiles = plan.work, Tiles(size)
    if work is None or not len(work.kind):
        return None
    things, ground = work.seen.copy(), None
    if plan.ground is not None:
        things[plan.ground.index] = False
        ground = find_ground_tiles(work.rows[plan.ground.index], optics, tiles, *heaven)
        if ground is None:
            return None
    many = tiles.touched(*around(work, np.flatnonzero(things), optics, scene)) | tiles.touched(*around_lines(plan.lines, optics, size))
    if ground is not None:
        many |= ~(ground.inside | ground.outside)
    if many.mean() > WORTH:
        return None
    if ground is None:
        every, rest = tiles.rectangles(many), tiles.rectangles(~many)
        return Regions(every, every, rest, rest)
    hazed = ~ground.clear if heaven[0] else np.zeros_like(many)
    out = Regions(tiles.rectangles(many), tiles.rectangles(many & ~ground.inside), tiles.rectangles(~many & ground.outside), tiles.rectangles(~many & hazed),
                  bool((many & hazed).any()))
    shadowed, mirrored = np.zeros_like(many), np.zeros_like(many)
    for i, maps in shadows.items():
        shadowed |= tiles.touched(*around_shadows(work, plan.ground.index, lights[i], maps, texel, optics))
    mirror = plan.ground.mirror
    if mirror is not None:
        seen = optics.mirrored(mirror.point, mirror.normal)
        mirrored = tiles.touched(*around(work, mirror.seen, seen, scene)) | tiles.touched(*around_lines(plan.named_lines(), seen, size))
        mirrored |= mirror.rough > 0        # a rough mirror spreads what is seen in it
        mirrored &= ~ground.outside
        rows, columns = np.nonzero(mirrored)
        out.mirrored = tiles.rectangle(columns.min(), rows.min(), columns.max() + 1, rows.max() + 1) if len(rows) else None
    patched = patched and len(lights) <= FEW_LIGHTS
    uneven = bending(ground, work.rows[plan.ground.index], optics, size, lights) / UNEVEN if patched else np.full(many.shape, np.inf)
    _share(out, tiles, ground, many, np.where(ground.inside, uneven, np.inf), shadowed, mirrored)
    return out


def _share(out, tiles, ground, many, uneven, shadowed, mirrored):
    """Put the ground's tiles into what they need; uneven: up to 1 the light at their corners is enough, up to 4 that at the corners of quarters."""
    smooth, parts, first = uneven <= 4, [], 0
    corner = np.arange((2 * tiles.rows + 1) * (2 * tiles.columns + 1)).reshape(2 * tiles.rows + 1, -1)
    squares = {n: _squares(corner[::2 * n, ::2 * n]) for n in BLOCKS}
    squares[0] = _squares(corner).reshape(tiles.rows, 2, tiles.columns, 2, 6).swapaxes(1, 2)
    for share, here in ((out.edged, many & ~ground.outside), (out.plain, ~many & ground.inside)):
        for shade, image in _KINDS:
            mask = here & (shadowed == shade) & (mirrored == image)
            if not mask.any():
                continue
            share.rectangles += [(rectangle, shade, image) for rectangle in tiles.rectangles(mask & ~smooth)]
            part = _covering(mask & smooth, uneven, squares)
            if len(part):
                share.patches.append((first, len(part), shade, image))
                parts.append(part)
                first += len(part)
    if parts:
        out.vertices, out.indices = ground.vertices(), np.concatenate(parts).astype(np.int32)


def _covering(left, uneven, squares):
    """Indices of triangles that cover tiles: of blocks of them as large as the light allows, or of their quarters. left is used up."""
    out = []
    for n in BLOCKS:
        rows, columns = (side // n for side in left.shape)
        blocks = (left & (uneven <= n ** -3))[:rows * n, :columns * n].reshape(rows, n, columns, n).all((1, 3))
        out.append(squares[n][:rows, :columns][blocks].ravel())
        left[:rows * n, :columns * n] &= ~blocks.repeat(n, 0).repeat(n, 1)
    return np.concatenate([*out, squares[0][left].ravel()])


def _squares(corner):
    """Indices of two triangles for each square between corners (rows, columns): (rows - 1, columns - 1, 6)."""
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]
    return np.stack([a, b, c, a, c, d], -1)
