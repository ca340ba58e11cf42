"""Painted textures: compiled code gives the bytes of the NumPy twin, and the interpreter those of the compiled code."""
from types import SimpleNamespace

import numpy as np
import pytest

import physics
from physics.compiler import texture_patterns
from physics.compiler.native import pixels
from physics.compiler.twister import seeded, uniform
from physics.kernels import decorators
from physics.workpiece import Workpiece

ENDS = ((0.3, 0.5, 0.7), (0.0, 1.2, 0.123))


@pytest.fixture(autouse=True)
def kernels():
    physics.ensure_kernels()


def _cube(side):
    return texture_patterns.faces_of("gradient", SimpleNamespace(width=side, height=6 * side, type=2), *ENDS)


@pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")
@pytest.mark.parametrize("side", [2, 3, 16, 101])
def test_a_gradient_has_the_bytes_of_its_twin(side, monkeypatch):
    fast = _cube(side)
    assert len(np.unique(fast.reshape(-1, 3), axis=0)) >= min(side, 10)
    monkeypatch.setattr(pixels.paint_gradient_cube, "addr", 0)
    np.testing.assert_array_equal(_cube(side), fast)


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
    pixels.paint_dots(Workpiece(tex_rgb=picture, draw_state=seeded(42)), 400, 0.5, 1, 2, 3)
    np.testing.assert_array_equal(picture, np.where((uniform(42, 400) < 0.5)[:, None], [1, 2, 3], 0))


@pytest.mark.nojit
def test_a_gradient_goes_from_below_to_above():
    picture = np.zeros((6 * 25, 3), np.uint8)
    pixels.paint_gradient_cube(Workpiece(tex_rgb=picture, tex_ends=np.array([[1.0, 1, 1], [0, 0, 0]])), 5)
    side, up, down = picture[:25].reshape(5, 5, 3), picture[50:75], picture[75:100]
    assert (np.diff(side[:, 2, 0].astype(int)) < 0).all()
    assert up[12, 0] == 255 and down[12, 0] == 0


def test_a_workpiece_takes_only_arrays_that_fit():
    with pytest.raises(ValueError, match="tex_rgb: needs a C-contiguous uint8 array"):
        Workpiece(tex_rgb=np.zeros((4, 3)))
