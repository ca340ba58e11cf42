"""The picture seen in the first reflecting plane or box top, drawn into a texture that the mirror adds to its own colour."""
import moderngl

CLIP_DISTANCE0 = 0x3000


class ReflectionPass:
    """Draws the mirrored scene, dimmed by the reflectance; no sky, as in the classic look."""

    def __init__(self, renderer):
        self.renderer = renderer

    def run(self, scene, plan, optics, size, quality):
        """Bind the mirrored picture to its unit; nothing to do without a reflector facing the eye."""
        if plan.reflector is None:
            return
        r = self.renderer
        point, normal, reflectance = plan.reflector
        small = tuple(max(1, round(side * quality.reflection)) for side in size)
        fbo, texture = r.targets.mirror(small)
        block = r.view_block('mirror')
        block.write(optics.mirrored(point, normal), small, scene.look, scene.flags.fog, (*normal, -float(point @ normal)), reflectance)
        block.bind()
        fbo.use()
        fbo.clear(0, 0, 0, 1, depth=1.0)
        ctx = r.ctx
        ctx.front_face = 'cw'
        ctx.enable_direct(CLIP_DISTANCE0)
        r.surfaces.mirrored(plan, scene.flags.additive, fbo)
        ctx.disable_direct(CLIP_DISTANCE0)
        ctx.front_face = 'ccw'
        ctx.enable_only(moderngl.DEPTH_TEST | (moderngl.CULL_FACE if scene.flags.cull_face else 0))
        texture.use(2)
