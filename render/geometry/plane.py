"""Flat square of half size 1 facing +z; a grid, so that very large planes keep their precision."""
import numpy as np


def plane(cells: int = 1):
    """cells x cells squares; u along x from 0 to 1, v against y."""
    t = np.linspace(-1, 1, cells + 1)
    x, y = np.meshgrid(t, t)
    zero = np.zeros_like(x)
    vertices = np.stack([x, y, zero, zero, zero, zero + 1, (x + 1) / 2, (1 - y) / 2, zero], -1).reshape(-1, 9)
    i, j = np.meshgrid(np.arange(cells), np.arange(cells))
    a = (i * (cells + 1) + j).ravel()
    b = a + cells + 1
    triangles = np.concatenate([np.stack([a, a + 1, b + 1], -1), np.stack([a, b + 1, b], -1)])
    return vertices.astype(np.float32), triangles.astype(np.int32)


def triangle():
    """Right triangle (0,0,0) (1,0,0) (0,1,0), seen from both sides."""
    vertices = [(0, 0, 0, 0, 0, 1, 0, 1, 0), (1, 0, 0, 0, 0, 1, 1, 1, 0), (0, 1, 0, 0, 0, 1, 0, 0, 0)]
    back = [v[:5] + (1,) + v[6:] for v in vertices]
    return np.array(vertices + back, np.float32), np.array([(0, 1, 2), (3, 5, 4)], np.int32)
