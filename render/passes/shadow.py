"""Shadow maps: one tile of an atlas per light that casts.

A directional light sees a square of visual/map shadowclip extents around its position; a spot light its cone times
shadowscale. What lies outside is lit. Depths of everything are pushed back a little against acne.
"""
import moderngl
import numpy as np

from render.gpu.uniforms import Optics
from render.scene.camera import View, projection_matrix, view_matrix

MAX_TILES = 8
SPOT_LIMIT = 160.0      # widest field of a spot's map [degree]
BIAS = ((1.5, 4.0), (2.5, 8.0))     # polygon offset (slope factor, units) for hard and filtered maps


def across(direction):
    """A unit vector perpendicular to a light's direction, its map's upward."""
    for other in ((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        up = np.cross(direction, other)
        if up @ up > 0.01:
            break
    return up / np.linalg.norm(up)


def light_optics(light, look, near: float, far: float) -> Optics:
    """What a light's map sees."""
    half = max(look.shadowclip * look.extent, 1e-6)
    if light['spot']:
        half = near * np.tan(np.radians(np.clip(2 * light['cutoff'] * look.shadowscale, 0.1, SPOT_LIMIT)) / 2)
    view = View(tuple(light['pos']), tuple(light['dir']), tuple(across(light['dir'])), half, -half, near, far, orthographic=not light['spot'])
    return Optics(projection_matrix(view, 1.0) @ view_matrix(view), light['pos'], light['dir'], view.orthographic, far)


class ShadowPass:
    """Draws the atlas and tells the light block where each light's tile is."""

    def __init__(self, renderer):
        self.renderer = renderer

    def run(self, scene, plan, lights, view, quality):
        """Returns ({light index: (world to tile matrix, tile place)}, texel); binds the atlas to its unit."""
        r = self.renderer
        wanted = [i for i, light in enumerate(lights) if light['castshadow']][:MAX_TILES] if scene.flags.shadow else []
        side = min(quality.shadow_size, scene.look.shadowsize)
        if not wanted or side <= 0 or plan.caster_rows is None:
            return {}, 1.0
        grid = int(np.ceil(np.sqrt(len(wanted))))
        side = max(16, min(side, r.max_texture // grid))
        atlas = side * grid
        fbo, texture = r.targets.shadow(atlas, quality.pcf > 0)
        fbo.use()
        fbo.viewport = (0, 0, atlas, atlas)
        fbo.clear(depth=1.0)
        ctx = r.ctx
        ctx.enable_only(moderngl.DEPTH_TEST)
        ctx.polygon_offset = BIAS[quality.pcf > 0]
        bias = np.diag([0.5, 0.5, 0.5, 1.0])
        bias[:3, 3] = 0.5
        program = r.programs.get('depth')
        out = {}
        for k, i in enumerate(wanted):
            optics = light_optics(lights[i], scene.look, view.near, view.far)
            x, y = (k % grid) * side, (k // grid) * side
            fbo.viewport = (x, y, side, side)
            fbo.scissor = (x, y, side, side)
            block = r.view_block(('shadow', k))
            block.write(optics, (side, side))
            block.bind()
            for batch in plan.casters + self._planes_between(plan, lights[i]):
                r.casters.draw(program, r.meshes.get(batch.kind, batch.level), batch.first, batch.count)
            fbo.scissor = None
            out[i] = (bias @ optics.viewproj, (x / atlas, y / atlas, side / atlas, side / atlas))
        ctx.polygon_offset = (0.0, 0.0)
        texture.use(1)
        return out, 1.0 / atlas

    @staticmethod
    def _planes_between(plan, light):
        """Infinite planes that the light is behind of: the others shade nothing one can see."""
        out = []
        for batch, point, normal in plan.infinite:
            toward = (light['pos'] - point) @ normal if light['spot'] else -light['dir'] @ normal
            if toward < 0:
                out.append(batch)
        return out
