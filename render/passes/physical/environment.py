"""The light that comes from all around in the physically based look: from the model's sky, from the image of a light, or from a studio.

    a map of the whole sphere (longitude by latitude)  ->  spherical harmonics: what a matt surface sends back (Ramamoorthi and Hanrahan 2001)
                                                       ->  stripes blurred for rougher and rougher surfaces

Made once per model and sky. The map's mean is scaled away: how strong the environment is, is the exposure's affair.
"""
import moderngl
import numpy as np

from render.passes.physical.exposure import light_of
from render.passes.screen import Screen
from render.scene import shapes

STRIPES = 6             # as in shaders/lib/environment.glsl
SIDE, SIDE_SOFTWARE = (256, 128), (128, 64)
GROUND_SHADE = 0.6      # of the light from above that an infinite ground sends back, times its colour
EYE = 0.85              # how far an eye gets used to the colour of the environment
UNIT = 6                # texture unit of the stripes


class EnvironmentLight:
    """Holds the maps and harmonics of the scene drawn last."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._key = None
        self._made = ()
        self._screen = Screen(renderer)
        self.harmonics = np.zeros((9, 3), np.float32)
        self.height = SIDE_SOFTWARE[1]
        self.sky = False        # whether it is a sky, not the studio
        self.scale = 1.0        # what the map is multiplied by for a mean of 1

    def prepare(self, scene, glossy: bool, small: bool):
        """Make what this scene needs and bind it. glossy: the blurred stripes are wanted; small: at half the size."""
        sky, ground = self._sky(scene), _ground(scene)
        key = (scene.assets.common, sky, ground, glossy, small)
        if key != self._key:
            self._make(scene, sky, ground, glossy, SIDE_SOFTWARE if small else SIDE)
            self._key = key
        if glossy:
            self._made[-2].use(UNIT)

    def _sky(self, scene):
        """Number of the texture whose light it is, -1 for the studio."""
        textures, lights = self.renderer.textures, scene.lights
        for i in np.flatnonzero(lights.view('type') == lights.IMAGE):
            if textures.kind(int(lights.texid[i])) == 2:
                return int(lights.texid[i])
        sky = scene.assets.skybox
        return sky if scene.flags.skybox and textures.kind(sky) == 2 else -1

    def _make(self, scene, sky, ground, glossy, side):
        self.release_maps()
        ctx = self.renderer.ctx
        self.height = side[1]
        source = ctx.texture(side, 4, dtype='f2')
        source.repeat_x, source.repeat_y = True, False
        fbo = ctx.framebuffer([source])
        colour, light, cover = np.zeros(3), np.ones((side[1], side[0], 3)), 0.0
        for again in range(2 if ground else 1):
            if again:       # the ground sends back what comes from above
                colour, cover = np.asarray(ground) * GROUND_SHADE * light[side[1] // 2:].mean((0, 1)), 1.0
            light = self._draw_source(scene, sky, (*colour, cover), fbo, side)
        harmonics = project(light)
        mean = float(harmonics[0] @ (0.2126, 0.7152, 0.0722))
        if mean < 1e-4 and sky >= 0:        # a black sky sheds no light
            fbo.release()
            source.release()
            self._make(scene, -1, ground, glossy, side)
            return
        self.sky = sky >= 0
        self.scale = 1 / max(mean, 1e-9)
        used_to = np.maximum(harmonics[0] * self.scale, 1e-3) ** -EYE     # per channel: an eye takes the mean of what surrounds it for white
        self.harmonics = (harmonics * self.scale * used_to).astype(np.float32)
        self._made = (source, fbo)
        if glossy:
            self._blur(source, side)

    def _draw_source(self, scene, sky, ground, fbo, side):
        r = self.renderer
        program = r.programs.get('environment', SKY=int(sky >= 0))
        if sky >= 0:
            r.textures.items[sky].use(0)
            program['coded'].value = float(scene.assets.textures[sky].data.dtype == np.uint8)
        program['side'].value, program['ground'].value = side, ground
        self._screen.cover(program, fbo)
        return np.frombuffer(fbo.color_attachments[0].read(), np.float16).reshape(side[1], side[0], 4)[..., :3].astype(float)

    def _blur(self, source, side):
        r, ctx = self.renderer, self.renderer.ctx
        r.calls.build_mipmaps(source)
        source.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        stripes = ctx.texture((side[0], side[1] * STRIPES), 4, dtype='f2')
        stripes.repeat_x, stripes.repeat_y = True, False
        stripes.filter = (moderngl.LINEAR, moderngl.LINEAR)
        fbo = ctx.framebuffer([stripes])
        program = r.programs.get('prefilter')
        source.use(UNIT)
        program['source'].value, program['side'].value = UNIT, side
        for k in range(STRIPES):
            program['below'].value, program['rough'].value = k * side[1], k / (STRIPES - 1)
            self._screen.cover(program, fbo, (0, k * side[1], *side))
        self._made += (stripes, fbo)

    def release_maps(self):
        """Free the maps."""
        for item in self._made:
            item.release()
        self._made, self._key = (), None

    def release(self):
        """Free everything."""
        self.release_maps()
        self._screen.release()


def _ground(scene):
    """Light (3 floats) that the first infinite level plane sends back of white light, None if there is none."""
    g = scene.geoms
    level = (g.view('shape') == shapes.PLANE) & (g.view('size')[:, :2] <= 0).all(1) & (g.view('mat')[:, 8] > 0.9) & (g.view('rgba')[:, 3] > 0.99)
    found = np.flatnonzero(level)
    if not len(found):
        return None
    i, m = found[0], scene.assets.materials
    colour = light_of(g.rgba[i, :3])
    texid = m.texid[g.matid[i]] if 0 <= g.matid[i] < m.n else -1
    if 0 <= texid < len(scene.assets.textures):
        data = scene.assets.textures[texid].data
        if data.dtype == np.uint8 and data.ndim == 3 and data.shape[2] >= 3:
            step = max(1, len(data) // 16)
            colour = colour * light_of(data[::step, ::step, :3].reshape(-1, 3) / 255).mean(0)
    return tuple(np.round(colour, 3).tolist())


def project(light):
    """Harmonics (9, 3) of a map (height, width, 3), row 0 straight down: their sum with the polynomials of environment.glsl in a normal is what a
    white matt surface facing that way sends back."""
    height, width = light.shape[:2]
    rise, turn = (np.arange(height) + 0.5) / height * np.pi - np.pi / 2, (np.arange(width) + 0.5) / width * 2 * np.pi - np.pi
    z, flat = np.sin(rise)[:, None], np.cos(rise)[:, None]
    x, y, z = flat * np.cos(turn), flat * np.sin(turn), np.broadcast_to(z, (height, width))
    area = np.broadcast_to(flat, (height, width)) / flat.sum() / width * 4 * np.pi
    basis = np.stack([np.ones_like(x), y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y])
    norms = np.array([0.282095, *[0.488603] * 3, 1.092548, 1.092548, 0.315392, 1.092548, 0.546274])
    lobe = np.array([1, *[2 / 3] * 3, *[1 / 4] * 5])        # of a cosine, over pi
    return (norms ** 2 * lobe)[:, None] * np.einsum('khw,hw,hwc->kc', basis, area, light)
