"""How densely an image lies on a mesh."""
import numpy as np
import pytest

from render.geometry.texel_density import ASKED, texel_density
from tests.render.geometry.test_order import grid


@pytest.mark.parametrize('n', (3, 100))
def test_an_even_image_has_its_scale(n):
    points, triangles = grid(n)
    points[:, 6:8] = 0.25 * points[:, :2]
    assert texel_density(points, triangles) == pytest.approx(0.25) and (n < 100 or len(triangles) > ASKED)


def test_nothing_has_none():
    points, triangles = grid(3)
    assert texel_density(points, triangles[:0]) == 0 and texel_density(np.zeros_like(points), triangles) == 0
