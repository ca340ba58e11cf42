"""Lit instances: opaque, the mirror, transparent from back to front."""
import moderngl

from ..gpu import meshes

TWO_SIDED = (meshes.PLANE, meshes.GRID, meshes.TRIANGLE)    # flat things keep their back when faces are culled


class SurfacePass:
    """Draws batches with the surface program's variants."""

    def __init__(self, renderer):
        self.renderer = renderer

    def _draw(self, instances, batches, shadow, pcf=1, reflection=0):
        r = self.renderer
        culling = r.culling
        for batch in batches:
            flat = culling and batch.kind in TWO_SIDED
            if flat:
                r.ctx.disable(moderngl.CULL_FACE)
            kind = r.textures.kind(batch.texid)
            if kind:
                r.textures.items[batch.texid].use(0)
            program = r.programs.get('surface', TEXTURE=kind, SHADOW=int(shadow), PCF=pcf if shadow else 0, REFLECTION=reflection)
            instances.draw(program, r.meshes.get(batch.kind, batch.level), batch.first, batch.count)
            if flat:
                r.ctx.enable(moderngl.CULL_FACE)

    def opaque(self, plan, shadow, pcf):
        """Everything that hides what is behind it, the mirror last."""
        self._draw(self.renderer.main, plan.opaque, shadow, pcf)
        self._draw(self.renderer.main, plan.mirror, shadow, pcf, int(plan.reflector is not None))

    def transparent(self, plan, additive, fbo):
        """Blended, in the plan's order, without writing depth; transparent surfaces receive no shadows."""
        self._blended(self.renderer.main, plan.transparent, additive, fbo)

    def mirrored(self, plan, additive, fbo):
        """The mirrored picture's content: all lights, no shadows."""
        self._draw(self.renderer.casters, plan.reflected, False)
        self._blended(self.renderer.casters, plan.reflected_clear, additive, fbo)

    def _blended(self, instances, batches, additive, fbo):
        if not batches:
            return
        ctx = self.renderer.ctx
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = (moderngl.SRC_ALPHA, moderngl.ONE) if additive else (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)
        fbo.depth_mask = False
        self._draw(instances, batches, False)
        fbo.depth_mask = True
        ctx.disable(moderngl.BLEND)
