"""Unit meshes: closed, outward, right volumes."""
import numpy as np
import pytest

from render.geometry.arrow import arrow, double_arrow
from render.geometry.box import box
from render.geometry.capsule import capsule
from render.geometry.cylinder import cylinder
from render.geometry.haze import haze
from render.geometry.plane import plane
from render.geometry.sphere import sphere


def corners(mesh, half=1.0):
    v, t = mesh
    p = v[:, :3].astype(float) + np.c_[0 * v[:, 8], 0 * v[:, 8], half * v[:, 8]]
    return p[t[:, 0]], p[t[:, 1]], p[t[:, 2]]


# volume of the polyhedron within 3 % below the smooth body's
SOLIDS = {'sphere': (sphere(48, 24), 4 / 3 * np.pi), 'capsule': (capsule(48, 24), 4 / 3 * np.pi + 2 * np.pi),
          'cylinder': (cylinder(48), 2 * np.pi), 'box': (box(), 8),
          'arrow': (arrow(48), np.pi * 2 / 3 + np.pi * 1.75 ** 2 / 9), 'double': (double_arrow(48), np.pi * 2 / 3 + 2 * np.pi * 1.75 ** 2 / 18)}


@pytest.mark.parametrize('name', SOLIDS)
def test_volume_winding_and_normals(name):
    mesh, volume = SOLIDS[name]
    a, b, c = corners(mesh)
    face = np.cross(b - a, c - a)
    assert np.linalg.norm(face, axis=1).min() > 1e-6
    assert 0.97 * volume < np.einsum('ij,ij->', a, np.cross(b, c)) / 6 <= volume * (1 + 1e-6)
    vertex_normals = mesh[0][mesh[1]][..., 3:6].astype(float)
    assert np.einsum('ij,ij->i', face, vertex_normals.sum(1)).min() > 0
    assert np.allclose(np.linalg.norm(vertex_normals, axis=2), 1, atol=1e-5)
    assert np.allclose(face.sum(0), 0, atol=1e-5)      # closed


def test_texture_coordinates_cover_the_unit_square():
    for mesh in (sphere(), cylinder(), box(), plane(3), capsule()):
        uv = mesh[0][:, 6:8]
        assert uv.min() >= 0 and uv[:, 0].max() <= 1 + 0.5 / 6 and uv[:, 1].max() <= 1
        assert np.ptp(uv, axis=0).min() > 0.9


def test_haze_is_clear_at_both_edges():
    vertices, triangles = haze(0.3, 12)
    assert set(np.round(vertices[:, 3], 6)) == {0.0, 1.0} and len(triangles) == 48
    assert np.all(vertices[vertices[:, 2] == 0, 3] == 0) and np.all(vertices[vertices[:, 2] == 1, 3] == 0)
    assert np.allclose(np.hypot(*vertices[vertices[:, 2] == 1, :2].T), 1)
