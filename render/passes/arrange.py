"""Turn a Scene into rows and batches for the GPU: what is visible, at which level of detail, in which order.

    main rows:   opaque by mesh and texture | the mirror | transparent from back to front
    caster rows: the same instances without culling, coarser, for shadow maps and the mirrored picture

Sorting follows the classic look: alpha below 0.995 is transparent; a plane seen from behind is transparent with 0.3 of its
alpha; transparent surfaces are laid over twice there, so one pass here uses 1 - (1 - alpha)^2.
"""
from dataclasses import dataclass, field

import numpy as np

from render.gpu import instances as rows_of
from render.gpu import meshes
from render.gpu.instances import Batch, batches
from render.passes.mapping import plane_halves, texture_rows
from render.scene import shapes

OPAQUE_ALPHA = 0.995
BEHIND_ALPHA = 0.3
LINEBOX_WIDTH = 1.5
FEW_DRAWN = 60          # up to here nothing is drawn coarser than the model's own visual/quality
FEW_CASTERS = 300       # up to here shadows and the mirrored picture keep the fine meshes
_KIND = tuple(meshes.KIND_OF_SHAPE.get(shape, -1) for shape in range(128))
_EDGES = ((-1, -1, -1, 1, -1, -1), (-1, 1, -1, 1, 1, -1), (-1, -1, 1, 1, -1, 1), (-1, 1, 1, 1, 1, 1), (-1, -1, -1, -1, 1, -1), (1, -1, -1, 1, 1, -1),
          (-1, -1, 1, -1, 1, 1), (1, -1, 1, 1, 1, 1), (-1, -1, -1, -1, -1, 1), (1, -1, -1, 1, -1, 1), (-1, 1, -1, -1, 1, 1), (1, 1, -1, 1, 1, 1))


@dataclass(slots=True)
class Plan:
    """One frame, ready to be drawn. rows: (n, 28) float32; batches index into it."""
    rows: np.ndarray
    opaque: list = field(default_factory=list)
    mirror: list = field(default_factory=list)          # the reflecting surface's batch, at most one
    transparent: list = field(default_factory=list)
    caster_rows: np.ndarray = None
    casters: list = field(default_factory=list)         # finite things that cast shadows
    infinite: list = field(default_factory=list)        # (batch, point, normal) of infinite planes that cast
    reflected: list = field(default_factory=list)       # opaque in the mirrored picture
    reflected_clear: list = field(default_factory=list)     # transparent in the mirrored picture
    reflector: tuple = None                             # (point, normal, reflectance)
    lines: np.ndarray = None                            # (k, 11) float32: start 3, end 3, rgba 4, width


@dataclass(slots=True)
class _Work:
    """Columns computed once per frame for the n drawn instances."""
    rows: np.ndarray
    kind: np.ndarray
    texid: np.ndarray
    radius: np.ndarray
    center: np.ndarray
    behind: np.ndarray
    infinite: np.ndarray
    flags: np.ndarray
    reflectance: np.ndarray


def arrange(scene, optics, size, fovy_factor: float, quality, textures) -> Plan:
    """Plan of one frame. fovy_factor: picture height per unit of depth (or the whole height if orthographic) [m]."""
    work = _columns(scene, optics, textures)
    plan = Plan(work.rows)
    plan.lines = _lines(scene)
    if len(work.kind) == 0:
        return plan
    depth = (work.center - optics.eye) @ optics.forward
    pixels = work.radius * size[1] / fovy_factor / (1 if optics.orthographic else np.maximum(depth, 1e-6))
    level = _levels(pixels, quality, work.kind)
    clear = (work.rows[:, 19] < OPAQUE_ALPHA) | work.behind
    rows = work.rows
    if not scene.flags.additive:
        rows[clear, 19] = 1 - (1 - rows[clear, 19]) ** 2
    seen = _visible(work, optics)
    reflector = _reflector(scene, work, clear)
    opaque = np.flatnonzero(seen & ~clear)
    if reflector is not None:
        opaque = opaque[opaque != reflector]
    opaque = opaque[np.lexsort((level[opaque], work.kind[opaque], work.texid[opaque]))]
    far = np.where(np.isin(work.kind, (meshes.PLANE, meshes.GRID)), 1e10, np.linalg.norm(work.center - optics.eye, axis=1) - work.radius)
    back = np.flatnonzero(seen & clear)
    back = back[np.argsort(far[back] if scene.flags.additive else -far[back], kind='stable')]
    order = [opaque]
    plan.opaque = batches(work.kind[opaque], level[opaque], work.texid[opaque])
    if reflector is not None and seen[reflector]:
        plan.mirror = [Batch(int(work.kind[reflector]), 0, int(work.texid[reflector]), len(opaque), 1)]
        order.append([reflector])
    first = len(opaque) + len(plan.mirror)
    plan.transparent = batches(work.kind[back], level[back], work.texid[back], first)
    order.append(back)
    plan.rows = rows[np.concatenate(order).astype(int)]
    mirrored = _mirror_of(scene, work, reflector, optics) if quality.reflection else None
    plan.reflector = mirrored if plan.mirror else None
    if scene.flags.shadow and quality.shadow_size or plan.reflector:
        _arrange_casters(plan, work, rows, level, clear, reflector, far, quality.lod)
    return plan


