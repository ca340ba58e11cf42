"""What is seen in a reflecting plane or box top, drawn into a texture that the surface adds to its own colour."""
import moderngl

CLIP_DISTANCE0 = 0x3000


class ReflectionPass:
    """Draws the mirrored scene, dimmed by the reflectance; no sky, as in the classic look. One texture serves all mirrors in turn."""

    def __init__(self, renderer):
        self.renderer = renderer

    def run(self, k, plan, scene, optics, size, samples, regions=None):
        """The picture in the k-th mirror of a plan, bound to its unit, in steps; the caller binds its own view and framebuffer again. regions: how the picture is cut."""
        r, quality, mirror = self.renderer, self.renderer.quality, plan.mirrors[k]
        small = tuple(max(1, round(side * quality.reflection)) for side in size)
        fbo, resolved, texture = r.targets.mirror(small, samples)
        block = r.view_block(('mirror', k))
        block.write(optics.mirrored(mirror.point, mirror.normal), small, scene.look, scene.flags.fog,
                    (*mirror.normal, -float(mirror.point @ mirror.normal)), 1.0 if scene.flags.physical else mirror.reflectance)
        block.bind()
        ctx, alpha = r.ctx, 0 if scene.flags.physical or scene.flags.wireframe else 1      # 0: what is around or behind is seen where nothing is
        rect = mirror.rect
        if regions is not None and plan.ground is not None and plan.ground.mirror is mirror:
            rect = regions.mirrored
        texture.use(2)
        if resolved is not None or rect is None:
            r.calls.clear(resolved or fbo, 0, 0, 0, alpha)
        if rect is None:
            return
        fbo.scissor = _scaled(rect, size, small) if resolved is not None else None
        r.calls.clear(fbo, 0, 0, 0, alpha)
        state = moderngl.DEPTH_TEST | (moderngl.CULL_FACE if scene.flags.cull_face else 0)
        ctx.enable_only(state)
        ctx.front_face = 'cw'
        ctx.enable_direct(CLIP_DISTANCE0)
        try:
            yield from self._draw_mirrored(mirror, plan, scene, fbo)
            ctx.enable_only(state)
            if resolved is not None:
                resolved.scissor = fbo.scissor
                r.calls.copy(resolved, fbo)
                resolved.scissor = None
        finally:
            ctx.disable_direct(CLIP_DISTANCE0)
            ctx.front_face = 'ccw'
            fbo.scissor = None
        if scene.flags.physical:
            r.physical.spread(mirror, scene, optics, size, texture)

    def _draw_mirrored(self, mirror, plan, scene, fbo):
        r, additive, lines = self.renderer, scene.flags.additive, plan.named_lines()
        yield from r.surfaces.mirrored(mirror)
        r.lines.opaque(lines)
        if not additive:
            r.lines.transparent(lines, False, fbo)
        yield from r.surfaces.mirrored_clear(mirror, additive, fbo)
        r.lines.transparent(lines, additive, fbo)


def _scaled(rect, size, small):
    """A rectangle of a picture in a smaller copy, rounded outwards."""
    low = [int(rect[k] * small[k] / size[k]) for k in range(2)]
    high = [min(small[k], -int(-(rect[k] + rect[2 + k]) * small[k] // size[k]) + 1) for k in range(2)]
    return *low, high[0] - low[0], high[1] - low[1]
