"""The order of a mesh's triangles and vertices in its buffers: neighbours together, so that what was computed for a vertex serves all triangles about it.

Drivers remember the last vertices by their number. Software GL keeps 256, each in the place of its number modulo 256: a grid of 256 columns in
rows had every vertex computed three times over. Sorted along a curve that fills space and numbered by first use, about once.

Source: Morton, A computer oriented geodetic data base, 1966.
"""
import numpy as np

BITS = 10       # cells along each axis: 2^BITS
_SPREAD = ((16, 0x30000ff), (8, 0x300f00f), (4, 0x30c30c3), (2, 0x9249249))     # two free bits after each bit


def along_curve(vertices, triangles):
    """The triangles (m, 3) in the order in which the curve through space meets their middles."""
    if len(triangles) == 0:
        return triangles
    middle = np.asarray(vertices)[:, :3][triangles].mean(1, dtype=float)
    low = middle.min(0)
    step = max(float((middle.max(0) - low).max()), 1e-30) / (2 ** BITS - 1)
    cell = ((middle - low) / step).astype(np.int64)
    for shift, mask in _SPREAD:
        cell = (cell | cell << shift) & mask
    return triangles[np.argsort(cell @ (1, 2, 4), kind='stable')]


def by_first_use(triangles, *columns):
    """(triangles, columns (n, k)...) with the vertices numbered as the triangles first use them; others go."""
    corner = np.asarray(triangles).ravel()
    first = np.full(len(columns[0]), -1)
    first[corner[::-1]] = np.arange(len(corner))[::-1]      # of several the last is kept, which is the first corner
    begins = np.zeros(len(corner), bool)
    begins[first[first >= 0]] = True
    order = corner[begins]
    number = np.zeros(len(columns[0]), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return number[triangles], *(column[order] for column in columns)
