"""Meshes and height fields for the renderer, from the official model's arrays."""
import mujoco
import numpy as np
import pytest

from app.bridge.meshes import mesh_assets
from physics.model import Model

XML = """<mujoco><asset>
<mesh name="box" vertex="-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  -1 -1 1  1 -1 1  -1 1 1  1 1 1" scale="1 2 3" smoothnormal="true"
  face="2 3 0 3 1 0 1 5 0 5 4 0 3 5 1 5 3 7 6 2 0 4 6 0 6 3 2 3 6 7 5 6 4 6 5 7"/>
<mesh name="ball" builtin="sphere" params="2"/>
<hfield name="hills" nrow="3" ncol="4" size="2 1 .5 .25" elevation="0 1 2 3 4 5 6 7 8 9 10 11"/></asset>
<worldbody><geom type="mesh" mesh="box"/><geom type="mesh" mesh="ball"/><geom type="hfield" hfield="hills"/></worldbody></mujoco>"""


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
    assert volume(assets[2]) == pytest.approx(4 * 2 * 0.25 + sum(cells) * (4 / 3) * 1, rel=1e-6)
    assert np.allclose(facing(assets[2]), 1, atol=1e-5)      # flat, as in the official picture
    edges = np.sort(np.concatenate([assets[2].face[:, [0, 1]], assets[2].face[:, [1, 2]], assets[2].face[:, [2, 0]]]), axis=1)
    assert len(edges) == 3 * len(assets[2].face)
    assert assets[2].vertex[:, 2].min() == pytest.approx(-0.25) and assets[2].vertex[:, 2].max() == pytest.approx(0.5)


def test_normals_too_far_off_their_triangle_give_way_to_its_own(assets, official):
    box, ball = assets[:2]      # the corners' normals of a smooth box lean 55 degrees off, of a fine ball less than 37
    sharpened = np.isclose(facing(box), 1, atol=1e-6)
    assert len(box.vertex) == 8 + sharpened.sum() > 8 and facing(box).min() > 0.8
    assert len(ball.vertex) == official.mesh_vertnum[1] and facing(ball).min() > 0.8
