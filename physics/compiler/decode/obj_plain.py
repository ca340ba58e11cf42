"""OBJ files that are plainly written, read by compiled code (physics/compiler/native/mesh_text.py); the same to the last bit as what obj.py reads."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.compiler.native import mesh_text
from physics.model.kernel_buffers import KernelBuffers


class Plain(NamedTuple):
    """vectors: vertices, texture coordinates and normals, float32; corners: three indices from 0 (-1 for none) of each corner; counts: corners of each face."""

    vectors: list[np.ndarray]
    corners: list[np.ndarray]
    counts: np.ndarray


def ready() -> bool:
    """Whether the compiled code is at hand."""
    return bool(mesh_text.count_lines.addr and mesh_text.read_lines.addr)


def read(data: bytes) -> Plain | None:
    """All vectors and the faces of the first group that has any; None for a file that is not plain."""
    if not data.endswith(b"\n"):
        data += b"\n"
    count = np.zeros(mesh_text.COUNTS, np.int64)
    piece = KernelBuffers(text_bytes=np.frombuffer(data, np.uint8), text_count=count, text_half=np.empty(2, np.float32))
    if mesh_text.count_lines(piece, len(data)) < 0:
        return None
    nvert, ntexcoord, nnormal, nface, most = count.tolist()
    vectors = [np.empty((nvert, 3), np.float32), np.empty((ntexcoord, 2), np.float32), np.empty((nnormal, 3), np.float32)]
    corners, counts = [np.empty(most, np.int32) for _ in range(3)], np.empty(nface, np.int32)
    for name, array in zip(("vert", "texcoord", "normal", "corner", "place", "shade", "face"), (*vectors, *corners, counts)):
        piece.bind(f"text_{name}", array)
    if mesh_text.read_lines(piece, len(data)) < 0:
        return None
    nface, ncorner = count[3:].tolist()
    return Plain(vectors, [column[:ncorner] for column in corners], counts[:nface])
