"""The inlined sine and cosine are those of the C library."""
from math import cos, inf, nan, sin, ulp

import numpy as np
import pytest

from physics.engine.linalg.angle import QUARTER_PI, sin_cos


@pytest.mark.parametrize("bound", [1e-8, 1e-3, 0.1, QUARTER_PI, 2.0, 1e4])
def test_sine_and_cosine_to_one_unit_in_the_last_place(bound):
    for x in (*np.random.default_rng(0).uniform(-bound, bound, 3000), bound, -bound, 0.0):
        s, c = sin_cos(float(x))
        assert abs(s - sin(x)) <= ulp(sin(x)) and abs(c - cos(x)) <= ulp(cos(x))


def test_what_is_not_a_number_stays_none():
    assert all(v != v for v in sin_cos(nan))
    with pytest.raises(ValueError):  # plain Python says so; compiled code gives NaN
        sin_cos(inf)
