"""Pictures of any size and with a transparent background."""
import numpy as np
import pytest

from render import pictures
from render.scene import shapes
from render.scene.camera import CameraState, Lens, View, fixed_view, free_view, project
from tests.render.stage import FRONT, flat_scene, floor, one, textured


@pytest.fixture(autouse=True)
def size_kept(offscreen):
    yield
    offscreen.resize(160, 120)


@pytest.mark.parametrize('view', [FRONT, free_view(CameraState(distance=4, azimuth=30, elevation=-30), Lens(2, 0.1, 50, orthographic=True)),
                                  fixed_view((0, -3, 0.2), (1, 0, 0, 0, 0, -1, 0, 1, 0), Lens(), (0.02, 0.022, 0.003, -0.002), (0.024, 0.018))])
def test_tiles_show_what_the_whole_shows(view):
    parts, tile = pictures.tiles(view, (1000, 700), 300)
    assert max(tile) <= 300 and len(parts) == 12
    points = np.random.default_rng(0).uniform(-1, 1, (50, 3))
    whole, _ = project(view, points, (1000, 700))
    for x, y, part in parts:
        assert np.allclose(project(part, points, tile)[0] + (x, y), whole, atol=1e-6)


def test_a_tiled_picture_is_the_picture(offscreen):
    scene = one(shapes.BOX, (0.5, 0.3, 0.7), (0.8, 0.3, 0.2, 1))
    floor(scene, (0.3, 0.5, 0.9, 1))
    scene.geoms.put(shapes.SPHERE, (0.7, -0.6, 0.4), (0.4, 0.4, 0.4), (0, 1, 0, 0.4))
    view = free_view(CameraState(distance=4, azimuth=60, elevation=-25), Lens(45, 0.01, 50))
    whole = pictures.draw(offscreen, scene, view, (321, 247))
    tiled = pictures.draw(offscreen, scene, view, (321, 247), limit=100)
    assert whole.shape == tiled.shape == (247, 321, 3)
    off = np.abs(whole.astype(int) - tiled).max(axis=2)
    assert (off > 3).mean() < 0.01      # samples at edges fall a hair aside


def test_larger_than_the_driver_draws(offscreen):
    size = (offscreen.largest + 300, 8)
    view = View((0, -4, 0), (0, 1, 0), (0, 0, 1), 1, -1, 0.01, 50, orthographic=True)
    picture = pictures.draw(offscreen, one(shapes.BOX, (4000, 1, 4000)), view, size)
    assert picture.shape == (8, size[0], 3) and (picture == (255, 0, 0)).all()


def test_alpha_is_what_covers(offscreen):
    scene = one(shapes.BOX, (0.5, 0.5, 0.5), (1, 0.5, 0, 1), pos=(-0.8, 0, 0))
    scene.geoms.put(shapes.BOX, (0.8, 0, 0), (0.5, 0.5, 0.5), (0, 0, 1, 0.25))
    picture = pictures.draw(offscreen, scene, FRONT, (160, 120), transparent=True)
    assert picture.shape == (120, 160, 4) and (picture[0, 0] == 0).all()
    at = np.rint(project(FRONT, [(-0.8, -0.5, 0), (0.8, -0.5, 0)], (160, 120))[0]).astype(int)
    solid, clear = (picture[y, x].astype(int) for x, y in at)
    assert np.abs(solid - (255, 128, 0, 255)).max() <= 1
    cover = 255 * (1 - 0.75 ** 2)      # front and back
    assert abs(clear[3] - cover) <= 2 and np.abs(clear[:3] - (0, 0, 255)).max() <= 4
    edge = picture[..., 3][(picture[..., 3] > 0) & (picture[..., 3] < 255)]
    assert len(edge) > 10       # smooth edges


def test_a_transparent_picture_over_a_colour_is_the_picture_on_it(offscreen):
    scene = one(shapes.SPHERE, (0.6, 0.6, 0.6), (0.9, 0.2, 0.1, 1))
    scene.geoms.put(shapes.CAPSULE, (0.3, -0.7, 0.2), (0.2, 0.2, 0.4), (0.1, 0.9, 0.3, 0.5))
    picture = pictures.draw(offscreen, scene, FRONT, (160, 120), transparent=True).astype(float)
    alpha = picture[..., 3:] / 255
    over = picture[..., :3] * alpha + 255 * np.array([0.2, 0.4, 0.6]) * (1 - alpha)
    offscreen.resize(160, 120)
    direct = offscreen.rgb(scene, FRONT, background=(0.2, 0.4, 0.6))
    assert np.abs(over - direct).max() <= 3
    assert (offscreen.rgb(scene, FRONT)[0, 0] == 0).all()


def test_no_sky_is_seen(offscreen):
    scene = textured(shapes.SPHERE, (0.4, 0.4, 0.4), np.full((24, 4, 3), 200, np.uint8), kind='cube')
    scene.assets.skybox = 0
    picture = pictures.draw(offscreen, scene, FRONT, (160, 120), transparent=True)
    assert picture[0, 0, 3] == 0 and picture[60, 80, 3] == 255
    assert pictures.draw(offscreen, scene, FRONT, (160, 120))[0, 0].min() > 100


def test_the_sky_goes_on_shining(offscreen):
    scene = textured(shapes.SPHERE, (0.8, 0.8, 0.8), np.full((24, 4, 3), (40, 200, 90), np.uint8), kind='cube')
    scene.assets.skybox, scene.flags.physical = 0, True
    clear, full = (pictures.draw(offscreen, scene, FRONT, (160, 120), transparent) for transparent in (True, False))
    inside = clear[..., 3] == 255
    assert inside.mean() > 0.05 and np.abs(clear[..., :3].astype(int) - full)[inside].max() <= 1


def test_nothing_at_all(offscreen):
    assert not pictures.draw(offscreen, flat_scene(), FRONT, (20, 10), transparent=True).any()
