"""Unit meshes on the GPU, several levels of detail each, and meshes of the model."""
from types import MappingProxyType

import moderngl
import numpy as np

from render.geometry.arrow import arrow, double_arrow
from render.geometry.box import box
from render.geometry.capsule import capsule
from render.geometry.cylinder import cylinder
from render.geometry.height_field import LEVELS_PER_OCTAVE, coarser
from render.geometry.order import along_curve, by_first_use
from render.geometry.plane import plane, triangle
from render.geometry.simplify import simplify
from render.geometry.sphere import sphere
from render.geometry.texel_density import texel_density
from render.gpu.skins import SkinMesh
from render.scene import shapes

# mesh kinds; model meshes follow from MODEL_MESH on
PLANE, GRID, SPHERE, CAPSULE, CYLINDER, BOX, ARROW, ARROW1, ARROW2, TRIANGLE = range(10)
MODEL_MESH = 16
SKIN = 1 << 20          # skins follow from here on
INFINITE_CELLS = 24
KIND_OF_SHAPE = MappingProxyType({
    shapes.PLANE: PLANE, shapes.SPHERE: SPHERE, shapes.ELLIPSOID: SPHERE, shapes.CAPSULE: CAPSULE, shapes.CYLINDER: CYLINDER, shapes.BOX: BOX,
    shapes.ARROW: ARROW, shapes.ARROW1: ARROW1, shapes.ARROW2: ARROW2, shapes.TRIANGLE: TRIANGLE})
ROUND = (SPHERE, CAPSULE, CYLINDER, ARROW, ARROW1, ARROW2)
LEVELS = 4
_VERTEX = (('a_pos', 3, 0), ('a_normal', 3, 12), ('a_uv', 2, 24), ('a_cap', 1, 32))     # of STRIDE bytes
STRIDE = 36
# projected radius [pixel] from which a level is used, finest first; relative size of its slices and stacks
LEVEL_PIXELS = (140.0, 40.0, 14.0, 0.0)
LEVEL_DETAIL = (1.7, 1.0, 0.6, 0.36)
# model meshes: the same; cells across a level's grid (at most 1.4 pixels each); triangles from which it is tried, share of them below which it is used
MESH_PIXELS = (140.0, 80.0, 45.0, 25.0, 12.0, 0.0)
MESH_CELLS = (0, 200, 116, 64, 36, 18)
MANY_TRIANGLES, WORTH = tuple(max(2000, 2 * n * n) for n in MESH_CELLS), 0.6
SHARED = 1.2            # triangles per vertex from which on neighbours share enough vertices to be put together
PATIENCE = 30_000       # triangles simplified per frame, none in a model's first; other meshes stay fine until their turn comes


class Mesh:
    """Vertex and index buffer of one mesh. attributes: name -> (buffer, number of floats, offset, stride). flat: its vertices have no normals;
    a_facet of the last vertex of each triangle is that of the triangle then. texel_density: texture coordinates per metre."""
    mode = moderngl.TRIANGLES

    def __init__(self, ctx, vertices, triangles):
        vertices = np.ascontiguousarray(vertices, np.float32)
        self.flat = len(triangles) > 0 and not vertices[:, 3:6].any()
        self.texel_density = texel_density(vertices, np.asarray(triangles))
        self.facets = None
        if len(triangles) > SHARED * len(vertices):
            triangles, vertices = by_first_use(along_curve(vertices, np.asarray(triangles)), vertices)
        if self.flat:
            triangles, vertices, facets = by_first_use(*faceted(vertices, np.asarray(triangles)))
            self.facets = ctx.buffer(facets)
        self.vertices = ctx.buffer(vertices)
        self.attributes = {name: (self.vertices, n, offset, STRIDE) for name, n, offset in _VERTEX}
        if self.flat:
            self.attributes['a_facet'] = (self.facets, 3, 0, 12)
        self.indices = ctx.buffer(np.ascontiguousarray(triangles, np.int32))

    def release(self):
        """Free both buffers."""
        self.vertices.release()
        self.indices.release()
        if self.facets is not None:
            self.facets.release()


