"""How finely each instance is drawn: its level of detail, and whether its triangles are small enough to be computed at their corners. No GL."""
import numpy as np

from render.geometry.height_field import LEVELS_PER_OCTAVE
from render.gpu import instances as rows_of
from render.gpu import meshes
from render.scene import shapes

# height fields: area of a coarser level's cell in the middle, its width where it is nearest, at most [pixel]; the first step may go farther
CELL, FIRST_CELL = (1.5, 1.5), (3.0, 2.4)
MANY_POINTS = 200_000    # of a field whose coarser ones take a second to make, so that there are few of them
COARSEST = 12           # level of a height field
FEW_DRAWN = 60          # up to here nothing is drawn coarser than the model's own visual/quality
SMALL_TRIANGLE = 24.0   # lit at its corners [square pixel]
TINY_TRIANGLE = 3.0     # all of its colour is computed there [square pixel]


def levels(work, pixels, scene, optics, scale, quality):
    """Levels of detail (n,) of a frame's instances (arrange._Work). pixels: their radii in the picture; scale: pixels per metre at depth 1."""
    found = _by_radius(pixels, quality, work.kind, work.flags & shapes.UNNAMED == 0)
    if quality.lod:
        _of_fields(found, work, scene, optics, scale)
    return found


def _by_radius(pixels, quality, kind, named):
    round_, mesh = np.isin(kind, meshes.ROUND), (kind >= meshes.MODEL_MESH) & (kind < meshes.SKIN)
    if not quality.lod:
        return np.where(round_, 1, 0)
    level, mesh_level = (np.searchsorted(-np.asarray(limits), -pixels, side='left') for limits in (meshes.LEVEL_PIXELS, meshes.MESH_PIXELS))
    # something small but near a light throws a large shadow; how many markers there are changes nothing of the model
    few = np.where(named, np.count_nonzero(named), len(kind)) <= FEW_DRAWN
    more, coarsest, coarsest_mesh = quality.coarser, meshes.LEVELS - 1, len(meshes.MESH_PIXELS) - 1
    fine = np.clip(level + min(more, 1), 0 if quality.detail >= 1 else 1, np.where(few, min(1 + more, coarsest), coarsest))
    return np.where(round_, fine, np.where(mesh, np.minimum(mesh_level + more, np.where(few, min(3 + more, coarsest_mesh), coarsest_mesh)), 0))


def _of_fields(found, work, scene, optics, scale):
    """Put in the levels of height fields: by their cells on the screen."""
    made = scene.assets.meshes
    numbers = [meshes.MODEL_MESH + i for i, asset in enumerate(made) if asset.grid]
    for k in np.flatnonzero(np.isin(work.kind, numbers)) if numbers else ():
        asset = made[work.kind[k] - meshes.MODEL_MESH]
        row = work.rows[k].astype(float)
        frame, half = row[rows_of.ROT].reshape(3, 3), np.abs(row[rows_of.SCALE][:3]) * asset.box[3:]
        middle = row[rows_of.POS] + frame @ (row[rows_of.SCALE][:3] * asset.box[:3])
        to = middle - optics.eye
        depth, distance = to @ optics.forward, np.linalg.norm(to)
        nearest = depth - np.abs(frame.T @ optics.forward) @ half
        cells = 2 * half[:2] / np.maximum(np.array(asset.grid[::-1]) - 1, 1)
        wide, area = cells.max() * scale, cells.prod() * scale ** 2
        if optics.orthographic:
            area *= abs(frame[:, 2] @ optics.forward)
        elif nearest > 0:
            wide, area = wide / nearest, area / depth ** 2 * abs(frame[:, 2] @ to) / distance
        else:
            wide = np.inf
        level = 0 if scene.flags.wireframe else max(min(_steps(area, wide, *FIRST_CELL), 1), _steps(area, wide, *CELL))
        found[k] = level - level % LEVELS_PER_OCTAVE if asset.grid[0] * asset.grid[1] > MANY_POINTS else level


def _steps(area, wide, largest_area, widest):
    """Levels by which cells of an area and width on the screen may grow."""
    if not (0 < area < np.inf and 0 < wide < np.inf):
        return 0
    return int(np.clip(LEVELS_PER_OCTAVE * np.log2(min(widest / wide, np.sqrt(largest_area / area))), 0, COARSEST))


def corners(work, pixels, scene, quality):
    """instances.CORNERS for what is drawn with triangles so small that light at their corners is enough, twice where all of their colour is, else 0.
    A faithful picture has the light of meshes and balls at their corners, as the official one has it everywhere."""
    given = np.zeros(len(work.kind), int)
    if scene.flags.wireframe:
        return given
    if quality.faithful:
        given[_smooth(work.kind, scene.assets)] = rows_of.CORNERS
    if not quality.corners:
        return given
    look = scene.look
    count = meshes.triangles(work.kind, work.level, look.numslices * quality.detail, look.numstacks * quality.detail, scene.assets)
    area = 2 * np.pi * pixels ** 2
    mesh = np.flatnonzero((work.kind >= meshes.MODEL_MESH) & (work.kind < meshes.SKIN))
    share = np.ones(len(area))
    share[mesh] = scene.assets.mesh_shares()[work.kind[mesh] - meshes.MODEL_MESH]
    return np.maximum(given, rows_of.CORNERS * np.where(share * area < TINY_TRIANGLE * count, 2, area < SMALL_TRIANGLE * count))


def _smooth(kind, assets):
    """Which instances have corners where the official ones are, with normals of their own; the sides of its cylinders have rings that ours lack."""
    out = (kind == meshes.SPHERE) | (kind >= meshes.SKIN)
    mesh = np.flatnonzero((kind >= meshes.MODEL_MESH) & (kind < meshes.SKIN))
    out[mesh] = assets.mesh_smooth()[kind[mesh] - meshes.MODEL_MESH]
    return out
