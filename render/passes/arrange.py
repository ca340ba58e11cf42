"""Turn a Scene into rows and batches for the GPU: what is visible, at which level of detail, in which order.

    main rows:  opaque by mesh and texture | reflecting surfaces | transparent from back to front (the classic look: and from front to back before)
    more rows:  infinite planes | what casts shadows | what is seen in each mirror | what falls into each shadow map (shadow_fit.py)

Sorting follows the classic look: alpha below 0.995 is transparent; a plane seen from behind is transparent with 0.3 of its
alpha; transparent surfaces are laid over twice there, from front to back and from back to front. Where there is but one such thing, and in
the physically based look, one pass here uses 1 - (1 - alpha)^2.
"""
from dataclasses import dataclass, field

import numpy as np

from render.gpu import instances as rows_of
from render.gpu import meshes
from render.gpu.instances import InstanceBatch, batches, together
from render.gpu.textures import ALL_IN_ONE, METALLIC, OPACITY, ROUGHNESS
from render.passes.depth_range import put_ties, put_unnamed
from render.passes.levels import corners, levels
from render.passes.mapping import grid_spacing, plane_halves, texture_rows
from render.passes.mirrors import fill_mirror, find_mirrors, visible
from render.passes.physical.pbr_material import pbr_rows
from render.passes.regions import find_ground
from render.scene import identity, shapes

OPAQUE_ALPHA = 0.995
BEHIND_ALPHA = 0.3
THROUGH_ALPHA = 0.5    # of what is seen through what hides it
BEHIND_ALL = 1e6       # [m] planes are drawn before what else is transparent, the farthest first
LINEBOX_WIDTH = 1.5
FEW_CASTERS = 300       # up to here shadows and the mirrored picture keep the fine meshes
_KIND = tuple(meshes.KIND_OF_SHAPE.get(shape, -1) for shape in range(128))
_EDGES = ((-1, -1, -1, 1, -1, -1), (-1, 1, -1, 1, 1, -1), (-1, -1, 1, 1, -1, 1), (-1, 1, 1, 1, 1, 1), (-1, -1, -1, -1, 1, -1), (1, -1, -1, 1, 1, -1),
          (-1, -1, 1, -1, 1, 1), (1, -1, 1, 1, 1, 1), (-1, -1, -1, -1, -1, 1), (1, -1, -1, 1, -1, 1), (-1, 1, -1, -1, 1, 1), (1, 1, -1, 1, 1, 1))


@dataclass(slots=True)
class Ground:
    """The plane that most of a picture may show: index into the frame's columns, its batch in the main rows, and itself as a mirror."""
    index: int
    batch: InstanceBatch
    mirror: object = None


@dataclass(slots=True)
class DrawPlan:
    """One frame, ready to be drawn. rows: (n, 28) float32; batches of opaque, ground and transparent index into it, all others into more_rows()."""
    rows: np.ndarray
    opaque: list = field(default_factory=list)
    transparent: list = field(default_factory=list)
    beneath: list = field(default_factory=list)         # the transparent ones in the opposite order, drawn before them
    through: list = field(default_factory=list)         # opaque ones once more, fainter, where they are hidden
    mirrors: list = field(default_factory=list)         # reflecting surfaces, drawn after their picture (mirrors.Mirror)
    ground: Ground = None                               # drawn apart; also among the mirrors if it is one
    casters: list = field(default_factory=list)         # batches of finite things that cast shadows
    infinite: list = field(default_factory=list)        # (batch, point, normal) of infinite planes that cast
    lines: np.ndarray = None                            # (k, 12) float32: start 3, end 3, rgba 4, width, number or -1; width below 0: a dot of that size
    work: object = None                                 # the frame's columns, for what is planned later
    more: list = field(default_factory=list)
    more_count: int = 0

    def put(self, indices, kind, level, texid):
        """Append instances (indices into work, sorted by the three other arrays) to the further rows; their batches."""
        first, self.more_count = self.more_count, self.more_count + len(indices)
        self.more.append(self.work.rows[indices])
        return batches(kind[indices], level[indices], texid[indices], first)

    def solid(self) -> list:
        """Batches of everything that hides what is behind it."""
        ground = [self.ground.batch] if self.ground is not None and self.ground.mirror is None else []
        return self.opaque + ground + [mirror.batch for mirror in self.mirrors]

    def named_lines(self) -> np.ndarray:
        """The lines without those that belong to nothing."""
        return self.lines[self.lines[:, 11] >= 0]

    def more_rows(self) -> np.ndarray:
        """Rows of everything that is not drawn into the main picture (n, 28) float32."""
        return np.concatenate(self.more) if self.more else self.rows[:0]


