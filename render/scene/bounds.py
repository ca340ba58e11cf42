"""Where things are: bounding spheres of instances, the box around a scene, and a camera that frames it."""
from dataclasses import replace

import numpy as np

from render.scene import shapes
from render.scene.camera import FREE, CameraState, Lens


def radii(shape, size) -> np.ndarray:
    """Bounding radii (n,) about each instance's centre; infinite planes 0."""
    size = np.asarray(size, float)
    radius = np.linalg.norm(size, axis=1)
    radius[np.isin(shape, (shapes.SPHERE, shapes.ELLIPSOID))] = size[np.isin(shape, (shapes.SPHERE, shapes.ELLIPSOID))].max(1)
    capsule = shape == shapes.CAPSULE
    radius[capsule] = size[capsule, 0] + size[capsule, 2]
    skin = shape == shapes.SKIN
    radius[skin] = size[skin, 0]
    plane = shape == shapes.PLANE
    radius[plane] = np.where((size[plane, :2] <= 0).any(1), 0, np.linalg.norm(size[plane, :2], axis=1))
    return radius


def spheres(scene, rows):
    """(centre (k, 3), radius (k,)) around those instances; infinite planes 0."""
    g, rows = scene.geoms, np.asarray(rows)
    center, radius = g.pos[rows].astype(float), radii(g.shape[rows], g.size[rows])
    there = np.isin(g.shape[rows], (shapes.MESH, shapes.SDF)) & (g.dataid[rows] >= 0) & (g.dataid[rows] < len(scene.assets.meshes))
    scale, mat, sphere = g.size[rows[there]], g.mat[rows[there]].reshape(-1, 3, 3), scene.assets.mesh_spheres()[g.dataid[rows[there]]]
    center[there] += np.einsum('nij,nj->ni', mat, scale * sphere[:, :3])
    radius[there] = np.abs(scale).max(1, initial=0) * sphere[:, 3]
    return center, radius


def box(scene, rows=None):
    """(lower (3,), upper (3,)) around the pickable instances (or those rows) without infinite planes; None if there are none."""
    g = scene.geoms
    rows = np.flatnonzero(g.view('flags') & shapes.PICKABLE) if rows is None else np.asarray(rows)
    pos, radius = spheres(scene, rows)
    pos, radius = pos[radius > 0], radius[radius > 0]
    if not len(pos):
        return None
    return (pos - radius[:, None]).min(0), (pos + radius[:, None]).max(0)


def frame(cam: CameraState, lens: Lens, lower, upper, aspect: float = 1.0) -> CameraState:
    """The camera turned into a free one that shows the whole box, keeping its angles."""
    lower, upper = np.asarray(lower, float), np.asarray(upper, float)
    center, radius = (lower + upper) / 2, max(np.linalg.norm(upper - lower) / 2, 1e-6)
    if lens.orthographic:
        return replace(cam, kind=FREE, trackbodyid=-1, lookat=tuple(center))
    half = np.arctan(lens.frustum_height() / 2 * min(1.0, aspect))
    return replace(cam, kind=FREE, trackbodyid=-1, lookat=tuple(center), distance=float(radius / np.sin(half)))
