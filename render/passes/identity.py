"""Draws what stands where without light: segment numbers and depths, flat colours of the numbers, normals."""
import moderngl

from render.passes.surfaces import TWO_SIDED

READ, RANDOM_COLOR, ID_COLOR, NORMAL, NORMAL_COLOR = range(5)
OPAQUE_ALPHA = 0.995


class IdentityPass:
    """Instances and lines."""

    def __init__(self, renderer):
        self.renderer = renderer

    def run(self, plan, mode, with_transparent=True, culling=False, through=False):
        """Into what is bound; mode READ writes (number + 1, depth [m]), NORMAL a unit vector in world coordinates. through: marks that are
        seen through bodies go before these."""
        r = self.renderer
        program = r.programs.get('identity', MODE=mode)
        self._draw(program, plan.solid() + (plan.transparent if with_transparent else []), culling)
        if through and plan.through:
            r.ctx.depth_func = '>'
            self._draw(program, plan.through, culling)
            r.ctx.depth_func = '<='
        if mode not in (NORMAL, NORMAL_COLOR) and plan.lines is not None:     # a line has no normal
            lines = plan.named_lines()
            r.lines.run_flat(lines if with_transparent else lines[lines[:, 9] >= OPAQUE_ALPHA], mode)

    def _draw(self, program, batches, culling):
        r = self.renderer
        for batch in batches:
            if not batch.named:
                continue
            flat = culling and batch.kind in TWO_SIDED
            if flat:
                r.ctx.disable(moderngl.CULL_FACE)
            r.main.draw(program, r.meshes.get(batch.kind, batch.level), batch.first, batch.count)
            if flat:
                r.ctx.enable(moderngl.CULL_FACE)
