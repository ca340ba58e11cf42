"""Normals of vertices: the kernel gives those of its twin in NumPy to the last bit."""
import numpy as np
import pytest

import physics
from physics.compiler.mesh.mesh_normals import vertex_normals
from physics.compiler.native import vertex_normals as native
from physics.kernels import decorators

compiled = pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")


@pytest.fixture(autouse=True)
def kernels():
    physics.ensure_kernels()


def same_both_ways(vert, face, smooth, monkeypatch):
    fast = vertex_normals(vert, face, smooth)
    monkeypatch.setattr(native.vertex_normals, "addr", 0)
    with np.errstate(over="ignore"):
        slow = vertex_normals(vert, face, smooth)
    monkeypatch.undo()
    assert fast.dtype == slow.dtype and fast.shape == slow.shape
    np.testing.assert_array_equal(fast.view(np.int32), slow.view(np.int32))   # the sign of zero included
    return fast


def soup(seed, count, points, spread=1.0):
    """Triangles between random points, some without area, some corners of nothing."""
    random = np.random.default_rng(seed)
    at = random.normal(size=(3, points)).astype(np.float32).astype(float) * spread
    return at, random.integers(0, points - points // 9, (count, 3)).astype(np.int32)


@compiled
@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("count, points", [(1, 4), (2, 4), (40, 10), (40, 100), (3000, 800)])
def test_random_triangles(count, points, smooth, monkeypatch):
    found = same_both_ways(*soup(count, count, points), smooth, monkeypatch)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)


@compiled
@pytest.mark.parametrize("spread", [1e-20, 1e-12, 1e-7, 1e-4, 1e15])
def test_small_and_large_meshes(spread, monkeypatch):
    """Areas about what counts as none, and sums about what has no direction."""
    for seed in range(5):
        same_both_ways(*soup(seed, 200, 60, spread), False, monkeypatch)


@compiled
def test_a_box_and_its_edges(monkeypatch):
    """Square corners: of each vertex, triangles of three faces that lean as far."""
    vert = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float).T
    face = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]], np.int32)
    for smooth in (False, True):
        same_both_ways(vert, face, smooth, monkeypatch)
    same_both_ways(vert, face[:3], False, monkeypatch)
    same_both_ways(vert, np.concatenate([face[:2], face[:2, ::-1]]).astype(np.int32), True, monkeypatch)


@compiled
def test_triangles_about_the_sharpest_angle(monkeypatch):
    """Fans whose parts lean as far as just counts, and a little less and more."""
    limit = np.arccos(native.SHARP)
    for turn in (limit, 2 * limit, np.nextafter(limit, 0), limit + 1e-7):
        vert = np.array([[0, 0, 0], [1, 0, 0], [0, np.cos(turn), np.sin(turn)], [0, -1, 0]]).T.astype(np.float32).astype(float)
        same_both_ways(vert, np.array([[0, 1, 2], [0, 3, 1]], np.int32), False, monkeypatch)


@pytest.mark.nojit
@pytest.mark.parametrize("smooth", [False, True])
def test_normals_without_compiled_code(smooth, monkeypatch):
    vert, face = soup(4, 50, 20)
    monkeypatch.setattr(native.vertex_normals, "addr", 0)
    slow = vertex_normals(vert, face, smooth)
    monkeypatch.setattr(native.vertex_normals, "addr", 1)
    monkeypatch.setattr(native.vertex_normals, "call", native.vertex_normals.plain)
    np.testing.assert_array_equal(vertex_normals(vert, face, smooth), slow)
