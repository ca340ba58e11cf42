"""Shadows as pixels: at every scale without acne and attached to what throws them; soft where they should be."""
import numpy as np
import pytest

from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import CameraState, Lens, free_view, project
from tests.render.stage import flat_scene, floor

SIZE = (240, 180)
QUALITY = pytest.mark.parametrize('quality', ['low', 'high'])


@pytest.fixture(scope='module')
def cameras():
    """An Offscreen for each quality."""
    made = {name: Offscreen(*SIZE, QUALITIES[name]) for name in ('low', 'high')}
    yield made
    for camera in made.values():
        camera.close()


def lamp(scene, pos, direction=None, **columns):
    """A white light without highlight; directional if it has a direction."""
    k = scene.lights.add(1).start
    lights = scene.lights
    lights.pos[k], lights.specular[k], lights.diffuse[k], lights.exponent[k], lights.cutoff[k] = pos, 0, 0.8, 0, 60
    if direction is not None:
        lights.type[k], lights.dir[k] = lights.DIRECTIONAL, direction
    for name, value in columns.items():
        getattr(lights, name)[k] = value


def look_at(scale, **state):
    return free_view(CameraState(**{'lookat': (0, 0, 0), 'distance': 3 * scale, 'azimuth': 90, 'elevation': -40, **state}), Lens(45, 0.01 * scale, 50 * scale))


def at(rgb, view, *point):
    (x, y), = project(view, [point], SIZE)[0]
    return int(rgb[int(y), int(x), 0])


@QUALITY
@pytest.mark.parametrize('scale', [0.1, 1.0, 50.0])
@pytest.mark.parametrize('sun', [True, False])
def test_lit_sides_have_no_acne_and_shadows_begin_at_the_foot(cameras, quality, scale, sun):
    scene = flat_scene(0.2)
    floor(scene)                # infinite
    scene.geoms.size[0] = 0
    scene.geoms.put(shapes.BOX, (0, 0, 0.3 * scale), np.array((0.1, 0.1, 0.3)) * scale, (1, 1, 1, 1))
    scene.geoms.put(shapes.SPHERE, (-0.5 * scale, 0, 0.2 * scale), (0.2 * scale,) * 3, (1, 1, 1, 1))
    scene.look.extent = scale
    lamp(scene, (-1.5 * scale, -1.5 * scale, 2 * scale), *([(1, 1, -1.3)] if sun else []), **({} if sun else {'dir': (1, 1, -1.3)}))
    view = look_at(scale)
    scene.flags.shadow = False
    bright = cameras[quality].rgb(scene, view).astype(int)
    scene.flags.shadow = True
    rgb = cameras[quality].rgb(scene, view).astype(int)
    segments = cameras[quality].segments(scene, view)
    facing = (segments == 1) & (bright[..., 0] > 100)                     # the box's lit faces, but for where the ball's shadow falls
    assert (rgb[facing] > bright[facing] - 12).all(1).mean() > 0.93
    ball = (segments == 2) & (bright[..., 0] > 110)                       # but for its very edge of light
    assert (rgb[ball] > bright[ball] - 12).all(1).mean() > 0.97
    open_floor = at(rgb, view, -0.2 * scale, -0.6 * scale, 0)
    foot = [at(rgb, view, d * scale, d * scale, 0) for d in (0.115, 0.15, 0.25)]       # behind the box's far corner
    assert open_floor > 120 and max(foot) < 60, (open_floor, foot)


def test_a_directional_light_is_sharp_near_the_eye_in_a_wide_scene(cameras):
    scene = flat_scene(0.2)
    scene.geoms.put(shapes.BOX, (0, 0, -1), (50, 50, 1), (1, 1, 1, 1))
    for k in range(40):
        scene.geoms.put(shapes.BOX, (-48 + 2.4 * k, 30, 1), (0.5, 0.5, 1), (1, 1, 1, 1))
    scene.geoms.put(shapes.BOX, (0, 0, 0.1), (0.02, 0.02, 0.1), (1, 1, 1, 1))
    scene.look.extent = 50
    lamp(scene, (0, 0, 30), (1, 0, -1))
    view = look_at(1.0, distance=1.0, elevation=-60)
    rgb = cameras['low'].rgb(scene, view)
    assert at(rgb, view, 0.1, 0, 0) < 60 < 120 < at(rgb, view, 0.1, 0.05, 0)       # a post of 4 cm before 100 m of ground
    assert at(rgb, view, -0.1, 0, 0) > 120 and at(rgb, view, 0.3, 0, 0) > 120


