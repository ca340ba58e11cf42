"""Unit meshes on the GPU, several levels of detail each, and meshes of the model."""
from types import MappingProxyType

import numpy as np

from render.geometry.arrow import arrow, double_arrow
from render.geometry.box import box
from render.geometry.capsule import capsule
from render.geometry.cylinder import cylinder
from render.geometry.plane import plane, triangle
from render.geometry.sphere import sphere
from render.scene import shapes

# mesh kinds; model meshes follow from MODEL_MESH on
PLANE, GRID, SPHERE, CAPSULE, CYLINDER, BOX, ARROW, ARROW1, ARROW2, TRIANGLE = range(10)
MODEL_MESH = 16
INFINITE_CELLS = 24
KIND_OF_SHAPE = MappingProxyType({
    shapes.PLANE: PLANE, shapes.SPHERE: SPHERE, shapes.ELLIPSOID: SPHERE, shapes.CAPSULE: CAPSULE, shapes.CYLINDER: CYLINDER, shapes.BOX: BOX,
    shapes.ARROW: ARROW, shapes.ARROW1: ARROW1, shapes.ARROW2: ARROW2, shapes.TRIANGLE: TRIANGLE})
ROUND = (SPHERE, CAPSULE, CYLINDER, ARROW, ARROW1, ARROW2)
LEVELS = 4
# projected radius [pixel] from which a level is used, finest first; relative size of its slices and stacks
LEVEL_PIXELS = (140.0, 40.0, 14.0, 0.0)
LEVEL_DETAIL = (1.7, 1.0, 0.6, 0.36)
STRIDE = 36


class Mesh:
    """Vertex and index buffer of one mesh."""

    def __init__(self, ctx, vertices, triangles):
        self.vertices = ctx.buffer(np.ascontiguousarray(vertices, np.float32))
        self.indices = ctx.buffer(np.ascontiguousarray(triangles, np.int32))

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
        self._model = ()
        self.spheres = np.zeros((0, 4))     # centre and radius about each model mesh

    def get(self, kind: int, level: int) -> Mesh:
        """The mesh of a kind at a level of detail (1 is the model's own visual/quality)."""
        key = (kind, level if kind in ROUND else 0)
        if key not in self._meshes:
            self._meshes[key] = Mesh(self.ctx, *self._build(*key))
        return self._meshes[key]

    def _build(self, kind, level):
        n, k = max(6, round(self.slices * LEVEL_DETAIL[level])), max(4, 2 * round(self.stacks * LEVEL_DETAIL[level] / 2))
        if kind >= MODEL_MESH:
            return _model_arrays(self._model[kind - MODEL_MESH])
        builders = {PLANE: lambda: plane(1), GRID: lambda: plane(INFINITE_CELLS), SPHERE: lambda: sphere(n, k), CAPSULE: lambda: capsule(n, k),
                    CYLINDER: lambda: cylinder(n), BOX: box, ARROW: lambda: arrow(n), ARROW1: lambda: arrow(n, 1.0), ARROW2: lambda: double_arrow(n),
                    TRIANGLE: triangle}
        return builders[kind]()

    def set_model(self, assets):
        """Forget the meshes of the last model and take those of this one (uploaded on first use)."""
        for key in [k for k in self._meshes if k[0] >= MODEL_MESH]:
            self._meshes.pop(key).release()
        self._model = tuple(assets)
        self.spheres = np.array([_sphere(asset.vertex) for asset in assets]).reshape(-1, 4)

    @property
    def model_count(self):
        """Number of model meshes."""
        return len(self._model)

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


def _sphere(vertex):
    """(x, y, z, radius) of a sphere about vertices (n, 3)."""
    if not len(vertex):
        return np.zeros(4)
    center = (vertex.min(0) + vertex.max(0)) / 2
    return np.append(center, np.linalg.norm(vertex - center, axis=1).max())


def _model_arrays(asset):
    n = len(asset.vertex)
    uv = asset.vertex[:, :2] * (0.5, -0.5) if asset.texcoord is None else asset.texcoord    # without: laid along z (passes/mapping.py)
    return np.concatenate([asset.vertex, asset.normal, uv, np.zeros((n, 1))], 1), asset.face
