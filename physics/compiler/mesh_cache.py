"""Processed meshes on disk, found again by what they were made from.

One file per mesh, named by a hash of its source, of how it was to be processed and of the code that did it. A file carries a checksum and appears
whole or not at all; one that is damaged counts as absent. Where the folder cannot be written, meshes are processed afresh each time.
Folder: $LINKWORK_MESH_CACHE, else `meshes` in $LINKWORK_CACHE or in the user's cache folder for linkwork.
"""
from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np

from physics.compiler.decode.raw import RawMesh
from physics.compiler.mesh_data import MeshData, MeshWish
from physics.kernels.load import cache_dir

MOST_BYTES = 1 << 30  # of all files; the oldest go first
MOST_FILES = 20_000
TOGETHER = 20_000  # triangles from which on trees do not wait for further meshes
FRESH = 86_400.0  # a file used so long ago is marked as used again [s]
_MAGIC = b"linkwork mesh 1\n"
_CODE = ("bvh", "builtin_grids", "builtin_meshes", "hash_order", "hull", "mesh_cache", "mesh_data", "mesh_inertia", "mesh_normals", "mesh_process",
         "polygons", "rotation", "decode/msh", "decode/obj", "decode/obj_lines", "decode/obj_plain", "decode/polygon",
         "decode/stl", "native/mesh_corners", "native/mesh_text",
         "native/median", "native/trees", "native/hull_links", "native/hull_polygons",
         "native/vertex_normals")


def folder() -> str:
    """Where processed meshes are kept."""
    return os.environ.get("LINKWORK_MESH_CACHE") or os.path.join(cache_dir(), "meshes")


class Workshop:
    """Where the meshes of one model are found or processed. Those processed get their trees together, and go to disk, in `finish`."""

    def __init__(self):
        self._folder = None
        self._made: dict[str, MeshData] = {}
        self._fresh: dict[str, tuple[MeshData, np.ndarray]] = {}   # those still without a tree
        self._triangles = 0

    def processed(self, source: tuple[bytes, Callable[[], RawMesh]], wish: MeshWish) -> MeshData:
        """The mesh of a source (the bytes it is made from, a function that reads them). Raises MeshError and MeshFileError."""
        content, read = source
        digest = hashlib.sha256(f"{_code()} {wish}".encode())
        digest.update(content)
        name = digest.hexdigest()[:40]
        if name in self._made:
            return self._made[name]
        if self._folder is None:
            try:
                self._folder = folder()
            except OSError:
                self._folder = ""
        found = load(os.path.join(self._folder, name)) if self._folder else None
        if found is not None:
            return found
        from physics.compiler.mesh_process import process

        mesh, corners = process(read(), wish)
        self._made[name], self._fresh[name] = mesh, (mesh, corners)
        self._triangles += len(mesh.face)
        if self._triangles > TOGETHER:
            self._finish_fresh()
        return mesh

    def _finish_fresh(self) -> None:
        from physics.compiler.mesh_process import plant

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
            prune()


@lru_cache(maxsize=1)
def _code() -> str:
    """What tells one state of the code from another: size and time of its files."""
    here = Path(__file__).parent
    try:
        states = [(here / f"{name}.py").stat() for name in _CODE]
    except OSError:
        return "packed"
    return " ".join(f"{s.st_size}.{s.st_mtime_ns}" for s in states) + f" numpy {np.__version__}"


def load(path: str) -> MeshData | None:
    """A mesh from its file; None where the file is absent or damaged. Its arrays can only be read."""
    try:
        with open(path, "rb") as file:
            raw = file.read()
            used = os.fstat(file.fileno()).st_mtime
    except OSError:
        return None
    if time.time() - used > FRESH:
        with contextlib.suppress(OSError):
            os.utime(path)
    return unpack(raw)


def pack(mesh: MeshData) -> list:
    """A mesh as pieces of bytes: magic, checksum of the rest, length of a table of arrays, the table, the arrays."""
    arrays = mesh.arrays()
    table = json.dumps([[name, array.dtype.str, array.shape] for name, array in arrays.items()]).encode()
    table += b" " * (-len(table) % 8)
    pieces = [len(table).to_bytes(8, "little"), table]
    for array in arrays.values():
        pieces += [np.atleast_1d(np.ascontiguousarray(array)).data, b"\0" * (-array.nbytes % 8)] if array.size else []
    check = 0
    for piece in pieces:
        check = zlib.crc32(piece, check)
    return [_MAGIC, check.to_bytes(8, "little"), *pieces]


def unpack(raw: bytes) -> MeshData | None:
    """The mesh in such bytes, None where they are damaged."""
    start = len(_MAGIC) + 8
    if raw[:len(_MAGIC)] != _MAGIC or len(raw) < start + 8 or zlib.crc32(memoryview(raw)[start:]) != int.from_bytes(raw[start - 8:start], "little"):
        return None
    at = start + 8 + int.from_bytes(raw[start:start + 8], "little")
    values = {}
    for name, kind, shape in json.loads(raw[start + 8:at]):
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(raw, kind, count, at).reshape(shape)
        at += array.nbytes + -array.nbytes % 8
        values[name] = array if shape else float(array)
    return MeshData(**values)


def save(path: str, mesh: MeshData) -> None:
    """Write a mesh's file, whole or not at all, into a folder that exists. Raises OSError."""
    temporary = f"{path}.{os.urandom(6).hex()}.tmp"
    try:
        whole = b"".join(pack(mesh))
        with open(temporary, "xb", buffering=0) as file:
            if file.write(whole) != len(whole):
                raise OSError("the file is cut short")
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def prune(most_bytes: int = MOST_BYTES, most_files: int = MOST_FILES) -> None:
    """Delete the files not used for longest until the rest fits."""
    with contextlib.suppress(OSError):
        files = []
        with os.scandir(folder()) as entries:
            for entry in entries:
                state = entry.stat()
                files.append((state.st_mtime, state.st_size, entry.path))
        files.sort(reverse=True)
        total = 0
        for count, (_used, size, path) in enumerate(files):
            total += size
            if total > most_bytes or count >= most_files:
                with contextlib.suppress(OSError):
                    os.unlink(path)
