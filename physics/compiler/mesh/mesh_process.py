"""From a raw mesh to the model's: hull, normals, scale, centre of mass, principal axes, single precision.

The steps and their order are those of the official compiler. Source: MuJoCo XML reference, asset/mesh, "the full list of processing steps".
"""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.compiler.decode.raw import RawMesh
from physics.compiler.mesh import mesh_inertia as mass
from physics.compiler.mesh.bvh import mesh_trees
from physics.compiler.mesh.hull import hull_graph
from physics.compiler.mesh.mesh_data import MeshData, MeshError, MeshOptions
from physics.compiler.mesh.mesh_faults import find_faults
from physics.compiler.mesh.mesh_normals import vertex_normals
from physics.compiler.mesh.polygons import extrema, hull_polygons, polygon_normals
from physics.compiler.native import mesh_mass as native
from physics.enums import MINVAL
from physics.model.kernel_buffers import KernelBuffers
from physics.rotation.quaternion import conj, matrix, principal, unit

TINY = float(np.sqrt(MINVAL))  # triangles below this area do not count as joined
_KINDS = MappingProxyType({"shell": native.SHELL, "legacy": native.LEGACY})   # where the mass is, as the kernel has it; else solid


def process(raw: RawMesh, options: MeshOptions) -> tuple[MeshData, np.ndarray]:
    """Everything the model keeps of a mesh but its tree, and its vertices (3, n) in double precision, for `plant`. Raises MeshError."""
    check(raw)
    vert = np.ascontiguousarray(raw.vert.T.astype(np.float64))
    if options.inertia == "exact":
        _check_orientation(vert, raw.face)
    graph = hull_graph(vert, options.maxhullvert) if options.hull or options.inertia == "convex" or not len(raw.face) else None
    mesh = MeshData(face=raw.face if len(raw.face) else graph.face, texcoord=raw.texcoord)
    mesh.faults = find_faults(vert, raw.face, raw.left_out)
    _normals(mesh, raw, vert, options)
    if graph is not None:
        mesh.polyvert, mesh.polyvertnum, mesh.polymap, mesh.polymapnum = hull_polygons(vert, graph.face)
    else:
        mesh.polymapnum = np.zeros(vert.shape[1], np.int32)
    if options.mirrors:
        _mirror(mesh, graph)
    if graph is not None:
        mesh.graph = graph.packed()
    corner = _settled(mesh, vert, graph.face if options.inertia == "convex" else mesh.face, options)
    if graph is not None:
        mesh.polynormal = polygon_normals(corner, mesh.polyvert, mesh.polyvertnum)
        mesh.extrema = extrema(mesh.vert, graph.vertex)
    return mesh, corner


def plant(meshes: list[tuple[MeshData, np.ndarray]]) -> None:
    """Fill in the trees of what `process` gave."""
    for (mesh, _corner), tree in zip(meshes, mesh_trees([(corner, mesh.face) for mesh, corner in meshes])):
        _, mesh.treechild, mesh.treedepth, mesh.treenode, mesh.treebox = tree


def check(raw: RawMesh) -> None:
    """Numbers must be finite and indices must exist. Raises MeshError."""
    count = len(raw.vert)
    if count < 4:
        raise MeshError(f"a mesh needs at least 4 vertices, this one has {count}")
    for name, values in (("vertex", raw.vert), ("normal", raw.normal), ("texture coordinate", raw.texcoord)):
        if not np.isfinite(values).all():
            raise MeshError(f"{name} {int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])} of the mesh is not finite")
    for name, index, rows in (("vertex", raw.face, count), ("normal", raw.facenormal, len(raw.normal)),
                              ("texture coordinate", raw.facetexcoord, len(raw.texcoord))):
        if index.size and (index.min() < 0 or index.max() >= rows):
            bad = (index < 0) | (index >= rows)
            k = int(np.flatnonzero(bad.any(axis=1))[0])
            raise MeshError(f"triangle {k} names {name} {int(index[k][bad[k]][0])}, but the mesh has {rows}, counted from 0")
    if len(raw.facenormal) not in (0, len(raw.face)):
        raise MeshError(f"the mesh has {len(raw.face)} triangles, but normals for {len(raw.facenormal)}")


