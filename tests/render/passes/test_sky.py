"""Skies in pictures smaller than they are, beside the official picture."""
import moderngl
import numpy as np

from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.snapshot import Texture
from tests.render import beside
from tests.render.stage import FRONT, flat_scene

STARS = '''<mujoco><asset><texture type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2="0 0 0" width="512" height="3072" mark="random" markrgb="1 1 1" random=".02"/></asset>
<worldbody><geom size=".01"/></worldbody></mujoco>'''
CAMERA = {'distance': 1, 'azimuth': 30, 'elevation': -10}


def test_stars_are_as_faint_as_officially_in_a_small_picture():
    with Offscreen(160, 120, QUALITIES['classic']) as offscreen:
        mine = beside.ours(offscreen, STARS, CAMERA)
    assert mine.max() > 100
    assert np.abs(mine.astype(int) - beside.theirs(STARS, (160, 120), CAMERA)).mean() < 0.1


def filters(offscreen, data, sizes):
    scene = flat_scene()
    scene.assets.textures.append(Texture('skybox', data))
    scene.assets.skybox = 0
    found = []
    for size in sizes:
        offscreen.resize(*size)
        offscreen.rgb(scene, FRONT)
        found.append(offscreen.renderer.textures.items[0].filter[0])
    return found


def test_a_sky_has_mipmaps_only_where_it_is_shrunk_and_uneven():
    uneven = np.random.default_rng(1).integers(0, 256, (6 * 128, 128, 3)).astype(np.uint8)
    even = np.full_like(uneven, 90)
    with Offscreen(80, 60, QUALITIES['classic']) as offscreen:
        assert filters(offscreen, uneven, ((80, 60), (320, 240), (80, 60))) == [moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR, moderngl.LINEAR_MIPMAP_LINEAR]
        assert filters(offscreen, even, ((80, 60),)) == [moderngl.LINEAR]
