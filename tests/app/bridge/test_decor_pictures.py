"""Decor in pixels: the official picture of a model that has everything beside ours."""
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from app.bridge import VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import FRAMES, RENDER_FLAGS
from app.bridge.view import free_camera, view_of
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.snapshot import Scene
from tests.app.bridge.official import our_model, our_snapshot
from tests.app.bridge.switches import NUMBER
from tests.app.bridge.test_decor import ROPE_AND_WRAP, XML
from tests.render import official

SIZE = (320, 240)
MODEL = XML.replace("<equality>", ROPE_AND_WRAP + "<equality>").replace("<worldbody>", '<statistic meansize=".15"/><worldbody>', 1)
VIEW = {"distance": 3.2, "azimuth": 80, "elevation": -25}
RIGHT, LEFT = (1.4, 1.0, 0.4), (-1.9, 1.0, 0.1)
PLAIN = ("shadow", "reflection")    # switched off: other tests judge them
# switches, frame, depth of trees, what is looked at, how much of the picture they change at least, largest mean difference of a channel from the official one
CASES = {
    "sensors and constraints": (("equality", "contact_point", "contact_force", "camera"), "None", 1, RIGHT, 0.03, 0.9),
    "joints and masses": (("joint", "actuator", "inertia", "center_of_mass", "transparent"), "Body", 1, RIGHT, 0.02, 0.9),
    "islands and trees of bodies": (("island", "body_tree"), "Site", 2, RIGHT, 0.02, 0.9),
    "trees of meshes": (("mesh_tree", "light", "auto_connect"), "World", 3, LEFT, 0.003, 0.9),
}


@pytest.mark.parametrize("name", CASES)
def test_same_picture(name):
    switches, frame, depth, lookat, least, limit = CASES[name]
    camera = {"lookat": lookat, **VIEW}
    on = {NUMBER[switch]: 1 for switch in switches}
    off = {k: 0 for k, flag in enumerate(RENDER_FLAGS) if flag.name in PLAIN}
    theirs = official.shot(xml=MODEL, width=SIZE[0], height=SIZE[1], camera=camera, visflags=on, flags=off, frame=FRAMES.index(frame), bvh_depth=depth)["rgb"].astype(int)
    mj = mujoco.MjModel.from_xml_string(MODEL)
    mjd = mujoco.MjData(mj)
    mujoco.mj_forward(mj, mjd)
    m = our_model(mj)
    snapshot = our_snapshot(m, mjd)
    with Offscreen(*SIZE, QUALITIES["classic"]) as renderer:
        def picture(options):
            for flag in PLAIN:
                options[flag] = False
            return renderer.rgb(build_scene(ModelVisuals(m), snapshot, options, Scene()), view_of(m, snapshot, replace(free_camera(m), **camera))).astype(int)

        options = VisOptions(frame=frame, bvh_depth=depth)
        for switch in switches:
            options[switch] = True
        ours, bare = picture(options), picture(VisOptions())
    assert (np.abs(ours - bare).max(axis=2) > 16).mean() > least     # there is something to compare
    difference = np.abs(ours - theirs)
    assert difference.mean() < limit and (difference.max(axis=2) > 48).mean() < 0.02
