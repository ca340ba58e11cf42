"""Harmonics of the environment against what they stand for."""
import numpy as np
import pytest

from render.passes.physical.environment import project

H, W = 64, 128


def sent_back(harmonics, n):
    """What the shader makes of them."""
    x, y, z = n
    return harmonics.T @ (1, y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y)


def directions():
    rise, turn = (np.arange(H) + 0.5) / H * np.pi - np.pi / 2, (np.arange(W) + 0.5) / W * 2 * np.pi - np.pi
    return np.stack([np.cos(rise)[:, None] * np.cos(turn), np.cos(rise)[:, None] * np.sin(turn), np.repeat(np.sin(rise)[:, None], W, 1)], -1)


def test_even_light_lights_all_sides_alike():
    harmonics = project(np.ones((H, W, 3)))
    for n in np.eye(3):
        assert sent_back(harmonics, n) == pytest.approx(1, abs=1e-3) and sent_back(harmonics, -n) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize('axis', range(3))
def test_a_smooth_light_from_one_side_is_met_exactly(axis):
    light = np.repeat(1 + directions()[..., axis:axis + 1], 3, 2)      # 1 + cos: a matt surface sends back 1 + 2/3 cos
    harmonics = project(light)
    n = np.array((0.48, -0.6, 0.64))
    assert sent_back(harmonics, n) == pytest.approx(1 + 2 / 3 * n[axis], abs=2e-3)