@dataclass(slots=True)
class _Work:
    """Columns computed once per frame for the n drawn instances. clear: transparent; seen: in the frustum; far: distance to sort by;
    level: of detail in the main picture; coarse: in shadow maps and mirrors; corners: added to both where light is computed there; casts: is finite and casts shadows;
    holed: an image says which parts of it are transparent, so it is drawn with the opaque things and with the transparent ones;
    rough: roughness of mirrors, 0 where none is given."""
    rows: np.ndarray
    kind: np.ndarray
    texid: np.ndarray
    radius: np.ndarray
    center: np.ndarray
    behind: np.ndarray
    infinite: np.ndarray
    flags: np.ndarray
    reflectance: np.ndarray
    clear: np.ndarray = None
    seen: np.ndarray = None
    far: np.ndarray = None
    level: np.ndarray = None
    coarse: np.ndarray = None
    corners: np.ndarray = None
    casts: np.ndarray = None
    holed: np.ndarray = None
    rough: np.ndarray = None


def arrange(scene, optics, size, fovy_factor: float, quality, textures, grounded=False) -> DrawPlan:
    """Plan of one frame. fovy_factor: picture height per unit of depth (or the whole height if orthographic) [m]; grounded: whether its ground is
    drawn apart."""
    work = _columns(scene, optics, textures)
    plan = DrawPlan(work.rows, work=work, lines=_lines(scene))
    if len(work.kind) == 0:
        work.clear = work.seen = work.casts = np.zeros(0, bool)
        work.level = np.zeros(0, int)
        return plan
    put_unnamed(work)
    put_ties(work)
    _judge(work, scene, optics, size, fovy_factor, quality)
    clear, behind, rows = work.clear, work.flags & shapes.BEHIND != 0, work.rows
    level = work.level + work.corners + np.where(work.flags & shapes.UNNAMED != 0, rows_of.UNNAMED, 0)
    twice = not (scene.flags.additive or scene.flags.physical) and np.count_nonzero(clear & ~behind) > 1
    if not scene.flags.additive:
        once = clear & behind if twice else clear
        rows[once, 19] = 1 - (1 - rows[once, 19]) ** 2
    found = find_mirrors(work, optics, size, quality) if scene.flags.reflection else []
    opaque = work.seen & ~clear
    ground = find_ground(work) if grounded else None
    found.sort(key=lambda mirror: mirror.index != ground)
    apart = [mirror.index for mirror in found]
    if ground is not None and ground not in apart:
        apart.append(ground)
    opaque[apart] = False
    opaque = np.flatnonzero(opaque)
    opaque = opaque[together(work.kind[opaque], level[opaque], work.texid[opaque])]
    back = np.flatnonzero(work.seen & (clear | work.holed))
    back = back[_order(work, back, level, scene.flags.additive)]
    again = back[::-1][~behind[back[::-1]]] if twice else back[:0]
    plan.opaque = batches(work.kind[opaque], level[opaque], work.texid[opaque])
    plan.transparent = batches(work.kind[back], level[back], work.texid[back], len(opaque) + len(apart))
    if twice:
        plan.beneath = batches(work.kind[again], level[again], work.texid[again], len(opaque) + len(apart) + len(back))
    plan.rows = rows[np.concatenate([opaque, apart, back, again]).astype(int)]
    _put_through(plan, opaque)
    alone = {i: InstanceBatch(int(work.kind[i]), 0, int(work.texid[i]), len(opaque) + k, 1) for k, i in enumerate(apart)}
    for mirror in found:
        mirror.batch = alone[mirror.index]
    if ground is not None:
        plan.ground = Ground(ground, alone[ground], next((mirror for mirror in found if mirror.index == ground), None))
    _put_casters(plan, scene.flags.shadow and not scene.flags.wireframe and quality.shadow_size and quality.cascades)
    plan.mirrors = [fill_mirror(mirror, plan, twice) for mirror in found]
    return plan


