"""The line around what is selected, laid over a finished picture; nothing is done where nothing is selected.

    selected instances --> mask: where they are, and where they are seen --> a line outside the mask's edge
    what may hide them --> depths only

All of it happens in the rectangle on the screen around the selection. What is in front of it there is drawn once more, without colours: the
picture's own depths are those of many samples, and not everywhere (regions.py).
"""
import moderngl
import numpy as np

from render.gpu.instances import SURFACE, InstanceBuffer, batches, together
from render.passes.outlines import around, around_lines
from render.passes.screen import Screen
from render.passes.surfaces import TWO_SIDED
from render.scene import identity

MARK = 5                # MODE of the line program (lib/identity.glsl)
SOURCE_UNIT = 4         # of the sampler `source` (gpu/programs.py)
RIM = 2                 # pixels around the line
STEP = 64               # the mask's sides are multiples of it, so that it is seldom made anew
HIDDEN, THERE, SEEN = (0.0, 0.0), (0.0, 1.0), (1.0, 1.0)


class SelectionOutline:
    """Of one Renderer."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._rows = InstanceBuffer(renderer.ctx, renderer.calls)
        self._screen = Screen(renderer)

    def run(self, plan, scene, optics, target, size, samples):
        """Outline what scene.outline names in a picture of that plan."""
        wanted, work = scene.outline, plan.work
        if wanted is None or work is None:
            return
        numbers = identity.geom_numbers(scene)[wanted.geoms]
        own = np.isin(work.rows[:, SURFACE.start + 3], numbers)
        chosen = np.flatnonzero(own & work.seen & ~work.infinite)     # what is everywhere has no edge
        lines = plan.lines[:0]
        if len(wanted.lines) or len(plan.lines) > scene.lines.n + scene.points.n:      # shapes made of lines stand behind those of the scene
            lines = plan.lines[np.isin(plan.lines[:, 11], np.r_[identity.first_line(scene) + wanted.lines, numbers])]
        rectangle = self._rectangle(work, chosen, lines, optics, size, scene, wanted.width)
        if rectangle is None:
            return
        before = self._before(work, own, rectangle, optics, size, scene)
        mask = self._mask(work, chosen, before, lines, optics, size, scene, rectangle, samples)
        self._lay_over(mask, wanted, target, size, rectangle)

    def _rectangle(self, work, chosen, lines, optics, size, scene, width):
        """(x, y, width, height) [pixel] around the selection and its outline; None where it is out of sight."""
        low, high = (np.concatenate(parts) for parts in zip(around(work, chosen, optics, scene), around_lines(lines, optics, size)))
        if not len(low):
            return None
        rim = np.ceil(width) + RIM
        start = np.clip(np.floor((low.min(0) + 1) / 2 * size) - rim, 0, size).astype(int)
        end = np.clip(np.ceil((high.max(0) + 1) / 2 * size) + rim, 0, size).astype(int)
        wide, high = end - start
        return (*start.tolist(), int(wide), int(high)) if wide > 0 and high > 0 else None

    def _before(self, work, own, rectangle, optics, size, scene):
        """Indices of what may hide the selection: what is solid and meets its rectangle."""
        others = np.flatnonzero(work.seen & ~work.clear & ~own)
        low, high = around(work, others, optics, scene)
        x, y, wide, tall = rectangle
        start, end = np.array([x, y]) / size * 2 - 1, np.array([x + wide, y + tall]) / size * 2 - 1
        return others[((high > start) & (low < end)).all(1)]

    def _mask(self, work, chosen, before, lines, optics, size, scene, rectangle, samples):
        """Texture with the selection's place: x where it is seen, y where it is at all."""
        r, ctx = self.renderer, self.renderer.ctx
        x, y, wide, tall = rectangle
        drawn, mask = r.targets.outline((-(-wide // STEP) * STEP, -(-tall // STEP) * STEP), samples)
        block = r.view_block('outline')
        block.write(optics, size)
        block.bind()
        drawn.viewport = (-x, -y, *size)
        r.calls.clear(drawn)
        ctx.enable_only(moderngl.DEPTH_TEST | (moderngl.CULL_FACE if scene.flags.cull_face else 0))
        ctx.depth_func, ctx.front_face, ctx.cull_face, ctx.wireframe = '<=', 'ccw', 'back', False
        order = [part[together(work.kind[part], work.level[part], work.kind[part] * 0)] for part in (before, chosen)]
        rows = np.concatenate(order)
        self._rows.write(work.rows[rows])
        parts = [batches(work.kind[part], work.level[part], np.full(len(part), -1), first) for part, first in zip(order, (0, len(before)))]
        self._draw(parts[0], HIDDEN, scene)
        drawn.depth_mask = False
        ctx.depth_func = '1'
        self._draw(parts[1], THERE, scene)
        ctx.depth_func = '<='
        self._draw(parts[1], SEEN, scene)
        r.lines.run_flat(lines, MARK)
        drawn.depth_mask = True
        drawn.viewport = (0, 0, *drawn.size)
        ctx.enable_only(moderngl.NOTHING)
        if drawn is not mask:
            r.calls.copy(mask, drawn)
        r.calls.finish()
        texture = mask.color_attachments[0]
        r.calls.build_mipmaps(texture)
        return texture

    def _draw(self, parts, mark, scene):
        r = self.renderer
        program = r.programs.get('outline_mask')
        program['mark'].value = mark
        for batch in parts:
            flat = scene.flags.cull_face and batch.kind in TWO_SIDED
            if flat:
                r.ctx.disable(moderngl.CULL_FACE)
            self._rows.draw(program, r.meshes.get(batch.kind, batch.level), batch.first, batch.count)
            if flat:
                r.ctx.enable(moderngl.CULL_FACE)

    def _lay_over(self, mask, wanted, target, size, rectangle):
        r, ctx = self.renderer, self.renderer.ctx
        program = r.programs.get('outline')
        program['origin'].value, program['extent'].value = rectangle[:2], rectangle[2:]
        program['ink'].value, program['width'].value = tuple(map(float, wanted.rgba)), float(wanted.width)
        mask.use(SOURCE_UNIT)
        ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        target.scissor = rectangle
        self._screen.cover(program, target, (0, 0, *size), moderngl.BLEND)
        target.scissor = None

    def forget(self, meshes=None):
        """Meshes were freed, or some are about to be."""
        self._rows.forget(meshes)

    def release(self):
        """Free everything."""
        self._rows.release()
        self._screen.release()
