"""What stands in for a broken asset where the rest of a model is to be drawn all the same (compile_root's stand_ins).

Textures become a chequered picture, which no one takes for the real one; a mesh keeps those of its triangles that make sense, else it becomes a small
cube; a height field becomes flat, a skin is left out. What is wrong is told all the same: as a warning where motion does not depend on it, else as a
reason why the model can only be viewed. The official compiler refuses such models.
"""
from __future__ import annotations

import contextlib
from dataclasses import replace
from itertools import product

import numpy as np

from physics.compiler.build import Build
from physics.compiler.decode.raw import MeshFileError, RawMesh
from physics.compiler.items import TextureItem
from physics.compiler.mesh.mesh_cache import MeshCache
from physics.compiler.mesh.mesh_data import MeshData, MeshError, MeshOptions

CUBE = 0.02   # half size of what stands in for a mesh [m], in a model whose bodies all lie at their parents' origins
SHARE = 0.03  # and in any other, as a share of how far a body lies off its parent at most
LOOK, MOTION = "warning", "view"   # severities: what is amiss changes the look alone, or what moves too
_LEAST = 4    # vertices of a mesh
_SKYBOX = 2   # tex_type
_CELLS, _CELL = 8, 8   # squares along a chequered face, and pixels along each
_LOUD, _DARK, _SKY = (255, 0, 255), (30, 30, 30), (128, 128, 128)
HINT = "A stand-in is drawn meanwhile"


def forgive(build: Build, known: int, severity: str) -> bool:
    """Make the errors noted after the first `known` issues into issues of a severity, where stand-ins are wanted. Whether there were any."""
    wrong = [k for k in range(known, len(build.problems.issues)) if build.problems.issues[k].severity == "error"]
    if not (wrong and build.source.stand_ins):
        return False
    for k in wrong:
        issue = build.problems.issues[k]
        build.problems.issues[k] = replace(issue, severity=severity, hint=". ".join(filter(None, (issue.hint, HINT))))
    return True


def chequer(tex: TextureItem) -> None:
    """Give a texture something to show: a sky is grey, everything else is chequered."""
    rows = _CELLS * (6 if tex.type else 1)
    cells = np.add.outer(np.arange(rows), np.arange(_CELLS)) % 2
    colours = np.array((_SKY, _SKY) if tex.type == _SKYBOX else (_LOUD, _DARK), np.uint8)
    tex.pixels = colours[cells.repeat(_CELL, axis=0).repeat(_CELL, axis=1)]
    tex.kept, (tex.height, tex.width, tex.nchannel) = True, tex.pixels.shape


def mesh(build: Build, source, options: MeshOptions, mesh_cache: MeshCache) -> tuple[MeshData, bool]:
    """What can be drawn of a mesh that cannot be made, and whether only its look differs from what was asked for.

    source: (pieces of the bytes it is made from, a function that gives its RawMesh unchecked), None where there is no mesh at all.
    """
    raw, only_looks = None, False
    if source is not None:
        with contextlib.suppress(MeshFileError, MeshError):
            raw, only_looks = mended(source[1]())
    for kind, hull in ((options.inertia, options.hull), ("shell", options.hull), ("shell", False)) if raw is not None else ():
        tried = replace(options, inertia=kind, hull=hull, maxhullvert=options.maxhullvert if options.maxhullvert >= 4 else -1)
        with contextlib.suppress(MeshError):
            return mesh_cache.processed(([b"mended", *source[0]], lambda: raw), tried), only_looks and tried == options
    half = _cube_size(build)
    return mesh_cache.processed(([b"stand-in", str(half).encode()], lambda: _cube(half)), MeshOptions(hull=options.hull)), False


def _cube_size(build: Build) -> float:
    """Half size of a cube that is seen, but not huge, beside the model's bodies [m]."""
    places = [build.source.attrs(body)["pos"] for world in build.source.root.all("worldbody") for body in world.walk() if body.tag == "body"]
    reach = [float(np.abs(pos).max()) for pos in places if pos is not None and np.isfinite(pos).all()]
    return float(np.clip(SHARE * max(reach, default=0.0), 1e-4, 1e3)) if any(reach) else CUBE


def mended(raw: RawMesh) -> tuple[RawMesh, bool]:
    """A mesh without what makes no sense in it, and whether all its vertices and triangles stayed as they were."""
    count = len(raw.vert)
    sound = np.isfinite(raw.vert).all(axis=1)
    keep = _within(raw.face, count)
    keep[keep] = sound[raw.face[keep]].all(axis=1)
    out = RawMesh(np.where(sound[:, None], raw.vert, np.float32(0)), raw.face[keep])
    if 0 < count < _LEAST:
        out.vert = np.concatenate([out.vert, np.repeat(out.vert[-1:], _LEAST - count, axis=0)])
    for values, index in (("normal", "facenormal"), ("texcoord", "facetexcoord")):
        given, by_face = getattr(raw, values), getattr(raw, index)
        fits = len(by_face) == len(raw.face) and _within(by_face, len(given)).all() if len(by_face) else len(given) == len(out.vert)
        if len(given) and fits and np.isfinite(given).all():
            setattr(out, values, given)
            setattr(out, index, by_face[keep] if len(by_face) else by_face)
    return out, bool(sound.all() and keep.all() and count >= _LEAST)


def _within(index: np.ndarray, count: int) -> np.ndarray:
    """Which rows of indices name things that exist."""
    return ((index >= 0) & (index < count)).all(axis=1)


def _cube(half: float) -> RawMesh:
    """The eight corners of a cube; its triangles are those of its hull."""
    return RawMesh(np.array(list(product((-half, half), repeat=3)), np.float32))
