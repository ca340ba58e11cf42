"""Painted textures: compiled code gives the bytes of the NumPy twin, and the interpreter those of the compiled code."""
import math

import numpy as np
import pytest

import physics
from physics.compiler.native import pixels
from physics.compiler.texture import texture_patterns
from physics.compiler.texture.mersenne_twister import seeded, uniform
from physics.kernels import decorators
from physics.model.kernel_buffers import KernelBuffers

ENDS = ((0.3, 0.5, 0.7), (0.0, 1.2, 0.123))


@pytest.fixture(autouse=True)
def kernels():
    physics.ensure_kernels()


def _cube(side):
    pattern = texture_patterns.Pattern("gradient", 6, side, side, *ENDS, ("none", (0.0, 0.0, 0.0), 0.0))
    area = np.empty(pattern.size, np.uint8)
    pattern.paint(area)
    return area.reshape(6, side, side, 3)


@pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")
@pytest.mark.parametrize("side", [2, 3, 16, 101])
def test_a_gradient_has_the_bytes_of_its_twin(side, monkeypatch):
    fast = _cube(side)
    assert len(np.unique(fast.reshape(-1, 3), axis=0)) >= min(side, 10)
    monkeypatch.setattr(pixels.paint_gradient_cube, "addr", 0)
    np.testing.assert_array_equal(_cube(side), fast)


def _by_the_formula(side: int, ends) -> np.ndarray:
    """Faces right, up and down of a gradient, each pixel for itself."""
    out = np.zeros((3, side, side, 3), np.uint8)
    root = 1 / math.sqrt(2)
    for row in range(side):
        for column in range(side):
            x, y = 2 * column / (side - 1) - 1, 1 - 2 * row / (side - 1)
            far = math.sqrt(1 + x * x + y * y)
            up = 1 - math.acos(1 / far) / (math.pi / 2)
            for face, place in enumerate((math.asin(y / far) / (math.pi / 2), up, -up)):
                share = min(max(0.5 * (1 + place / math.sqrt(1 + place * place) / root), 0), 1)
                out[face, row, column] = [int(255 * (share * one + (1 - share) * two)) & 255 for one, two in zip(*ends)]
    return out


@pytest.mark.skipif(decorators.NOJIT, reason="looks at compiled code")
def test_gradients_of_any_colours_have_the_bytes_of_the_formula():
    rng = np.random.default_rng(7)
    for side in (*range(2, 30, 3), 64):
        for ends in (rng.random((2, 3)), rng.integers(0, 2, (2, 3)), rng.integers(0, 6, (2, 3)) / 5, rng.normal(size=(2, 3))):
            faces = np.zeros((6, side, side, 3), np.uint8)
            texture_patterns._gradient_by_kernel(faces, np.array(ends, np.float64))
            np.testing.assert_array_equal(faces[[0, 2, 3]], _by_the_formula(side, np.array(ends, float).tolist()))


@pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")
def test_dots_fall_where_those_of_the_twin_do(monkeypatch):
    fast, slow = np.zeros((6, 70, 70, 3), np.uint8), np.zeros((6, 70, 70, 3), np.uint8)
    texture_patterns.mark("random", fast, (1, 0.5, 0.25), 0.3)
    monkeypatch.setattr(pixels.paint_dots, "addr", 0)
    texture_patterns.mark("random", slow, (1, 0.5, 0.25), 0.3)
    assert 0.25 < fast.reshape(-1, 3).any(axis=1).mean() < 0.35
    np.testing.assert_array_equal(fast, slow)


@pytest.mark.nojit
def test_dots_are_where_the_random_numbers_say():
    picture = np.zeros((400, 3), np.uint8)
    pixels.paint_dots(KernelBuffers(tex_rgb=picture, draw_state=seeded(42)), 400, 0.5, 1, 2, 3)
    np.testing.assert_array_equal(picture, np.where((uniform(42, 400) < 0.5)[:, None], [1, 2, 3], 0))


@pytest.mark.nojit
def test_a_gradient_goes_from_below_to_above():
    faces = np.zeros((6, 5, 5, 3), np.uint8)
    texture_patterns._gradient_by_kernel(faces, np.array([[1.0, 1, 1], [0, 0, 0]]))
    side, up, down = faces[0], faces[2].reshape(25, 3), faces[3].reshape(25, 3)
    assert (np.diff(side[:, 2, 0].astype(int)) < 0).all()
    assert up[12, 0] == 255 and down[12, 0] == 0


def test_kernel_buffers_take_only_arrays_that_fit():
    with pytest.raises(ValueError, match="tex_rgb: needs a C-contiguous uint8 array"):
        KernelBuffers(tex_rgb=np.zeros((4, 3)))
