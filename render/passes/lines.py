"""Segments and dots as screen-aligned quads: GL core has no wide lines, and points of a limited size."""
import moderngl
import numpy as np

_COLUMNS = ('i_start', 'i_end', 'i_rgba', 'i_width', 'i_number')
_FORMATS = ('3f', '3f', '4f', '1f', '1f')


OPAQUE_ALPHA = 0.995


class LinePass:
    """A growing instance buffer of (start 3, end 3, rgba 4, width, number); a width below 0 is the size of a dot."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._buffer = None
        self._arrays = {}

    def opaque(self, lines: np.ndarray):
        """Draw the opaque ones of (k, 12) float32 rows that begin with them."""
        if lines is not None:
            self._lit(lines[:_opaque(lines)])

    def transparent(self, lines: np.ndarray, additive: bool, fbo):
        """Draw the others, blended and without writing depth: to be called before and after the transparent surfaces, once if they add up."""
        clear = None if lines is None else lines[_opaque(lines):]
        if clear is None or not len(clear):
            return
        ctx = self.renderer.ctx
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE if additive else moderngl.ONE_MINUS_SRC_ALPHA
        fbo.depth_mask = False
        self._lit(clear)
        fbo.depth_mask = True
        ctx.disable(moderngl.BLEND)

    def _lit(self, lines):
        if not len(lines):
            return
        ctx = self.renderer.ctx
        wire, ctx.wireframe = ctx.wireframe, False
        dots = lines[:, 10] < 0
        for part, variant in ((lines[~dots], {}), (lines[dots], {'DOTS': 1})) if dots.any() else ((lines, {}),):
            if len(part):
                self._render(part, self.renderer.programs.get('line', **variant))
        if self.renderer.culling:
            ctx.enable(moderngl.CULL_FACE)
        ctx.wireframe = wire

    def run_flat(self, lines: np.ndarray, mode: int):
        """Draw the rows as a mode of the identity pass asks."""
        if lines is not None and len(lines):
            self._render(lines, self.renderer.programs.get('line', MODE=mode))

    def _render(self, lines, program):
        ctx = self.renderer.ctx
        if self._buffer is None or self._buffer.size < lines.nbytes:
            self.release()
            self._buffer = ctx.buffer(reserve=2 * lines.nbytes, dynamic=True)
        if program not in self._arrays:
            layout = ' '.join(f if name in program else f'{4 * int(f[0])}x' for name, f in zip(_COLUMNS, _FORMATS))
            self._arrays[program] = ctx.vertex_array(program, [(self._buffer, layout + '/i', *(name for name in _COLUMNS if name in program))])
        self._buffer.orphan()
        self._buffer.write(np.ascontiguousarray(lines))
        ctx.disable(moderngl.CULL_FACE)
        self.renderer.calls.draw(self._arrays[program], moderngl.TRIANGLE_STRIP, 4, instances=len(lines))

    def release(self):
        """Free everything."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()
        if self._buffer is not None:
            self._buffer.release()
        self._buffer = None


def _opaque(lines):
    return int(np.count_nonzero(lines[:, 9] >= OPAQUE_ALPHA))
