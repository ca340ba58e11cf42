"""Height fields: the surface, the four sides down to the base, and the bottom; coarser ones from fewer of their points.

Where triangles are no larger than pixels no picture shows each, but software GL pays for each: such a field is drawn with fewer columns and
rows. The outermost ones stay, and a point keeps its height, so that hills are as high as before.
"""
import numpy as np

LEVELS_PER_OCTAVE = 4   # steps in which cells become twice as large


def surface(points, base: float):
    """(vertex (n, 3), face (m, 3) int32) of a field of points (rows, columns, 3), x along columns, y along rows; the bottom at z = base."""
    parts = [grid(points)]
    for side in (np.s_[0, :], np.s_[:, -1], np.s_[-1, ::-1], np.s_[::-1, 0]):   # counterclockwise, seen from above
        edge = points[side]
        parts.append(grid(np.stack([_lowered(edge, base), edge])))
    parts.append(grid(_lowered(points[np.ix_((-1, 0), (0, -1))], base)))
    first, vertex, face = 0, [], []
    for place, triangles in parts:
        vertex.append(place)
        face.append(triangles + first)
        first += len(place)
    return np.concatenate(vertex).astype(np.float32), np.concatenate(face).astype(np.int32)


def coarser(vertex, shape, level: int):
    """The same (vertex, face) of what `surface` made of a field of that shape (rows, columns), with cells larger by 2^(level / LEVELS_PER_OCTAVE)."""
    points = vertex[:shape[0] * shape[1]].reshape(*shape, 3)
    rows, columns = (_kept(n, level) for n in shape)
    return surface(points[rows][:, columns], float(vertex[-1, 2]))


def _kept(n, level):
    """Numbers of the points that stay along a side of n, both ends among them."""
    return np.unique(np.rint(np.linspace(0, n - 1, max(2, round((n - 1) / 2 ** (level / LEVELS_PER_OCTAVE)) + 1))).astype(int))


def _lowered(points, base):
    out = np.array(points)
    out[..., 2] = base
    return out


def grid(points):
    """(points (n, 3), triangles (m, 3)) of a grid of points (rows, columns, 3); it faces along columns x rows."""
    rows, columns = points.shape[:2]
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, 1:].ravel(), at[1:, :-1].ravel()
    return points.reshape(-1, 3), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
