"""Convex hulls and their polygons against the official compiler and against what a hull must be."""
import numpy as np
import pytest

from physics.compiler.mesh.hash_order import walk_order
from physics.compiler.mesh.hull import hull_graph
from physics.compiler.mesh.mesh_data import MeshError
from physics.compiler.mesh.polygons import hull_polygons
from tests.oracle.hulls import sorted_hulls
from tests.physics.compiler.whole import off, official, ours


def scene(points, attributes: str = "") -> str:
    """A model whose mesh is the hull of points."""
    text = " ".join(f"{x:.9g}" for x in np.ravel(points))
    return f'<mujoco><asset><mesh name="m" vertex="{text}" {attributes}/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'


def cloud(name: str) -> np.ndarray:
    """Points of a kind, in single precision."""
    rng = np.random.default_rng(len(name))
    grid = np.linspace(-1, 1, 4)
    turn = np.arange(24) * np.pi / 12
    ring = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    ball = rng.normal(size=(300, 3))
    return {
        "normal": rng.normal(size=(200, 3)), "ball": ball / np.linalg.norm(ball, axis=1)[:, None], "coarse": rng.normal(size=(80, 3)).round(1),
        "lattice": np.array(np.meshgrid(grid, grid, grid)).reshape(3, -1).T, "corner": np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]),
        "prism": np.concatenate([np.c_[ring, -np.ones(24)], np.c_[ring, np.ones(24)]]),
        "needle": rng.normal(size=(60, 3)) * (1, 1e-3, 1e-4), "flat": rng.normal(size=(60, 3)) * (1, 1, 1e-5), "repeated": np.repeat(rng.normal(size=(20, 3)), 3, axis=0),
    }[name].astype(np.float32)


NAMES = ("normal", "ball", "coarse", "lattice", "corner", "prism", "needle", "flat", "repeated")


@pytest.mark.parametrize("name", NAMES)
def test_hulls_and_polygons_are_the_official_ones(name):
    for attributes in ("", 'scale="1 2 -3"', 'maxhullvert="12"', 'inertia="convex"'):
        assert off(scene(cloud(name), attributes)) == "", attributes


@pytest.mark.parametrize("name", ("normal", "ball", "corner", "lattice", "prism"))
def test_even_the_order_of_vertices_and_neighbours_is_qhulls_where_nothing_was_merged_on_the_way(name):
    a, b = ours(scene(cloud(name))), official(scene(cloud(name)))
    assert np.array_equal(a.mesh_graph, b.mesh_graph) and np.array_equal(a.mesh_extrema, b.mesh_extrema)


def test_a_triangle_that_alone_is_left_of_a_larger_facet_counts_as_cut_from_it():
    points = np.array([[-8, 647.8, 1592.8], [-8, 553.2, 1567.7], [313, 842.9, 1586.7], [-8, 808.6, 1593.3], [-81, 1215.5, 986.5], [631.2, 553.2, 1567.7],
                       [631.2, 647.8, 1592.8], [313, 647.8, 1592.8]]) * 1e-4
    a, b = ours(scene(points)), official(scene(points))
    n = a.mesh_graph[0]
    assert a.mesh_graph[2 + n:2 + 2 * n].tolist() == b.mesh_graph[2 + n:2 + 2 * n].tolist()
    assert np.array_equal(a.mesh_extrema, b.mesh_extrema)


@pytest.mark.parametrize("name", NAMES)
def test_a_hull_is_closed_and_turned_outwards(name):
    vert = cloud(name).astype(float).T
    hull = hull_graph(vert)
    edges = np.concatenate([hull.face[:, [0, 1]], hull.face[:, [1, 2]], hull.face[:, [2, 0]]]).tolist()
    assert len({tuple(e) for e in edges}) == len(edges) and {tuple(e) for e in edges} == {(b, a) for a, b in edges}
    assert len(hull.face) == 2 * len(hull.vertex) - 4
    neighbours = np.split(hull.edge, np.flatnonzero(hull.edge < 0) + 1)[:-1]
    assert [sorted(hull.vertex[n[:-1]].tolist()) for n in neighbours] == [sorted(b for a, b in map(tuple, edges) if a == v) for v in hull.vertex]
    corners, sizes, around, count = hull_polygons(vert, hull.face)
    assert sizes.sum() == len(corners) == len(around) == count.sum() and set(corners.tolist()) <= set(hull.vertex.tolist())


def test_the_oracles_sorting_tells_hulls_apart():
    a, b = official(scene(cloud("lattice"))), official(scene(cloud("lattice") * (1, 1, 1.5)))
    assert np.array_equal(sorted_hulls(a)["mesh_graph"], sorted_hulls(b)["mesh_graph"])
    assert not np.array_equal(sorted_hulls(a)["mesh_extrema"], sorted_hulls(b)["mesh_extrema"])


@pytest.mark.parametrize(("points", "said"), [
    (np.zeros((5, 3)), "in one point"), (np.outer(np.arange(5), [1, 2, 3]), "on one line"),
    (np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]]), "in one plane"), (np.full((4, 3), np.nan), "of the mesh")])
def test_points_without_a_hull(points, said):
    with pytest.raises(MeshError, match=said):
        hull_graph(np.asarray(points, float).T)


def test_the_walk_meets_every_key_once():
    rng = np.random.default_rng(0)
    for count in (0, 1, 2, 3, 5, 6, 11, 12, 200):
        hashes = [int(h) for h in rng.integers(0, 2**63, count)]
        assert sorted(walk_order(hashes)) == list(range(count))
    assert walk_order([7, 7, 7]) == [2, 1, 0]