def test_penumbras_grow_with_the_distance_of_what_throws_them(cameras):
    widths = []
    for height, bulb in ((0.1, 0.1), (0.6, 0.1), (0.6, 0.01)):
        scene = flat_scene(0)
        floor(scene, size=(0, 0, 1))
        scene.geoms.put(shapes.BOX, (0.5, 0, height), (0.5, 0.5, 0.01), (1, 1, 1, 1))       # its edge is below the light
        lamp(scene, (0, 0, 2), dir=(0, 0, -1), bulbradius=bulb)
        view = look_at(1.0, elevation=-89.99, distance=1.0)
        shaded = cameras['high'].rgb(scene, view)[90, :120, 0].astype(int)
        scene.flags.shadow = False
        part = shaded / cameras['high'].rgb(scene, view)[90, :120, 0]
        widths.append(int(((part > 0.05) & (part < 0.97)).sum()))
    assert widths[0] <= 3 and widths[2] <= 3 and 6 <= widths[1] <= 12, widths       # 0.1 * 0.6 / 1.4 m are 9 pixels


def test_every_light_throws_its_own_shadow(cameras):
    scene = flat_scene(0.1)
    floor(scene, size=(0, 0, 1))
    scene.geoms.put(shapes.SPHERE, (0, 0, 0.5), (0.1,) * 3, (1, 1, 1, 1))
    lamp(scene, (1, 0, 1.5), dir=(-1, 0, -1), diffuse=0.3)
    lamp(scene, (-1, 0, 1.5), (1, 0, -1), diffuse=0.3)
    lamp(scene, (0, 1, 1.5), type=scene.lights.POINT, diffuse=0.3)
    view = look_at(1.0, elevation=-70)
    rgb, clear = cameras['low'].rgb(scene, view), cameras['low'].rgb(flat_with_lights(scene), view)
    for x, y in ((-0.5, 0), (0.5, 0), (0, -0.5)):
        lost = at(clear, view, x, y, 0) - at(rgb, view, x, y, 0)
        assert 20 < lost < 100, (x, y, lost)
    assert abs(at(clear, view, 0, 0.5, 0) - at(rgb, view, 0, 0.5, 0)) <= 2


def flat_with_lights(scene):
    """The same scene with nothing that casts."""
    scene.geoms.flags[:scene.geoms.n] &= ~np.uint8(shapes.CAST_SHADOW)
    return scene


@QUALITY
def test_many_lights_share_the_atlas_without_acne(cameras, quality):
    scene = flat_scene(0.1)
    floor(scene, size=(0, 0, 1))
    scene.geoms.put(shapes.BOX, (0, 0, 0.2), (0.3, 0.3, 0.2), (1, 1, 1, 1), np.ravel([[0.96, -0.28, 0], [0.28, 0.96, 0], [0, 0, 1]]))
    for k in range(12):
        a = 2 * np.pi * k / 12
        lamp(scene, (2 * np.cos(a), 2 * np.sin(a), 2), *([(-np.cos(a), -np.sin(a), -1)] if k % 2 else []),
             **({} if k % 2 else {'dir': (-np.cos(a), -np.sin(a), -1)}), diffuse=0.07)
    view = look_at(1.0)
    rgb = cameras[quality].rgb(scene, view).astype(int)
    scene.flags.shadow = False
    bright = cameras[quality].rgb(scene, view).astype(int)
    box = cameras[quality].segments(scene, view) == 1
    assert (rgb[box] > bright[box] - 6).all(1).mean() > 0.97
    assert bright[90, 120, 0] > 60 and at(bright, view, 0.55, 0, 0) - at(rgb, view, 0.55, 0, 0) > 20
