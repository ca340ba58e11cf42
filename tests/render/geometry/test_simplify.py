"""Coarser meshes: fewer triangles, the same outline within a cell, edges that stay sharp and closed."""
import numpy as np
import pytest

from render.geometry.simplify import simplify
from render.geometry.sphere import sphere


def ball(n=120):
    vertices, triangles = sphere(n, n)
    return vertices[:, :3], vertices[:, 3:6], triangles.reshape(-1, 3), vertices[:, 6:8]


def cube(cells=40):
    """Six faces of a finely divided cube with normals of their own."""
    t = np.linspace(-1, 1, cells + 1)
    u, v = (a.ravel() for a in np.meshgrid(t, t, indexing='ij'))
    at = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel(), at[:-1, 1:].ravel()
    quad = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    vertex, normal, face = [], [], []
    for k in range(3):
        for sign in (1, -1):
            points, direction = np.empty((len(u), 3)), np.zeros(3)
            points[:, k], points[:, (k + 1) % 3], points[:, (k + 2) % 3], direction[k] = sign, sign * u, v, sign
            face.append(quad + len(vertex) * len(u))
            vertex.append(points)
            normal.append(np.tile(direction, (len(u), 1)))
    return np.concatenate(vertex), np.concatenate(normal), np.concatenate(face)


def volume(vertex, face):
    a, b, c = (vertex[face[:, k]].astype(float) for k in range(3))
    return np.einsum('ij,ij->i', a, np.cross(b, c)).sum() / 6


def test_a_ball_stays_a_ball_within_a_cell():
    vertex, normal, face, _ = ball()
    coarse = simplify(vertex, normal, face, None, 20)
    radius = np.linalg.norm(coarse[0], axis=1)
    assert len(coarse[2]) < 0.2 * len(face) and coarse[2].max() < len(coarse[0]) and coarse[3] is None
    assert np.abs(radius - 1).max() < 2 / 20 and volume(coarse[0], coarse[2]) == pytest.approx(4 / 3 * np.pi, rel=0.06)
    assert np.abs(np.linalg.norm(coarse[1], axis=1) - 1).max() < 1e-5
    assert (np.einsum('ij,ij->i', coarse[1], coarse[0] / radius[:, None]) > 0.9).all()


def test_a_cube_keeps_its_edges_and_stays_closed():
    vertex, normal, face = cube()
    place, direction, coarse, _ = simplify(vertex, normal, face, None, 8)
    assert len(coarse) < 0.15 * len(face)
    assert np.abs(np.abs(direction).max(1) - 1).max() < 1e-6      # no normal is mixed over an edge
    assert volume(place, coarse) == pytest.approx(8, rel=0.15)
    _, whole = np.unique(np.round(place, 5), axis=0, return_inverse=True)
    edges = whole[np.concatenate([coarse[:, [0, 1]], coarse[:, [1, 2]], coarse[:, [2, 0]]])]
    there, back = (np.unique(e[:, 0].astype(np.int64) * 10 ** 6 + e[:, 1]) for e in (edges, edges[:, ::-1]))
    assert np.array_equal(there, back)      # every edge has its other side


def test_texture_seams_stay_apart():
    vertex, normal, face, uv = ball()
    coarse = simplify(vertex, normal, face, uv, 16)
    u = coarse[3][coarse[2]][..., 0]
    middle = np.abs(coarse[0][coarse[2]][..., 2]).max(1) < 0.8
    assert (np.ptp(u, axis=1)[middle] < 0.5).all()


def test_a_mesh_smaller_than_a_cell_or_flat_is_no_error():
    flat = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], float)
    out = simplify(flat, np.tile([0, 0, 1.0], (4, 1)), np.array([[0, 1, 2], [1, 3, 2]]), None, 4)
    assert len(out[2]) == 2
    point = simplify(np.zeros((3, 3)), np.zeros((3, 3)), np.array([[0, 1, 2]]), None, 4)
    assert len(point[2]) == 0
