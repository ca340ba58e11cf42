"""Wireframes beside the official picture: squares, rings, hidden faces, mirrors between edges."""
import numpy as np
import pytest

from render.offscreen import Offscreen
from render.quality import QUALITIES
from tests.render import beside, official

SIZE = (320, 240)
WIREFRAME = 1
ROUND = '''<mujoco><visual><quality numquads="3"/></visual><asset><texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 .2" width="64" height="64"/>
<texture name="t" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".6 .7 .8" width="100" height="100"/>
<material name="f" texture="t" texrepeat="2 2" texuniform="true" reflectance=".3"/></asset>
<worldbody><light directional="true" pos="1 -1 3" dir="-.3 .3 -1" castshadow="false"/><geom type="plane" size="0 0 .1" material="f"/>
<geom type="capsule" size=".2 .4" rgba=".8 .3 .2 1" pos="0 0 1"/><geom type="cylinder" size=".3 .4" rgba=".3 .8 .2 1" pos="1 0 1" euler="30 40 0"/>
<geom type="ellipsoid" size=".3 .4 .2" rgba=".8 .8 .2 1" pos="-1 0 1"/><geom type="box" size=".3 .4 .2" rgba=".8 .8 .9 .6" pos="0 1.3 1"/></worldbody></mujoco>'''
FINITE = '''<mujoco><worldbody><light directional="true" dir="-.3 .3 -1" castshadow="false"/><geom type="plane" size="3 2 .17"/>
<geom type="box" size=".5 .4 .3" pos="0 0 1"/></worldbody></mujoco>'''
CASES = {
    'mirror and round things': (ROUND, {'distance': 5, 'azimuth': 70, 'elevation': -20, 'lookat': (0, 0, .8)}, {}, 2.5),
    'finite plane': (FINITE, {'distance': 6, 'azimuth': 70, 'elevation': -30}, {}, 0.2),
    'back faces too': (FINITE, {'distance': 6, 'azimuth': 70, 'elevation': 20}, {'cull_face': False}, 0.2),
}


@pytest.mark.parametrize('name', CASES)
def test_same_edges_as_officially(name):
    text, camera, more, limit = CASES[name]
    theirs = official.shot(xml=text, width=SIZE[0], height=SIZE[1], camera=camera,
                           flags={WIREFRAME: 1, **{beside.RENDER_NUMBER[k]: int(v) for k, v in more.items()}})['rgb']
    with Offscreen(*SIZE, QUALITIES['classic']) as offscreen:
        mine = beside.ours(offscreen, text, camera, switches={'wireframe': True, **more})
        filled = beside.ours(offscreen, text, camera)
    assert np.abs(mine.astype(int) - filled).mean() > 5     # there is something to compare
    assert np.abs(mine.astype(int) - theirs).mean() < limit
