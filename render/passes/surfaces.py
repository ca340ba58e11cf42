"""Lit instances: opaque, mirrors, transparent from back to front."""
import moderngl

from render.gpu import meshes
from render.gpu.lights import light_code

TWO_SIDED = (meshes.PLANE, meshes.GRID)    # flat things keep their back when faces are culled; a triangle has one of its own

ONE_NORMAL = (meshes.PLANE, meshes.GRID, meshes.BOX, meshes.TRIANGLE)      # all corners of a triangle have the same


class SurfacePass:
    """Draws batches with the surface program's variants."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._shadowed, self._plain, self._fog = {}, {}, 1
        self._look = self._occluded = {}

    def set_lights(self, lights, shadows, fog=True):
        """Lights of this frame: the program's variants for surfaces that receive shadows and for those that do not."""
        self._fog = int(fog)
        self._shadowed, self._plain = light_code(lights, shadows), light_code(lights, {})

    def set_look(self, look, occluded: bool):
        """The physical look, None for the classic one; occluded: its ambient occlusion of the main picture is bound."""
        self._look, self._occluded = (look.defines(False), look.defines(occluded)) if look else ({}, {})

    def _variant(self, batch, clear, own_picture):
        """What the look makes of a batch: defines of the program; its textures are bound."""
        if not self._look:
            return {}
        textures = self.renderer.textures
        return {**(self._occluded if own_picture else self._look), 'CLEAR': int(clear), 'LAYERS': textures.use_layers(batch.texid),
                'CODED': int(batch.texid >= 0 and textures.coded[batch.texid])}

    def _draw(self, instances, batches, shadow, mirror=None, clear=False, open_air=False):
        code = self._shadowed if shadow else self._plain
        shadow = int(bool(code['LIGHTS_CAST']) and not open_air)
        r = self.renderer
        culling = r.culling
        for batch in batches:
            flat = culling and batch.kind in TWO_SIDED
            if flat:
                r.ctx.disable(moderngl.CULL_FACE)
            kind = r.textures.kind(batch.texid)
            if kind:
                r.textures.items[batch.texid].use(0)
            mesh = r.meshes.get(batch.kind, batch.level)
            shape = {'FLAT': 2 if mesh.flat else int(batch.kind in ONE_NORMAL), 'CORNERS': int(batch.corners and not self._look), 'FOG': self._fog}
            program = r.programs.get('surface', TEXTURE=kind, SHADOW=shadow, PCF=r.quality.pcf * shadow, PENUMBRA=int(r.quality.penumbra) * shadow,
                                     REFLECTION=int(mirror is not None), **self._variant(batch, clear, instances is r.main and not clear), **shape, **code)
            if mirror is not None and self._look:
                program['reflectance'].value = mirror.reflectance
            instances.draw(program, mesh, batch.first, batch.count)
            if flat:
                r.ctx.enable(moderngl.CULL_FACE)

    def opaque(self, plan):
        """Everything that hides what is behind it, but the mirrors."""
        self._draw(self.renderer.main, plan.opaque, True)

    def mirror(self, mirror):
        """A reflecting surface, whose picture is bound."""
        self._draw(self.renderer.main, [mirror.batch], True, mirror)

    def ground(self, ground, shadowed=True, mirrored=True):
        """The plane that is drawn apart; whether shadows may fall there and mirror images lie there."""
        self._draw(self.renderer.main, [ground.batch], True, ground.mirror if mirrored else None, open_air=not shadowed)

    def transparent(self, plan, additive, fbo):
        """Blended, in the plan's order, without writing depth; transparent surfaces receive shadows in the physical look alone."""
        self._blended(self.renderer.main, plan.transparent, additive, fbo)

    def mirrored(self, mirror, additive, fbo):
        """What is seen in a mirror: all lights; shadows where the quality affords them, which the classic look does not."""
        self._draw(self.renderer.casters, mirror.opaque, self.renderer.quality.fine_mirrors)
        self._blended(self.renderer.casters, mirror.clear, additive, fbo)

    def _blended(self, instances, batches, additive, fbo):
        if not batches:
            return
        ctx = self.renderer.ctx
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = (moderngl.SRC_ALPHA, moderngl.ONE) if additive else (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)
        fbo.depth_mask = False
        self._draw(instances, batches, bool(self._look) and instances is self.renderer.main, clear=True)
        fbo.depth_mask = True
        ctx.disable(moderngl.BLEND)
