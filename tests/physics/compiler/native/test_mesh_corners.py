"""Equal corners of STL files merged by compiled code: to the last bit what NumPy gives."""
import numpy as np
import pytest

import physics
from physics.compiler.decode.raw import MeshFileError
from physics.compiler.decode.stl import BOUND, read_stl
from physics.compiler.native import mesh_corners
from physics.kernels import decorators
from physics.model.kernel_buffers import KernelBuffers
from tests.physics.compiler.test_mesh_files import pyramid, stl

compiled = pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")


@pytest.fixture(autouse=True)
def kernels():
    physics.ensure_kernels()


def both(data: bytes, monkeypatch) -> tuple:
    """What is read with compiled code and without, or why nothing is."""
    found = []
    for compiled_code in (True, False):
        with monkeypatch.context() as patch:
            if not compiled_code:
                patch.setattr(mesh_corners.merge_corners, "addr", 0)
            try:
                mesh = read_stl(data)
                found.append((mesh.vert.tobytes(), mesh.vert.shape, mesh.face.tobytes(), mesh.face.shape, mesh.vert.dtype, mesh.face.dtype))
            except MeshFileError as problem:
                found.append(str(problem))
    return found


@compiled
@pytest.mark.parametrize("triangles, places", [(1, 1), (1, 100), (7, 3), (500, 4), (500, 60), (3000, 10**6)])
def test_corners_are_merged_as_without_compiled_code(triangles, places, monkeypatch):
    rng = np.random.default_rng(triangles + places)
    points = rng.normal(size=(places, 3)).astype(np.float32) * rng.choice([0, -0.0, 1, 1e-40, 1e8], (places, 3))
    fast, slow = both(stl(points[rng.integers(places, size=(triangles, 3))].astype(np.float32)), monkeypatch)
    assert fast == slow and fast[3] == (triangles, 3) and fast[1][0] <= places


@compiled
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 2 * BOUND, -BOUND, BOUND, np.nextafter(np.float32(BOUND), np.float32(np.inf)), 1e-45])
def test_bounds_are_those_without_compiled_code(value, monkeypatch):
    corners = pyramid()
    corners[3, 2, 1] = value
    fast, slow = both(stl(corners), monkeypatch)
    assert fast == slow and isinstance(fast, str) == (not abs(value) <= BOUND)


@pytest.mark.nojit
def test_zeros_of_both_signs_are_one_place():
    corners = np.array([[[0, 1, 0], [-0.0, 1, 0], [2, 0, -5]], [[2, -0.0, -5], [0, 1, 0], [3, 3, 3]]], np.float32)
    words, index = np.zeros((6, 3), np.int32), np.zeros(6, np.int32)
    piece = KernelBuffers(text_bytes=np.frombuffer(stl(corners), np.uint8), text_word=words, text_corner=index, text_slot=np.zeros(16, np.int32))
    assert mesh_corners.merge_corners(piece, 2, 15) == 3
    assert index.tolist() == [0, 0, 1, 1, 0, 2] and words[:3].view(np.float32).tolist() == [[0, 1, 0], [2, 0, -5], [3, 3, 3]]