def faceted(vertices, triangles):
    """(triangles (m, 3), vertices (n, k), normals (n, 3)): the last vertex of each triangle is its own, doubled where several end in it, and holds its
    unit normal, which GL's flat interpolation takes."""
    first = np.empty(len(vertices), int)
    first[triangles[::-1, 2]] = np.arange(len(triangles))[::-1]
    again = np.flatnonzero(first[triangles[:, 2]] != np.arange(len(triangles)))
    out = triangles.astype(np.int32)
    out[again, 2] = len(vertices) + np.arange(len(again))
    a, b, c = (vertices[triangles[:, k], :3].astype(float) for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
    facets = np.zeros((len(vertices) + len(again), 3), np.float32)
    facets[out[:, 2]] = normal
    return out, np.concatenate([vertices, vertices[triangles[again, 2]]]), facets


def triangles(kind, level, slices, stacks, assets) -> np.ndarray:
    """About how many triangles (n,) instances of these kinds are drawn with at these levels."""
    detail = np.asarray(LEVEL_DETAIL)[np.minimum(level, LEVELS - 1)]
    n, k = slices * detail, stacks * detail
    balls = np.isin(kind, (SPHERE, CAPSULE))
    count = np.where(balls, 2 * n * k, np.where(np.isin(kind, ROUND), 4 * n, 12.0))
    count[np.isin(kind, (PLANE, GRID, TRIANGLE))] = 0
    for first, sizes in ((MODEL_MESH, [len(mesh.face) for mesh in assets.meshes]), (SKIN, [len(skin.face) for skin in assets.skins])):
        there = np.flatnonzero((kind >= first) & (kind < first + len(sizes)))
        count[there] = np.asarray(sizes + [0])[kind[there] - first]
    cells = np.asarray(MESH_CELLS)[np.minimum(level, len(MESH_CELLS) - 1)]
    field = np.array([*(mesh.grid is not None for mesh in assets.meshes), False])[np.where((kind >= MODEL_MESH) & (kind < SKIN), kind - MODEL_MESH, -1)]
    count = np.where(field, count / 4.0 ** (level / LEVELS_PER_OCTAVE), count)
    return np.where((kind >= MODEL_MESH) & (cells > 0) & ~field, np.minimum(count, 2.0 * cells ** 2), count)


class Patch:
    """A mesh that is written anew for every picture, with the attributes of Mesh."""

    flat, mode = False, moderngl.TRIANGLES

    def __init__(self, ctx, count: int):
        self.vertices, self.indices = ctx.buffer(reserve=STRIDE * count, dynamic=True), ctx.buffer(reserve=4 * 6 * count, dynamic=True)
        self.attributes = {name: (self.vertices, n, offset, STRIDE) for name, n, offset in _VERTEX}

    def write(self, vertices, indices):
        """Upload vertices (n, 9) float32 and indices (k,) int32; False if they are too many."""
        if vertices.nbytes > self.vertices.size or indices.nbytes > self.indices.size:
            return False
        for buffer, data in ((self.vertices, vertices), (self.indices, indices)):
            buffer.orphan()
            buffer.write(data)
        return True

    def release(self):
        """Free both buffers."""
        self.vertices.release()
        self.indices.release()


class Meshes:
    """Meshes by (kind, level), built on first use."""

    def __init__(self, ctx, slices: int = 28, stacks: int = 16):
        self.ctx = ctx
        self.slices, self.stacks = slices, stacks
        self._meshes = {}
        self._model, self._skins = (), ()
        self._levels, self._patience = {}, None

    def get(self, kind: int, level: int) -> Mesh:
        """The mesh of a kind at a level of detail (1 is the model's own visual/quality)."""
        key = (kind, level if kind in ROUND else self._mesh_level(kind, level))
        if key not in self._meshes:
            self._meshes[key] = SkinMesh(self.ctx, self._skins[kind - SKIN]) if kind >= SKIN else Mesh(self.ctx, *self._build(*key))
        return self._meshes[key]

    def next_frame(self):
        """Meshes that are small in the picture may be simplified again."""
        self._patience = 0 if self._patience is None else PATIENCE

    def _mesh_level(self, kind, level):
        """The level at which a model's mesh is drawn where this one is asked for: finer where that is not worth it or not made yet."""
        if level == 0 or not MODEL_MESH <= kind < SKIN:
            return 0
        asset = self._model[kind - MODEL_MESH]
        if asset.grid:
            return level
        if len(asset.face) < MANY_TRIANGLES[level]:
            return self._mesh_level(kind, level - 1)
        if (kind, level) not in self._levels:
            if not self._patience or self._patience < 0:
                return 0
            self._patience -= len(asset.face)
            self._levels[kind, level] = self._simplified(kind, level, asset)
        return self._levels[kind, level]

    def _simplified(self, kind, level, asset):
        vertex, normal, face, texcoord = simplify(asset.vertex, asset.normal, asset.face, asset.texcoord, MESH_CELLS[level])
        if len(face) > WORTH * len(asset.face) or len(face) == 0:
            return self._mesh_level(kind, level - 1)
        self._meshes[kind, level] = Mesh(self.ctx, _arrays(vertex, normal, texcoord), face)
        return level

    def skins(self, scene):
        """[(number, SkinMesh)] of the skins whose bones are in the scene."""
        return [(int(k), self.get(SKIN + int(k), 0)) for k in np.unique(scene.skins.view('skin')) if 0 <= k < len(self._skins)]

    def _build(self, kind, level):
        if kind >= MODEL_MESH:
            asset = self._model[kind - MODEL_MESH]
            if level:
                vertex, face = coarser(asset.vertex, asset.grid, level)
                return _arrays(vertex, np.zeros_like(vertex), None), face
            return _arrays(asset.vertex, asset.normal, asset.texcoord), asset.face
        n, k = max(6, round(self.slices * LEVEL_DETAIL[level])), max(4, 2 * round(self.stacks * LEVEL_DETAIL[level] / 2))
        builders = {PLANE: lambda: plane(1), GRID: lambda: plane(INFINITE_CELLS), SPHERE: lambda: sphere(n, k), CAPSULE: lambda: capsule(n, k),
                    CYLINDER: lambda: cylinder(n), BOX: box, ARROW: lambda: arrow(n), ARROW1: lambda: arrow(n, 1.0), ARROW2: lambda: double_arrow(n),
                    TRIANGLE: triangle}
        return builders[kind]()

    def set_model(self, meshes, skins=()):
        """Forget the meshes and skins of the last model and take those of this one (uploaded on first use)."""
        for key in [k for k in self._meshes if k[0] >= MODEL_MESH]:
            self._meshes.pop(key).release()
        self._model, self._skins, self._levels, self._patience = tuple(meshes), tuple(skins), {}, None

    def set_further(self, meshes, first: int) -> set:
        """Take other meshes in place of those from number `first` on. Those that stay keep what is on the GPU; returns what is to be released."""
        places = {id(asset): MODEL_MESH + first + k for k, asset in enumerate(meshes[first:])}
        kept = {MODEL_MESH + k: places.get(id(asset)) for k, asset in enumerate(self._model)}
        further = [key for key in self._meshes if MODEL_MESH + first <= key[0] < SKIN]
        moved, gone = {}, set()
        for kind, level in further:
            mesh, key = self._meshes.pop((kind, level)), (kept[kind], level)
            if key[0] is None or key in moved:
                gone.add(mesh)
            else:
                moved[key] = mesh
        self._meshes.update(moved)
        levels = {(kept.get(kind), level) if kind >= MODEL_MESH + first else (kind, level): found for (kind, level), found in self._levels.items()}
        self._levels = {key: found for key, found in levels.items() if key[0] is not None}
        self._model = tuple(meshes)
        return gone

    def set_detail(self, slices, stacks):
        """Change the tessellation of round shapes."""
        if (slices, stacks) != (self.slices, self.stacks):
            self.slices, self.stacks = slices, stacks
            for key in [k for k in self._meshes if k[0] in ROUND]:
                self._meshes.pop(key).release()
            return True
        return False

    def release(self):
        """Free all buffers."""
        for mesh in self._meshes.values():
            mesh.release()
        self._meshes.clear()


def _arrays(vertex, normal, texcoord):
    n = len(vertex)
    uv = vertex[:, :2] * (0.5, -0.5) if texcoord is None else texcoord     # without: laid along z (passes/mapping.py)
    return np.concatenate([vertex, normal, uv, np.zeros((n, 1))], 1)
