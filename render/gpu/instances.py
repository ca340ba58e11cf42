"""Scene rows packed for the GPU: one row of floats per instance, sorted so that equal meshes and textures are drawn together.

Row layout (floats): position 3, rotation 9 (row-major), scale 4, rgba 4, surface 4 (specular, shininess, emission, segment), texture 4.
GL 3.3 has no base instance, so a batch re-binds the same vertex array at its first row, unless the driver has it (unlocked.py).
"""
from dataclasses import dataclass

import numpy as np

ROW = 28
STRIDE = 4 * ROW
STEP_CORNERS = 150_000      # of triangles drawn before a picture may pause: some 10 ms on software GL
CORNERS = 16        # added to a level of detail: lit at corners; twice: all of the colour is computed there
UNNAMED = 4 * CORNERS    # added to them for what pictures of numbers leave out (shapes.UNNAMED)
POS, ROT, SCALE, RGBA, SURFACE, TEXTURE = slice(0, 3), slice(3, 12), slice(12, 16), slice(16, 20), slice(20, 24), slice(24, 28)
_COLUMNS = (('i_pos', 3, 0), ('i_scale', 4, 48), ('i_rgba', 4, 64), ('i_surface', 4, 80), ('i_texture', 4, 96))


@dataclass(frozen=True, slots=True)
class InstanceBatch:
    """Rows first .. first+count drawn with one mesh and texture (texid -1 none)."""
    kind: int
    level: int
    texid: int
    first: int
    count: int
    corners: int = 0        # 1: light is computed at the corners of triangles, which are little larger than pixels; 2: all of their colour
    named: bool = True      # whether pictures of numbers show it


def _look(kind, level, texid):
    return (texid.astype(np.int64) + 1 << 28) + kind.astype(np.int64) * 2 * UNNAMED + level


def together(kind, level, texid) -> np.ndarray:
    """Order (n,) that puts rows of equal mesh and texture together, groups by their first row: where surfaces coincide the later row shows."""
    _, first, group = np.unique(_look(kind, level, texid), return_index=True, return_inverse=True)
    return np.argsort(first[group], kind='stable')


def batches(kind, level, texid, first: int = 0):
    """Batches of rows that are already sorted; arguments are parallel arrays (n,)."""
    n = len(kind)
    if n == 0:
        return []
    key = _look(kind, level, texid)
    cut = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    ends = np.r_[cut[1:], n]
    return [InstanceBatch(int(kind[a]), int(level[a]) % CORNERS, int(texid[a]), first + int(a), int(b - a), int(level[a]) % UNNAMED // CORNERS, bool(level[a] < UNNAMED))
            for a, b in zip(cut, ends)]


class InstanceBuffer:
    """A growing vertex buffer of instance rows and the vertex arrays that read it."""

    def __init__(self, ctx, calls, in_parts=False):
        """calls: of unlocked.py; in_parts: whether steps are bounded, which takes draw calls."""
        self.ctx, self._calls = ctx, calls
        self._in_parts = in_parts
        self.buffer = ctx.buffer(reserve=256 * STRIDE, dynamic=True)
        self._arrays = {}
        self.rows = None        # as last written

    def write(self, rows: np.ndarray):
        """Upload rows (n, 28) float32."""
        self.rows = rows
        if rows.nbytes > self.buffer.size:
            self.forget()
            self.buffer.release()
            self.buffer = self.ctx.buffer(reserve=2 * rows.nbytes, dynamic=True)
        if len(rows):
            self.buffer.orphan()
            self.buffer.write(rows)

    def steps(self, program, mesh, first: int, count: int, part=(0, -1)):
        """`draw` as a generator that pauses between parts, of about STEP_CORNERS corners each."""
        at_once = max(1, STEP_CORNERS // max(1, mesh.indices.size // 4)) if self._in_parts else max(1, count)
        for start in range(0, count, at_once):
            self.draw(program, mesh, first + start, min(at_once, count - start), part)
            yield

    def draw(self, program, mesh, first: int, count: int, part=(0, -1)):
        """Draw `count` instances of a mesh from row `first`; part: first and number of its indices."""
        key = (program, mesh)
        entry = self._arrays.get(key)
        if entry is None:
            entry = self._arrays[key] = [self._vertex_array(program, mesh), -1]
        base = first if self._calls.based else 0
        if entry[1] != first - base:
            self._bind(entry[0], program, first - base)
            entry[1] = first - base
        self._calls.draw(entry[0], mesh.mode, part[1], part[0], count, base)

    def _vertex_array(self, program, mesh):
        array = self.ctx.vertex_array(program, [], index_buffer=mesh.indices, index_element_size=4)
        for name, (buffer, n, offset, stride) in mesh.attributes.items():
            if name in program:
                array.bind(program[name].location, 'f', buffer, f'{n}f', offset=offset, stride=stride)
        return array

    def _bind(self, array, program, first):
        start = first * STRIDE
        for name, n, offset in _COLUMNS:
            if name in program:
                array.bind(program[name].location, 'f', self.buffer, f'{n}f', offset=start + offset, stride=STRIDE, divisor=1)
        location = program['i_rot'].location
        for c in range(3):
            array.bind(location + c, 'f', self.buffer, '3f', offset=start + 12 + 12 * c, stride=STRIDE, divisor=1)

    def forget(self, meshes=None):
        """Drop the vertex arrays (after meshes or programs were freed), or those of some meshes (before they are)."""
        for key in [key for key in self._arrays if meshes is None or key[1] in meshes]:
            self._arrays.pop(key)[0].release()

    def release(self):
        """Free everything."""
        self.forget()
        self.buffer.release()
