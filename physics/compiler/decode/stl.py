"""Binary STL: triangles with their corners written out; equal corners become one vertex, in the order they are first met.

Source: the format's description (80 bytes of text, a count, 50 bytes a triangle); MuJoCo XML reference, asset/mesh.
"""
from __future__ import annotations

import numpy as np

from physics.compiler.decode.raw import MeshFileError, RawMesh
from physics.compiler.native import mesh_corners
from physics.model.kernel_buffers import KernelBuffers

HEAD = 84
MOST = 200_000  # triangles that the format's official reader takes
BOUND = float(1 << 30)  # coordinates beyond this are damage
_RECORD = np.dtype([("normal", "<f4", 3), ("corner", "<f4", (3, 3)), ("attribute", "<u2")])


def read_stl(data: bytes) -> RawMesh:
    """Vertices and triangles of a binary STL file. Raises MeshFileError."""
    if len(data) < HEAD:
        raise MeshFileError(f"a binary STL file has a head of {HEAD} bytes, this file has {len(data)} bytes")
    count = int.from_bytes(data[80:84], "little")
    text = "; it looks like a text STL file: save it as binary STL" if data[:5].lower() == b"solid" else ""
    if not 1 <= count <= MOST:
        raise MeshFileError(f"an STL file holds 1 to {MOST} triangles, this one says {count}{text}")
    if len(data) != HEAD + count * _RECORD.itemsize:
        raise MeshFileError(f"{count} triangles take {HEAD + count * _RECORD.itemsize} bytes, the file has {len(data)}{text}")
    mesh = _merged(data, count) if mesh_corners.merge_corners.addr else None
    if mesh is not None:
        return mesh
    corners = np.frombuffer(data, _RECORD, count, HEAD)["corner"].reshape(-1, 3)
    worst = np.abs(corners).max(axis=1)
    if not (worst <= BOUND).all():
        bad = int(np.flatnonzero(~(worst <= BOUND))[0])
        raise MeshFileError(f"corner {bad % 3 + 1} of triangle {bad // 3 + 1} is at {corners[bad].tolist()}, beyond {BOUND:g} or no number")
    vert, index = merge_equal(np.ascontiguousarray(corners))
    return RawMesh(vert=vert, face=index.reshape(-1, 3))


def _merged(data: bytes, count: int) -> RawMesh | None:
    """The mesh of `count` triangles, by compiled code; None where a coordinate is not to be taken."""
    size = 1 << (6 * count).bit_length()
    words, index = np.empty((3 * count, 3), np.int32), np.empty(3 * count, np.int32)
    piece = KernelBuffers(text_bytes=np.frombuffer(data, np.uint8), text_word=words, text_corner=index, text_slot=np.zeros(size, np.int32))
    found = mesh_corners.merge_corners(piece, count, size - 1)
    return None if found < 0 else RawMesh(vert=words[:found].view(np.float32).copy(), face=index.reshape(-1, 3))


def merge_equal(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct points (float32 (n, 3)) in the order they are first met, and the place of every point among them."""
    words = (points + np.float32(0.0)).view(np.uint32).astype(np.uint64)  # adding 0 makes -0 and 0 one
    with np.errstate(over="ignore"):
        key = words[:, 0] * np.uint64(0x9E3779B97F4A7C15)
        key = (key ^ (key >> np.uint64(29)) ^ words[:, 1]) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(32)) ^ words[:, 2]) * np.uint64(0x94D049BB133111EB)
    along = np.argsort(key)
    key = key.take(along)
    begins = np.concatenate(([True], key[1:] != key[:-1]))
    first, inverse = np.minimum.reduceat(along, np.flatnonzero(begins)), np.empty(len(key), np.int64)
    inverse[along] = np.cumsum(begins) - 1
    if not np.array_equal(points[first][inverse], points):  # two points with one key: compare them in full
        _, first, inverse = np.unique(points + np.float32(0.0), axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return points[first[order]], place[inverse.ravel()]
