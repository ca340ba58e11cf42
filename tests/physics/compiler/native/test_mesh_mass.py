"""A mesh in the frame of its mass: the kernel gives what its twin in NumPy does, to the last bit, and leaves to it what is no body."""
import numpy as np
import pytest

import physics
from physics.compiler.decode.raw import RawMesh
from physics.compiler.mesh import mesh_process
from physics.compiler.mesh.mesh_data import MeshError, MeshOptions
from physics.compiler.native import mesh_mass as native
from physics.kernels import decorators
from physics.rotation.quaternion import principal

compiled = pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")
KINDS = ("legacy", "exact", "convex", "shell")


@pytest.fixture(autouse=True)
def kernels():
    physics.ensure_kernels()


def outcome(raw, options):
    """Everything `process` gives, or what it says is wrong."""
    try:
        mesh, corner = mesh_process.process(raw, options)
    except MeshError as problem:
        return str(problem)
    return {**mesh.arrays(), "corner": corner}


def same_both_ways(raw, options, monkeypatch):
    done = []
    with monkeypatch.context() as patch:
        kernel = native.centre_mesh.call
        patch.setattr(native.centre_mesh, "call", lambda *args: done.append(kernel(*args)) or done[-1])
        fast = outcome(raw, options)
    with monkeypatch.context() as patch:
        patch.setattr(native.centre_mesh, "addr", 0)
        slow = outcome(raw, options)
    if isinstance(slow, str):
        assert fast == slow and done != [1]
        return slow
    assert done == [1]
    for name, array in slow.items():
        assert fast[name].dtype == array.dtype and fast[name].tobytes() == array.tobytes(), name
    return fast


def ball(seed, lines=9, stretch=(1.0, 0.7, 0.4)):
    """A closed mesh, bumpy but turned outwards."""
    random = np.random.default_rng(seed)
    up, around = np.meshgrid(np.linspace(0.3, np.pi - 0.3, lines), np.linspace(0, 2 * np.pi, 2 * lines, endpoint=False), indexing="ij")
    far = random.uniform(0.9, 1.1, up.shape)
    ring = np.stack([far * np.sin(up) * np.cos(around), far * np.sin(up) * np.sin(around), far * np.cos(up)], -1).reshape(-1, 3)
    vert = (np.concatenate([ring, [[0, 0, 1], [0, 0, -1]]]) * stretch + (0.3, -2, 0.7)).astype(np.float32)
    wide, top = 2 * lines, len(ring)
    after = [(k + 1) % wide for k in range(wide)]
    face = [(r * wide + k, (r + 1) * wide + k, r * wide + after[k]) for r in range(lines - 1) for k in range(wide)]
    face += [(r * wide + after[k], (r + 1) * wide + k, (r + 1) * wide + after[k]) for r in range(lines - 1) for k in range(wide)]
    face += [(top, k, after[k]) for k in range(wide)] + [(top + 1, top - wide + after[k], top - wide + k) for k in range(wide)]
    return RawMesh(vert=vert, face=np.array(face, np.int32))


def box(*half):
    vert = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32) * np.array(half, np.float32)
    face = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return RawMesh(vert=vert, face=np.array(face, np.int32))


@compiled
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_bumpy_balls(kind, seed, monkeypatch):
    for options in ({}, {"scale": (0.001, 0.001, 0.001)}, {"scale": (-1.0, 2.0, 0.5), "refpos": (1.0, 2.0, 3.0), "refquat": (0.3, 0.1, -2.0, 0.5)}):
        found = same_both_ways(ball(seed), MeshOptions(inertia=kind, **options), monkeypatch)
        assert isinstance(found, dict)


@compiled
def test_blocks_of_triangles_of_every_length(monkeypatch):
    whole = ball(3)
    for count in (*range(60, 70), 127, 128, 129):
        same_both_ways(RawMesh(vert=whole.vert, face=whole.face[:count]), MeshOptions(inertia="shell"), monkeypatch)


@compiled
@pytest.mark.parametrize("kind", KINDS)
def test_symmetric_bodies(kind, monkeypatch):
    """Equal moments, whose axes hang on the last bit."""
    for raw in (box(1, 1, 1), box(1, 1, 2), box(0.1, 0.2, 0.3), box(3, 2, 1), ball(0, 8, (1.0, 1.0, 1.0))):
        for turn in ((1.0, 0.0, 0.0, 0.0), (0.5, 0.5, 0.5, 0.5), (0.9, 0.1, 0.2, 0.3)):
            assert isinstance(same_both_ways(raw, MeshOptions(inertia=kind, refquat=turn), monkeypatch), dict)


@compiled
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_body(kind, monkeypatch):
    """Flat, turned inwards, tiny, of one point, flattened by its scale: the twin says what is wrong."""
    flat, inside, none, tiny, huge = box(1, 1, 0), box(1, 2, 3), box(0, 0, 0), box(1e-6, 1e-6, 1e-6), box(1e30, 1e30, 1e30)
    inside.face = np.ascontiguousarray(inside.face[:, ::-1])
    said = [same_both_ways(raw, MeshOptions(inertia=kind), monkeypatch) for raw in (inside, none, tiny)]
    assert any(isinstance(text, str) for text in said)
    with np.errstate(all="ignore"):
        same_both_ways(huge, MeshOptions(inertia=kind), monkeypatch)
        same_both_ways(box(1, 2, 3), MeshOptions(inertia=kind, scale=(1.0, 0.0, 1.0)), monkeypatch)
        if kind != "convex":
            same_both_ways(flat, MeshOptions(inertia=kind), monkeypatch)


@compiled
def test_random_triangles(monkeypatch):
    """No bodies, but sums all the same; triangles without area, given normals, some of them nothing."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        vert = random.normal(size=(40, 3)).astype(np.float32)
        raw = RawMesh(vert=vert, face=random.integers(0, 40, (150, 3)).astype(np.int32), normal=random.normal(size=(40, 3)).astype(np.float32))
        raw.normal[::7] = 0
        for kind in ("legacy", "shell"):
            same_both_ways(raw, MeshOptions(inertia=kind, scale=(1.0, 1.0 + seed, -1.0), refquat=(1.0, 0.1 * seed, 0.0, 0.0)), monkeypatch)


@pytest.mark.nojit
def test_principal_axes_take_the_turns_of_the_twin():
    random = np.random.default_rng(1)
    for k in range(60):
        part = random.normal(size=(3, 3)) * (1, 1, 1e-9 if k % 3 == 0 else 1)
        full = part @ part.T if k % 5 else np.diag(random.integers(0, 3, 3).astype(float))
        entries = tuple(full[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist())
        quat, moments = principal(entries, native.ROUGH, native.ROUGH)
        assert native.principal(entries, native.ROUGH, native.ROUGH) == (*quat, *moments)


@pytest.mark.nojit
def test_a_mesh_without_compiled_code(monkeypatch):
    raw, options = box(1, 2, 3), MeshOptions(scale=(1.0, 2.0, -1.0), refquat=(1.0, 1.0, 0.0, 0.0))
    monkeypatch.setattr(native.centre_mesh, "addr", 0)
    slow = outcome(raw, options)
    monkeypatch.setattr(native.centre_mesh, "addr", 1)
    monkeypatch.setattr(native.centre_mesh, "call", native.centre_mesh.plain)
    for name, array in outcome(raw, options).items():
        np.testing.assert_array_equal(array, slow[name], err_msg=name)
