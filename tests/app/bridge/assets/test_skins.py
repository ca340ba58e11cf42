"""Skins of our scenes against the vertices and normals that mjv_updateScene puts into the official one, and against mjv_select."""
import mujoco
import numpy as np
import pytest

from app.bridge import Selection, ViewState, VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from render.scene import picking, shapes
from render.scene.camera import pixel_ray
from render.scene.skins import deform
from render.scene.snapshot import Scene
from tests.app.bridge.official import assert_same, official_scene, our_model, our_rows, our_snapshot, rows_of
from tests.render.mujoco_scene import view_of
from tests.render.skin_models import bend, skin_xml

SKIN, TRANSPARENT = 23, 18


@pytest.fixture(scope="module")
def posed():
    mj = mujoco.MjModel.from_xml_string(skin_xml())
    mjd = mujoco.MjData(mj)
    bend(mj, mjd)
    mujoco.mj_forward(mj, mjd)
    m = our_model(mj)
    return mj, mjd, m, our_snapshot(m, mjd)


def skin_rows(rows):
    rows = rows[rows[:, 0] == shapes.SKIN].copy()
    rows[:, 4:7] = 0    # the official scene says nothing of a skin's size
    return rows


def test_vertices_and_normals_are_the_official_ones(posed):
    mj, mjd, m, snapshot = posed
    official, scene = official_scene(mj, mjd), build_scene(ModelVisuals(m), snapshot, VisOptions(), Scene())
    for skin in range(mj.nskin):
        part = slice(mj.skin_vertadr[skin], mj.skin_vertadr[skin] + mj.skin_vertnum[skin])
        vertex, normal = deform(scene.assets.skins[skin], scene.skins.of(skin))
        row = np.flatnonzero((scene.geoms.view("shape") == shapes.SKIN) & (scene.geoms.view("objid") == skin))[0]
        assert np.abs(vertex + scene.geoms.pos[row] - official.skinvert.reshape(-1, 3)[part]).max() < 1e-6
        assert np.abs(normal - official.skinnormal.reshape(-1, 3)[part]).max() < 1e-5
        assert np.linalg.norm(vertex, axis=1).max() <= scene.geoms.size[row, 0]
        assert (np.linalg.norm(normal, axis=1) > 0.99).all()


@pytest.mark.parametrize("flags", ((), ("skin",), ("transparent",)))
def test_the_same_instances(posed, flags):
    mj, mjd, m, snapshot = posed
    options = VisOptions()
    for name in flags:
        options.toggle(name)
    numbers = [{"skin": SKIN, "transparent": TRANSPARENT}[name] for name in flags]
    theirs = skin_rows(rows_of(official_scene(mj, mjd, numbers)))
    assert_same(skin_rows(our_rows(build_scene(ModelVisuals(m), snapshot, options, Scene()))), theirs)
    assert len(theirs) == (0 if "skin" in flags else 2)


def test_groups_labels_and_invisible_colours(posed):
    _, _, m, snapshot = posed
    options = VisOptions(label="Skin")
    options.skingroup[1] = False
    scene = build_scene(ModelVisuals(m), snapshot, options, Scene())
    assert (scene.geoms.view("shape") == shapes.SKIN).sum() == 1 and len(scene.skins.of(1)) == 0
    assert scene.labels.text == ["tube"] or scene.labels.text == ["skin 0"]
    m.skin_rgba[0] = 0.1, 0.2, 0.3, 0
    try:
        assert build_scene(ModelVisuals(m), snapshot, options, Scene()).skins.n == 0
    finally:
        m.skin_rgba[0] = 0.5, 0.5, 0.5, 1


def test_clicks_find_the_official_body(posed):
    mj, mjd, m, snapshot = posed
    official = official_scene(mj, mjd, groups={"geom": 1})
    options = VisOptions(geomgroup=[False] * 6)
    mj_option = mujoco.MjvOption()
    mj_option.geomgroup[:] = 0
    scene, view, met = build_scene(ModelVisuals(m), snapshot, options, Scene()), view_of(official), []
    for x, y in np.random.default_rng(0).random((400, 2)):
        point, geomid, flexid, skinid = np.zeros(3), np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
        body = mujoco.mjv_select(mj, mjd, mj_option, 4 / 3, x, y, official, point, geomid, flexid, skinid)
        hit = picking.pick(scene, *pixel_ray(view, x * 640, (1 - y) * 480, (640, 480)))
        assert (hit is None) == (body < 0)
        if hit is not None:
            met.append((hit.bodyid, body))
            assert hit.objid == skinid[0]
    assert len(met) > 20 and np.mean([a == b for a, b in met]) > 0.95      # the nearest vertex of the triangle, or of all


def test_the_skin_that_was_clicked_glows(posed):
    _, _, m, snapshot = posed
    for chosen, wanted in ((Selection(), []), (Selection(1), []), (Selection(skin=1), []), (Selection(1, skin=1), [1])):
        g = build_scene(ModelVisuals(m), snapshot, VisOptions(), Scene(), ViewState(chosen)).geoms
        skins = g.view("shape") == shapes.SKIN
        assert g.view("objid")[skins & (g.view("glow") > 0)].tolist() == wanted
        assert not wanted or g.view("glow")[skins].max() == pytest.approx(m.vis.global_.glow)
