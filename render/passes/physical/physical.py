"""The physically based look beside the classic one: what a frame needs before its surfaces are drawn.

    lights -> balance (exposure.py) -> environment maps (environment.py) -> uniform block 2 -> ambient occlusion (occlusion.py)

The surfaces then use the same program with PHYSICAL defined (shaders/lib/physical.glsl, pbr_main.glsl): GGX reflection with metallic and
roughness, image-based lighting from the environment by split sums, light in linear colours, a tone curve at the end. Nothing here is made before the look is asked for.
"""
import numpy as np

from render.passes.physical.bloom import BloomPass
from render.passes.physical.environment import EnvironmentLight
from render.passes.physical.exposure import balance
from render.passes.physical.mirror_blur import BARELY, MirrorBlur
from render.passes.physical.occlusion import OcclusionPass

_FLOATS = 4 * 10
BINDING = 2
STUDIO_GLOSS = 0.45 # strength of the studio's map in smooth surfaces, as shown
STUDIO_VEIL = 0.5   # how much of the studio is seen in what is no metal: it would lie over dark floors as a mist
LEAST_GLOSS = 0.35  # of the light that the environment sheds on matt surfaces, what is seen of it in smooth ones


def _gloss(settled, around):
    """What the environment map is multiplied by where it is reflected: as it is drawn behind the model where that is darker than what it sheds
    on matt surfaces, or dark floors would lie in a mist; but no metal is black, least of all in a studio, which nobody sees."""
    shed = settled.environment * around.scale
    seen = min(shed, 1 / settled.exposure) if around.sky else max(shed, STUDIO_GLOSS / settled.exposure)
    return max(LEAST_GLOSS * shed, seen)


class PhysicalLook:
    """The look's own GL objects in one renderer."""

    def __init__(self, renderer):
        self.renderer = renderer
        self.environment, self.occlusion = EnvironmentLight(renderer), OcclusionPass(renderer)
        self._blur, self._bloom = MirrorBlur(renderer), BloomPass(renderer)
        self._points = None
        self._buffer = renderer.ctx.buffer(reserve=4 * _FLOATS, dynamic=True)
        self._data = np.zeros((10, 4), np.float32)

    def begin(self, scene, lights, plan):
        """Settle how strong everything is; the lights as surfaces take them. What the look draws once more goes into the plan's further rows."""
        quality = self.renderer.quality
        self._points = None
        if quality.occlusion:
            self._bloom.prepare(plan)
        self.environment.prepare(scene, quality.glossy, quality.software)
        settled = balance(lights, scene)
        data, around = self._data, self.environment
        data[:9, :3] = settled.environment * around.harmonics
        data[9] = _gloss(settled, around), settled.exposure, 1.0 if around.sky else STUDIO_VEIL, around.height
        self._buffer.write(data)
        self._buffer.bind_to_uniform_block(BINDING)
        return settled.lights

    def occlude(self, plan, scene, view, optics, size):
        """Ambient occlusion of the main picture; whether there is any."""
        taps = self.renderer.quality.occlusion
        if taps:
            self._points = self.occlusion.run(plan, scene, view, optics, size, taps)
        return bool(taps)

    def spread(self, mirror, scene, optics, size, texture):
        """What is seen in a mirror, in place of its sharp picture in `texture` if it is rough."""
        if mirror.rough > BARELY:
            self._blur.run(mirror, scene, optics, size, texture)

    def bloom(self, scene, optics, target, size):
        """Lay the glow of what shines by itself over a finished picture."""
        if self._points is not None:
            self._bloom.run(scene, optics, target, size, self._points)

    def defines(self, occluded: bool):
        """What the surface program is compiled with."""
        return {'PHYSICAL': 1, 'GLOSSY': int(self.renderer.quality.glossy), 'OCCLUSION': int(occluded)}

    def release(self):
        """Free everything."""
        self.environment.release()
        self.occlusion.release()
        self._blur.release()
        self._bloom.release()
        self._buffer.release()