def _order(work, back, level, additive):
    """Order (n,) of what is seen through, from back to front. What stands behind all else goes together, colour by colour: ghosts have many parts that look alike."""
    far, behind = work.far[back].astype(float), np.flatnonzero(work.flags[back] & shapes.BEHIND)
    look = np.zeros(len(back), int)
    if len(behind):
        ghost = np.unique(work.rows[back[behind], rows_of.RGBA][:, :3], axis=0, return_inverse=True)[1].ravel()
        far[behind] = (np.bincount(ghost, far[behind]) / np.maximum(np.bincount(ghost), 1))[ghost]
        look[behind] = work.kind[back[behind]].astype(int) * 2 * rows_of.UNNAMED + level[back[behind]]
    return np.lexsort((look, far if additive else -far))


def _put_through(plan, opaque):
    """Rows once more of the opaque things that are seen through others."""
    work = plan.work
    again = opaque[work.flags[opaque] & shapes.THROUGH != 0]
    if len(again):
        plan.through = batches(work.kind[again], work.level[again], np.full(len(again), -1), len(plan.rows))
        fainter = work.rows[again]
        fainter[:, 19] *= THROUGH_ALPHA
        plan.rows = np.concatenate([plan.rows, fainter])


def _judge(work, scene, optics, size, fovy_factor, quality):
    """Fill the columns that depend on where the eye is."""
    depth = (work.center - optics.eye) @ optics.forward
    pixels = work.radius * size[1] / fovy_factor / (1 if optics.orthographic else np.maximum(depth, 1e-6))
    work.level = work.coarse = levels(work, pixels, scene, optics, size[1] / fovy_factor, quality)
    if np.count_nonzero(work.flags & shapes.UNNAMED == 0) > FEW_CASTERS and quality.lod:
        # never finer than what is drawn: a caster outside the drawn facets would shade them with a grid
        work.coarse = np.where(np.isin(work.kind, meshes.ROUND), np.minimum(work.level + 1, meshes.LEVELS - 1), work.level)
    elif quality.coarser:
        mesh = (work.kind >= meshes.MODEL_MESH) & (work.kind < meshes.SKIN)
        work.coarse = np.where(mesh, np.minimum(work.level + 1, len(meshes.MESH_PIXELS) - 1), work.level)
    work.corners = corners(work, pixels, scene, quality)
    work.clear = (work.rows[:, 19] < OPAQUE_ALPHA) | work.behind
    work.seen = visible(work, optics.viewproj)
    work.casts = (work.flags & shapes.CAST_SHADOW != 0) & (work.flags & shapes.DECOR == 0)
    far = np.linalg.norm(np.subtract(work.center, optics.eye, dtype=float), axis=1)
    work.far = np.where(np.isin(work.kind, (meshes.PLANE, meshes.GRID)), BEHIND_ALL + far, far - work.radius)


def _put_casters(plan, wanted):
    """Everything finite that casts, by mesh alone, and the infinite planes one by one."""
    if not wanted:
        return
    work = plan.work
    untextured = np.full(len(work.kind), -1)
    cast = np.flatnonzero(work.casts & ~work.infinite)
    plan.casters = plan.put(cast[np.lexsort((work.coarse[cast], work.kind[cast]))], work.kind, work.coarse, untextured)
    for i in np.flatnonzero(work.casts & work.infinite):
        batch, = plan.put(np.array([i]), work.kind, work.coarse, untextured)
        plan.infinite.append((batch, work.rows[i, :3].astype(float), work.rows[i, [5, 8, 11]].astype(float)))


def _columns(scene, optics, textures) -> _Work:
    g = scene.geoms
    kind = np.array(_KIND, np.int32)[g.view('shape')]
    for which, first, made in (((shapes.MESH, shapes.SDF), meshes.MODEL_MESH, scene.assets.meshes), ((shapes.SKIN,), meshes.SKIN, scene.assets.skins)):
        there = np.isin(g.view('shape'), which) & (g.view('dataid') >= 0) & (g.view('dataid') < len(made))
        kind = np.where(there, first + g.view('dataid'), kind)
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
    own = textures.base_color[mid] if scene.flags.physical and m.n else m.texid[mid]
    texid = np.where(known & scene.texture_on, own, -1).astype(int)
    texid = np.where(texid < len(textures.kinds), texid, -1)
    holed = textures.have_layer(texid, OPACITY) if scene.flags.physical else np.zeros(n, bool)
    if scene.flags.physical:
        metallic, roughness = (np.where((material(name, -1) < 0) & textures.have_layer(texid, layer | ALL_IN_ONE), 1.0, material(name, -1))
                               for name, layer in (('metallic', METALLIC), ('roughness', ROUGHNESS)))      # an image alone says all
        surface[:, :2] = pbr_rows(material('specular', 0.5), material('shininess', 0.5), metallic, roughness, flags & shapes.DECOR != 0)
    repeat = np.asarray(material('texrepeat', 1.0), float)
    half = plane_halves(pos, mat, size, infinite, repeat, optics)
    rows[:, rows_of.POS] = pos
    rows[:, rows_of.SCALE] = _scales(kind, size, half, optics.far)
    rows[:, rows_of.TEXTURE] = texture_rows(texid, textures, kind, size, g.texsize[keep], half, infinite, repeat, material('texuniform', False))
    radius, center = _bounds(kind, size, half, pos, mat, scene.assets.mesh_spheres())
    rough = scene.flags.physical * np.clip(material('roughness', 0.0), 0, 1)
    return _Work(rows, kind, texid, radius, center, behind, infinite, flags, material('reflectance', 0.0), holed=holed, rough=rough)


