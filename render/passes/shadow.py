"""Shadow maps: tiles of one atlas, a light's own in a row (shadow_fit.py says what they see).

Surfaces read a map a little in front of themselves, along their normal, by the size of its texels there; so casters need next to no
push against acne and their shadows begin where they touch. In the faithful quality casters are pushed back as in the classic look.
"""
import moderngl
import numpy as np

from render.gpu.lights import DIRECTIONAL, MAX_TILES, Tile
from render.passes.shadow_fit import Bounds, ShadowTexels, fitted_maps, official_maps, sight_of

OFFSET = (1.1, 2.0)             # polygon offset (slope factor, units)
OFFICIAL_OFFSET = (1.5, 4.0)
NORMAL_SHIFT = 1.2              # texels along the normal, and as many again per texel that the filter reaches
SUN_RADIUS = 0.01               # tangent of the half angle under which a directional light is seen
EMPTY = Tile(np.zeros((4, 4)), (0, 0, 0, 0), (0, 0, 0, 0))      # holds no shadow
RIM, PENUMBRA_RIM = 4, 192      # free texels about a map's casters; the latter as shadow.glsl's WIDEST
DEPTH_UNIT = 8                  # texture unit of depths as they are
SMALLEST = 16                   # side of a tile [texel]


class ShadowPass:
    """Draws the atlas and tells the light block where each light's tiles are."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._jobs, self._side, self._grid = [], 0, 1
        self._plain = None      # reads depths as they are, beside the comparing way

    def prepare(self, scene, plan, lights, view, optics, size):
        """Decide on maps and put what they see into the plan's rows. Returns ({light index: its Tiles}, texel of the atlas)."""
        quality, look = self.renderer.quality, scene.look
        self._jobs = []
        wanted = [i for i, light in enumerate(lights) if light.castshadow][:MAX_TILES] if scene.flags.shadow and not scene.flags.wireframe else []
        side = min(quality.shadow_size, look.shadowsize)
        if wanted and side > 0 and not quality.cascades:
            return {i: [EMPTY] for i in wanted}, 1.0        # no shadows, but as much light as there is beside them
        if not wanted or side <= 0 or not (plan.casters or plan.infinite):
            return {}, 1.0
        made = self._maps(plan, [lights[i] for i in wanted], look, view, optics, size, max(side, SMALLEST))
        count = max(1, sum(map(len, made)))
        self._grid = grid = int(np.ceil(np.sqrt(count)))
        atlas = min(self.renderer.max_texture, side * (grid if quality.faithful else min(grid, 2)))
        self._side = side = max(SMALLEST, min(side, atlas // grid))
        shadows = {}
        for i, maps in zip(wanted, made):
            tiles = []
            for one in maps:
                tiles.append(self._tile(one, lights[i], len(self._jobs)))
                self._jobs.append((one, self._batches(plan, one, lights[i])))
            shadows[i] = tiles or [EMPTY]
        return shadows, 1.0 / (side * grid)

    def _maps(self, plan, lights, look, view, optics, size, side):
        """Lists of Map, one per light; MAX_TILES in all, a light without room has none."""
        quality, work = self.renderer.quality, plan.work
        if quality.faithful:
            return [_usable(official_maps(light, look, view.near, view.far)) for light in lights]
        cast = np.flatnonzero(work.casts & ~work.infinite)
        bounds, sight = Bounds(work.center[cast], work.radius[cast]), sight_of(view, size, work, optics)
        texels = ShadowTexels(side, min(PENUMBRA_RIM, side // 4) if quality.penumbra else RIM, quality.cascades)
        out, room = [], MAX_TILES
        for k, light in enumerate(lights):
            maps = fitted_maps(light, bounds, sight, texels)
            if not maps and any(self._between(plane, light) for plane in plan.infinite):
                maps = official_maps(light, look, view.near, view.far)
            maps = _usable(maps)[:max(1, room - (len(lights) - k - 1))][:room]     # the later ones need one each
            for one in maps:
                one.casters = None if one.casters is None else cast[one.casters]
            room -= max(1, len(maps))
            out.append(maps)
        return out

    def _batches(self, plan, one, light):
        """What is drawn into a map."""
        between = [plane[0] for plane in plan.infinite if self._between(plane, light)]
        if one.casters is None:
            return plan.casters + between
        work = plan.work
        chosen = one.casters[np.lexsort((work.coarse[one.casters], work.kind[one.casters]))]
        return plan.put(chosen, work.kind, work.coarse, np.full(len(work.kind), -1)) + between

    @staticmethod
    def _between(plane, light):
        """Whether a light is behind an infinite plane (batch, point, normal): the others shade nothing one can see."""
        _, point, normal = plane
        return (-light.dir @ normal if light.kind == DIRECTIONAL else (light.pos - point) @ normal) < 0

    def _tile(self, one, light, k):
        quality, side, grid = self.renderer.quality, self._side, self._grid
        bias = np.diag([0.5, 0.5, 0.5, 1.0])
        bias[:3, 3] = 0.5
        reach = max(quality.pcf, 1)
        if quality.faithful:
            reading = (0.0, 1 / side, 1.0, 0.0)
        else:
            reading = (NORMAL_SHIFT * 0.5 * (1 + reach) * max(one.sides) / side, (0.5 + 0.5 * reach) / side, 1e9, float(light.kind != DIRECTIONAL))
        radius = SUN_RADIUS if light.kind == DIRECTIONAL else light.bulbradius
        return Tile(bias @ one.optics.viewproj, ((k % grid) / grid, (k // grid) / grid, 1 / grid, 1 / grid), reading,
                    (radius / one.sides[0], radius / one.sides[1], *one.ends))

    def run(self):
        """Draw the maps that `prepare` decided on, in steps, and bind the atlas to its unit."""
        if not self._jobs:
            return
        r = self.renderer
        quality, side = r.quality, self._side
        fbo, texture = r.targets.shadow(side * self._grid, quality.pcf > 0)
        fbo.viewport = (0, 0, *fbo.size)
        r.calls.clear(fbo)
        r.ctx.enable_only(moderngl.DEPTH_TEST)
        r.ctx.polygon_offset = OFFICIAL_OFFSET if quality.faithful else OFFSET
        try:
            yield from self._draw_maps(fbo)
        finally:
            fbo.scissor = None
            r.ctx.polygon_offset = (0.0, 0.0)
        texture.use(1)
        if quality.penumbra:
            texture.use(DEPTH_UNIT)
            if self._plain is None:
                self._plain = r.ctx.sampler(repeat_x=False, repeat_y=False, filter=(moderngl.NEAREST, moderngl.NEAREST))
            self._plain.use(DEPTH_UNIT)

    def _draw_maps(self, fbo):
        r, side = self.renderer, self._side
        program = r.programs.get('depth')
        for k, (one, batches) in enumerate(self._jobs):
            fbo.viewport = fbo.scissor = ((k % self._grid) * side, (k // self._grid) * side, side, side)
            block = r.view_block(('shadow', k))
            block.write(one.optics, (side, side))
            block.bind()
            for batch in batches:
                yield from r.casters.steps(program, r.meshes.get(batch.kind, batch.level), batch.first, batch.count)

    def finish(self):
        """Leave the texture units as toolkits expect them."""
        if self._plain is not None:
            self._plain.clear(DEPTH_UNIT)

    def release(self):
        """Free everything."""
        if self._plain is not None:
            self._plain.release()
            self._plain = None


def _usable(maps):
    """Maps without numbers that are none, which absurd places and sizes lead to."""
    return [one for one in maps if np.isfinite(one.optics.viewproj).all()]
