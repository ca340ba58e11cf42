"""Ambient occlusion: how much of the environment each point sees, from a picture of normals and depths at half size, in software at a quarter.

After McGuire, Mara and Luebke, 'Scalable ambient obscurance' (2012): rays over the screen around each pixel; what stands above its
tangent plane nearby hides light. The mean over the rays' pattern smoothes it; surfaces read it by depth, so nothing bleeds over edges.
"""
import moderngl
import numpy as np

from render.passes.screen import Screen
from render.scene.camera import cross

REACH = 0.11            # of the model's extent, how far something hides light [m]
FEWER, FEWER_SOFTWARE = 2, 4      # pixels of the picture per pixel here
UNIT, POINTS_UNIT = 5, 3
FAR = 1e9


class OcclusionPass:
    """Makes the picture; the framebuffers are the renderer's."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._screen = Screen(renderer)

    def run(self, plan, scene, view, optics, size, taps: int):
        """Make the picture of a frame's opaque things and bind it; the caller binds its own view and framebuffer again.
        Returns the texture of normals and distances."""
        r, ctx = self.renderer, self.renderer.ctx
        quick = r.quality.software
        fewer = FEWER_SOFTWARE if quick else FEWER
        small = tuple(max(1, -(-side // fewer)) for side in size)
        points, raw, smooth = r.targets.occlusion(small)
        block = r.view_block('occlusion')
        block.write(optics, small)
        block.bind()
        r.calls.clear(points, 0, 0, 0, FAR)
        ctx.enable_only(moderngl.DEPTH_TEST | (moderngl.CULL_FACE if scene.flags.cull_face else 0))
        ctx.depth_func, ctx.front_face, ctx.cull_face, ctx.wireframe = '<=', 'ccw', 'back', False
        program = r.programs.get('occlusion_depth')
        for batch in plan.solid():
            r.main.draw(program, r.meshes.get(batch.kind, batch.level), batch.first, batch.count)
        program = r.programs.get('occlusion', TAPS=taps)
        self._place(program, view, scene, size)
        self._read(program, points.color_attachments[0], raw)
        self._read(r.programs.get('occlusion_blur', QUICK=int(quick)), raw.color_attachments[0], smooth)
        smooth.color_attachments[0].use(UNIT)
        return points.color_attachments[0]

    @staticmethod
    def _place(program, view, scene, size):
        forward = np.asarray(view.forward, float)
        forward = forward / np.linalg.norm(forward)
        right = np.asarray(view.right(), float)
        up = np.array(cross(right, forward))
        left, edge, bottom, top = view.edges(size[0] / size[1])
        height = top - bottom
        start = view.near * forward + left * right + bottom * up
        program['first_corner'].value, program['across'].value, program['upward'].value = tuple(start), tuple((edge - left) * right), tuple(height * up)
        program['ahead'].value, program['parallel'].value = tuple(forward), float(view.orthographic)
        reach = max(REACH * scene.look.extent, 1e-6)
        program['reach'].value = reach, reach / height * (1 if view.orthographic else view.near)

    def _read(self, program, texture, fbo):
        texture.use(POINTS_UNIT)
        program['points'].value = POINTS_UNIT
        self._screen.cover(program, fbo)

    def release(self):
        """Free everything."""
        self._screen.release()
