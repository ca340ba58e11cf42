"""Meshes and height fields for the renderer, from the official model's arrays."""
import mujoco
import numpy as np
import pytest

from app.bridge import VisOptions, build_scene
from app.bridge.assets.meshes import mesh_assets
from app.bridge.model_visuals import ModelVisuals
from app.bridge.view import free_camera, view_of
from physics.model.model import Model
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.snapshot import Scene
from tests.app.bridge.official import our_model, our_snapshot
from tests.render import official as pictures

XML = """<mujoco><asset>
<mesh name="box" vertex="-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  -1 -1 1  1 -1 1  -1 1 1  1 1 1" scale="1 2 3" smoothnormal="true"
  face="2 3 0 3 1 0 1 5 0 5 4 0 3 5 1 5 3 7 6 2 0 4 6 0 6 3 2 3 6 7 5 6 4 6 5 7"/>
<mesh name="ball" builtin="sphere" params="2"/><mesh name="wedge" vertex="-1 -1 0  -1 1 0  1 -1 0  1 1 0  -1 -1 1  -1 1 1"/>
<mesh name="textured" vertex="-1 -1 0  1 -1 0  -1 1 0  1 1 0  0 0 -1" face="0 1 3 0 3 2 0 4 1 1 4 3 3 4 2 2 4 0" texcoord="0 0 1 0 0 1 1 1 .5 .5"/>
<hfield name="hills" nrow="3" ncol="4" size="2 1 .5 .25" elevation="0 1 2 3 4 5 6 7 8 9 10 11"/></asset>
<worldbody><geom type="mesh" mesh="box"/><geom type="mesh" mesh="ball"/><geom type="mesh" mesh="wedge"/>
<geom type="mesh" mesh="textured" contype="0" conaffinity="0"/><geom type="hfield" hfield="hills"/></worldbody></mujoco>"""

STAR = " ".join(f"{r * np.cos(k * np.pi / 5):.4f} {r * np.sin(k * np.pi / 5):.4f} {z}" for z in (0, 0.4) for k, r in enumerate((1, 0.5) * 5))
SIDES = " ".join(f"{k} {(k + 1) % 10} {k + 10} {(k + 1) % 10} {(k + 1) % 10 + 10} {k + 10}" for k in range(10))
LIDS = " ".join(f"0 {k + 1} {k} 10 {k + 10} {k + 11}" for k in range(1, 9))
PICTURE = f"""<mujoco><visual><headlight specular="0 0 0"/></visual><asset><mesh name="star" vertex="{STAR}" face="{SIDES} {LIDS}"/>
<mesh name="wedge" vertex="-1 -1 0  -1 1 0  1 -1 0  1 1 0  -1 -1 1  -1 1 1" scale=".5 .5 .5"/><mesh name="ball" builtin="sphere" params="2" scale=".5 .5 .5"/>
<hfield name="hills" nrow="5" ncol="6" size="2 2 .6 .25" elevation="{' '.join(str((7 * k) % 11) for k in range(30))}"/></asset>
<worldbody><geom type="mesh" mesh="star" pos="-1 1.5 1.2" rgba=".8 .3 .3 1"/><geom type="mesh" mesh="wedge" pos=".8 -1.2 1" euler="20 30 60"/>
<geom type="mesh" mesh="ball" pos="1 1 1" rgba=".3 .5 .9 1"/><geom type="hfield" hfield="hills" rgba=".6 .5 .4 1"/></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def official():
    return mujoco.MjModel.from_xml_string(XML)


@pytest.fixture(scope="module")
def assets(official):
    sizes = {name: int(getattr(official, name)) for name in Model.layout.scalars if name.startswith(("nmesh", "nhfield"))}
    model = Model.allocate(sizes)
    for name in Model.layout.arrays:
        if name.startswith(("mesh_", "hfield_")):
            getattr(model, name)[...] = np.asarray(getattr(official, name)).reshape(getattr(model, name).shape)
    return mesh_assets(model)


@pytest.fixture(scope="module")
def ours(official):
    return our_model(official)


def volume(asset):
    """By the divergence theorem: positive when all triangles face outwards and nothing is open."""
    a, b, c = (asset.vertex[asset.face[:, k]].astype(float) for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def facing(asset):
    """Cosines between each triangle's own normal and those at its corners."""
    a, b, c = (asset.vertex[asset.face[:, k]].astype(float) for k in range(3))
    own = np.cross(b - a, c - a)
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    return np.einsum("ij,ikj->ik", own, asset.normal[asset.face].astype(float))


