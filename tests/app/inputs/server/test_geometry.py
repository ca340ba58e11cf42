"""What a page is told of a model's looks, read back as pages read it."""
import gzip
import json
import struct

import numpy as np
import pytest

import physics
from app.inputs.server import geometry
from app.inputs.server.geometry import COLUMNS, packed_geometry, scene_geometry, thinned
from render.scene import shapes
from render.scene.snapshot import MeshAsset
from render.scene.rotation import multiply, rotate

MODEL = """<mujoco><asset><mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/><hfield name="hills" nrow="4" ncol="5" size="1 1 .2 .1" elevation="0 0 0 0 0 0 1 1 1 0 0 1 1 1 0 0 0 0 0 0"/>
<material name="red" rgba="1 0 0 .5"/></asset>
<worldbody><camera name="front" pos="0 -2 1"/><camera pos="1 1 1"/><geom type="plane" size="0 0 .1"/><geom type="hfield" hfield="hills" pos="5 0 0"/>
<body name="arm" pos="0 0 1" euler="0 0 90"><freejoint/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".05" rgba=".1 .2 .3 1"/><geom type="mesh" mesh="wedge" pos=".1 0 0"/>
<geom type="box" size=".1 .2 .3" material="red"/><geom type="sphere" size=".1" group="3"/><site name="tip" pos=".4 0 0"/></body></worldbody></mujoco>"""


def read(packed: bytes):
    """(header, geoms, meshes) of a packed geometry."""
    data = gzip.decompress(packed)
    assert data[:4] == geometry.MAGIC
    length = struct.unpack_from("<I", data, 4)[0]
    header, first = json.loads(data[8:8 + length]), 8 + length

    def table(place, dtype, columns):
        assert (first + place[0]) % 4 == 0
        return np.frombuffer(data, dtype, place[1] * columns, first + place[0]).reshape(-1, columns)

    return header, table(header["geoms"], "<f4", COLUMNS), [(table(v, "<f4", 3), table(n, "<f4", 3), table(f, "<u4", 3)) for v, n, f in header["meshes"]]


@pytest.fixture(scope="module")
def model():
    return physics.load_string(MODEL)


def test_shapes_stand_where_the_simulation_has_them(model):
    """A page places each row by its body's pose; the same comes out as geom_xpos and geom_xmat."""
    header, geoms, _meshes = read(packed_geometry(model))
    d = physics.Data(model)
    physics.forward(model, d)
    assert header["bodies"] == model.nbody and header["extent"] == model.stat_extent and header["cameras"] == ["front", "camera 1"]
    assert [int(row[0]) for row in geoms] == [shapes.PLANE, shapes.MESH, shapes.CAPSULE, shapes.MESH, shapes.BOX, shapes.SPHERE]     # the last is the site: group 3 is not shown
    shown, body = [0, 1, 2, 3, 4], geoms[:, 1].astype(int)
    world = d.xpos[body] + rotate(d.xquat[body], geoms[:, 6:9])
    assert np.allclose(world[:5], d.geom_xpos[shown], atol=1e-6) and np.allclose(world[5], d.site_xpos[0], atol=1e-6)
    for row, i in zip(geoms, shown, strict=False):
        turned = multiply(d.xquat[int(row[1])], row[9:13])
        assert np.allclose(rotate(turned, np.eye(3)).T, d.geom_xmat[i].reshape(3, 3), atol=1e-6)
    assert np.allclose(geoms[2, 3:6], (0.05, 0.05, 0.2)) and np.allclose(geoms[2, 13:], (0.1, 0.2, 0.3, 1)) and np.allclose(geoms[4, 13:], (1, 0, 0, 0.5))


def test_meshes_are_those_that_are_used_with_a_normal_at_each_corner(model):
    _header, geoms, meshes = read(packed_geometry(model))
    assert [int(n) for n in geoms[:, 2]] == [-1, 1, -1, 0, -1, -1] and len(meshes) == 2
    for vertex, normal, face in meshes:
        assert len(face) and face.max() < len(vertex) == len(normal) and np.allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-5)
        facing = np.cross(vertex[face[:, 1]] - vertex[face[:, 0]], vertex[face[:, 2]] - vertex[face[:, 0]])
        assert (np.einsum("ij,ij->i", facing, normal[face[:, 0]]) > 0).mean() > 0.9


def ball(slices: int) -> MeshAsset:
    """A finely meshed ball with its normals."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, slices, endpoint=False), np.linspace(0.01, np.pi - 0.01, slices), indexing="ij")
    vertex = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], -1).reshape(-1, 3).astype(np.float32)
    i, j = np.meshgrid(np.arange(slices), np.arange(slices - 1), indexing="ij")
    a, b = i * slices + j, (i + 1) % slices * slices + j
    face = np.concatenate([np.stack([a, b, a + 1], -1).reshape(-1, 3), np.stack([b, b + 1, a + 1], -1).reshape(-1, 3)]).astype(np.int32)
    return MeshAsset(vertex, vertex, face)


def test_too_many_triangles_are_thinned_to_the_same_shape():
    fine = ball(120)
    assert len(thinned([fine], [1])[0][2]) == len(fine.face)
    vertex, normal, face = thinned([fine], [3], 30_000)[0]
    assert 3 * len(face) <= 30_000 < 3 * len(fine.face)
    assert np.allclose(np.linalg.norm(vertex[np.unique(face)], axis=1), 1, atol=0.03) and np.allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-4)


def test_an_empty_model_has_a_geometry(model):
    header, geoms, meshes = read(packed_geometry(physics.load_string("<mujoco/>")))
    assert header["bodies"] == 1 and len(geoms) == 0 and meshes == [] and len(scene_geometry(model)) > 1000
