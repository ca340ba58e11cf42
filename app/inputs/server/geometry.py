"""What a model looks like, once, for pages that draw it themselves: shapes, meshes and colours as the view has them, placed in their bodies.

    b"LWG1", length of the header, header (JSON), tables (little-endian, each at a multiple of 4)

Header: bodies, center, extent [m], cameras, and for `geoms` and each of `meshes` where its tables begin. A row of geoms: shape, body, mesh, size (3), position (3),
quaternion (4), colour (4), as float32. A mesh: vertices and normals (n, 3) float32, triangles (m, 3) uint32. Textures are left out, and meshes of
more than LARGEST triangles in all are thinned.
"""
from __future__ import annotations

import gzip
import json
import struct

import numpy as np

from app.bridge.assets.static import Drawn, drawn_geoms, drawn_sites
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from physics.model.model import Model
from render.geometry.simplify import simplify
from render.scene import shapes
from render.scene.snapshot import MeshAsset

MAGIC = b"LWG1"
LARGEST = 200_000       # triangles drawn, each use of a mesh counted
CELLS = (384, 256, 192, 128, 96, 64, 48, 32, 24, 16, 8, 4)     # along a mesh's longest side, finest first
SHOWN = (shapes.PLANE, shapes.SPHERE, shapes.CAPSULE, shapes.ELLIPSOID, shapes.CYLINDER, shapes.BOX, shapes.MESH, shapes.SDF)
COLUMNS = 17
LEVEL = 6       # of gzip


def cameras_of(m: Model) -> tuple[str, ...]:
    """The names of a model's cameras, 'camera N' for those without."""
    return tuple(name or f"camera {i}" for i, name in enumerate(m.names["camera"]))


def packed_geometry(m: Model, largest: int = LARGEST) -> bytes:
    """The geometry of a Model, compressed. largest: triangles."""
    return gzip.compress(scene_geometry(m, largest), LEVEL, mtime=0)


def scene_geometry(m: Model, largest: int = LARGEST) -> bytes:
    """The geometry of a Model: what is visible of its geoms and sites with the groups that a new view shows."""
    visuals, options = ModelVisuals(m), VisOptions()
    parts = [_rows(visuals.of(drawn_geoms), options.geomgroup, m.geom_pos, m.geom_quat)]
    if m.nsite:
        parts.append(_rows(visuals.of(drawn_sites), options.sitegroup, m.site_pos, m.site_quat))
    rows = np.concatenate(parts)
    used = np.unique(rows[rows[:, 2] >= 0, 2].astype(int))
    uses = np.bincount(rows[rows[:, 2] >= 0, 2].astype(int), minlength=len(visuals.assets.meshes))
    meshes = thinned([visuals.assets.meshes[i] for i in used], uses[used], largest)
    place = np.full(len(visuals.assets.meshes) + 1, -1)
    place[used] = np.arange(len(used))
    rows[:, 2] = place[rows[:, 2].astype(int)]
    header = {"bodies": int(m.nbody), "center": [float(x) for x in m.stat_center], "extent": float(m.stat_extent), "cameras": list(cameras_of(m))}
    return _pack(header, rows, meshes)


def _rows(drawn: Drawn, groups, pos, quat) -> np.ndarray:
    """(n, COLUMNS) of what is visible and has a shape that pages know."""
    ids = drawn.visible(groups, True)
    ids = ids[np.isin(drawn.shape[ids], SHOWN)]
    with_mesh = np.isin(drawn.shape[ids], (shapes.MESH, shapes.SDF))
    ids = ids[~with_mesh | (drawn.dataid[ids] >= 0)]
    out = np.empty((len(ids), COLUMNS), np.float32)
    out[:, 0], out[:, 1] = np.where(drawn.shape[ids] == shapes.SDF, shapes.MESH, drawn.shape[ids]), drawn.bodyid[ids]
    out[:, 2] = np.where(out[:, 0] == shapes.MESH, drawn.dataid[ids], -1)
    out[:, 3:6], out[:, 6:9], out[:, 9:13], out[:, 13:] = drawn.size[ids], pos[ids], quat[ids], drawn.rgba[ids]
    return out


def thinned(meshes: list[MeshAsset], uses, largest: int = LARGEST) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(vertex, normal, face) of each mesh, all coarser by one grid where they would be more triangles than `largest`. uses: how often each is drawn."""
    plain = [(np.asarray(mesh.vertex, np.float32), np.asarray(mesh.normal, np.float32), np.asarray(mesh.face, np.uint32)) for mesh in meshes]
    found = plain
    for cells in CELLS:
        if sum(int(n) * len(face) for n, (_v, _n, face) in zip(uses, found, strict=True)) <= largest:
            break
        found = [tuple(simplify(vertex, normal, face.astype(np.int32), None, cells)[:3]) for vertex, normal, face in plain]
    return [_with_normals(*mesh) for mesh in found]


def _with_normals(vertex, normal, face) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Triangles with a corner whose normal is zero get corners of their own with the triangle's."""
    face = np.asarray(face, np.int64).reshape(-1, 3)
    flat = (np.abs(normal[face]).sum(-1) < 1e-6).any(-1)
    own = vertex[face[flat]].astype(float)
    facing = np.cross(own[:, 1] - own[:, 0], own[:, 2] - own[:, 0])
    facing /= np.maximum(np.linalg.norm(facing, axis=1, keepdims=True), 1e-30)
    smooth, corner = np.unique(face[~flat], return_inverse=True)
    faces = np.concatenate([corner.reshape(-1, 3), len(smooth) + np.arange(3 * len(own)).reshape(-1, 3)])
    return (np.concatenate([vertex[smooth], own.reshape(-1, 3)]).astype("<f4"), np.concatenate([normal[smooth], np.repeat(facing, 3, axis=0)]).astype("<f4"),
            faces.astype("<u4"))


def _pack(header: dict, rows: np.ndarray, meshes) -> bytes:
    tables, at = [], 0
    places = []
    for table in (rows.astype("<f4"), *(table for mesh in meshes for table in mesh)):
        places.append([at, len(table)])
        tables.append(table.tobytes())
        at += len(tables[-1])
    header |= {"geoms": places[0], "meshes": [places[1 + 3 * i:4 + 3 * i] for i in range(len(meshes))]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return MAGIC + struct.pack("<I", len(text)) + text + b"".join(tables)
