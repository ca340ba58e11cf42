"""Triangle meshes of markers, known again by what they hold, so that a mesh that is drawn again and again is on the graphics card once."""
from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

import numpy as np

from render.scene.snapshot import MeshAsset

MOST_BYTES = 64 << 20   # of geometries that are kept for the next time


class Geometries:
    """The last meshes that were asked for. From any thread."""

    def __init__(self):
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, tuple[MeshAsset, int]] = OrderedDict()
        self._bytes = 0

    def get(self, vertex: np.ndarray, face: np.ndarray, smooth: bool) -> MeshAsset:
        """The mesh of vertices (n, 3) float32 and faces (m, 3) int32; the same object for the same numbers."""
        key = hashlib.blake2b(face.tobytes(), digest_size=16)
        key.update(vertex.tobytes())
        key.update(b"smooth" if smooth else b"flat")
        digest = key.digest()
        with self._lock:
            if digest in self._known:
                self._known.move_to_end(digest)
                return self._known[digest][0]
        made = MeshAsset(vertex.copy(), smooth_normals(vertex, face) if smooth else np.zeros_like(vertex), face)
        with self._lock:
            asset, size = self._known.setdefault(digest, (made, 2 * vertex.nbytes + face.nbytes))
            self._bytes += size if asset is made else 0
            while self._bytes > MOST_BYTES and len(self._known) > 1:
                self._bytes -= self._known.popitem(last=False)[1][1]
        return asset


def smooth_normals(vertex: np.ndarray, face: np.ndarray) -> np.ndarray:
    """(n, 3) float32: at each vertex the mean of its triangles' normals by their areas; 0 where there are none."""
    a, b, c = (vertex[face[:, k]].astype(float) for k in range(3))
    normal = np.cross(b - a, c - a)
    total = np.zeros((len(vertex), 3))
    for k in range(3):
        np.add.at(total, face[:, k], normal)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return (total / np.where(length > 0, length, 1)).astype(np.float32)
