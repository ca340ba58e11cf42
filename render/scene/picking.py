"""What is under a pixel: rays against the shapes of a Scene, all at once in NumPy.

    origin, direction = camera.pixel_ray(view, x, y, size)
    hit = pick(scene, origin, direction)
    local = to_body(hit.point, xpos[hit.bodyid], xmat[hit.bodyid])

Only what is in the scene with the flag PICKABLE can be hit, so hidden groups are never picked. Flat shapes are hit from
their front only, like a ray against MJCF's plane; solids from inside too.

Source: intersections follow from the implicit equations of the shapes (a quadratic in the ray's parameter).
"""
from dataclasses import dataclass

import numpy as np

from render.scene import shapes
from render.scene.bounds import spheres
from render.scene.skins import body_at, deform

_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class PickedPoint:
    """Nearest thing on a ray. row: instance in scene.geoms; local: the point in the instance's own frame."""
    row: int
    objtype: int
    objid: int
    bodyid: int
    distance: float
    point: np.ndarray
    local: np.ndarray


def pick(scene, origin, direction, pickable_only: bool = True, without=()) -> PickedPoint | None:
    """Nearest instance on the ray, but for the rows `without`; direction a unit vector. None if there is nothing."""
    g = scene.geoms
    origin, direction = np.asarray(origin, float), np.asarray(direction, float)
    rows = np.arange(g.n)
    if pickable_only:
        rows = rows[g.view('flags') & shapes.PICKABLE != 0]
    if len(without):
        rows = np.setdiff1d(rows, without)
    if not len(rows):
        return None
    frame = g.mat[rows].reshape(-1, 3, 3).astype(float)
    start = np.einsum('nji,nj->ni', frame, origin - g.pos[rows].astype(float))
    ray = np.einsum('nji,j->ni', frame, direction)
    distance = distances(g.shape[rows], g.size[rows].astype(float), start, ray, _meshes(scene, rows, start, ray))
    k = int(np.argmin(distance))
    if not np.isfinite(distance[k]):
        return None
    i, t = int(rows[k]), float(distance[k])
    local = start[k] + t * ray[k]
    bodyid = _held_by(scene, g.dataid[i], local) if g.shape[i] == shapes.SKIN else int(g.bodyid[i])
    return PickedPoint(i, int(g.objtype[i]), int(g.objid[i]), bodyid, t, origin + t * direction, local)


def _meshes(scene, rows, start, ray):
    """{place in rows: (vertices, triangles)} of the mesh and skin instances whose bounding sphere the ray meets."""
    g = scene.geoms
    found = np.flatnonzero(np.isin(g.shape[rows], (shapes.MESH, shapes.SDF, shapes.SKIN)))
    if not len(found):
        return {}
    center, radius = spheres(scene, rows[found])
    center = np.einsum('nji,nj->ni', g.mat[rows[found]].reshape(-1, 3, 3), center - g.pos[rows[found]])
    near, out = _near(start[found] - center, ray[found], radius), {}
    for k, i in zip(found[near], g.dataid[rows[found[near]]]):
        if g.shape[rows[k]] == shapes.SKIN:
            if 0 <= i < len(scene.assets.skins) and len(scene.skins.of(i)):
                out[int(k)] = deform(scene.assets.skins[i], scene.skins.of(i))[0], scene.assets.skins[i].face
        elif 0 <= i < len(scene.assets.meshes):
            out[int(k)] = scene.assets.meshes[i].vertex, scene.assets.meshes[i].face
    return out


def _near(start, ray, radius):
    """Whether each ray meets a ball about the origin, a little larger than said; start, ray (n, 3), radius (n,)."""
    ahead = -np.einsum('ij,ij->i', start, ray)
    reach, far = 1.001 * radius + _TINY, np.einsum('ij,ij->i', start, start)
    return (far - ahead ** 2 <= reach ** 2) & ((ahead >= 0) | (far <= reach ** 2))


def _held_by(scene, skin, point):
    """Body that carries a skin at a point of its own frame."""
    asset = scene.assets.skins[skin]
    return body_at(asset, deform(asset, scene.skins.of(skin))[0], point)


def to_body(point, xpos, xmat) -> np.ndarray:
    """A world point in the coordinates of a body with that position and (9,) orientation."""
    return np.asarray(xmat, float).reshape(3, 3).T @ (np.asarray(point, float) - np.asarray(xpos, float))


def distances(shape, size, start, ray, meshes=None) -> np.ndarray:
    """Ray parameters (n,) of the nearest hit with t >= 0, inf where missed. start, ray (n, 3) in each shape's frame."""
    t = np.full(len(shape), np.inf)
    with np.errstate(divide='ignore', invalid='ignore', over='ignore'):
        for kind, solve in _SOLVERS:
            k = np.flatnonzero(shape == kind)
            if len(k):
                t[k] = solve(size[k], start[k], ray[k])
    for k, (vertex, face) in (meshes or {}).items():
        t[k] = _mesh(vertex, face, size[k] if shape[k] != shapes.SKIN else 1.0, start[k], ray[k])
    return t


