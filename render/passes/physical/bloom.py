"""A glow around what shines by itself in the physically based look: strong light spreads in every lens and eye.

    things that emit, at a quarter of the size, where nothing hides them (depths of ambient occlusion) -> mipmaps -> their sum -> over the picture

Without anything that emits, and without ambient occlusion, nothing is drawn.
"""
import moderngl
import numpy as np

from render.gpu.instances import SURFACE
from render.gpu.textures import EMISSIVE
from render.passes.screen import Screen
from render.scene import shapes

FEWER = 4           # pixels of the picture per pixel here
DIMMEST = 0.5       # emission up to which nothing glows (shaders/lib/pbr_main.glsl)
SOURCE_UNIT, POINTS_UNIT = 4, 3


def glowing(work, textures) -> np.ndarray:
    """Indices of things of the model in view that shine by themselves; decor does not."""
    emission = work.rows[:, SURFACE.start + 2]
    return np.flatnonzero(work.seen & (work.flags & shapes.DECOR == 0) & ((emission > DIMMEST) | textures.have_layer(work.texid, EMISSIVE)))


class BloomPass:
    """Draws the glow of one frame; the framebuffers are the renderer's."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._screen = Screen(renderer)
        self._batches = []

    def prepare(self, plan):
        """Put what glows into the plan's further rows."""
        work, self._batches = plan.work, []
        if work is None or not len(work.kind):
            return
        found = glowing(work, self.renderer.textures)
        if len(found):
            level = work.level
            found = found[np.lexsort((level[found], work.kind[found], work.texid[found]))]
            self._batches = plan.put(found, work.kind, level, work.texid)

    def run(self, scene, optics, target, size, points):
        """Lay the glow over a finished picture. points: distances of what hides it."""
        if not self._batches:
            return
        r, ctx = self.renderer, self.renderer.ctx
        small = tuple(max(1, -(-side // FEWER)) for side in size)
        source, smooth = r.targets.bloom(small)
        block = r.view_block('bloom')
        block.write(optics, small, scene.look, scene.flags.fog)
        block.bind()
        source.viewport = (0, 0, *small)
        r.calls.clear(source)
        ctx.enable_only(moderngl.DEPTH_TEST | (moderngl.CULL_FACE if scene.flags.cull_face else 0))
        ctx.depth_func, ctx.front_face, ctx.cull_face, ctx.wireframe = '<=', 'ccw', 'back', False
        points.use(POINTS_UNIT)
        r.surfaces.glow(self._batches)
        light = source.color_attachments[0]
        r.calls.finish()
        r.calls.build_mipmaps(light)
        light.use(SOURCE_UNIT)
        self._screen.cover(r.programs.get('bloom'), smooth)
        smooth.color_attachments[0].use(SOURCE_UNIT)
        ctx.blend_func = moderngl.ONE_MINUS_DST_COLOR, moderngl.ONE, moderngl.ZERO, moderngl.ONE      # never beyond white
        self._screen.cover(r.programs.get('bloom_over'), target, (0, 0, *size), moderngl.BLEND)

    def release(self):
        """Free everything."""
        self._screen.release()
