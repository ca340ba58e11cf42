"""Programs that compute each pixel of a whole picture."""
import moderngl


class Screen:
    """One vertex array without vertices per program: the programs make a triangle that covers everything."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._arrays = {}

    def cover(self, program, fbo, part=None, state=moderngl.NOTHING):
        """Run a program for every pixel of a framebuffer, or of a part (x, y, width, height) of it, with flags such as BLEND."""
        ctx = self.renderer.ctx
        if program not in self._arrays:
            self._arrays[program] = ctx.vertex_array(program, [])
        fbo.use()
        fbo.viewport = part or (0, 0, *fbo.size)
        ctx.enable_only(state)
        ctx.wireframe = False
        self.renderer.calls.draw(self._arrays[program], moderngl.TRIANGLES, 3)

    def release(self):
        """Free everything."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()