def _check_orientation(vert: np.ndarray, face: np.ndarray) -> None:
    """No edge may be passed twice in the same direction. Raises MeshError."""
    area, _, _ = mass.triangles(*mass.corners(vert, face))
    kept = face[area > TINY].astype(np.int64)
    edges = np.sort((kept * (vert.shape[1] + 1) + np.roll(kept, -1, axis=1)).ravel()) if len(kept) else np.zeros(0, np.int64)
    twice = np.flatnonzero(edges[1:] == edges[:-1])
    if twice.size:
        a, b = divmod(int(edges[twice[0]]), vert.shape[1] + 1)
        raise MeshError(f"two triangles pass the edge from vertex {a} to vertex {b} in the same direction: the faces are not all turned outwards",
                        'Repair the faces, or write inertia="legacy" or "convex"')


def _normals(mesh: MeshData, raw: RawMesh, vert: np.ndarray, options: MeshOptions) -> None:
    """Normals and the indices of triangles into them and into the texture coordinates."""
    if len(raw.normal):
        per_vertex = len(raw.normal) // vert.shape[1]
        mesh.normal = raw.normal
        mesh.facenormal = raw.facenormal if len(raw.facenormal) else per_vertex * mesh.face
    else:
        mesh.normal, mesh.facenormal = vertex_normals(vert, mesh.face, options.smoothnormal), mesh.face
    mesh.facetexcoord = raw.facetexcoord
    if not len(raw.facetexcoord):
        mesh.facetexcoord = mesh.face if len(raw.texcoord) else np.zeros_like(mesh.face)


def _mirror(mesh: MeshData, graph) -> None:
    """Turn triangles and polygons round, each staying at its first corner."""
    for name in ("face", "facenormal", "facetexcoord"):
        setattr(mesh, name, np.ascontiguousarray(getattr(mesh, name)[:, [0, 2, 1]]))
    if graph is not None:
        graph.face = np.ascontiguousarray(graph.face[:, [0, 2, 1]])
        start = np.repeat(np.cumsum(mesh.polyvertnum) - mesh.polyvertnum, mesh.polyvertnum)
        rank = np.arange(len(mesh.polyvert)) - start
        mesh.polyvert = mesh.polyvert[start + np.where(rank > 0, np.repeat(mesh.polyvertnum, mesh.polyvertnum) - rank, 0)]


def _settled(mesh: MeshData, vert: np.ndarray, face: np.ndarray, options: MeshOptions) -> np.ndarray:
    """Bring a mesh into the frame of its mass: fill pos, quat, volume, box, low, high, vert and normal; its vertices (3, n) there.

    vert: (3, n) of the source; face: what is weighed, the mesh or its hull. Raises MeshError.
    """
    vert = _moved(vert, options)
    if native.centre_mesh.addr:
        corner = _compiled(mesh, vert, face, options)
        if corner is not None:
            return corner
    normal = _unit_normals(mesh.normal.T, options)
    turn = _centre(mesh, vert, face, options)
    corner = turn(vert - mesh.pos[:, None])
    mesh.low, mesh.high = corner.min(axis=1) + 0.0, corner.max(axis=1) + 0.0   # no zero is below zero
    mesh.vert = np.ascontiguousarray(corner.astype(np.float32).T)
    mesh.normal = np.ascontiguousarray(turn(normal.astype(np.float64)).astype(np.float32).T)
    return corner


