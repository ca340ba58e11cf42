"""Lit instances: opaque, mirrors, transparent from back to front."""
import moderngl

from render.gpu import meshes
from render.gpu.lights import light_code
from render.passes.steps import finish

TWO_SIDED = (meshes.PLANE, meshes.GRID)    # flat things keep their back when faces are culled; a triangle has one of its own

PATCH = 2       # CORNERS in the program: a plane cut into tiles
CUBE = 2      # kind of a texture
ONE_NORMAL = (meshes.PLANE, meshes.GRID, meshes.BOX, meshes.TRIANGLE)      # all corners of a triangle have the same


class SurfacePass:
    """Draws batches with the surface program's variants."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._shadowed, self._plain, self._fog = {}, {}, 1
        self._look = self._occluded = {}
        self.detail = None      # in a wireframe: slices, stacks, squares of the model's visual/quality

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

    def _draw(self, *what, **how):
        finish(self._steps(*what, **how))

    def _steps(self, instances, batches, shadow, mirror=None, clear=False, open_air=False, patch=None, part=(0, -1)):
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
            mesh = patch or r.meshes.get(batch.kind, batch.level)
            wires = self._wires(instances, batch) if self.detail else None
            code_of = {'TEXTURE': kind, 'FLAT': 2 if mesh.flat else int(batch.kind in ONE_NORMAL), 'FOG': self._fog, 'SHADOW': shadow, 'PCF': r.quality.pcf * shadow, **code}
            if batch.corners > 1 and kind != CUBE and mirror is None and not self._look and not r.quality.penumbra:
                program = self._speck(mesh, kind, code_of)
            else:
                if wires and culling and batch.kind not in TWO_SIDED:
                    code_of['WIRE'] = 1
                corners = PATCH if patch else int(batch.corners > 0 and not self._look)
                program = r.programs.get('surface', PENUMBRA=int(r.quality.penumbra) * shadow, REFLECTION=0 if mirror is None else 1 + clear,
                                         CORNERS=corners, **self._variant(batch, clear, instances is r.main and not clear), **code_of)
            if mirror is not None and self._look:
                program['reflectance'].value = mirror.reflectance, max(mirror.reflectance, 1 - mirror.rough)
            for one, first, count in wires or ((mesh, batch.first, batch.count),):
                yield from instances.steps(program, one, first, count, part)
            if flat:
                r.ctx.enable(moderngl.CULL_FACE)

    def _speck(self, mesh, kind, code):
        """The program of what has triangles hardly larger than pixels."""
        program = self.renderer.programs.get('speck', **code)
        if kind:
            program['texel_density'].value = mesh.texel_density
        return program

    def _wires(self, instances, batch):
        """(wire, first row, number of rows) of a batch, None if its triangles are what a wireframe shows."""
        rows, get = instances.rows[batch.first:batch.first + batch.count], self.renderer.wires.get
        if batch.kind in TWO_SIDED:     # each has a grid of its own
            return [(get(batch.kind, self.detail, row), batch.first + k, 1) for k, row in enumerate(rows)]
        wire = get(batch.kind, self.detail, rows[0])
        return wire and [(wire, batch.first, batch.count)]

    def opaque(self, plan):
        """Everything that hides what is behind it, but the mirrors, in steps."""
        return self._steps(self.renderer.main, plan.opaque, True)

    def mirror(self, mirror, fbo):
        """A reflecting surface, whose picture is bound."""
        if self.detail and not self._look:
            self._wire_mirror(mirror, fbo)
        else:
            self._draw(self.renderer.main, [mirror.batch], True, mirror)

    def _wire_mirror(self, mirror, fbo):
        """Its picture, between the edges too; the light of the edges is added, once for each face that has them, as in the classic look."""
        ctx, detail, instances = self.renderer.ctx, self.detail, self.renderer.main
        self.detail, ctx.wireframe = None, False
        finish(self._blended(instances, [mirror.batch], False, fbo, mirror))
        self.detail, ctx.wireframe = detail, True
        self._draw(instances, [mirror.batch], True, mirror, clear=True)
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = moderngl.ONE, moderngl.ONE
        self._draw(instances, [mirror.batch], True)
        ctx.disable(moderngl.BLEND)

    def ground(self, ground, share):
        """A share of the plane that is drawn apart (regions.py)."""
        ctx = self.renderer.ctx
        for rectangle, shadowed, mirrored in share.rectangles:
            ctx.scissor = rectangle
            self._draw(self.renderer.main, [ground.batch], True, ground.mirror if mirrored else None, open_air=not shadowed)
        ctx.scissor = None
        for first, count, shadowed, mirrored in share.patches:
            self._draw(self.renderer.main, [ground.batch], True, ground.mirror if mirrored else None, open_air=not shadowed,
                       patch=self.renderer.patch, part=(first, count))

    def glow(self, batches):
        """What things of the further rows shed by themselves."""
        plain, look = self._plain, self._look
        self._plain, self._look = light_code([], {}), {**look, 'GLOW': 1}
        self._draw(self.renderer.casters, batches, False)
        self._plain, self._look = plain, look

    def transparent(self, plan, additive, fbo):
        """Blended, in the plan's order, without writing depth, in steps; transparent surfaces receive shadows in the physical look alone."""
        return self._blended(self.renderer.main, plan.beneath + plan.transparent, additive, fbo)

    def through(self, plan, fbo):
        """What is hidden and to be seen all the same, in steps."""
        if plan.through:
            self.renderer.ctx.depth_func = '>'
            try:
                yield from self._blended(self.renderer.main, plan.through, False, fbo)
            finally:
                self.renderer.ctx.depth_func = '<='

    def mirrored(self, mirror):
        """What is seen in a mirror, in steps: all lights; shadows where the quality affords them, which the classic look does not."""
        return self._steps(self.renderer.casters, mirror.opaque, self.renderer.quality.fine_mirrors)

    def mirrored_clear(self, mirror, additive, fbo):
        """What is seen in a mirror and through, in steps."""
        return self._blended(self.renderer.casters, mirror.clear, additive, fbo)

    def _blended(self, instances, batches, additive, fbo, mirror=None):
        if not batches:
            return
        ctx = self.renderer.ctx
        ctx.enable(moderngl.BLEND)
        blend = (moderngl.SRC_ALPHA, moderngl.ONE) if additive else (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)
        if self._look:      # alpha of what is seen in a mirror says how much of it there is
            blend += (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        ctx.blend_func = blend
        fbo.depth_mask = False
        try:
            yield from self._steps(instances, batches, bool(self._look) and instances is self.renderer.main, mirror, clear=True)
        finally:
            fbo.depth_mask = True
            ctx.disable(moderngl.BLEND)
