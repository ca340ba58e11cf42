"""Skins over sheets: the smooth patch between bodies, and a closed surface."""
from itertools import product

import numpy as np
import pytest

from physics.expand.composite import sheet

LINE = np.array([-1.0, 0.0, 1.0, 2.0])


@pytest.mark.parametrize(("more", "kx", "ky"), list(product((1, 3), range(4), range(4))))
def test_a_patch_reproduces_what_is_linear_and_meets_the_corners(more, kx, ky):
    table = sheet._weights(more, kx, ky)
    x, y = np.meshgrid(LINE, LINE, indexing="ij")
    at = np.array(list(product(np.arange(2 + more) / (1 + more), repeat=2)))
    assert np.allclose(table.sum(1), 1) and np.allclose(table @ x.ravel(), at[:, 0]) and np.allclose(table @ y.ravel(), at[:, 1])
    assert np.flatnonzero(table[0]).tolist() == [5] and np.flatnonzero(table[-1]).tolist() == [10]


def test_inside_a_patch_reproduces_squares():
    x, y = np.meshgrid(LINE, LINE, indexing="ij")
    at = np.array(list(product(np.arange(5) / 4, repeat=2)))
    assert np.allclose(sheet._weights(3, 1, 1) @ (x**2 * y**2).ravel(), at[:, 0] ** 2 * at[:, 1] ** 2)


@pytest.mark.parametrize("size", [(2, 2), (3, 5)])
def test_triangles_close_the_surface(size):
    edges = {}
    for a, b, c in sheet._triangles(*size).tolist():
        for edge in ((a, b), (b, c), (c, a)):
            edges[edge] = edges.get(edge, 0) + 1
    assert all(count == 1 and edges.get((b, a)) == 1 for (a, b), count in edges.items())


def test_single_precision_numbers_are_written_so_that_they_come_back():
    values = np.array([1 / 3, 1e-9, -0.0, 12345678.9], np.float32)
    assert np.array_equal(np.array(sheet.single(values).split(), float).astype(np.float32), values)
