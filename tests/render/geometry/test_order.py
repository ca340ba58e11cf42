"""Triangles and vertices put in an order that software GL likes: nothing else changes."""
import numpy as np

from render.geometry.order import along_curve, by_first_use


def grid(n):
    """(points (n * n, 9), triangles) of a flat grid, row by row."""
    x, y = np.meshgrid(np.arange(n), np.arange(n))
    points = np.zeros((n * n, 9), np.float32)
    points[:, 0], points[:, 1] = x.ravel(), y.ravel()
    at = np.arange(n * n).reshape(n, n)
    a, b, c, d = at[:-1, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, 1:].ravel(), at[1:, :-1].ravel()
    return points, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.int32)


def computed(triangles, places=256):
    """How often a vertex is computed by a cache with a place for each number modulo `places`."""
    held, count = [-1] * places, 0
    for i in triangles.ravel().tolist():
        count += held[i % places] != i
        held[i % places] = i
    return count


def corners(points, triangles):
    """The triangles as sorted tuples of corners, each turned so that its smallest comes first."""
    out = []
    for one in points[triangles][:, :, :3].tolist():
        k = one.index(min(one))
        out.append(tuple(map(tuple, one[k:] + one[:k])))
    return sorted(out)


def test_the_same_triangles_the_same_way_round():
    points, triangles = grid(20)
    ordered, moved = by_first_use(along_curve(points, triangles), points)
    assert corners(moved, ordered) == corners(points, triangles) and len(moved) == len(points)


def test_the_last_corner_stays_the_last():
    points, triangles = grid(6)
    ordered = along_curve(points, triangles)
    assert sorted(map(tuple, ordered.tolist())) == sorted(map(tuple, triangles.tolist()))
    numbered, moved = by_first_use(ordered, points)
    assert np.array_equal(moved[numbered], points[ordered])


def test_a_grid_of_256_columns_is_reckoned_about_once_per_vertex():
    points, triangles = grid(256)
    ordered, _ = by_first_use(along_curve(points, triangles), points)
    assert computed(triangles) > 5 * len(points) and computed(ordered) < 1.6 * len(points)


def test_vertices_that_no_triangle_has_go():
    points, triangles = grid(5)
    numbered, moved = by_first_use(triangles[:1], points)
    assert len(moved) == 3 and np.array_equal(moved[numbered], points[triangles[:1]])
    assert len(along_curve(points, triangles[:0])) == 0