def _scales(kind, size, half, far):
    scale = np.zeros((len(kind), 4), np.float32)
    scale[:, :3] = size
    capsule = kind == meshes.CAPSULE
    scale[capsule, 2] = 0.5 * (size[capsule, 0] + size[capsule, 1])
    scale[capsule, 3] = size[capsule, 2]
    flat = (kind == meshes.PLANE) | (kind == meshes.GRID)
    scale[flat, :2] = half[flat]
    scale[flat, 2] = np.where(kind == meshes.GRID, grid_spacing(half[:, 0], far), size[:, 2])[flat]      # they have no height (gpu/wires.py)
    scale[kind == meshes.TRIANGLE, 2] = 1
    scale[kind >= meshes.SKIN, :3] = 1
    return scale


def _bounds(kind, size, half, pos, mat, spheres):
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
    center[arrow] += 0.5 * size[arrow, 2:] * mat[arrow, 2::3]
    mesh = np.flatnonzero((kind >= meshes.MODEL_MESH) & (kind < meshes.SKIN))
    sphere = spheres[kind[mesh] - meshes.MODEL_MESH]
    center[mesh] += np.einsum('nij,nj->ni', mat[mesh].reshape(-1, 3, 3), size[mesh] * sphere[:, :3])
    radius[mesh] = np.abs(size[mesh]).max(1, initial=0) * sphere[:, 3]
    skin = kind >= meshes.SKIN
    radius[skin] = size[skin, 0]
    return radius, center


def _lines(scene):
    """All segments and dots: scene.lines, scene.points, LINE instances and the edges of LINEBOX instances; the opaque ones first."""
    lines, points, g = scene.lines, scene.points, scene.geoms
    out = np.empty((lines.n, 12), np.float32)
    out[:, 0:3], out[:, 3:6], out[:, 6:10], out[:, 10] = lines.view('start'), lines.view('end'), lines.view('rgba'), lines.view('width')
    out[:, 11] = np.where(lines.view('named'), identity.first_line(scene) + np.arange(lines.n), -1) if lines.n else 0
    dots = np.empty((points.n, 12), np.float32)
    dots[:, 0:3] = dots[:, 3:6] = points.view('pos')
    dots[:, 6:10], dots[:, 10], dots[:, 11] = points.view('rgba'), -points.view('size'), -1
    parts = [out, dots]
    shape = g.view('shape')

    def number(i):
        return g.segid[i] if g.segid[i] >= 0 else i

    for i in np.flatnonzero(shape == shapes.LINE):
        end = g.pos[i] + g.mat[i, 2::3] * g.size[i, 2]
        parts.append(np.concatenate([g.pos[i], end, g.rgba[i], g.size[i, :1], [number(i)]])[None])
    edges = np.array(_EDGES, np.float32)
    for i in np.flatnonzero(shape == shapes.LINEBOX):
        frame = g.mat[i].reshape(3, 3)
        a, b = (edges[:, :3] * g.size[i]) @ frame.T + g.pos[i], (edges[:, 3:] * g.size[i]) @ frame.T + g.pos[i]
        parts.append(np.concatenate([a, b, np.tile(g.rgba[i], (12, 1)), np.full((12, 1), LINEBOX_WIDTH), np.full((12, 1), number(i))], 1))
    out = np.concatenate(parts).astype(np.float32)
    out[:, 10] *= scene.look.linewidth
    out = out[np.isfinite(out).all(1)]
    return out[np.argsort(out[:, 9] < OPAQUE_ALPHA, kind='stable')]