def _quadratic(a, b, c):
    """Both roots (n, 2), smaller first, of a t^2 + 2 b t + c = 0; inf where there is none."""
    disc = b * b - a * c
    root = np.sqrt(np.maximum(disc, 0))
    bad = (disc < 0) | (np.abs(a) < _TINY)
    roots = np.stack([(-b - root) / a, (-b + root) / a], -1)
    roots[bad] = np.inf
    return roots


def _nearest(candidates):
    """Smallest t >= 0 per row."""
    candidates = np.where((candidates >= 0) & np.isfinite(candidates), candidates, np.inf)
    return candidates.min(-1)


def _plane(size, start, ray):
    t = -start[:, 2] / ray[:, 2]
    x, y = start[:, 0] + t * ray[:, 0], start[:, 1] + t * ray[:, 1]
    inside = ((size[:, 0] <= 0) | (np.abs(x) <= size[:, 0])) & ((size[:, 1] <= 0) | (np.abs(y) <= size[:, 1]))
    return np.where((ray[:, 2] < -_TINY) & (t >= 0) & inside, t, np.inf)


def _ellipsoid(size, start, ray):
    p, v = start / size, ray / size
    return _nearest(_quadratic((v * v).sum(1), (p * v).sum(1), (p * p).sum(1) - 1))


def _side(size, start, ray):
    """Roots on the infinite cylinder of radius size[0], inf beyond the half length size[2]."""
    roots = _quadratic((ray[:, :2] ** 2).sum(1), (start[:, :2] * ray[:, :2]).sum(1), (start[:, :2] ** 2).sum(1) - size[:, 0] ** 2)
    z = start[:, 2:] + roots * ray[:, 2:]
    return np.where(np.abs(z) <= size[:, 2:], roots, np.inf)


def _capsule(size, start, ray):
    found = [_side(size, start, ray)]
    for sign in (-1, 1):
        p = start - np.stack([0 * size[:, 2], 0 * size[:, 2], sign * size[:, 2]], -1)
        roots = _quadratic((ray * ray).sum(1), (p * ray).sum(1), (p * p).sum(1) - size[:, 0] ** 2)
        z = p[:, 2:] + roots * ray[:, 2:]
        found.append(np.where(sign * z >= 0, roots, np.inf))
    return _nearest(np.concatenate(found, 1))


def _cylinder(size, start, ray):
    found = [_side(size, start, ray)]
    for sign in (-1, 1):
        t = (sign * size[:, 2] - start[:, 2]) / ray[:, 2]
        at = start[:, :2] + t[:, None] * ray[:, :2]
        found.append(np.where((at ** 2).sum(1) <= size[:, 0] ** 2, t, np.inf)[:, None])
    return _nearest(np.concatenate(found, 1))


def _box(size, start, ray):
    a, b = (-size - start) / ray, (size - start) / ray
    parallel = np.abs(ray) < _TINY
    outside = (parallel & (np.abs(start) > size)).any(1)
    near = np.where(parallel, -np.inf, np.minimum(a, b)).max(1)
    far = np.where(parallel, np.inf, np.maximum(a, b)).min(1)
    return np.where(outside | (near > far) | (far < 0), np.inf, np.where(near >= 0, near, far))


def _arrow(size, start, ray):
    """Arrows are hit as a cylinder of the head's width around their length."""
    half = size[:, 2] / 2
    center = start - np.stack([0 * half, 0 * half, half], -1)
    return _cylinder(np.stack([1.75 * size[:, 0], 1.75 * size[:, 0], half], -1), center, ray)


_SOLVERS = ((shapes.PLANE, _plane), (shapes.SPHERE, _ellipsoid), (shapes.ELLIPSOID, _ellipsoid), (shapes.CAPSULE, _capsule), (shapes.CYLINDER, _cylinder),
            (shapes.BOX, _box), (shapes.ARROW, _arrow), (shapes.ARROW1, _arrow), (shapes.ARROW2, _arrow))


def _mesh(vertex, face, scale, start, ray):
    """Nearest triangle (Moeller and Trumbore 1997), from both sides."""
    a, b, c = (np.asarray(vertex, float)[face[:, k]] * scale for k in range(3))
    e1, e2 = b - a, c - a
    p = np.cross(ray, e2)
    det = np.einsum('ij,ij->i', e1, p)
    with np.errstate(divide='ignore', invalid='ignore'):
        s = start - a
        u = np.einsum('ij,ij->i', s, p) / det
        q = np.cross(s, e1)
        v = q @ ray / det
        t = np.einsum('ij,ij->i', e2, q) / det
        good = (np.abs(det) > _TINY) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
    return t[good].min(initial=np.inf)
