"""What a drag may snap to: surfaces under the pointer with their normals, vertices and centres, and how far a shape reaches in a direction.

All of it about the rows of a Scene (render.scene.snapshot), the picture that is seen. Sources: normals are gradients of the shapes' implicit equations; support points of convex
shapes as in collision detection (van den Bergen 2003, chapter 4).
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from editor.tools.rays import Pointer
from render.scene import picking, shapes
from render.scene.bounds import spheres
from render.scene.camera import project

__all__ = ["Surface", "reach_along", "rows_of", "surface_under", "vertex_near"]

SNAP_REACH = 14.0           # logical pixels from the pointer to a vertex
MOST_VERTICES = 20_000      # of meshes together: nearer rows first
CORNERS = tuple(product((-1.0, 1.0), repeat=3))
MESHES = (shapes.MESH, shapes.SDF)


@dataclass(frozen=True, slots=True)
class Surface:
    """A point of a surface and its unit normal in the world, towards the camera; of which object."""

    point: np.ndarray
    normal: np.ndarray
    objtype: int
    objid: int
    bodyid: int


def rows_of(scene, bodies, geoms=(), sites=()) -> np.ndarray:
    """Rows of the Scene that belong to bodies, or are these geoms or sites."""
    g = scene.geoms
    objtype, objid = g.view("objtype"), g.view("objid")
    own = np.isin(g.view("bodyid"), list(bodies)) & np.isin(objtype, (shapes.OBJ_GEOM, shapes.OBJ_SITE, shapes.OBJ_BODY))
    own |= (objtype == shapes.OBJ_GEOM) & np.isin(objid, list(geoms))
    own |= (objtype == shapes.OBJ_SITE) & np.isin(objid, list(sites))
    return np.flatnonzero(own)


def surface_under(pointer: Pointer, scene, without=()) -> Surface | None:
    """The nearest geom under a pointer but for some rows."""
    origin, ray = pointer.ray
    g = scene.geoms
    hidden = np.union1d(np.asarray(without, int), np.flatnonzero(g.view("objtype") != shapes.OBJ_GEOM))
    found = picking.pick(scene, origin, ray, without=hidden)
    if found is None:
        return None
    normal = g.mat[found.row].reshape(3, 3).astype(float) @ _normal(scene, found.row, found.local)
    length = np.linalg.norm(normal)
    if not length > 0:
        return None
    normal = normal / length
    return Surface(found.point, -normal if normal @ ray > 0 else normal, found.objtype, found.objid, found.bodyid)


def _normal(scene, row: int, p: np.ndarray) -> np.ndarray:
    """Normal of any length at a point of the surface of a row, in its own frame."""
    g = scene.geoms
    shape, size = int(g.shape[row]), g.size[row].astype(float)
    if shape in MESHES:
        return _mesh_normal(scene.assets.meshes[g.dataid[row]], size, p)
    if shape == shapes.PLANE:
        return np.array([0.0, 0.0, 1.0])
    if shape in (shapes.SPHERE, shapes.ELLIPSOID):
        return p / size ** 2
    if shape == shapes.BOX:
        k = int(np.argmax(np.abs(p) / size))
        return np.eye(3)[k] * np.sign(p[k])
    if shape == shapes.CYLINDER and abs(abs(p[2]) - size[2]) < abs(np.hypot(p[0], p[1]) - size[0]):
        return np.array([0.0, 0.0, np.sign(p[2])])
    return p - (0.0, 0.0, np.clip(p[2], -size[2], size[2]) if shape == shapes.CAPSULE else p[2])


def _mesh_normal(mesh, scale: np.ndarray, p: np.ndarray) -> np.ndarray:
    """That of the triangle whose plane and edges are nearest to a point."""
    corners = mesh.vertex[mesh.face].astype(float) * scale
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.maximum(np.linalg.norm(normal, axis=1), 1e-30)
    normal /= length[:, None]
    off = np.abs(np.einsum("ij,ij->i", p - corners[:, 0], normal))
    beyond = np.zeros(len(corners))
    for k in range(3):      # how far the point lies outside each edge
        edge = corners[:, (k + 1) % 3] - corners[:, k]
        out = np.cross(edge, normal)
        out /= np.maximum(np.linalg.norm(out, axis=1), 1e-30)[:, None]
        beyond = np.maximum(beyond, np.einsum("ij,ij->i", p - corners[:, k], out))
    return normal[int(np.argmin(off + beyond))]


def reach_along(scene, rows, point, direction) -> float:
    """How far [m] rows of the Scene reach from a point along a unit direction: their largest support; 0 where nothing of them is drawn."""
    g, best = scene.geoms, []
    for row in rows:
        mat, pos, size = g.mat[row].reshape(3, 3).astype(float), g.pos[row].astype(float), g.size[row].astype(float)
        local = mat.T @ np.asarray(direction, float)
        extent = _support(scene, int(g.shape[row]), size, int(g.dataid[row]), local)
        if extent is not None:
            best.append(float((pos - np.asarray(point, float)) @ direction) + extent)
    return max(best, default=0.0)


def _support(scene, shape: int, size: np.ndarray, dataid: int, n: np.ndarray) -> float | None:
    """Largest x . n over a shape about its own origin."""
    if shape in (shapes.SPHERE, shapes.ELLIPSOID):
        return float(np.linalg.norm(size * n))
    if shape == shapes.BOX:
        return float(size @ np.abs(n))
    if shape in (shapes.CAPSULE, shapes.CYLINDER):
        return float(size[0] * (1.0 if shape == shapes.CAPSULE else np.hypot(n[0], n[1])) + size[2] * abs(n[2]))
    if shape in MESHES and 0 <= dataid < len(scene.assets.meshes):
        return float((scene.assets.meshes[dataid].vertex.astype(float) * size @ n).max(initial=-np.inf))
    return 0.0 if shape == shapes.PLANE else None


def vertex_near(pointer: Pointer, scene, without=()) -> np.ndarray | None:
    """The vertex or centre (3,) nearest to a pointer, of all rows but some: centres, corners of boxes, ends of capsules and cylinders, vertices of meshes; None for none."""
    points = _candidates(scene, set(np.asarray(without, int).tolist()), pointer)
    if not len(points):
        return None
    where, depths = project(pointer.view, points, pointer.size)
    away = np.linalg.norm(where - (pointer.x, pointer.y), axis=1)
    away[depths <= pointer.view.near] = np.inf
    if not away.min() <= SNAP_REACH:
        return None
    near = np.flatnonzero(away < away.min() + 3.0)
    return points[near[int(np.argmin(depths[near]))]]


def _candidates(scene, without: set[int], pointer: Pointer) -> np.ndarray:
    g, room = scene.geoms, MOST_VERTICES
    rows = np.setdiff1d(np.flatnonzero(np.isin(g.view("objtype"), (shapes.OBJ_GEOM, shapes.OBJ_SITE))), list(without)).astype(int)
    centre, radius = spheres(scene, rows)
    where, depths = project(pointer.view, centre, pointer.size) if len(rows) else (np.zeros((0, 2)), np.zeros(0))
    height = (pointer.view.top - pointer.view.bottom) / pointer.size[1] * (1.0 if pointer.view.orthographic else np.maximum(depths - radius, pointer.view.near) / pointer.view.near)
    near = (np.linalg.norm(where - (pointer.x, pointer.y), axis=1) <= radius / height + SNAP_REACH) | (depths <= radius)      # whose ball the pointer is within, or the camera
    wanted = rows[near][np.argsort(depths[near])].tolist()
    out = []
    for row in wanted:
        shape, size = int(g.shape[row]), g.size[row].astype(float)
        mat, pos = g.mat[row].reshape(3, 3).astype(float), g.pos[row].astype(float)
        local = np.zeros((1, 3))
        if shape == shapes.BOX:
            local = np.vstack((local, np.array(CORNERS) * size))
        elif shape in (shapes.CAPSULE, shapes.CYLINDER):
            local = np.vstack((local, np.array([(0, 0, size[2]), (0, 0, -size[2])])))
        elif shape in MESHES and 0 <= g.dataid[row] < len(scene.assets.meshes):
            vertices = scene.assets.meshes[g.dataid[row]].vertex
            if len(vertices) <= room:
                room -= len(vertices)
                local = np.vstack((local, vertices.astype(float) * size))
        out.append(local @ mat.T + pos)
    return np.vstack(out) if out else np.zeros((0, 3))
