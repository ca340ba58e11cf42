"""Ghosts in pixels: another pose of the same or of another Model, tinted, behind what it coincides with, without a shadow and not in the way of a click."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from app.bridge import ViewState, VisOptions, build_scene
from app.bridge.assets.meshes import mesh_assets
from app.bridge.ghost import BLUE, ORANGE, Ghost
from app.bridge.layers import ghosts as layer
from app.bridge.model_visuals import ModelVisuals
from app.bridge.view import view_of
from physics.model.elements import element
from physics.runtime.snapshot import Snapshot
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import CameraState, project
from render.scene.snapshot import Scene

SIZE = (320, 240)
CAMERA = CameraState(lookat=(0, 0, 1), distance=4, azimuth=90, elevation=0)
XML = """<mujoco><asset><mesh name="wedge" scale="{scale} .3 .3" vertex="-1 -1 -1 1 -1 -1 0 1 -1 0 0 1"/></asset>
<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
<worldbody><light directional="true" dir="0 0 -1" pos="0 0 4" diffuse=".1 .1 .1"/><geom name="floor" type="plane" size="3 3 .1" rgba="0 0 0 1"/>
<geom name="post" type="box" size=".05 .05 .5" pos="0 1 .5"/>
<body name="ball" pos="{x} 0 1"><freejoint/><geom name="ball" size=".25" rgba="0 1 0 1"/><geom name="wedge" type="mesh" mesh="wedge" pos="0 0 .6" rgba="0 1 0 1"/>
<geom name="shell" size=".3" group="3"/></body></worldbody></mujoco>"""


def pose(x: float = 0.0, scale: float = 0.3):
    """(Model, Snapshot) with the ball there."""
    m = physics.load_string(XML.format(x=x, scale=scale))
    physics.ensure_kernels()
    d = physics.Data(m)
    physics.forward(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return m, snapshot


def ghost_at(m, snapshot, dx: float, **how) -> Ghost:
    """A ghost of a Model, so far to the right of a snapshot's pose."""
    moved = np.where((m.body_weldid[m.geom_bodyid] != 0)[:, None], snapshot.geom_xpos + (dx, 0, 0), snapshot.geom_xpos)
    return Ghost(m, moved, snapshot.geom_xmat, **how)


def scene_of(m, snapshot, *ghosts, visuals=None, **options) -> Scene:
    """What is drawn of the snapshot with these ghosts."""
    return build_scene(visuals or ModelVisuals(m), snapshot, VisOptions(**options), Scene(), ViewState(ghosts=ghosts))


def rows(scene) -> np.ndarray:
    """Numbers of the rows of ghosts."""
    return np.flatnonzero(scene.geoms.view("flags") == layer.FLAGS)


@pytest.fixture(scope="module")
def camera():
    with Offscreen(*SIZE, QUALITIES["high"]) as made:
        yield made


def picture(camera, m, snapshot, *ghosts, **options):
    """(rgb as whole numbers, view)."""
    view = view_of(m, snapshot, CAMERA)
    return camera.rgb(scene_of(m, snapshot, *ghosts, **options), view).astype(int), view


def pixel(rgb, view, point) -> np.ndarray:
    x, y = project(view, [point], SIZE)[0][0]
    return rgb[int(y), int(x)]


def test_the_moving_geoms_of_visible_groups_are_drawn():
    m, snapshot = pose()
    scene = scene_of(m, snapshot, ghost_at(m, snapshot, 1, tint=BLUE), ghost_at(m, snapshot, -1))
    g, found = scene.geoms, rows(scene)
    assert g.shape[found].tolist() == [shapes.SPHERE, shapes.MESH] * 2 and (g.objtype[found] == shapes.OBJ_UNKNOWN).all()
    np.testing.assert_allclose(g.pos[found[0]], (1, 0, 1), atol=1e-6)
    np.testing.assert_allclose(g.rgba[found[0], :3], BLUE)
    np.testing.assert_allclose(1 - (1 - g.rgba[found, 3]) ** 2, 0.35, rtol=1e-5)     # as it is blended
    shown = scene_of(m, snapshot, ghost_at(m, snapshot, 1), geomgroup=[True, False, False, True, False, False])
    assert len(rows(shown)) == 3
    hidden = scene_of(m, snapshot, ghost_at(m, snapshot, 1), hidden=frozenset([element(m, "geom", m.id("geom", "wedge"))]))
    assert hidden.geoms.shape[rows(hidden)].tolist() == [shapes.SPHERE]
    assert not len(rows(scene_of(m, snapshot, ghost_at(m, snapshot, 1), added={"ghosts": False, "markers": True})))


def test_a_ghost_is_tinted_and_seen_through(camera):
    m, snapshot = pose()
    plain, view = picture(camera, m, snapshot)
    rgb, _ = picture(camera, m, snapshot, ghost_at(m, snapshot, 0.8, tint=ORANGE), ghost_at(m, snapshot, -0.8, tint=BLUE, opacity=0.8))
    right, left, middle = (pixel(rgb, view, (x, 0, 1)) for x in (0.8, -0.8, 0))
    before = pixel(plain, view, (0.8, 0, 1))
    assert right[0] > before[0] + 40 and right[0] > right[1] > right[2] - before[2]
    assert left[2] > 150 and left[2] > left[1] > left[0]
    assert (middle == pixel(plain, view, (0, 0, 1))).all()
    faint = np.abs(right - before).sum() / np.abs(pixel(picture(camera, m, snapshot, ghost_at(m, snapshot, 0.8, opacity=1.0))[0], view, (0.8, 0, 1)) - before).sum()
    assert 0.2 < faint < 0.5


