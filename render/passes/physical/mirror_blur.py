"""Rough mirrors in the physical look: the picture in a mirror is spread by the material's roughness, the more the farther a thing is from the mirror.

    the mirror's picture -> light, smaller, with mipmaps | distances of what is seen in it  ->  spread  ->  in place of the picture

A material that gives no roughness keeps its mirror sharp, whatever its highlights are like.
"""
import moderngl
import numpy as np

from render.passes.screen import Screen

CLIP_DISTANCE0 = 0x3000
TAPS, TAPS_SOFTWARE = 24, 10
FEWER, FEWER_SOFTWARE = 2, 3    # pixels of the picture per pixel here
LOBE = 3.0                      # half width of the blur per squared roughness, the slope of its facets
NARROWEST = 0.2
FAR = 1e9
POINTS_UNIT, LIGHT_UNIT, MIRROR_UNIT = 3, 4, 2
BARELY = 0.02                   # roughness below which a mirror is sharp


class MirrorBlur:
    """Spreads one mirror's picture after the other; the framebuffers are the renderer's."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._screen = Screen(renderer)

    def run(self, mirror, scene, optics, size, texture):
        """Bind the spread picture of a mirror in place of `texture`; the mirror's view is bound, the caller binds its own and its framebuffer again."""
        r, software = self.renderer, self.renderer.quality.software
        fewer, taps = (FEWER_SOFTWARE, TAPS_SOFTWARE) if software else (FEWER, TAPS)
        small = tuple(max(1, -(-side // fewer)) for side in size)
        points, light, blurred = r.targets.rough_mirror(small)
        self._draw_points(mirror, scene, points)
        low, area = np.array(mirror.rect[:2]) / size, np.array(mirror.rect[2:]) / size
        half = 0.5 / np.array(texture.size)
        program = r.programs.get('mirror_light')
        program['size'].value = 1 / small[0], 1 / small[1]
        program['part'].value = (*(low + half), *np.maximum(low + area - half, low + half))
        texture.use(MIRROR_UNIT)
        self._screen.cover(program, light)
        lit = light.color_attachments[0]
        r.calls.build_mipmaps(lit)
        program = r.programs.get('mirror_blur', TAPS=taps)
        points.color_attachments[0].use(POINTS_UNIT)
        lit.use(LIGHT_UNIT)
        program['points'].value, program['light'].value = POINTS_UNIT, LIGHT_UNIT
        for name, value in on_screen(mirror, optics, size).items():
            program[name].value = value
        self._screen.cover(program, blurred)
        blurred.color_attachments[0].use(MIRROR_UNIT)
        r.ctx.enable_only(_state(scene))
        r.ctx.wireframe = scene.flags.wireframe

    def _draw_points(self, mirror, scene, fbo):
        r, ctx = self.renderer, self.renderer.ctx
        fbo.viewport = (0, 0, *fbo.size)
        r.calls.clear(fbo, 0, 0, 0, FAR)
        ctx.enable_only(_state(scene))
        ctx.depth_func, ctx.front_face, ctx.cull_face, ctx.wireframe = '<=', 'cw', 'back', False
        ctx.enable_direct(CLIP_DISTANCE0)
        program = r.programs.get('occlusion_depth')
        for batch in mirror.opaque + mirror.clear:
            r.casters.draw(program, r.meshes.get(batch.kind, batch.level), batch.first, batch.count)
        ctx.disable_direct(CLIP_DISTANCE0)
        ctx.front_face = 'ccw'

    def release(self):
        """Free everything."""
        self._screen.release()


def on_screen(mirror, optics, size) -> dict:
    """What mirror_blur.glsl must know of a mirror: where its plane lies behind each pixel and how wide its blur is."""
    back, forward = np.linalg.inv(optics.viewproj), np.asarray(optics.forward, float)
    tilt = []
    for right, up in ((0, 0), (1, 0), (0, 1)):
        at = back @ (right, up, 0.5, 1)
        point = at[:3] / at[3]
        if optics.orthographic:
            tilt.append((point - optics.eye) @ forward + (mirror.point - point) @ mirror.normal / _no_zero(mirror.normal @ forward))
        else:
            ray = (point - optics.eye) / _no_zero((point - optics.eye) @ forward)
            tilt.append(ray @ mirror.normal / _no_zero((mirror.point - optics.eye) @ mirror.normal))
    rise = optics.viewproj[1, :3] - (optics.viewproj[1, :3] @ forward) * forward
    aside = optics.viewproj[0, :3] - (optics.viewproj[0, :3] @ forward) * forward
    height = np.linalg.norm(rise)
    along = np.array([mirror.normal @ aside / max(np.linalg.norm(aside), 1e-12), mirror.normal @ rise / max(height, 1e-12)])
    length = np.linalg.norm(along)
    return {'plane': (tilt[0], tilt[1] - tilt[0], tilt[2] - tilt[0]), 'along': tuple(along / length if length > 1e-6 else (0.0, 1.0)),
            'across': float(np.clip(abs(mirror.normal @ forward), NARROWEST, 1)), 'wide': float(0.5 * height * LOBE * mirror.rough ** 2), 'parallel': float(optics.orthographic)}


def _state(scene):
    return moderngl.DEPTH_TEST | (moderngl.CULL_FACE if scene.flags.cull_face else 0)


def _no_zero(x):
    return x if abs(x) > 1e-12 else 1e-12
