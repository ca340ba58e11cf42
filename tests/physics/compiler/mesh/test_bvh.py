"""Trees of bounding boxes: node for node the official ones, over geoms and over triangles."""
import mujoco
import numpy as np
import pytest
from scipy.spatial import ConvexHull

from physics import load_string
from physics.compiler.mesh.bvh import grow, mesh_tree
from physics.compiler.native.median import halve
from physics.rotation.quaternion import conj, matrix
from tests.oracle.compare import rel

FIELDS = ("nbvh", "nbvhstatic", "nbvhdynamic", "bvh_depth", "bvh_child", "bvh_nodeid", "bvh_aabb", "body_bvhadr", "body_bvhnum")
SHAPES = ("sphere", "capsule", "cylinder", "ellipsoid", "box")


def off(text):
    """{field: rel} of the trees that differ from the official ones."""
    ours, official = load_string(text), mujoco.MjModel.from_xml_string(text)
    assert official.nbvh > 0
    distances = {name: rel(getattr(ours, name), getattr(official, name)) for name in FIELDS}
    return {name: distance for name, distance in distances.items() if distance > 1e-9}


def geoms(random, count, spread=1.0):
    """Text of geoms of all shapes in all directions, some of which touch nothing."""
    text = ""
    for k in range(count):
        pos, quat = random.normal(size=3) * spread, random.normal(size=4)
        size = random.uniform(0.01, 0.3, 3)
        bits = random.choice(('contype="0" conaffinity="0"', 'contype="0"', 'conaffinity="0"', "", ""))
        text += (f'<geom type="{SHAPES[k % 5]}" pos="{" ".join(map(str, pos))}" quat="{" ".join(map(str, quat))}" '
                 f'size="{" ".join(map(str, size))}" {bits}/>')
    return text


@pytest.mark.parametrize("seed", range(6))
def test_bodies_with_any_geoms(seed):
    random = np.random.default_rng(seed)
    bodies = "".join(f'<body pos="{k} 0 0"><freejoint align="{random.choice(("true", "false"))}"/>{geoms(random, int(random.integers(1, 40)))}</body>'
                     for k in range(4))
    assert off(f"<mujoco><worldbody>{geoms(random, 7)}<body/><body><geom size='1' contype='0' conaffinity='0'/></body>{bodies}</worldbody></mujoco>") == {}


def test_geoms_at_the_same_place():
    for places in ([(0, 0, 0)] * 9, [(k % 2, 0, 0) for k in range(9)], [(k * 0.1, k * 0.1, k * 0.1) for k in range(10)], [(0.1 * k + 0.2, 0.3, 0) for k in range(8)]):
        inner = "".join(f'<geom pos="{x} {y} {z}" size=".1"/>' for x, y, z in places)
        assert off(f'<mujoco><worldbody>{inner}<body pos="1 2 3" euler="10 20 30"><joint/>{inner}</body></worldbody></mujoco>') == {}


def test_unbounded_and_thin_geoms():
    inner = '<geom type="plane" size="0 0 1"/><geom type="plane" size="1 2 .1" euler="10 0 0"/><geom type="box" size="1 1e-16 1"/><geom size="1e-15"/>'
    assert off(f"<mujoco><worldbody>{inner}</worldbody></mujoco>") == {}


def test_a_model_without_geoms_has_no_trees():
    model = load_string('<mujoco><worldbody><body><geom size="1" contype="0" conaffinity="0"/></body></worldbody></mujoco>')
    assert model.nbvh == 0 and model.body_bvhadr.tolist() == [-1, -1]


# meshes


def outwards(points, faces):
    """Faces of a convex body with all normals to the outside."""
    a, b, c = points[faces.T]
    inside = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - points.mean(axis=0)) < 0
    return np.where(inside[:, None], faces[:, ::-1], faces)


def drum(count):
    angle = 2 * np.pi * np.arange(count) / count
    return np.concatenate([np.stack([np.cos(angle), np.sin(angle), np.full(count, z)], 1) for z in (0, 0.7)])


def pebble(count, seed):
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None] * (1, 0.5, 0.3)


