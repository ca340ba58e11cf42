"""What a wireframe draws in place of triangles: the edges of the classic picture's faces (geometry/wire.py)."""
from types import MappingProxyType

import moderngl
import numpy as np

from render.geometry import wire
from render.gpu import instances as rows_of
from render.gpu import meshes

FLOATS = 12     # vertex 9, facet 3


class Wire:
    """Edges on the GPU, with the face of a mesh."""
    mode = moderngl.LINES
    flat = False

    def __init__(self, ctx, vertices, facets):
        self.vertices = ctx.buffer(np.concatenate([vertices, facets], 1).astype(np.float32))
        names = (('a_pos', 3, 0), ('a_normal', 3, 12), ('a_uv', 2, 24), ('a_cap', 1, 32), ('a_facet', 3, 36))
        self.attributes = {name: (self.vertices, n, offset, 4 * FLOATS) for name, n, offset in names}
        self.indices = ctx.buffer(np.arange(len(vertices), dtype=np.int32))

    def release(self):
        """Free both buffers."""
        self.vertices.release()
        self.indices.release()


class Wires:
    """Wires of all kinds but meshes, skins and triangles, made when first drawn."""

    def __init__(self, ctx):
        self.ctx = ctx
        self._made = {}

    def get(self, kind: int, detail, row):
        """The wire of an instance with that row (28,), None where its triangles are the faces. detail: slices, stacks, cells of the model's visual/quality."""
        if kind in (meshes.PLANE, meshes.GRID):
            key = (kind, *(float(x) for x in row[rows_of.SCALE][:3]))
            return self._wire(key, lambda: wire.plane_lines(key[1:3], key[3], kind == meshes.GRID))
        make = _FACES.get(kind)
        return make and self._wire((kind, detail), lambda: wire.edges(make(*detail)))

    def _wire(self, key, make):
        if key not in self._made:
            self._made[key] = Wire(self.ctx, *make())
        return self._made[key]

    def release(self):
        """Free everything."""
        for made in self._made.values():
            made.release()
        self._made.clear()


_FACES = MappingProxyType({
    meshes.SPHERE: lambda slices, stacks, cells: wire.sphere_faces(slices, stacks),
    meshes.CAPSULE: lambda slices, stacks, cells: wire.capsule_faces(slices, stacks),
    meshes.CYLINDER: lambda slices, stacks, cells: wire.cylinder_faces(slices, stacks),
    meshes.BOX: lambda slices, stacks, cells: wire.box_faces(cells),
    meshes.ARROW: lambda slices, stacks, cells: wire.arrow_faces(slices, stacks),
    meshes.ARROW1: lambda slices, stacks, cells: wire.arrow_faces(slices, stacks, 1.0),
    meshes.ARROW2: lambda slices, stacks, cells: wire.double_arrow_faces(slices, stacks),
})
