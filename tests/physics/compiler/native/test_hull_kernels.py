"""Hulls and their polygons: compiled code gives the bits of the NumPy twin on tidy, ugly and impossible meshes."""
from types import SimpleNamespace

import numpy as np
import pytest

import physics
from physics.compiler.decode.raw import RawMesh
from physics.compiler.mesh import hull, polygons
from physics.compiler.mesh.mesh_data import MeshOptions
from physics.compiler.mesh.mesh_process import process
from physics.compiler.native import hull_links, hull_polygons
from physics.kernels import decorators
from physics.model.kernel_buffers import KernelBuffers
from tests.physics.compiler.mesh.test_hull import NAMES, cloud

KERNELS = (hull_links.flatness, hull_links.link_hull, hull_polygons.join_polygons, hull_polygons.find_polygon_normals, hull_polygons.find_extrema)
EXTREMA, NORMALS = hull_polygons.find_extrema, hull_polygons.find_polygon_normals
SIDES = np.array([[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6], [0, 4, 5], [0, 5, 1], [1, 5, 6], [1, 6, 2], [2, 6, 7], [2, 7, 3], [3, 7, 4], [3, 4, 0]], np.int32)


@pytest.fixture(autouse=True)
def kernels():
    physics.ensure_kernels()


def same(one, other):
    """Arrays equal in kind, shape and bits."""
    for a, b in zip(one, other, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_array_equal(a, b)
        assert a.tobytes() == b.tobytes()


def graph(found):
    return [found.vertex, found.face, found.edgeadr, found.edge, found.packed()]


def normals(vert, corner, sizes):
    out = np.empty((len(sizes), 3))
    NORMALS(KernelBuffers(hull_point=vert, poly_vert=corner, poly_size=sizes, poly_normal=out), vert.shape[1], len(sizes))
    return out


def farthest(vert, vertex):
    out = np.empty(27, np.int32)
    EXTREMA(KernelBuffers(hull_place=vert, hull_vertex=vertex, hull_extreme=out, hull_single=np.empty(1, np.float32)), len(vertex))
    return out


def agree(points):
    """All of a hull both ways; points (n, 3)."""
    from scipy.spatial import ConvexHull

    vert = np.ascontiguousarray(points.T, float)
    raw = ConvexHull(points)
    found = hull.plain(raw, vert)
    same(graph(hull.linked(raw, vert)), graph(found))
    corner, sizes, *rest = polygons.plain(vert, found.face)
    same(polygons.joined(vert, found.face), (corner, sizes, *rest))
    same([normals(vert, corner, sizes)], [polygons.plain_normals(vert, corner, sizes)])
    single = np.ascontiguousarray(points, np.float32)
    same([farthest(single, found.vertex)], [polygons.plain_extrema(single, found.vertex)])
    return sizes


def ball(count, seed=0):
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


def turned_box(per_side):
    """A lattice turned out of its axes: many triangles in planes that are planes but for rounding."""
    grid = np.linspace(-1, 1, per_side)
    points = np.array(np.meshgrid(grid, grid, grid)).reshape(3, -1).T
    return points @ np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]


@pytest.mark.parametrize("name", NAMES)
def test_hulls_have_the_bits_of_their_twins(name):
    agree(cloud(name).astype(float))


def test_hulls_that_merge_cut_and_grow_have_the_bits_of_their_twins():
    assert agree(turned_box(7)).max() >= 4
    agree(ball(1500))
    agree(np.concatenate([ball(300) * (1, 1, 0.01), [[0, 0, 9.0]]]))   # one vertex with many neighbours
    for seed in range(40):
        rng = np.random.default_rng(seed)
        agree((rng.normal(size=(int(rng.integers(8, 60)), 3)) * 10 ** rng.uniform(-1, 1, 3)).round(int(rng.integers(2, 9))) + 1e-7 * rng.normal(size=3))


@pytest.mark.nojit
def test_a_cube_has_six_sides():
    corners = np.array([[x, y, z] for z in (-1, 1) for x, y in ((-1, -1), (-1, 1), (1, 1), (1, -1))], float)
    corner, sizes, around, count = polygons.joined(np.ascontiguousarray(corners.T), SIDES)
    assert sizes.tolist() == [4] * 6 and count.tolist() == [3] * 8 and sorted(around.tolist()) == sorted(list(range(6)) * 4)
    assert sorted(map(tuple, np.abs(normals(np.ascontiguousarray(corners.T), corner, sizes)).tolist())) == sorted([(0, 0, 1), (0, 1, 0), (1, 0, 0)] * 2)
    agree(corners)
    agree(corners[[0, 1, 2, 4]])
    agree(turned_box(3))


