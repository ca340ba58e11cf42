"""Lights as pixels: point lights, what the faithful quality leaves out, what every mirror shows."""
import numpy as np
import pytest

from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import CameraState, free_view, project
from tests.render.stage import ABOVE, LENS, flat_scene, floor

SIZE = (160, 120)
METRE = 60 / (4 * np.tan(np.radians(22.5)))     # pixels of ABOVE


@pytest.fixture(scope='module')
def low():
    """The quality of software GL."""
    with Offscreen(*SIZE, QUALITIES['low']) as off:
        yield off


def lit_floor(**columns):
    scene = flat_scene(0)
    floor(scene)
    k = scene.lights.add(1).start
    scene.lights.diffuse[k], scene.lights.specular[k], scene.lights.pos[k] = 1, 0, (0, 0, 2)
    for name, value in columns.items():
        getattr(scene.lights, name)[k] = value
    return scene


def test_a_point_light_shines_everywhere_and_fades_as_it_says(low, offscreen):
    scene = lit_floor(type=2, dir=(0, 0, 0), cutoff=5, exponent=50, attenuation=(1, 0, 0.25))     # no direction, no cone
    rgb = low.rgb(scene, ABOVE)
    for x in (0, 0.5, 1.0):
        distance = np.hypot(2, (int(x * METRE) + 0.5) / METRE)
        assert rgb[60, 80 + int(x * METRE)] == pytest.approx(255 * 2 / distance / (1 + 0.25 * distance ** 2), abs=3)
    assert offscreen.rgb(scene, ABOVE).max() == 0       # the official renderer has no such light


def test_lights_without_sense_are_left_out(low):
    good = low.rgb(lit_floor(), ABOVE)
    for columns in ({'pos': (np.nan, 0, 0)}, {'dir': (0, 0, 0)}, {'type': 3}, {'dir': (np.inf, 0, 0)}):
        scene = lit_floor()
        k = scene.lights.add(1).start
        for name, value in columns.items():
            getattr(scene.lights, name)[k] = value
        assert np.array_equal(low.rgb(scene, ABOVE), good), columns
    many = lit_floor(diffuse=0.01)
    many.lights.diffuse[many.lights.add(40)] = 0
    assert low.rgb(many, ABOVE).max() <= 4


def test_every_mirror_shows_what_stands_on_it(low, offscreen):
    scene = flat_scene()
    row = scene.assets.materials.add(1).start
    scene.assets.materials.reflectance[row] = 0.5
    places = (-0.8, -0.3, -0.2), (0.8, -0.3, 0.1)      # two boxes of different height and a ball over each
    for x, _, z in places:
        scene.geoms.put(shapes.BOX, (x, 0, z - 0.1), (0.6, 0.6, 0.1), (0, 0, 0.4, 1), matid=row)
    for x, _, z in places:
        scene.geoms.put(shapes.SPHERE, (x, 0, z + 0.3), (0.15,) * 3, (1, 0, 0, 1))
    view = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-25), LENS)
    pixels = [tuple(project(view, [(x, 0, z - 0.3)], SIZE)[0][0].astype(int)) for x, _, z in places]      # centres of the mirrored balls
    rgb, faithful = low.rgb(scene, view), offscreen.rgb(scene, view)
    for x, y in pixels:
        assert rgb[y, x] == pytest.approx((128, 0, 102), abs=6)
    assert [bool(faithful[y, x, 0] > 100) for x, y in pixels] == [True, False]     # the official renderer lets only the first one mirror