def _columns(scene, optics, textures) -> _Work:
    g = scene.geoms
    kind = np.array(_KIND, np.int16)[g.view('shape')]
    mesh = np.isin(g.view('shape'), (shapes.MESH, shapes.SDF)) & (g.view('dataid') >= 0)
    kind = np.where(mesh, meshes.MODEL_MESH + g.view('dataid'), kind)
    keep = np.flatnonzero((kind >= 0) & (g.view('rgba')[:, 3] > 0) & np.isfinite(g.view('pos')).all(1) & np.isfinite(g.view('mat')).all(1))
    n = len(keep)
    rows = np.empty((n, rows_of.ROW), np.float32)
    pos, mat, size, kind = g.pos[keep].astype(float), g.mat[keep], g.size[keep].astype(float), kind[keep]
    rows[:, rows_of.ROT], rows[:, rows_of.RGBA] = mat, g.rgba[keep]
    flags, matid = g.flags[keep], g.matid[keep]
    m = scene.assets.materials
    known = (matid >= 0) & (matid < m.n)
    mid = np.where(known, matid, 0)

    def material(name, plain):
        column = getattr(m, name)
        known_ = known if column.ndim == 1 else known[:, None]
        return np.where(known_, column[mid], plain)

    surface = rows[:, rows_of.SURFACE]
    surface[:, 0], surface[:, 1] = material('specular', 0.5), 128 * material('shininess', 0.5)
    surface[:, 2] = material('emission', 0) + g.glow[keep]
    segid = g.segid[keep]
    surface[:, 3] = np.where(segid >= 0, segid, keep)
    normal = mat[:, 2::3].astype(float)
    flat = kind == meshes.PLANE
    facing = (-optics.forward if optics.orthographic else optics.eye - pos)
    behind = flat & (np.sum(facing * normal, 1) < 0)
    rows[behind, 19] *= BEHIND_ALPHA
    infinite = flat & ((size[:, 0] <= 0) | (size[:, 1] <= 0))
    kind = np.where(infinite, meshes.GRID, kind)
    texid = np.where(scene.texture_on, material('texid', -1), -1).astype(int)
    texid = np.where(texid < len(textures.kinds), texid, -1)
    repeat = np.asarray(material('texrepeat', 1.0), float)
    half = plane_halves(pos, mat, size, infinite, repeat, optics)
    rows[:, rows_of.POS] = pos
    rows[:, rows_of.SCALE] = _scales(kind, size, half)
    rows[:, rows_of.TEXTURE] = texture_rows(texid, textures, kind, size, g.texsize[keep], half, infinite, repeat, material('texuniform', False))
    radius, center = _bounds(kind, size, half, pos, normal)
    radius = np.where(kind >= meshes.MODEL_MESH, 1e9, radius)
    return _Work(rows, kind, texid, radius, center, behind, infinite, flags, material('reflectance', 0.0))


def _scales(kind, size, half):
    scale = np.zeros((len(kind), 4), np.float32)
    scale[:, :3] = size
    capsule = kind == meshes.CAPSULE
    scale[capsule, 2] = 0.5 * (size[capsule, 0] + size[capsule, 1])
    scale[capsule, 3] = size[capsule, 2]
    flat = (kind == meshes.PLANE) | (kind == meshes.GRID)
    scale[flat, :2], scale[flat, 2] = half[flat], 1
    scale[kind == meshes.TRIANGLE, 2] = 1
    return scale


def _bounds(kind, size, half, pos, normal):
    """Bounding spheres: radius (n,), centre (n, 3)."""
    radius = np.linalg.norm(size, axis=1).astype(float)
    capsule = kind == meshes.CAPSULE
    radius[capsule] = size[capsule, 0] + size[capsule, 2]
    ball = kind == meshes.SPHERE
    radius[ball] = size[ball].max(1)
    flat = (kind == meshes.PLANE) | (kind == meshes.GRID)
    radius[flat] = np.linalg.norm(half[flat], axis=1)
    center = pos.copy()
    arrow = np.isin(kind, (meshes.ARROW, meshes.ARROW1, meshes.ARROW2))
    center[arrow] += 0.5 * size[arrow, 2:] * normal[arrow]
    return radius, center


def _levels(pixels, quality, kind):
    if not quality.lod:
        return np.ones(len(kind), int)
    level = np.searchsorted(-np.asarray(meshes.LEVEL_PIXELS), -pixels, side='left')
    coarsest = 1 if len(kind) <= FEW_DRAWN else meshes.LEVELS - 1   # something small but near a light throws a large shadow
    level = np.clip(level, 0 if quality.detail >= 1 else 1, coarsest)
    return np.where(np.isin(kind, meshes.ROUND), level, 0)


