"""Rectangles on the screen around things, their shadows and lines, given as corners (low (n, 2), high (n, 2)) in the clip space's square. No GL.

They hold what they are asked for, and more: everything is bounded by its sphere, boxes and meshes also by their boxes, skins by balls about their bones.
"""
import numpy as np

from render.gpu import instances as rows_of
from render.gpu import meshes
from render.gpu.lights import DIRECTIONAL

FLAT = (meshes.PLANE, meshes.GRID)
_BOXED = (meshes.BOX, meshes.SPHERE, meshes.CYLINDER, meshes.CAPSULE, *FLAT)
_SIGNS = tuple((x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
_HAS_BOX = tuple(kind in _BOXED for kind in range(meshes.MODEL_MESH))
BOXES_UP_TO = 400       # instances
RIM = 4                 # texels by which the filter of a shadow map widens shadows


def around(work, which, optics, scene):
    """Rectangles around instances of a scene."""
    low, high = around_spheres(work.center[which], work.radius[which], optics)
    if 0 < len(which) <= BOXES_UP_TO:
        kind = work.kind[which]
        some = np.where(kind < meshes.MODEL_MESH, np.array(_HAS_BOX)[np.minimum(kind, meshes.MODEL_MESH - 1)], kind < meshes.SKIN)
        boxed_low, boxed_high = _around_boxes(work, which[some], optics, scene.assets.mesh_boxes())
        low[some], high[some] = np.maximum(low[some], boxed_low), np.minimum(high[some], boxed_high)
    for k in np.flatnonzero(work.kind[which] >= meshes.SKIN):
        held = _around_skin(work, which[k], optics, scene)
        low[k], high[k] = np.maximum(low[k], held[0]), np.minimum(high[k], held[1])
    return low, high


def _around_boxes(work, which, optics, boxes):
    rows, kind = work.rows[which].astype(float), work.kind[which]
    axes, half = rows[:, rows_of.ROT].reshape(-1, 3, 3), rows[:, rows_of.SCALE][:, :3].copy()
    center = rows[:, rows_of.POS].copy()
    half[(kind == meshes.PLANE) | (kind == meshes.GRID), 2] = 0
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


def _around_skin(work, i, optics, scene):
    """(low (2,), high (2,)): a skin lies within the hull of balls about its bones."""
    number = work.kind[i] - meshes.SKIN
    center, radius = scene.assets.skins[number].balls(scene.skins.of(number))
    low, high = around_spheres(work.rows[i, rows_of.POS] + center, radius, optics)
    return low.min(0, initial=np.inf), high.max(0, initial=-np.inf)


def around_spheres(center, radius, optics):
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


def around_lines(lines, optics, size):
    """Rectangles around segments and their width; none around those behind the eye."""
    if lines is None or not len(lines):
        return np.zeros((0, 2)), np.zeros((0, 2))
    ends = np.stack([lines[:, :3], lines[:, 3:6]], 1).astype(float)
    clip = ends @ optics.viewproj[:, :3].T + optics.viewproj[:, 3]
    with np.errstate(all='ignore'):
        at = clip[..., :2] / clip[..., 3:]
    ahead = clip[..., 3] > 1e-9
    whole, part = ahead.all(1)[:, None], ahead.any(1)[:, None]
    wide = 2 * np.abs(lines[:, 10:11]) / np.array(size)
    return np.where(whole, at.min(1) - wide, np.where(part, -np.inf, np.inf)), np.where(whole, at.max(1) + wide, np.where(part, np.inf, -np.inf))


def around_shadows(work, index, light, maps, texel, optics):
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
        return around_spheres(center + (height / fall)[:, None] * light.dir, (radius + rim) / fall, optics)
    above = float((light.pos - point) @ normal)
    if above <= 0 or np.any(height + radius > 0.999 * above):
        return everything
    near, far = above / (above - height + radius), above / (above - height - radius)
    to = center - light.pos
    reach = np.linalg.norm(to, axis=1)
    middle = light.pos + 0.5 * (near + far)[:, None] * to
    return around_spheres(middle, 0.5 * (far - near) * reach + far * (radius + rim * reach), optics)
