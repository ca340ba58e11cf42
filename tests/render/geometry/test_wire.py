"""Edges of faces: all of them, no diagonals, and the normals by which hidden faces are left out."""
import numpy as np
import pytest

from render.geometry import wire


def lengths(vertices):
    return np.linalg.norm(vertices[1::2, :3] - vertices[::2, :3], axis=1)


def test_a_box_has_squares_on_each_side():
    vertices, facets = wire.edges(wire.box_faces(4))
    assert len(vertices) == 2 * 4 * 6 * 16 and np.allclose(lengths(vertices), 0.5)
    assert np.allclose(facets, vertices[:, 3:6])
    assert np.allclose(np.abs(vertices[:, :3]).max(1), 1)


@pytest.mark.parametrize(('faces', 'rows', 'edges'), [
    (wire.sphere_faces(12, 8), 8, 12 * (6 * 4 + 2 * 3)),            # triangles at the poles
    (wire.tube_faces(12, 5, -1, 1), 5, 12 * 5 * 4),
    (wire.cylinder_faces(12, 8), 16, 12 * (8 * 4 + 2 * (3 * 4 + 3))),
    (wire.capsule_faces(12, 8), 16, 12 * (14 * 4 + 2 * 3)),
    (wire.arrow_faces(12, 8), None, 12 * (8 * 4 + 2 * (3 * 4 + 3) + 2 * (7 * 4 + 3)))])
def test_round_things_have_rings(faces, rows, edges):
    vertices, facets = wire.edges(faces)
    assert len(vertices) == 2 * edges
    assert rows is None or len(faces) == 12 * rows
    assert np.allclose(np.linalg.norm(facets, axis=1), 1)
    assert (np.einsum('ij,ij->i', facets, vertices[:, 3:6]) > 0.5).all()        # outwards


def test_both_ends_of_an_edge_see_its_face_from_the_same_side():
    vertices, facets = wire.edges(wire.sphere_faces(28, 16))
    eyes = np.random.default_rng(1).normal(size=(50, 3)) * 3
    front = np.einsum('ij,eij->ei', facets, eyes[:, None] - vertices[None, :, :3])
    firm = np.abs(front) > 1e-5
    assert ((front[:, ::2] > 0) == (front[:, 1::2] > 0))[firm[:, ::2] & firm[:, 1::2]].all()


def test_a_planes_lines_stand_twice_its_spacing_apart_and_take_the_rest_at_the_rims():
    vertices, _ = wire.plane_lines((3, 2), 0.5, False)
    assert np.allclose(np.unique(vertices[:, 0]) * 3, [-3, -2, -1, 0, 1, 2, 3])     # 6 squares of 1 (of half size 0.5), no rest
    vertices, _ = wire.plane_lines((1, 1), 0.3, False)
    assert np.allclose(np.unique(vertices[:, 0]), [-1, -0.6, 0, 0.6, 1], atol=1e-6)
    vertices, _ = wire.plane_lines((300, 300), 2.5, True)
    assert np.allclose(np.diff(np.unique(vertices[:, 0].round(6))) * 300, 2.5, atol=1e-3) and vertices[:, 0].max() * 300 == pytest.approx(250)
