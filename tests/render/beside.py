"""The whole road beside the official picture: a model text compiled, bridged and drawn by us, and the same by the official renderer."""
import numpy as np

from app.bridge import VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import RENDER_FLAGS, VIS_FLAGS
from app.bridge.view import free_camera, view_of
from physics import Data, ensure_kernels, load_string
from physics.engine.kinematics.kinematics import kinematics
from physics.runtime.snapshot import Snapshot
from render.scene.camera import CameraState
from render.scene.snapshot import Scene
from tests.render import official

# light that shines everywhere alike, so that a picture shows colours and textures as they are
EVEN_LIGHT = '<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>'
RENDER_NUMBER = {flag.name: number for number, flag in enumerate(RENDER_FLAGS)}


def ours(offscreen, model, camera=None, off=(), switches=None):
    """(height, width, 3) uint8 of a Model (or its text) at its start; camera: fields of CameraState; off: visualization flags by number that are switched;
    switches: of any table by name."""
    ensure_kernels()
    m = load_string(model) if isinstance(model, str) else model
    d = Data(m)
    kinematics(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    options = VisOptions()
    for flag in off:
        options.toggle(VIS_FLAGS[flag].name)
    for name, value in (switches or {}).items():
        options[name] = value
    state = free_camera(m)
    state = CameraState(**{name: (camera or {}).get(name, getattr(state, name)) for name in ('lookat', 'distance', 'azimuth', 'elevation')})
    return offscreen.rgb(build_scene(ModelVisuals(m), snapshot, options, Scene()), view_of(m, snapshot, state))


def theirs(text, size, camera=None, off=()):
    """The same from the official renderer. size: (width, height)."""
    defaults = {flag: not VIS_FLAGS[flag].default for flag in off}
    return official.shot(xml=text, width=size[0], height=size[1], camera=camera or {}, visflags=defaults)['rgb']


def difference(one, two):
    """Mean absolute difference of a channel where at least one picture shows something, in 1/255; how much of the picture that is."""
    one, two = one.astype(int), two.astype(int)
    seen = (one.sum(2) > 0) | (two.sum(2) > 0)
    return float(np.abs(one - two)[seen].mean()) if seen.any() else 0.0, float(seen.mean())