def test_triangles_that_are_no_hull_have_the_bits_of_their_twins():
    """Strips, holes, edges passed twice, triangles that come more than once, corners without area, in few planes and many."""
    met = set()
    for seed in range(120):
        rng = np.random.default_rng(seed)
        side, planes = int(rng.integers(2, 7)), int(rng.integers(1, 4))
        x, y = (v.ravel() for v in np.meshgrid(np.arange(side), np.arange(side)))
        vert = np.ascontiguousarray(np.concatenate([np.stack((x, y, 0 * x + level)) for level in range(planes)], axis=1), float)
        quads = [(k, k + 1, k + side + 1, k + side) for k in range(side * side) if k % side < side - 1 and k // side < side - 1]
        tidy = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
        face = np.concatenate([tidy + level * side * side for level in range(planes)])
        face = face[rng.random(len(face)) < rng.uniform(0.3, 1.2)]
        rng.shuffle(face)
        soup = rng.integers(0, vert.shape[1], (int(rng.integers(0, 20)) * int(seed % 2), 3))
        face = np.concatenate([face, soup, face[:int(seed % 3)]]).astype(np.int32)
        corner, sizes, *rest = polygons.plain(vert, face)
        same(polygons.joined(vert, face), (corner, sizes, *rest))
        met.update(sizes.tolist())
    assert {3, 4} < met and max(met) > 8


def test_a_hull_too_small_for_normals_has_no_polygons():
    vert = np.ascontiguousarray(cloud("normal").T, float) * 1e-9
    face = hull.hull_graph(vert).face
    same(polygons.joined(vert, face), polygons.plain(vert, face))
    assert len(polygons.plain(vert, face)[1]) == 0


def test_random_neighbours_turn_slivers_as_the_twin_does():
    turned = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        points, count = int(rng.integers(4, 30)), int(rng.integers(4, 60))
        vert = rng.normal(size=(3, points))
        vert[:, ::2] *= np.array([[1], [1e-9], [0]])  # among these every triangle is a sliver
        raw = np.array([rng.permutation(points)[:3] for _ in range(count)], np.int32)
        equations = rng.normal(size=(count, 4)).round(int(rng.integers(0, 2)))
        fake = SimpleNamespace(simplices=raw, neighbors=rng.integers(-1, count, (count, 3)).astype(np.int32), equations=equations)
        found = hull.plain(fake, vert)
        same(graph(hull.linked(fake, vert)), graph(found))
        turned += int((found.face != raw).any(axis=1).sum())
    assert turned > 100


def test_flat_points_are_found_as_by_the_twin():
    rng = np.random.default_rng(0)
    told = []
    for rank in range(4):
        for scale in (1e-20, 1e-15, 1.0, 1e8):
            vert = np.ascontiguousarray(rng.normal(size=(3, rank)) @ rng.integers(-3, 4, (rank, 9)) * scale)
            told.append(hull_links.flatness(KernelBuffers(hull_point=vert), 9))
            assert told[-1] == hull.flatness(vert)
    vert = np.full((3, 5), np.nan)
    assert hull_links.flatness(KernelBuffers(hull_point=vert), 5) == hull.flatness(vert) == 1
    assert set(told) == {0, 1, 2, 3}


def test_what_is_not_finite_is_as_the_twin_has_it():
    vert = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, np.inf]])
    face = np.array([[0, 1, 2], [0, 1, 3]], np.int32)
    with np.errstate(invalid="ignore"):
        assert polygons.joined(vert, face) is None
        same(polygons.hull_polygons(vert, face), polygons.plain(vert, face))
    single = np.array([[1, 0, 0], [2, np.inf, 0], [0, np.nan, 1], [3, 3, 3]], np.float32)
    with np.errstate(invalid="ignore"):
        same([farthest(single, np.arange(4, dtype=np.int32))], [polygons.plain_extrema(single, np.arange(4))])


@pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")
@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (1.0, -2.0, 0.5)])
def test_a_whole_mesh_comes_out_alike(scale, monkeypatch):
    raw = RawMesh(turned_box(4).astype(np.float32))
    fast, _ = process(raw, MeshOptions(hull=True, scale=scale))
    for kernel in KERNELS:
        assert kernel.addr
        monkeypatch.setattr(kernel, "addr", 0)
    slow, _ = process(raw, MeshOptions(hull=True, scale=scale))
    same(fast.arrays().values(), slow.arrays().values())