def _compiled(mesh: MeshData, vert: np.ndarray, face: np.ndarray, options: MeshOptions) -> np.ndarray | None:
    """What `_settled` does, from a kernel; None where that finds the mesh unsound: then nothing is filled."""
    frame, point, normal, corner = np.empty(17), np.empty(vert.shape[::-1], np.float32), np.empty(mesh.normal.shape, np.float32), np.empty(vert.shape)
    turns = tuple(options.refquat) != (1.0, 0.0, 0.0, 0.0)
    plan = np.array([*(matrix(conj(unit(options.refquat)[0])) if turns else (0.0,) * 9), *options.scale], np.float64)
    hull = face is not mesh.face
    piece = KernelBuffers(tri_face=np.ascontiguousarray(mesh.face, np.int32), tri_hull=np.ascontiguousarray(face, np.int32), tri_point=vert, mesh_plan=plan,
                      mesh_shade=np.ascontiguousarray(mesh.normal, np.float32), mesh_frame=frame, mesh_point=point, mesh_turned=normal, tri_corner=corner)
    if not native.centre_mesh(piece, len(mesh.face), len(face) if hull else 0, vert.shape[1], len(normal), _KINDS.get(options.inertia, native.SOLID), turns):
        return None
    mesh.pos, mesh.volume, mesh.quat, mesh.box, mesh.low, mesh.high = frame[:3], float(frame[3]), frame[4:8], frame[8:11], frame[11:14], frame[14:]
    mesh.vert, mesh.normal = point, normal
    return corner


def _moved(vert: np.ndarray, options: MeshOptions) -> np.ndarray:
    """Vertices (3, n) after refpos, refquat and scale."""
    if any(options.refpos):
        vert = vert - np.array(options.refpos)[:, None]
    if tuple(options.refquat) != (1.0, 0.0, 0.0, 0.0):
        vert = turned(conj(unit(options.refquat)[0]))(vert)
    return vert if tuple(options.scale) == (1.0, 1.0, 1.0) else vert * np.array(options.scale)[:, None]


def _unit_normals(normal: np.ndarray, options: MeshOptions) -> np.ndarray:
    """Unit normals (3, n) after refquat and scale."""
    if tuple(options.refquat) != (1.0, 0.0, 0.0, 0.0):
        normal = turned(conj(unit(options.refquat)[0]))(normal.astype(np.float64)).astype(np.float32)
    if tuple(options.scale) != (1.0, 1.0, 1.0):
        with np.errstate(divide="ignore", invalid="ignore"):
            normal = (normal / np.array(options.scale)[:, None]).astype(np.float32)
    length = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]
    short = ~(length > MINVAL)
    with np.errstate(invalid="ignore"):  # a scale of 0 has made normals endless
        normal = normal * (np.float32(1) / np.sqrt(np.where(short, np.float32(1), length)))
    normal[:, short] = np.array([[0], [0], [1]], np.float32)
    return normal


def turned(quat):
    """A function that turns columns by a unit quaternion."""
    m = matrix(quat)
    return lambda v: np.stack([m[3 * k] * v[0] + m[3 * k + 1] * v[1] + m[3 * k + 2] * v[2] for k in range(3)])


def _centre(mesh: MeshData, vert: np.ndarray, face: np.ndarray, options: MeshOptions):
    """Fill volume, pos, quat and box; the function that turns vectors into the principal axes. Raises MeshError."""
    three = mass.corners(vert, mesh.face)
    area, normal, centre = mass.triangles(*three)
    _, middle = mass.surface_centre(area, centre)
    if face is not mesh.face:
        three = mass.corners(vert, face)
        area, normal, centre = mass.triangles(*three)
    _, mesh.pos = mass.volume_centre(area, normal, centre, middle, options.inertia)
    at = mesh.pos[:, None]
    mesh.volume, full = mass.second_moments(*(c - at for c in three), options.inertia)
    quat, moments = principal(full, native.ROUGH, native.ROUGH)
    mass.check_moments(moments)
    mesh.quat, mesh.box = np.array(quat), mass.equal_box(moments, mesh.volume)
    return turned(conj(quat))
