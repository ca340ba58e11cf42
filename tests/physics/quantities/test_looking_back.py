"""deriv and lowpass over moments."""
import numpy as np
import pytest

import physics
from physics.quantities.quantity import compile_quantity

MODEL = "<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.fixture(scope="module")
def model():
    return physics.load_string(MODEL)


def rows(quantity, t, x):
    return lambda leaf: t if leaf.name == "time" else x


def test_a_derivative_is_the_slope_between_moments(model):
    t = np.array([0.0, 0.1, 0.3, 0.4])
    quantity = compile_quantity(model, "deriv(qpos[0])")
    assert np.allclose(quantity.values(rows(quantity, t, 3 * t + 1)), [np.nan, 3, 3, 3], equal_nan=True)


def test_time_that_goes_back_begins_anew(model):
    t, x = np.array([0.0, 0.1, 0.0, 0.1]), np.array([0.0, 1.0, 5.0, 6.0])
    slope, filtered = compile_quantity(model, "deriv(qpos[0])"), compile_quantity(model, "lowpass(qpos[0], 1)")
    assert np.allclose(slope.values(rows(slope, t, x)), [np.nan, 10, np.nan, 10], equal_nan=True)
    assert filtered.values(rows(filtered, t, x))[2] == 5.0


def test_the_filter_answers_a_step_exponentially_however_moments_are_spaced(model):
    t = np.concatenate([[0.0], np.sort(np.random.default_rng(1).uniform(0, 1, 200))])
    quantity = compile_quantity(model, "lowpass(qpos[0], 2)")
    found = quantity.values(rows(quantity, t, np.where(t > 0, 1.0, 0.0)))
    assert np.allclose(found, 1 - np.exp(-2 * np.pi * 2 * t), atol=1e-12)


def test_parts_one_after_the_other_give_the_bits_of_the_whole(model):
    random = np.random.default_rng(2)
    t, x = np.cumsum(random.uniform(0.001, 0.01, 300)), random.normal(size=300)
    for text in ("deriv(qpos[0])", "lowpass(qpos[0], 30)", "deriv(lowpass(qpos[0], 3)) + lowpass(deriv(qpos[0]), 9)"):
        quantity, memory, parts = compile_quantity(model, text), {}, []
        for part in np.split(np.arange(300), [1, 2, 7, 7, 100]):
            parts.append(quantity.values(rows(quantity, t[part], x[part]), memory))
        assert np.array_equal(np.concatenate(parts), quantity.values(rows(quantity, t, x)), equal_nan=True), text
