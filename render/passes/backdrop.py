"""Ground and sky where nothing else is: straight into the target, without samples and depths (regions.py says where)."""
import moderngl


class BackdropPass:
    """Holds nothing; the renderer's passes draw for it."""

    def __init__(self, renderer):
        self.renderer = renderer

    def run(self, regions, plan, scene, optics, target, size):
        """Fill the regions without edges; the caller binds its own framebuffer and state again."""
        r = self.renderer
        ctx, sky = r.ctx, r.background is None and r.sky.shown(scene)
        target.use()
        ctx.viewport = (0, 0, *size)
        if regions.rest and not sky:
            ctx.clear(*(r.background or (0, 0, 0)), 1)
        ctx.enable_only(moderngl.NOTHING)
        culling, r.culling = r.culling, False
        if plan.ground is not None:
            r.surfaces.ground(plan.ground, regions.plain)
        if sky:
            r.sky.run(scene, optics, regions.rest, regions.hazed)
        r.culling = culling
        ctx.scissor = None
