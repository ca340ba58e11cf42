"""Trees over triangles: the kernel gives node for node what its twin in NumPy does, on sound meshes and on ugly ones."""
import numpy as np
import pytest

import physics
from physics.compiler.mesh import bvh
from physics.compiler.native import median, trees
from physics.kernels import decorators

compiled = pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")


@pytest.fixture(autouse=True)
def kernels():
    physics.ensure_kernels()


def same_both_ways(meshes, monkeypatch):
    with monkeypatch.context() as patch, np.errstate(all="ignore"):
        fast = bvh.mesh_trees(meshes)
        patch.setattr(trees.mesh_tree, "addr", 0)
        slow = bvh.mesh_trees(meshes)
    for one, other in zip(fast, slow, strict=True):
        for name, a, b in zip(bvh.Trees._fields, one, other):
            np.testing.assert_array_equal(a, b, err_msg=name)
            assert a.dtype == b.dtype and a.shape == b.shape
    return fast


def soup(seed, count, points, steps=None, spread=1.0):
    """Triangles between random points; on a lattice where steps are given, so that many centres are level."""
    random = np.random.default_rng(seed)
    at = random.normal(size=(3, points)) if steps is None else random.integers(0, steps, (3, points)).astype(float)
    return at * spread, random.integers(0, points, (count, 3)).astype(np.int32)


def sheet(side):
    """A square lattice of triangles, symmetric and level."""
    at = np.stack([*np.mgrid[:side + 1, :side + 1].reshape(2, -1) - side / 2, np.zeros((side + 1) ** 2)])
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    return at, np.concatenate([corner[:, None] + (0, 1, side + 1), corner[:, None] + (1, side + 2, side + 1)]).astype(np.int32)


@compiled
@pytest.mark.parametrize("count", [*range(1, 40), 100, 1000, 5000])
def test_random_triangles(count, monkeypatch):
    """Few points for many triangles: corners fall together, and centres are no numbers."""
    found = same_both_ways([soup(count, count, 4 + count), soup(count + 1, count, 1000), soup(count, count, 4)], monkeypatch)
    assert sorted(found[1].nodeid[found[1].nodeid >= 0].tolist()) == list(range(count))


@compiled
@pytest.mark.parametrize("steps", [1, 2, 3, 10])
def test_level_centres(steps, monkeypatch):
    same_both_ways([soup(steps, count, 300, steps) for count in (5, 8, 9, 50, 700)], monkeypatch)


@compiled
@pytest.mark.parametrize("spread", [1e-13, 1e-14, 3e-15, 1e-15, 1e-300, 1e150])
def test_chains_of_level_centres(spread, monkeypatch):
    """Centres level in pairs but not end to end; areas that vanish, or are endless."""
    same_both_ways([soup(7, count, 90, steps, spread) for count in (9, 30, 400) for steps in (None, 20)], monkeypatch)


@compiled
def test_symmetric_meshes(monkeypatch):
    same_both_ways([sheet(side) for side in (1, 2, 5, 16, 33)], monkeypatch)


@compiled
def test_the_same_triangle_many_times(monkeypatch):
    at, _face = soup(3, 1, 3)
    same_both_ways([(at, np.tile(np.array([[0, 1, 2]], np.int32), (count, 1))) for count in (2, 7, 8, 100)], monkeypatch)


@compiled
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e308])
def test_a_mesh_without_end_is_left_to_the_twin(bad, monkeypatch):
    at, face = soup(5, 200, 50)
    at[1, 7] = bad
    same_both_ways([soup(1, 20, 20), (at, face)], monkeypatch)


@compiled
@pytest.mark.parametrize("steps", [None, 1, 3])
def test_trees_of_boxes(steps, monkeypatch):
    """Trees of geoms: some bodies have none, one or many; boxes may be flat."""
    random = np.random.default_rng(8)
    counts = np.array([0, 3, 1, 0, 17, 8, 2, 120, 0])
    centres = random.normal(size=(counts.sum(), 3)) if steps is None else random.integers(0, steps, (counts.sum(), 3)).astype(float)
    half = random.uniform(0, 1, centres.shape) * (1, 0, 1)
    centres[::9, 1] = np.nan
    low, high = np.nan_to_num(centres) - half, np.nan_to_num(centres) + half
    fast = bvh.grow(counts, centres, low, high)
    monkeypatch.setattr(trees.grow_trees, "addr", 0)
    for a, b in zip(fast, bvh.grow(counts, centres, low, high), strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype and a.shape == b.shape


@compiled
def test_no_trees_at_all():
    found = bvh.grow(np.zeros(3, int), *[np.zeros((0, 3))] * 3)
    assert found.starts.tolist() == [0, 0, 0, 0] and found.aabb.shape == (0, 6)


def quickselect(keys, items, middle):
    """The lower half of the elements, found in another way: by sorting, where the order is sound."""
    return {i for _key, i in sorted((keys[i], i) for i in items)[:middle]}


@pytest.mark.nojit
def test_halves_run_by_the_interpreter():
    """On arrays as in the kernels and on lists as in mesh/median.py: the same steps, and the lower half where the order is sound."""
    random = np.random.default_rng(6)
    for count in (*range(1, 30), 60, 200):
        for kind in range(4):
            keys = random.integers(0, max(2, count // 3), count).astype(float)
            keys[random.random(count) < (0, 0.1, 0.5, 0)[kind]] = np.nan
            if kind == 3:
                keys *= 0.7e-14
            items, middle, pairs = random.permutation(count), count // 2, np.zeros((count, 2), np.int32)
            array, plain = items.copy(), items.tolist()
            with np.errstate(invalid="ignore"):
                median.halve(keys[items], array, pairs, 0, middle, count)
            median.halve([float(keys[i]) for i in plain], plain, pairs, 0, middle, count)
            assert array.tolist() == plain and sorted(plain) == list(range(count))
            if kind == 0:
                assert set(plain[:middle]) == quickselect(keys, items, middle)


@pytest.mark.nojit
def test_a_tree_without_compiled_code(monkeypatch):
    meshes = [soup(2, 60, 20), sheet(4)]
    slow = bvh.mesh_trees(meshes)
    monkeypatch.setattr(trees.mesh_tree, "addr", 1)
    monkeypatch.setattr(trees.mesh_tree, "call", trees.mesh_tree.plain)
    with np.errstate(all="ignore"):
        fast = bvh.mesh_trees(meshes)
    for one, other in zip(fast, slow):
        for a, b in zip(one, other):
            np.testing.assert_array_equal(a, b)
