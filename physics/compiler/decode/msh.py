"""MSH, the format of MuJoCo's first years: four counts, then vertices, normals, texture coordinates and triangles.

Source: MuJoCo XML reference, asset/mesh, legacy MSH file format.
"""
from __future__ import annotations

import numpy as np

from physics.compiler.decode.raw import MOST_FACES, MeshFileError, RawMesh

HEAD = 16


def read_msh(data: bytes) -> RawMesh:
    """Everything an MSH file holds. Raises MeshFileError."""
    if len(data) < HEAD:
        raise MeshFileError(f"an MSH file has a head of {HEAD} bytes, this file has {len(data)} bytes")
    counts = [int(n) for n in np.frombuffer(data, "<i4", 4)]
    nvert, nnormal, ntexcoord, nface = counts
    sizes = f"{nvert} vertices, {nnormal} normals, {ntexcoord} texture coordinates, {nface} triangles"
    if nvert < 4 or min(counts) < 0 or nnormal not in (0, nvert) or ntexcoord not in (0, nvert):
        raise MeshFileError(f"the head of the MSH file does not make sense: {sizes}")
    if max(counts) > MOST_FACES:
        raise MeshFileError(f"the MSH file is absurdly large: {sizes}")
    need = HEAD + 12 * (nvert + nnormal + nface) + 8 * ntexcoord
    if len(data) != need:
        raise MeshFileError(f"{sizes} take {need} bytes, the file has {len(data)}")
    floats = np.frombuffer(data, "<f4", 3 * nvert + 3 * nnormal + 2 * ntexcoord, HEAD)
    face = np.frombuffer(data, "<i4", 3 * nface, HEAD + 4 * floats.size).reshape(-1, 3).astype(np.int32)
    vert, normal, texcoord = np.split(floats.astype(np.float32), [3 * nvert, 3 * (nvert + nnormal)])
    return RawMesh(vert.reshape(-1, 3), face, normal.reshape(-1, 3), texcoord.reshape(-1, 2),
                   face.copy() if nnormal else face[:0], face.copy() if ntexcoord else face[:0])
