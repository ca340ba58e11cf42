"""Processed meshes on disk, found again by what they were made from; see asset_cache.py.

One file per mesh, named by a hash of its source, of how it was to be processed and of the code that did it. Where the folder cannot be written, meshes
are processed afresh each time.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from dataclasses import fields

import numpy as np

from physics.compiler import native
from physics.compiler.assets import asset_cache
from physics.compiler.decode.raw import RawMesh
from physics.compiler.mesh.mesh_data import MeshData, MeshWish

TOGETHER = 20_000  # triangles from which on trees do not wait for further meshes
_MAGIC = b"linkwork mesh 5\n"
_FIELDS = tuple(field.name for field in fields(MeshData))
_KINDS = ("<i4", "<f4", "<f8")
_AS_FACE, _NOTHING = -1, -2   # kinds of arrays that are not written: those equal to the triangles, and of as many zeros
_LIKE_FACE = ("facenormal", "facetexcoord")
_NUMBERS = 4   # in the table, for each field
_CODE = ("assets/asset_cache", "mesh/bvh", "mesh/builtin_grids", "mesh/builtin_meshes", "mesh/hash_order", "mesh/hull", "mesh/mesh_cache", "mesh/mesh_data",
         "mesh/mesh_faults", "mesh/mesh_inertia", "mesh/mesh_normals", "mesh/mesh_process", "mesh/polygons", "../rotation/quaternion",
         "decode/msh", "decode/obj", "decode/obj_lines", "decode/obj_plain", "decode/polygon", "decode/stl", "native/mesh_corners", "native/mesh_text",
         "native/median", "native/trees", "native/hull_links", "native/hull_polygons", "native/vertex_normals", "native/mesh_mass", "native/principal")


class Workshop:
    """Where the meshes of one model are found or processed. Those processed get their trees together, and go to disk, in `finish`."""

    def __init__(self):
        self._folder = None
        self._made: dict[str, MeshData] = {}
        self._fresh: dict[str, tuple[MeshData, np.ndarray]] = {}   # those still without a tree
        self._triangles = self._bytes = 0

    def processed(self, source: tuple[list[bytes], Callable[[], RawMesh]], wish: MeshWish) -> MeshData:
        """The mesh of a source (pieces of the bytes it is made from, a function that reads them). Raises MeshError and MeshFileError."""
        content, read = source
        digest = hashlib.sha256(f"{asset_cache.code_state(_CODE)} {vars(wish)}".encode())
        for piece in content:
            digest.update(piece)
        name = digest.hexdigest()[:40]
        if name in self._made:
            return self._made[name]
        if self._folder is None:
            self._folder = asset_cache.folder_or_none()
        found = load(os.path.join(self._folder, name)) if self._folder else None
        if found is not None:
            return found
        from physics.compiler.mesh.mesh_process import process

        self._bytes += sum(map(len, content))
        if self._bytes > native.LARGE:
            native.prepare()
        mesh, corners = process(read(), wish)
        self._made[name], self._fresh[name] = mesh, (mesh, corners)
        self._triangles += len(mesh.face)
        if self._triangles > TOGETHER:
            self._finish_fresh()
        return mesh

    def _finish_fresh(self) -> None:
        from physics.compiler.mesh.mesh_process import plant

        plant(list(self._fresh.values()))
        if self._folder:
            with contextlib.suppress(OSError):
                os.makedirs(self._folder, exist_ok=True)
                for name, (mesh, _corners) in self._fresh.items():
                    save(os.path.join(self._folder, name), mesh)
        self._fresh.clear()
        self._triangles = 0

    def finish(self) -> None:
        """Complete all meshes, and make room where any were saved."""
        if self._fresh:
            self._finish_fresh()
        if self._made:
            asset_cache.prune()


def load(path: str) -> MeshData | None:
    """A mesh from its file; None where the file is absent or damaged. Its arrays can only be read."""
    raw = asset_cache.load(path)
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


def save(path: str, mesh: MeshData) -> None:
    """Write a mesh's file: magic, a table of arrays (kind, number of axes, two sizes of each), arrays at multiples of 8 bytes. Raises OSError."""
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
    asset_cache.save(path, _MAGIC, np.array(table, np.int64), *pieces)
