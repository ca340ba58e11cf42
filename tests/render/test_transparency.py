"""Transparent things in one another, beside the official picture: laid over in both orders, lines among them."""
import numpy as np

from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.snapshot import Scene
from tests.render import beside
from tests.render.stage import FRONT, flat_scene

SIZE = (320, 240)
NESTED = '''<mujoco><asset><material name="f" rgba=".3 .4 .5 1" reflectance=".3"/></asset><worldbody><light directional="true" dir="-.3 .3 -1"/>
<geom type="plane" size="3 3 .1" material="f"/><geom type="sphere" size=".4" rgba="1 0 0 .4" pos="0 0 .6"/>
<geom type="box" size=".3 .3 .3" rgba="0 1 0 .5" pos=".3 .4 .6"/><geom type="cylinder" size=".2 .5" rgba="0 0 1 .3" pos="-.3 -.4 .6"/>
<geom type="sphere" size=".1" rgba="1 1 0 1" pos="0 0 .6"/></worldbody></mujoco>'''


def test_nested_things_look_as_officially():
    for elevation in (-20, 20):
        camera = {'distance': 3.5, 'azimuth': 60, 'elevation': elevation, 'lookat': (0, 0, .5)}
        with Offscreen(*SIZE, QUALITIES['classic']) as offscreen:
            mine = beside.ours(offscreen, NESTED, camera)
        theirs = beside.theirs(NESTED, SIZE, camera)
        assert beside.difference(mine, theirs)[0] < 0.3


def blue_ball(alpha):
    scene = flat_scene()
    scene.geoms.put(shapes.SPHERE, (0, 0, 0), (0.5,) * 3, (0, 0, 1, alpha))
    return scene


def middle(offscreen, scene: Scene):
    return offscreen.rgb(scene, FRONT)[58:62, 78:82].astype(float).mean((0, 1)) / 255


def test_one_ball_is_laid_over_twice_and_two_in_both_orders(offscreen):
    assert np.allclose(middle(offscreen, blue_ball(0.5)), (0, 0, 0.75), atol=0.01)
    scene = blue_ball(0.5)
    scene.geoms.put(shapes.SPHERE, (0, -1, 0), (0.2,) * 3, (1, 0, 0, 0.5))       # before it: F B B F from behind to before
    colour = np.zeros(3)
    for over in ((1, 0, 0), (0, 0, 1), (0, 0, 1), (1, 0, 0)):
        colour = 0.5 * colour + 0.5 * np.array(over)
    assert np.allclose(middle(offscreen, scene), colour, atol=0.01)


def test_transparent_lines_do_not_hide_what_is_behind_them(offscreen):
    scene = blue_ball(0.5)
    scene.lines.put((-1, -1, 0), (1, -1, 0), (1, 0, 0, 0.5), 9)
    colour = np.zeros(3)
    for over in ((1, 0, 0), None, (1, 0, 0)):
        colour = 0.5 * colour + 0.5 * np.array(over) if over else 0.25 * colour + 0.75 * np.array((0, 0, 1))
    assert np.allclose(middle(offscreen, scene), colour, atol=0.01)