def official_mesh(points, faces):
    """(vertices before rounding, faces, official model) of a mesh; the vertices follow from the official frame of the mesh."""
    text = (f'<mujoco><asset><mesh name="a" inertia="convex" vertex="{" ".join(map(repr, points.ravel().tolist()))}" '
            f'face="{" ".join(map(str, faces.ravel().tolist()))}"/></asset><worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>')
    model = mujoco.MjModel.from_xml_string(text)
    away = points.astype(np.float32).astype(float) - model.mesh_pos[0]
    m = matrix(conj(model.mesh_quat[0].tolist()))
    turned = np.stack([m[3 * k] * away[:, 0] + m[3 * k + 1] * away[:, 1] + m[3 * k + 2] * away[:, 2] for k in range(3)], 1)
    assert np.allclose(turned, model.mesh_vert, atol=1e-6)
    return turned, model.mesh_face, model


@pytest.mark.parametrize("points", (pebble(6, 0), pebble(60, 1), pebble(1000, 2), drum(32), drum(7),
                                    np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3)])))
def test_meshes(points):
    points = points.astype(np.float32).astype(float)
    vertices, faces, official = official_mesh(points, outwards(points, ConvexHull(points).simplices))
    tree = mesh_tree(vertices, faces)
    first = slice(official.mesh_bvhadr[0], official.mesh_bvhadr[0] + official.mesh_bvhnum[0])
    for name in ("child", "depth", "nodeid", "aabb"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(official, "bvh_" + name)[first])


def test_trees_grow_independently():
    random = np.random.default_rng(3)
    counts = [0, 3, 1, 0, 17, 8]
    centres = random.normal(size=(sum(counts), 3))
    together = grow(np.array(counts), centres, centres - 0.1, centres + 0.1)
    first = np.cumsum([0, *counts])
    for k, count in enumerate(counts):
        own = slice(first[k], first[k + 1])
        alone = grow(np.array([count]), centres[own], centres[own] - 0.1, centres[own] + 0.1)
        nodes = slice(together.starts[k], together.starts[k + 1])
        np.testing.assert_array_equal(together.child[nodes], alone.child)
        np.testing.assert_array_equal(together.nodeid[nodes], np.where(alone.nodeid < 0, -1, alone.nodeid + first[k]))


def test_a_tree_is_a_tree():
    vertices = np.random.default_rng(4).normal(size=(50, 3))
    faces = np.random.default_rng(5).integers(0, 50, (301, 3))
    tree = mesh_tree(vertices, faces)   # triangles without area among them
    assert sorted(tree.nodeid[tree.nodeid >= 0].tolist()) == list(range(301))
    inner = tree.child[:, 0] >= 0
    assert sorted(tree.child[inner].ravel().tolist()) == list(range(1, 601)) and tree.depth.max() == 9
    for side in (0, 1):
        below = tree.aabb[tree.child[inner, side]]
        assert (np.abs(below[:, :3] - tree.aabb[inner, :3]) + below[:, 3:] <= tree.aabb[inner, 3:] + 1e-12).all()


def test_triangles_without_area():
    """Their centres are no numbers: then the halves depend on the steps of the selection."""
    for seed, count in ((0, 8), (1, 40), (2, 300), (3, 900)):
        random = np.random.default_rng(seed)
        points = pebble(count, seed).astype(np.float32).astype(float)
        faces = outwards(points, ConvexHull(points).simplices)
        flat = random.integers(0, count, (1 + count // 9, 3))
        flat[:, 2] = flat[:, 0]
        faces = random.permutation(np.concatenate([faces, flat]))
        vertices, faces, official = official_mesh(points, faces)
        tree = mesh_tree(vertices, faces)
        first = slice(official.mesh_bvhadr[0], official.mesh_bvhadr[0] + official.mesh_bvhnum[0])
        np.testing.assert_array_equal(tree.nodeid, official.bvh_nodeid[first], err_msg=str(seed))


def test_halves_are_sound_where_the_order_is():
    random = np.random.default_rng(6)
    for count in (*range(1, 30), 100, 1000):
        keys = random.integers(0, max(2, count // 3), count).astype(float)
        items = random.permutation(count).tolist()
        expected = np.lexsort((np.arange(count), keys))
        halve([keys[i] for i in items], items, np.zeros((count, 2), int), 0, count // 2, count)
        assert set(items[:count // 2]) == set(expected[:count // 2].tolist()) and sorted(items) == list(range(count))


def test_chains_of_level_centres():
    """Places that are level in pairs but not end to end, as many at a time as there are geoms."""
    random = np.random.default_rng(7)
    for count in (5, 9, 30, 100):
        places = random.permutation(count) * 0.7e-14
        inner = "".join(f'<geom pos="{x!r} 0 0" size="{size:.3f}"/>' for x, size in zip(places.tolist(), random.uniform(1, 2, count)))
        assert off(f"<mujoco><worldbody>{inner}</worldbody></mujoco>") == {}
