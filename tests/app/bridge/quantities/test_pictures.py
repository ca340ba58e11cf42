"""Every switch of forces and motion in pixels: it changes the picture, in the colours of its legend."""
import numpy as np
import pytest

from app.bridge import ViewState, VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import QUANTITY_FLAGS
from app.bridge.view import free_camera, view_of
from physics.runtime.snapshot import Snapshot
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.snapshot import Scene
from tests.app.bridge.quantities.moments import moment

SIZE = (240, 180)
EVERYTHING = """<mujoco><option cone="elliptic" viscosity="9"/><statistic center="0 0 .6" extent="2"/>
  <visual><headlight ambient=".4 .4 .4" specular="0 0 0"/><global azimuth="90" elevation="-15"/></visual>
  <default><geom rgba=".3 .3 .3 1"/><tendon width=".02"/></default>
  <worldbody><geom name="floor" type="plane" size="3 3 .1" margin=".01" condim="6" friction=".6 .02 .02"/><site name="top" pos="1.2 0 1.5"/>
    <body name="slider" pos="-1 -.6 .0999"><freejoint/><geom type="box" size=".1 .1 .1" condim="6" margin=".02" friction=".6 .02 .02"/><site name="mark" size=".01"/></body>
    <body pos="-.4 0 1.1"><joint name="h" axis="0 1 0" range="-50 40" limited="true" stiffness="9" damping=".3" frictionloss="1"/>
      <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.4"/></body>
    <body pos=".3 0 .6"><joint type="slide" axis="0 0 1" range="-.2 .3" limited="true"/><geom size=".08" density="3000"/></body>
    <body pos="1.2 0 .9"><joint type="slide" axis="0 0 1"/><geom size=".1"/><site name="eye"/></body>
    <body name="held" pos=".8 .3 .7"><freejoint/><geom size=".1"/></body>
    <body pos="-.9 .5 .9" gravcomp=".8"><freejoint/><geom type="box" size=".1 .07 .05"/></body></worldbody>
  <tendon><spatial stiffness="900" springlength="0 .2"><site site="top"/><site site="eye"/></spatial></tendon>
  <equality><connect body1="held" body2="world" anchor="0 0 .3"/></equality><actuator><motor joint="h"/></actuator></mujoco>"""
STATE = {"qvel": (1.5, -.3, 0, 0, 0, 6, 2.0, 0, -1, 1, .5, 0, 3, 4, 5, .5, 0, .6, 4, 8, 3), "ctrl": 6.0}


@pytest.fixture(scope="module")
def everything():
    """(model, data, two snapshots 0.1 s apart, a renderer)."""
    m, d, first = moment(EVERYTHING, **{k: v if k == "ctrl" else np.array(v) for k, v in STATE.items()})
    with Offscreen(*SIZE, QUALITIES["medium"]) as off:
        yield m, d, first, off


def picture(everything, *switches):
    m, d, first, off = everything
    options, state = VisOptions(), ViewState()
    for name in switches:
        options[name] = True
    last = Snapshot(m, d, 1)
    scene, view = Scene(), view_of(m, first, free_camera(m))
    for k in range(6):   # a little way for trails; the rest shows the start again
        last.copy_from(d)
        last.time = .1 * k
        last.xpos[...], last.site_xpos[...] = first.xpos - (.3 - .05 * k, 0, 0), first.site_xpos - (.25 - .05 * k, 0, 0)
        build_scene(ModelVisuals(m), last, options, scene, state)
    build_scene(ModelVisuals(m), first if not any("trail" in s for s in switches) else last, options, scene, state)
    return off.rgb(scene, view).astype(float), scene.legend


@pytest.mark.parametrize("name", [flag.name for flag in QUANTITY_FLAGS])
def test_a_switch_shows_in_the_colours_of_its_legend(everything, name):
    m, d, first, _ = everything
    d.xfrc_applied[5] = first.xfrc_applied[5] = (0, 0, 30, 0, 2, 0)
    plain, nothing = picture(everything)
    shown, legend = picture(everything, name)
    changed = np.abs(shown - plain).max(axis=2) > 25
    assert not nothing and legend and 12 < changed.sum() < .5 * changed.size
    seen = shown[changed]
    seen = seen / np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), 1)
    like = [(seen @ (np.array(row.rgba[:3]) / np.linalg.norm(row.rgba[:3])) > .96).sum() for row in legend]
    assert max(like) >= 4, dict(zip([row.what for row in legend], like, strict=True))
