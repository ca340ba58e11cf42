"""Pictures on their way to GL: what is larger than the driver takes becomes coarser, by means."""
import numpy as np

from render.gpu.textures import _fitting


def test_pictures_beyond_the_limit_become_means():
    faces = np.zeros((1, 4, 7, 3), np.uint8)
    faces[0, :, 3:6], faces[0, :2, 6] = 100, 40
    found = _fitting(faces, 3)
    assert found.shape == (1, 2, 3, 3) and found.dtype == np.uint8
    np.testing.assert_array_equal(found[0, :, :, 1], [[0, 100, 27], [0, 100, 0]])
    assert _fitting(faces, 7) is faces
    halves = np.full((6, 5, 5, 3), 2.5, np.float16)
    assert _fitting(halves, 2).shape == (6, 2, 2, 3) and (_fitting(halves, 2) == 2.5).all()
