"""Whatever numbers a scene holds, a picture comes back and nothing is said on the error stream."""
import warnings
from dataclasses import replace

import numpy as np
import pytest

from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from tests.render.stage import FRONT, flat_scene

ODD = (0, 1, -1, 1e-30, 1e30, -1e30, 1e38, np.inf, -np.inf, np.nan, 1e-3, 5, 1e6, 1e10)
SHAPES = (shapes.PLANE, shapes.SPHERE, shapes.CAPSULE, shapes.CYLINDER, shapes.BOX, shapes.BOX, shapes.ARROW)


def odd(random, n, share=0.25):
    return np.where(random.random(n) < share, random.choice(ODD, n), random.normal(size=n))


def absurd_scene(random):
    scene = flat_scene(0.2)
    scene.assets.materials.add(1)
    scene.assets.materials.reflectance[0] = random.choice([0, 0.3, 1e30, np.nan])
    for _ in range(8):
        mat = np.linalg.qr(random.normal(size=(3, 3)))[0] if random.random() < 0.8 else odd(random, 9)
        scene.geoms.put(random.choice(SHAPES), odd(random, 3, 0.1), np.abs(odd(random, 3)), (1, 1, 1, random.choice([1, 1, 0.5])), mat, matid=random.integers(-1, 1))
    lights = scene.lights
    for i in range(*lights.add(3).indices(3)):
        lights.type[i], lights.cutoff[i], lights.exponent[i], lights.bulbradius[i] = random.integers(0, 4), *odd(random, 3)
        lights.pos[i], lights.dir[i], lights.attenuation[i] = odd(random, 3), odd(random, 3), odd(random, 3)
    look = scene.look
    look.extent, look.shadowclip, look.shadowscale = np.abs(odd(random, 3)).tolist()
    look.shadowsize = int(random.choice([0, 1, 16, 1024]))
    return scene


def absurd_view(random):
    if random.random() < 0.6:
        return FRONT
    return replace(FRONT, near=float(random.choice([1e-30, 1e-9, 0.01, 1])), far=float(random.choice([50, 1e30, 1e6, 2])),
                   orthographic=bool(random.random() < 0.3), pos=tuple(odd(random, 3, 0.05)))


@pytest.mark.parametrize('quality', ['low', 'high', 'classic'])
def test_no_numbers_break_a_picture(quality):
    random = np.random.default_rng(1)
    with Offscreen(64, 48, QUALITIES[quality]) as off, warnings.catch_warnings():
        for _ in range(20):
            warnings.simplefilter('ignore')     # while odd numbers become float32
            scene, view = absurd_scene(random), absurd_view(random)
            warnings.simplefilter('error')
            assert off.rgb(scene, view).shape == (48, 64, 3)
            off.segments(scene, view)
