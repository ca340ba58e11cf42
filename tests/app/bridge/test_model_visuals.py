"""What is drawn of a Model follows the fields written into it while it runs, and nothing outlives it."""
import gc
import threading
import weakref

import numpy as np
import pytest

import physics
from app.bridge.assets.meshes import mesh_assets
from app.bridge.assets.skins import skin_assets
from app.bridge.assets.static import drawn_geoms, drawn_sites
from app.bridge.assets.textures import texture_assets
from app.bridge.build import build_scene
from app.bridge.model_visuals import ModelVisuals, Preparation, prepared, visuals_of
from app.bridge.options import VisOptions
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

TEXT = """<mujoco><asset><material name="skin" rgba="1 0 0 1" specular=".2"/><texture name="t" type="2d" builtin="flat" rgb1="0 0 1" width="4" height="4"/>
<mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><geom type="plane" size="1 1 .1"/>
<body pos="0 0 1"><freejoint/><geom name="ball" size=".1" rgba="0 1 0 1"/><geom name="clad" size=".2" material="skin"/><geom type="mesh" mesh="tetra"/>
<site name="mark" size=".05"/></body></worldbody></mujoco>"""


@pytest.fixture
def scene():
    """(Model, its visuals, a function that draws anew)."""
    m = physics.load_string(TEXT)
    physics.ensure_kernels()
    d = physics.Data(m)
    physics.forward(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    visuals, out = ModelVisuals(m), Scene()
    return m, visuals, lambda: build_scene(visuals, snapshot, VisOptions(), out)


def rows(scene, objtype=shapes.OBJ_GEOM) -> dict[int, dict]:
    """{element: its row} of one type."""
    g = scene.geoms
    return {int(i): {name: g.view(name)[k].copy() for name in ("rgba", "size")} for k, i in enumerate(g.view("objid")) if g.view("objtype")[k] == objtype}


def test_colours_and_sizes_written_while_running_are_drawn(scene):
    m, _visuals, draw = scene
    before = rows(draw())
    m.geom_rgba[1] = (1, 1, 0, 0.5)
    m.geom_size[1, 0] = 0.3
    m.site_rgba[0] = (0, 0, 1, 1)
    drawn = draw()
    after = rows(drawn)
    np.testing.assert_allclose(before[1]["rgba"], (0, 1, 0, 1))
    np.testing.assert_allclose(after[1]["rgba"], (1, 1, 0, 0.5))
    np.testing.assert_allclose(after[1]["size"], 0.3)
    np.testing.assert_allclose(rows(drawn, shapes.OBJ_SITE)[0]["rgba"], (0, 0, 1, 1))
    np.testing.assert_array_equal(after[3]["size"], before[3]["size"])


def test_a_group_written_while_running_hides_a_geom(scene):
    m, _visuals, draw = scene
    assert 1 in rows(draw())
    m.geom_group[1] = 5
    assert 1 not in rows(draw())


def test_materials_written_while_running_reach_the_renderer(scene):
    m, _visuals, draw = scene
    assets = draw().assets
    assert draw().assets is assets and draw().assets.key == assets.key   # nothing is uploaded twice
    m.mat_rgba[0] = (0, 1, 1, 1)
    assert draw().assets is assets   # the colour is the geoms'
    np.testing.assert_allclose(rows(draw())[2]["rgba"], (0, 1, 1, 1))
    m.mat_specular[0] = 0.9
    renewed = draw().assets
    assert renewed.key != assets.key and renewed.materials.view("specular")[0] == pytest.approx(0.9)
    assert renewed.meshes[0] is assets.meshes[0]


def test_pixels_and_vertices_are_drawn_anew_on_request(scene):
    m, visuals, draw = scene
    before = draw().assets
    m.tex_data[:] = 17
    m.mesh_vert[:] *= 2
    visuals.changed("tex_data", "mesh_vert")
    after = draw().assets
    assert (after.textures[0].data == 17).all()
    np.testing.assert_allclose(np.ptp(after.meshes[0].vertex, axis=0), 2 * np.ptp(before.meshes[0].vertex, axis=0), rtol=1e-6)


def test_visuals_belong_to_one_model_and_go_with_it(scene):
    m, visuals, _draw = scene
    assert visuals_of(m, visuals) is visuals
    other = physics.load_string(TEXT)
    renewed = visuals_of(other, visuals)
    assert renewed is not visuals and renewed.model is other
    gone = weakref.ref(other)
    renewed.of(len_of_names)
    del other, renewed
    gc.collect()
    assert gone() is None


def test_what_is_prepared_is_what_a_first_picture_asks_for(scene):
    m, _visuals, _draw = scene
    d = physics.Data(m)
    physics.forward(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    visuals = prepared(m)
    made = set(visuals._derived)
    assert visuals_of(m, None, visuals) is visuals
    build_scene(visuals, snapshot, VisOptions(), Scene())
    assert made >= {key for key in visuals._derived if key[0] in (mesh_assets, skin_assets, texture_assets, drawn_geoms, drawn_sites)}


def len_of_names(m) -> int:
    return m.ngeom


len_of_names.model_fields = ("geom_rgba",)


def test_a_model_with_wrong_whole_numbers_is_not_looked_at(scene):
    m, _visuals, draw = scene
    before = rows(draw())
    m.geom_dataid[3], m.geom_matid[1], held = 1000, 99, (m.geom_dataid[3], m.geom_matid[1])
    assert {i: row["rgba"].tolist() for i, row in rows(draw()).items()} == {i: row["rgba"].tolist() for i, row in before.items()}
    m.geom_dataid[3], m.geom_matid[1] = held
    m.geom_rgba[1] = (1, 1, 0, 1)
    assert np.allclose(rows(draw())[1]["rgba"], (1, 1, 0, 1))


def test_what_another_text_leaves_as_it_was_goes_on_without_another_upload():
    before = prepared(physics.load_string(TEXT))
    edited = prepared(physics.load_string(TEXT.replace('size=".1" rgba="0 1 0 1"', 'size=".3" rgba="0 0 1 1"')), before)
    assert edited.assets is not before.assets and edited.assets.key == before.assets.key and edited.assets.meshes[0] is before.assets.meshes[0]
    assert edited.of(drawn_geoms).rgba[1].tolist() == [0, 0, 1, 1] and edited.assets.mesh_shares() is before.assets.mesh_shares()
    gone = weakref.ref(before.model)
    del before
    gc.collect()
    assert gone() is None   # what goes on holds nothing of the Model before


def test_another_body_uploads_no_mesh_again():
    first, second = physics.load_string(TEXT), physics.load_string(TEXT.replace("</worldbody>", '<body><freejoint/><geom size=".1"/></body></worldbody>'))
    assert not np.array_equal(first.mesh_bvhadr, second.mesh_bvhadr)      # where the trees of their boxes lie
    before = prepared(first)
    edited = prepared(second, before)
    assert edited.of(mesh_assets) is before.of(mesh_assets) and edited.assets.key == before.assets.key


def test_who_draws_waits_for_visuals_that_are_being_made():
    m, go_on = physics.load_string(TEXT), threading.Event()
    preparation, found = Preparation(m), []
    waiting = threading.Thread(target=lambda: (go_on.set(), found.append(preparation.ready())))
    waiting.start()
    assert go_on.wait(20)
    made = preparation.make()
    waiting.join(20)
    assert found == [made] and made.model is m and preparation.ready() is made
    with pytest.raises(AttributeError):
        (failed := Preparation(None)).make()
    assert failed.ready() is None


@pytest.mark.parametrize(("old", "new", "keeps_meshes"), [
    ("1 0 0 0 1 0", "2 0 0 0 1 0", False), ('rgb1="0 0 1"', 'rgb1="0 1 1"', True), ('specular=".2"', 'specular=".3"', True),
    ('<mesh name="tetra"', '<mesh name="more" vertex="0 0 0 1 0 0 0 1 0 0 0 2"/><mesh name="tetra"', False)])
def test_what_another_text_changes_is_uploaded_again(old, new, keeps_meshes):
    before = prepared(physics.load_string(TEXT))
    edited = prepared(physics.load_string(TEXT.replace(old, new)), before)
    assert edited.assets.key != before.assets.key and (edited.of(mesh_assets) is before.of(mesh_assets)) is keeps_meshes
    alone = prepared(physics.load_string(TEXT.replace(old, new)))
    for one, other in zip(edited.assets.meshes, alone.assets.meshes, strict=True):
        np.testing.assert_array_equal(one.vertex, other.vertex)
    np.testing.assert_array_equal(edited.assets.textures[0].data, alone.assets.textures[0].data)
    assert edited.assets.materials.specular[:1].tolist() == alone.assets.materials.specular[:1].tolist()


def test_a_mesh_written_while_running_is_not_taken_over_as_it_was():
    before = prepared(physics.load_string(TEXT))
    before.model.mesh_vert[0] = 0.5   # small: seen by comparing
    edited = prepared(physics.load_string(TEXT), before)
    np.testing.assert_array_equal(edited.assets.meshes[0].vertex, prepared(physics.load_string(TEXT)).assets.meshes[0].vertex)
