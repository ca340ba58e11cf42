"""The inlined sine and cosine are those of the C library."""
from math import cos, inf, nan, nextafter, pi, sin, ulp

import numpy as np
import pytest

from physics.engine.linalg.angle import QUARTER_PI, sin_cos


@pytest.mark.parametrize("bound", [1e-8, 1e-3, 0.1, QUARTER_PI, 2.0, 10.0, 1e4, 1e5, 3e7])
def test_sine_and_cosine_to_the_last_place(bound):
    units = 1 if bound <= QUARTER_PI else 2
    for x in (*np.random.default_rng(0).uniform(-bound, bound, 3000), bound, -bound, 0.0):
        s, c = sin_cos(float(x))
        assert abs(s - sin(x)) <= units * ulp(sin(x)) and abs(c - cos(x)) <= units * ulp(cos(x))


@pytest.mark.parametrize("k", [1, 2, 3, -1, 4, 5, 1001, 60000])
def test_next_to_multiples_of_a_quarter_turn(k):
    for x in (k * pi / 2, nextafter(k * pi / 2, 0), k * pi / 2 + 1e-9, (k + 0.5) * pi / 2):
        s, c = sin_cos(x)
        assert abs(s - sin(x)) <= 2 * ulp(sin(x)) and abs(c - cos(x)) <= 2 * ulp(cos(x))


def test_what_is_not_a_number_stays_none():
    assert all(v != v for v in sin_cos(nan))
    with pytest.raises(ValueError):  # plain Python says so; compiled code gives NaN
        sin_cos(inf)