def test_meshes_keep_their_volume_and_face_outwards(assets):
    assert volume(assets[0]) == pytest.approx(8 * 6, rel=1e-6)
    assert volume(assets[1]) == pytest.approx(4 / 3 * np.pi, rel=0.1)
    assert all((facing(asset) > 0).all() for asset in assets[:2])


def test_a_height_field_is_closed_and_has_its_volume(assets, official):
    heights = np.asarray(official.hfield_data, float).reshape(3, 4) * 0.5
    cells = [(heights[r, c] + heights[r + 1, c + 1]) / 3 + (heights[r, c + 1] + heights[r + 1, c]) / 6 for r in range(2) for c in range(3)]
    assert volume(assets[4]) == pytest.approx(4 * 2 * 0.25 + sum(cells) * (4 / 3) * 1, rel=1e-6)
    assert not assets[4].normal.any()      # flat
    edges = np.sort(np.concatenate([assets[4].face[:, [0, 1]], assets[4].face[:, [1, 2]], assets[4].face[:, [2, 0]]]), axis=1)
    assert len(edges) == 3 * len(assets[4].face)
    assert assets[4].vertex[:, 2].min() == pytest.approx(-0.25) and assets[4].vertex[:, 2].max() == pytest.approx(0.5)


def test_corners_far_off_their_triangle_are_flat_unless_textured(assets):
    wedge, textured = facing(assets[2]), facing(assets[3])
    assert (wedge > 0.8 - 1e-6).all() and (wedge > 1 - 1e-6).mean() > 0.9      # the official normals of this one point anywhere
    assert textured.min() < 0.8 and assets[3].texcoord is not None
    assert facing(assets[1]).min() > 0.8 and len(assets[1].vertex) < 3 * len(assets[1].face) / 2       # smooth: vertices stay shared


def test_hulls_follow_and_are_shown_in_place_of_what_collides(ours, official):
    scene = Scene()
    data = mujoco.MjData(official)
    mujoco.mj_forward(official, data)
    snapshot = our_snapshot(ours, data)
    plain = build_scene(ModelVisuals(ours), snapshot, VisOptions(), scene).geoms.view("dataid").copy()
    options = VisOptions()
    options.toggle("convex_hull")
    hulled = build_scene(ModelVisuals(ours), snapshot, options, scene).geoms.view("dataid").copy()
    meshes = scene.assets.meshes
    assert plain.tolist() == [0, 1, 2, 3, 4] and hulled.tolist() == [5, 6, 7, 3, 4] and len(meshes) == 8
    for mesh, hull in ((0, 5), (2, 7)):
        assert volume(meshes[hull]) == pytest.approx(volume(meshes[mesh]), rel=1e-6)       # convex ones are their own hulls
    assert volume(meshes[6]) >= volume(meshes[1]) * 0.999
    a, b, c = (meshes[6].vertex[meshes[6].face[:, k]].astype(float) for k in range(3))
    outward = np.cross(b - a, c - a)
    assert (np.einsum("ij,vij->vi", outward, meshes[6].vertex[:, None] - a) < 1e-9).all()   # no vertex above any side


def test_spheres_hold_their_meshes(assets):
    for asset in assets:
        distance = np.linalg.norm(asset.vertex - asset.sphere[:3], axis=1)
        assert distance.max() == pytest.approx(asset.sphere[3], rel=1e-6)


@pytest.mark.parametrize("visflags", ({}, {0: 1}), ids=("meshes", "hulls"))
def test_shading_is_that_of_the_official_picture(visflags):
    """Flat corners, height fields and hulls beside the official ones."""
    job = dict(xml=PICTURE, width=200, height=150, visflags=visflags, shadowsize=0)
    theirs = pictures.shot(**job)["rgb"]
    mj, data = pictures.load(job)
    m = our_model(mj)
    snapshot, options = our_snapshot(m, data), VisOptions()
    options["convex_hull"] = bool(visflags)
    options["shadow"] = False
    with Offscreen(200, 150, QUALITIES["classic"]) as off:
        ours = off.rgb(build_scene(ModelVisuals(m), snapshot, options, Scene()), view_of(m, snapshot, free_camera(m)))
    difference = np.abs(ours.astype(int) - theirs)
    assert theirs.std() > 20 and difference.mean() < 0.6 and np.percentile(difference, 97) <= 6
