"""Segment numbers and depths per pixel; flat segment colours; the depth buffer as a grey picture."""
import moderngl

READ, RANDOM_COLOR, ID_COLOR = 0, 1, 2


class IdentityPass:
    """Draws instances without light."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._screen = None

    def run(self, plan, mode, with_transparent=True):
        """Into what is bound; mode READ writes (segment + 1, metric depth)."""
        r = self.renderer
        program = r.programs.get('identity', MODE=mode)
        for batch in plan.opaque + [mirror.batch for mirror in plan.mirrors] + (plan.transparent if with_transparent else []):
            r.main.draw(program, r.meshes.get(batch.kind, batch.level), batch.first, batch.count)

    def grey(self, texture, unit):
        """Show a READ picture's depths: white at the eye, half grey at a distance of `unit` [m]."""
        r = self.renderer
        program = r.programs.get('depth_picture')
        if self._screen is None:
            self._screen = r.ctx.vertex_array(program, [])
        texture.use(3)
        program['unit'].value = unit
        r.ctx.enable_only(moderngl.NOTHING)
        self._screen.render(moderngl.TRIANGLES, vertices=3)

    def release(self):
        """Free everything."""
        if self._screen is not None:
            self._screen.release()
            self._screen = None