@pytest.mark.parametrize("off", [0.0, 1e-4, -1e-4])
def test_where_it_coincides_the_model_is_seen(camera, off):
    m, snapshot = pose()
    plain, view = picture(camera, m, snapshot)
    away = replace(ghost_at(m, snapshot, 0.0), geom_xpos=snapshot.geom_xpos + (0, off, 0))    # towards the eye or away from it
    rgb, _ = picture(camera, m, snapshot, away)
    inside = plain[..., 1] > 200
    assert inside.sum() > 1000
    changed = (np.abs(rgb - plain).max(axis=2) > 4) & inside
    assert changed.sum() < 0.03 * inside.sum()      # nothing but the rim


def test_a_ghost_before_the_model_tints_it_and_one_behind_does_not(camera):
    m, snapshot = pose()
    plain, view = picture(camera, m, snapshot)
    for dy, tinted in ((-0.6, True), (0.6, False)):
        rgb, _ = picture(camera, m, snapshot, replace(ghost_at(m, snapshot, 0.0), geom_xpos=snapshot.geom_xpos + (0, dy, 0)))
        assert (np.abs(pixel(rgb, view, (0, -0.25, 1)) - pixel(plain, view, (0, -0.25, 1))).max() > 20) == tinted


def test_depths_numbers_and_shadows_know_nothing_of_it(camera):
    m, snapshot = pose()
    view = view_of(m, snapshot, CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-50))
    plain, marked = scene_of(m, snapshot), scene_of(m, snapshot, ghost_at(m, snapshot, 0.9, opacity=1.0))
    for read in (camera.depth, camera.segmentation, camera.normals):
        np.testing.assert_array_equal(read(marked, view), read(plain, view))
    before, now = (camera.rgb(scene, view).astype(int) for scene in (plain, marked))
    below = project(view, [(0.9, 0, 0)], SIZE)[0][0].astype(int)
    assert np.abs(now - before).max() > 100 and np.abs(now - before)[below[1], below[0]].max() <= 2


def test_meshes_are_shared_with_a_model_that_has_the_same():
    m, snapshot = pose()
    visuals = ModelVisuals(m)
    same, _ = pose(x=1.0)
    scene = scene_of(m, snapshot, ghost_at(same, snapshot, 1), visuals=visuals)
    assert len(scene.assets.meshes) == len(visuals.assets.meshes) and scene.assets is visuals.assets
    assert visuals.beside([same])[0].of(mesh_assets) is visuals.of(mesh_assets)


def test_another_model_brings_its_meshes_once(camera):
    m, snapshot = pose()
    other, its = pose(scale=0.6)
    visuals = ModelVisuals(m)
    ghost = ghost_at(other, its, 1)
    scene = scene_of(m, snapshot, ghost, visuals=visuals)
    g, wedge = scene.geoms, rows(scene)[1]
    assert len(scene.assets.meshes) == len(visuals.assets.meshes) + 1
    assert np.ptp(scene.assets.meshes[g.dataid[wedge]].vertex, axis=0).max() > 1.1 > np.ptp(visuals.assets.meshes[0].vertex, axis=0).max()
    again = scene_of(m, snapshot, ghost, visuals=visuals)
    assert again.assets is scene.assets     # nothing is uploaded twice
    view = view_of(m, snapshot, CAMERA)
    camera.rgb(scene, view)
    known = set(camera.renderer.meshes._meshes.values())
    camera.rgb(scene_of(m, snapshot, visuals=visuals), view)
    assert set(camera.renderer.meshes._meshes.values()) < known and camera.renderer.meshes._meshes


def test_a_label_stands_above_it_in_its_tint():
    m, snapshot = pose()
    scene = scene_of(m, snapshot, ghost_at(m, snapshot, 1, label="kp 200", tint=BLUE), ghost_at(m, snapshot, 2))
    assert scene.labels.text == ["kp 200"] and scene.labels.rgba[0][2] > scene.labels.rgba[0][0]
    x, y, z = scene.labels.pos[0]
    assert (x, y) == pytest.approx((1, 0), abs=0.05) and z > 1.6


@pytest.mark.parametrize(("how", "message"), [({"geom_xpos": np.zeros((3, 3))}, r"geom_xpos must be of shape \(5, 3\), not \(3, 3\)"), ({"opacity": 0}, "opacity must be above 0"),
                                              ({"tint": (2, 0, 0)}, "tint must be 3 numbers from 0 to 1"), ({"geom_xmat": np.zeros((5, 3, 3))}, "geom_xmat must be of shape")])
def test_wrong_input_is_refused(how, message):
    m, snapshot = pose()
    with pytest.raises(ValueError, match=message):
        replace(ghost_at(m, snapshot, 0), **how)


def test_its_pose_is_its_own():
    m, snapshot = pose()
    ghost = Ghost(m, snapshot.geom_xpos, snapshot.geom_xmat)
    snapshot.geom_xpos[:] = 7
    assert ghost.geom_xpos.max() < 2
