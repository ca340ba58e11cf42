"""Processed meshes on disk, found again by what they were made from; see asset_cache.py.

One file per mesh, named by a hash of its source, of how it was to be processed and of the code that did it. Where the folder cannot be written, meshes
are processed afresh each time.
"""
from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import fields

import numpy as np

from physics.compiler import native
from physics.compiler.assets.asset_cache import AssetCache
from physics.compiler.decode.raw import RawMesh
from physics.compiler.mesh.mesh_data import MeshData, MeshOptions

TOGETHER = 20_000  # triangles from which on trees do not wait for further meshes
_MAGIC = b"linkwork mesh 5\n"
_FIELDS = tuple(field.name for field in fields(MeshData))
_KINDS = ("<i4", "<f4", "<f8")
_AS_FACE, _NOTHING = -1, -2   # kinds of arrays that are not written: those equal to the triangles, and of as many zeros
_LIKE_FACE = ("facenormal", "facetexcoord")
_NUMBERS = 4   # in the table, for each field
_MADE_BY = ("physics.compiler.mesh.mesh_cache", "physics.compiler.mesh.builtin_meshes", "physics.compiler.decode.formats")   # and all that these import


class MeshCache:
    """Where the meshes of one model are found or processed. Those processed get their trees together, and go to disk, in `finish`."""

    def __init__(self):
        self._disk: AssetCache | None = None
        self._made: dict[str, MeshData] = {}
        self._fresh: dict[str, tuple[MeshData, np.ndarray]] = {}   # those still without a tree
        self._triangles = self._bytes = 0

    def processed(self, source: tuple[list[bytes], Callable[[], RawMesh]], options: MeshOptions) -> MeshData:
        """The mesh of a source (pieces of the bytes it is made from, a function that reads them). Raises MeshError and MeshFileError."""
        self._disk = self._disk or AssetCache(*_MADE_BY)
        content, read = source
        digest = hashlib.sha256(f"{self._disk.key} {vars(options)}".encode())
        for piece in content:
            digest.update(piece)
        name = digest.hexdigest()[:40]
        if name in self._made:
            return self._made[name]
        found = unpacked(self._disk.load(name))
        if found is not None:
            return found
        from physics.compiler.mesh.mesh_process import process

        self._bytes += sum(map(len, content))
        if self._bytes > native.LARGE:
            native.prepare()
        mesh, corners = process(read(), options)
        self._made[name], self._fresh[name] = mesh, (mesh, corners)
        self._triangles += len(mesh.face)
        if self._triangles > TOGETHER:
            self._finish_fresh()
        return mesh

    def _finish_fresh(self) -> None:
        from physics.compiler.mesh.mesh_process import plant

        plant(list(self._fresh.values()))
        for name, (mesh, _corners) in self._fresh.items():
            self._disk.save(name, *packed(mesh))
        self._fresh.clear()
        self._triangles = 0

    def finish(self) -> None:
        """Complete all meshes, and make room where any were saved."""
        if self._fresh:
            self._finish_fresh()
        if self._disk is not None:
            self._disk.finish()


def unpacked(raw: np.ndarray | None) -> MeshData | None:
    """A mesh from the bytes of its file (bytes,); None for anything else. Its arrays can only be read."""
    if raw is None or raw[:len(_MAGIC)].tobytes() != _MAGIC:
        return None
    at = len(_MAGIC) + 8 * _NUMBERS * len(_FIELDS)
    values, table = {}, iter(raw[len(_MAGIC):at].view(np.int64).tolist())
    for name in _FIELDS:
        kind, axes, *shape = next(table), next(table), next(table), next(table)
        if kind in (_AS_FACE, _NOTHING):
            values[name] = values["face"] if kind == _AS_FACE else np.zeros_like(values["face"])
            continue
        array = np.ndarray(shape[:axes], _KINDS[kind], raw, at)
        at += array.nbytes + -array.nbytes % 8
        values[name] = array if axes else float(array)
    return MeshData(**values)


def packed(mesh: MeshData) -> tuple:
    """The pieces of a mesh's file: magic, a table of arrays (kind, number of axes, two sizes of each), arrays at multiples of 8 bytes."""
    table, pieces = [], []
    for name in _FIELDS:
        array = np.asarray(getattr(mesh, name))
        if name in _LIKE_FACE and array.dtype == mesh.face.dtype and array.shape == mesh.face.shape and (not array.any() or np.array_equal(array, mesh.face)):
            table += (_AS_FACE if array.any() else _NOTHING, 0, 0, 0)
            continue
        table += (_KINDS.index(array.dtype.str), array.ndim, *(*array.shape, 1, 1)[:2])
        if array.size:
            pieces.append(np.ascontiguousarray(array))
            if array.nbytes % 8:
                pieces.append(bytes(-array.nbytes % 8))
    return _MAGIC, np.array(table, np.int64), *pieces
