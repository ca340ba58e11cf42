"""Segments as screen-aligned quads: GL core has no wide lines."""
import moderngl
import numpy as np

_COLUMNS = ('i_start', 'i_end', 'i_rgba', 'i_width', 'i_number')
_FORMATS = ('3f', '3f', '4f', '1f', '1f')


class LinePass:
    """A growing instance buffer of (start 3, end 3, rgba 4, width, number)."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._buffer = None
        self._arrays = {}

    def run(self, lines: np.ndarray):
        """Draw (k, 12) float32 rows, depth-tested, blended where their alpha asks for it."""
        if lines is None or not len(lines):
            return
        ctx = self.renderer.ctx
        wire, ctx.wireframe = ctx.wireframe, False
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self._render(lines, self.renderer.programs.get('line'))
        ctx.disable(moderngl.BLEND)
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
        self._arrays[program].render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(lines))

    def release(self):
        """Free everything."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()
        if self._buffer is not None:
            self._buffer.release()
        self._buffer = None
