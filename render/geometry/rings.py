"""Surfaces of revolution about z, built from rings: the common part of spheres, capsules, cylinders, cones."""
import numpy as np


def revolve(rows, slices: int):
    """Mesh from rings.

    rows: sequence of (radius, z, normal radius, normal z, v, cap), ordered from +z to -z; each ring is closed by a doubled
    seam so that u runs from 0 to 1. Neighbouring rings are joined by triangles; triangles without area are left out.
    """
    rows = np.asarray(rows, float)
    angle = 2 * np.pi * np.arange(slices + 1) / slices
    c, s = np.cos(angle), np.sin(angle)
    n = len(rows)
    vertices = np.empty((n, slices + 1, 9))
    radius, z, nr, nz, v, cap = rows.T
    vertices[..., 0], vertices[..., 1], vertices[..., 2] = radius[:, None] * c, radius[:, None] * s, z[:, None]
    vertices[..., 3], vertices[..., 4], vertices[..., 5] = nr[:, None] * c, nr[:, None] * s, nz[:, None]
    vertices[..., 6], vertices[..., 7], vertices[..., 8] = angle / (2 * np.pi), v[:, None], cap[:, None]
    for k in np.flatnonzero(radius < 1e-9):     # a pole's vertex belongs to the middle of its triangle
        vertices[k, :-1, 6] += 0.5 / slices
    i, j = np.meshgrid(np.arange(n - 1), np.arange(slices), indexing='ij')
    a = i * (slices + 1) + j
    b = a + slices + 1
    upper = np.stack([a, b, a + 1], -1)[radius[:-1] > 1e-9]
    lower = np.stack([b, b + 1, a + 1], -1)[radius[1:] > 1e-9]
    # at a pole the vertex in the middle of the slice is the one numbered j
    pole_top = np.flatnonzero(radius[:-1] <= 1e-9)
    for k in pole_top:
        lower_row = np.stack([b[k], b[k] + 1, a[k]], -1)
        lower[np.searchsorted(np.flatnonzero(radius[1:] > 1e-9), k)] = lower_row
    # both halves of a square after each other: what is seen through things without culling is laid over in this order
    place = np.concatenate([a[radius[:-1] > 1e-9].ravel(), a[radius[1:] > 1e-9].ravel()])
    triangles = np.concatenate([upper.reshape(-1, 3), lower.reshape(-1, 3)])[np.argsort(place, kind='stable')]
    return vertices.reshape(-1, 9).astype(np.float32), triangles.astype(np.int32)


def disc(slices: int, z: float, up: bool, radius: float = 1.0, cap: float = 0.0):
    """Flat end at height z facing +z or -z, texture coordinates over the bounding square."""
    angle = 2 * np.pi * np.arange(slices) / slices
    x, y = np.r_[0, radius * np.cos(angle)], np.r_[0, radius * np.sin(angle)]
    one = np.ones(slices + 1)
    vertices = np.stack([x, y, z * one, 0 * one, 0 * one, (1 if up else -1) * one, 0.5 + 0.5 * x, 0.5 + 0.5 * y, cap * one], -1)
    j = 1 + np.arange(slices)
    k = 1 + (np.arange(slices) + 1) % slices
    zero = np.zeros(slices, int)
    return vertices.astype(np.float32), np.stack([zero, j, k] if up else [zero, k, j], -1).astype(np.int32)


def join(*meshes):
    """One mesh from several."""
    vertices, triangles, first = [], [], 0
    for v, t in meshes:
        vertices.append(v)
        triangles.append(t + first)
        first += len(v)
    return np.concatenate(vertices).astype(np.float32), np.concatenate(triangles).astype(np.int32)
