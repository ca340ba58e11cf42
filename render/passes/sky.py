"""Sky cube behind everything, and the band of haze where an infinite plane meets it."""
import moderngl
import numpy as np

from render.geometry.cylinder import cylinder
from render.geometry.haze import haze
from render.scene import shapes

SKY_DISTANCE = 0.7      # of the far plane
DOME_SLICES = 28


class SkyPass:
    """Holds the two small vertex arrays it needs."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._dome, self._domes = None, {}
        self._haze = None

    def shown(self, scene) -> bool:
        """Whether a scene has a sky."""
        return scene.flags.skybox and self.renderer.textures.kind(scene.assets.skybox) == 2

    def fit(self, scene, optics, size):
        """Choose how the sky is read in a picture of that size."""
        if self.shown(scene) and not optics.orthographic:
            index = scene.assets.skybox
            self.renderer.textures.fit_sky(index, scene.assets.textures[index].data, float(np.linalg.norm(optics.viewproj[1, :3])) * size[1] / 2)

    def hazeless(self, scene, optics) -> float:
        """How far from below the eye no haze lies on the ground, if that is the only infinite plane."""
        if not scene.flags.haze:
            return np.inf
        width, slices = max(float(scene.look.haze), 1e-4), max(scene.look.numslices, 3)
        return 0.99 * (1 - width) * SKY_DISTANCE * optics.far * np.cos(np.pi / slices) if len(_endless(scene)) == 1 else 0.0

    def run(self, scene, optics, rectangles=(None,), hazed=(None,)):
        """Draw the sky at the far end of what is bound, in rectangles (x, y, width, height) of it, and haze in others.

        Haze is blended, so no sample may belong to two of its rectangles: where there are several a pixel, software GL's scissor is not that sharp."""
        if not self.shown(scene):
            return
        r = self.renderer
        ctx, index = r.ctx, scene.assets.skybox
        wire, ctx.wireframe = ctx.wireframe, False
        ctx.disable(moderngl.CULL_FACE)
        r.textures.items[index].use(0)
        program = r.programs.get('sky', FOG=int(scene.flags.fog))
        program['distance'].value = SKY_DISTANCE * optics.far
        dome, band = self._dome_array(program), self._band(scene, optics) if scene.flags.haze else None
        for rectangle in rectangles:
            ctx.scissor = rectangle
            r.calls.draw(dome)
        if band is not None:
            ctx.enable(moderngl.BLEND)
            for rectangle in hazed:
                ctx.scissor = rectangle
                r.calls.draw(band)
            ctx.disable(moderngl.BLEND)
        ctx.scissor = None
        if scene.flags.cull_face:
            ctx.enable(moderngl.CULL_FACE)
        ctx.wireframe = wire

    def _dome_array(self, program):
        if program not in self._domes:
            ctx = self.renderer.ctx
            if self._dome is None:
                self._dome = tuple(map(ctx.buffer, cylinder(DOME_SLICES)))
            vbo, ibo = self._dome
            self._domes[program] = ctx.vertex_array(program, [(vbo, '3f 24x', 'a_pos')], index_buffer=ibo, index_element_size=4)
        return self._domes[program]

    def _band(self, scene, optics):
        """The vertex array of the haze, ready to be drawn, None where there is none."""
        g = scene.geoms
        ground = _endless(scene)
        if not len(ground):
            return None
        i = ground[0]
        frame, far = g.mat[i].reshape(3, 3).astype(float), SKY_DISTANCE * optics.far
        height = (optics.eye - g.pos[i]) @ frame[:, 2]
        if height <= 0:
            return None
        placement = np.eye(4)
        placement[:3, :3] = frame @ np.diag([far, far, height])
        placement[:3, 3] = optics.eye - height * frame[:, 2]
        ctx, program = self.renderer.ctx, self.renderer.programs.get('haze', FOG=int(scene.flags.fog))
        array = self._band_array(program, scene.look.haze, scene.look.numslices)
        program['placement'].write(placement.T.astype('f4').tobytes())
        program['color'].value = tuple(scene.look.haze_rgba[:3])
        ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        return array

    def _band_array(self, program, width, slices):
        key = (program, round(float(width), 6), slices)
        if self._haze is None or self._haze[0] != key:
            self._free_band()
            vertices, triangles = haze(width, slices)
            ctx = self.renderer.ctx
            vbo, ibo = ctx.buffer(vertices), ctx.buffer(triangles)
            self._haze = (key, ctx.vertex_array(program, [(vbo, '4f', 'a_band')], index_buffer=ibo, index_element_size=4), vbo, ibo)
        return self._haze[1]

    def _free_band(self):
        if self._haze is not None:
            for item in self._haze[1:]:
                item.release()
            self._haze = None

    def release(self):
        """Free everything."""
        self._free_band()
        if self._dome is not None:
            for item in (*self._domes.values(), *self._dome):
                item.release()
            self._dome, self._domes = None, {}


def _endless(scene):
    """Instances that are infinite planes."""
    g = scene.geoms
    return np.flatnonzero((g.view('shape') == shapes.PLANE) & (g.view('size')[:, 0] <= 0) & (g.view('size')[:, 1] <= 0))