def _visible(work, optics):
    """Instances whose bounding sphere meets the view frustum, by the planes of viewproj."""
    m = optics.viewproj
    inside = np.ones(len(work.kind), bool)
    for plane in (m[3] + m[0], m[3] - m[0], m[3] + m[1], m[3] - m[1], m[3] + m[2]):
        length = max(np.linalg.norm(plane[:3]), 1e-12)
        inside &= work.center @ plane[:3] + plane[3] >= -work.radius * length
    return inside


def _reflector(scene, work, clear):
    """Row of the first reflecting opaque plane or box, or None."""
    if not scene.flags.reflection:
        return None
    shape = np.isin(work.kind, (meshes.PLANE, meshes.GRID, meshes.BOX))
    found = np.flatnonzero(shape & ~clear & (work.reflectance > 0))
    return int(found[0]) if len(found) else None


def _mirror_of(scene, work, reflector, optics):
    if reflector is None:
        return None
    normal = work.rows[reflector, [5, 8, 11]].astype(float)
    point = work.rows[reflector, :3].astype(float)
    if work.kind[reflector] == meshes.BOX:
        point = point + work.rows[reflector, 14] * normal
    facing = -optics.forward if optics.orthographic else optics.eye - point
    return (point, normal, float(work.reflectance[reflector])) if facing @ normal > 0 else None


def _arrange_casters(plan, work, rows, level, clear, reflector, far, quality_lod):
    n = len(work.kind)
    if n > FEW_CASTERS and quality_lod:
        level = np.where(np.isin(work.kind, meshes.ROUND), np.minimum(level + 1, meshes.LEVELS - 1), 0)
    # never finer than what is drawn: a caster outside the drawn facets would shade them with a grid
    cast = (work.flags & shapes.CAST_SHADOW != 0) & (work.flags & shapes.DECOR == 0) & ~work.infinite
    group = np.where(cast, 0, 2) + clear
    group[work.infinite] = 4
    if reflector is not None and not work.infinite[reflector]:
        group[reflector] = 5
    order = np.lexsort((np.where(clear, -far, 0), level, work.kind, work.texid, group))
    plan.caster_rows = rows[order]
    starts = np.searchsorted(group[order], np.arange(7))

    def part(k):
        rows_ = order[starts[k]:starts[k + 1]]
        return batches(work.kind[rows_], level[rows_], work.texid[rows_], int(starts[k]))

    plan.casters = part(0) + part(1) + (part(5) if reflector is not None and (work.flags[reflector] & shapes.CAST_SHADOW) else [])
    plan.reflected, plan.reflected_clear = part(0) + part(2), part(1) + part(3)
    for k in range(starts[4], starts[5]):
        i = order[k]
        batch = Batch(int(work.kind[i]), 0, int(work.texid[i]), int(k), 1)
        if work.flags[i] & shapes.CAST_SHADOW:
            plan.infinite.append((batch, work.rows[i, :3].astype(float), work.rows[i, [5, 8, 11]].astype(float)))
        if i != reflector:
            (plan.reflected_clear if clear[i] else plan.reflected).append(batch)
    assert n == len(plan.caster_rows)


def _lines(scene):
    """All segments: scene.lines, LINE instances and the edges of LINEBOX instances."""
    lines, g = scene.lines, scene.geoms
    out = np.empty((lines.n, 11), np.float32)
    out[:, 0:3], out[:, 3:6], out[:, 6:10], out[:, 10] = lines.view('start'), lines.view('end'), lines.view('rgba'), lines.view('width')
    parts = [out]
    shape = g.view('shape')
    for i in np.flatnonzero(shape == shapes.LINE):
        end = g.pos[i] + g.mat[i, 2::3] * g.size[i, 2]
        parts.append(np.concatenate([g.pos[i], end, g.rgba[i], g.size[i, :1]])[None])
    edges = np.array(_EDGES, np.float32)
    for i in np.flatnonzero(shape == shapes.LINEBOX):
        frame = g.mat[i].reshape(3, 3)
        a, b = (edges[:, :3] * g.size[i]) @ frame.T + g.pos[i], (edges[:, 3:] * g.size[i]) @ frame.T + g.pos[i]
        parts.append(np.concatenate([a, b, np.tile(g.rgba[i], (12, 1)), np.full((12, 1), LINEBOX_WIDTH)], 1))
    out = np.concatenate(parts).astype(np.float32)
    out[:, 10] *= scene.look.linewidth
    if not scene.flags.additive:
        clear = out[:, 9] < OPAQUE_ALPHA
        out[clear, 9] = 1 - (1 - out[clear, 9]) ** 2
    return out[np.isfinite(out).all(1)]
