"""The same scene drawn by the official renderer (in its own process) and by ours."""
import numpy as np
import pytest

from render.offscreen import Offscreen
from render.quality import QUALITIES
from tests.render import official
from tests.render.mujoco_scene import scene_of

SIZE = (240, 180)
SHOWCASE = '''<mujoco><visual><global azimuth="120" elevation="-20"/><map haze=".2"/><quality shadowsize="2048"/></visual>
<asset><texture name="sky" type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="384"/>
<texture name="chk" type="2d" builtin="checker" rgb1=".1 .2 .3" rgb2=".8 .3 .4" width="64" height="64" mark="cross"
 markrgb="1 1 1"/>
<texture name="grad" type="2d" builtin="gradient" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
<texture name="cube" type="cube" builtin="checker" rgb1="1 1 0" rgb2="0 .5 0" width="32" height="192" mark="edge" markrgb="0 0 0"/>
<material name="floor" texture="chk" texrepeat="2 2" texuniform="true" reflectance="{reflectance}"/>
<material name="flat" texture="chk" texrepeat="3 2"/><material name="grad" texture="grad"/><material name="cube" texture="cube"/>
<material name="cubeu" texture="cube" texuniform="true"/>
<material name="glow" emission=".5" rgba=".6 .2 .2 1"/><material name="shiny" specular="1" shininess="1" rgba=".2 .2 .8 1"/></asset>
<worldbody><light pos="0 0 3" dir="0 .2 -1" directional="true" diffuse=".5 .5 .5"/><light pos="-1 1 2" dir=".3 -.3 -1"
 cutoff="60" exponent="1" diffuse=".2 .3 .5"/>
<geom type="plane" size="{plane}" material="floor"/>
<geom type="box" size=".15 .1 .2" pos="-.9 0 .3" material="flat"/><geom type="sphere" size=".2" pos="-.4 0 .3" material="flat"/>
<geom type="capsule" size=".1 .2" pos="0 0 .4" material="grad"/><geom type="cylinder" size=".1 .2" pos=".4 0 .4" material="flat"/>
<geom type="ellipsoid" size=".1 .2 .3" pos=".8 0 .4" material="grad"/><geom type="box" size=".15 .1 .2" pos="-.9 .7 .3" material="cube"/>
<geom type="sphere" size=".2" pos="-.4 .7 .3" material="cube"/><geom type="capsule" size=".1 .2" pos="0 .7 .4" euler="0 30 0" material="cube"/>
<geom type="cylinder" size=".1 .2" pos=".4 .7 .4" material="cubeu"/><geom type="ellipsoid" size=".1 .2 .3" pos=".8 .7 .4" material="cube"/>
<geom type="box" size=".15 .1 .2" pos="-.9 -.7 .3" rgba="1 0 0 .4"/><geom type="sphere" size=".2" pos="-.4 -.7 .3" material="glow"/>
<geom type="capsule" size=".1 .2" pos="0 -.7 .4" euler="0 60 0" material="shiny"/>
<geom type="cylinder" size=".1 .2" pos=".4 -.7 .4" rgba="0 1 0 .7"/>
<body pos="0 -1.2 .5"><joint type="hinge" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .5 0 0"/>
<body pos=".5 0 0"><joint type="slide" axis="0 0 1"/>
<geom type="box" size=".05 .05 .1"/><body pos="0 0 .3"><joint type="ball"/><geom size=".05"/></body></body></body></worldbody></mujoco>'''
ADDITIVE, FOG, TRANSPARENT, JOINT, CAMERA, LIGHT, INERTIA = 3, 5, 18, 2, 3, 6, 10
# name: (model, camera, render flags, visualization flags, largest mean absolute difference of a channel)
JOBS = {
    'endless floor': (('0 0 .1', 0), {}, {}, {}, 1.0),
    'mirror': (('2 2 .1', 0.5), {}, {}, {}, 1.0),
    'fog and decor': (('0 0 .1', 0), {}, {FOG: 1}, {JOINT: 1, CAMERA: 1, LIGHT: 1, INERTIA: 1, TRANSPARENT: 1}, 1.5),
    'additive': (('2 2 .1', 0), {}, {ADDITIVE: 1}, {TRANSPARENT: 1}, 1.5),
    'from below': (('2 2 .1', 0), {'elevation': 20}, {}, {}, 1.5),
}


@pytest.mark.parametrize('name', JOBS)
def test_same_picture(name):
    (plane, reflectance), camera, flags, visflags, limit = JOBS[name]
    what = ['rgb', 'seg', 'depth'] if name == 'mirror' else ['rgb']
    job = dict(xml=SHOWCASE.format(plane=plane, reflectance=reflectance),
               width=SIZE[0], height=SIZE[1], camera=camera, flags=flags, visflags=visflags, what=what)
    theirs = official.shot(**job)
    m, d = official.load(job)
    scene, view = scene_of(m, d, official.camera_of(m, job), official.options_of(job), flags)
    with Offscreen(*SIZE, QUALITIES['classic']) as off:
        ours = off.rgb(scene, view)
        difference = np.abs(theirs['rgb'].astype(int) - ours)
        assert theirs['rgb'].std() > 20       # there is something to compare
        assert difference.mean() < limit and np.percentile(difference, 95) <= 8
        if 'seg' in what:
            _same_segments(theirs['seg'], off.segmentation(scene, view))
            _same_depth(theirs['depth'], off.depth(scene, view), ours.shape, view.far)


def _same_segments(theirs, ours):
    """Intersection over union of every object's silhouette."""
    for objid in np.unique(theirs[..., 0][theirs[..., 0] >= 0]):
        a, b = theirs[..., 0] == objid, ours[..., 0] == objid
        if a.sum() > 30:
            assert (a & b).sum() / (a | b).sum() > 0.97, objid
    assert np.array_equal(np.unique(theirs[..., 1]), np.unique(ours[..., 1]))


def _same_depth(theirs, ours, shape, far):
    """Where both saw the same surface; theirs sees the sky's cylinder at the far end."""
    near = np.isfinite(ours)
    relative = np.abs(theirs[near] - ours[near]) / ours[near]
    assert near.mean() > 0.3 and np.percentile(relative, 95) < 2e-3 and np.median(relative) < 1e-4
