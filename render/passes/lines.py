"""Segments as screen-aligned quads: GL core has no wide lines."""
import moderngl
import numpy as np

STRIDE = 44


class LinePass:
    """A growing instance buffer of (start 3, end 3, rgba 4, width)."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._buffer = None
        self._array = None

    def run(self, lines: np.ndarray):
        """Draw (k, 11) float32 rows, depth-tested, blended where their alpha asks for it."""
        if lines is None or not len(lines):
            return
        ctx = self.renderer.ctx
        if self._buffer is None or self._buffer.size < lines.nbytes:
            self.release()
            self._buffer = ctx.buffer(reserve=2 * lines.nbytes, dynamic=True)
            self._array = ctx.vertex_array(self.renderer.programs.get('line'),
                                           [(self._buffer, '3f 3f 4f 1f/i', 'i_start', 'i_end', 'i_rgba', 'i_width')])
        self._buffer.orphan()
        self._buffer.write(np.ascontiguousarray(lines))
        wire, ctx.wireframe = ctx.wireframe, False
        ctx.disable(moderngl.CULL_FACE)
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(lines))
        ctx.disable(moderngl.BLEND)
        ctx.wireframe = wire

    def release(self):
        """Free everything."""
        for item in (self._array, self._buffer):
            if item is not None:
                item.release()
        self._array = self._buffer = None
