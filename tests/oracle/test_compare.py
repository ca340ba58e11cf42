"""The measure itself: it must see what it is there to see."""
import math

import numpy as np
import pytest

from tests.oracle.compare import rel


def test_equal_arrays_are_zero_apart():
    assert rel([1.0, 2.0], [1.0, 2.0]) == 0.0
    assert rel(np.zeros((3, 3)), np.zeros((3, 3))) == 0.0
    assert rel([], []) == 0.0


def test_a_row_is_judged_by_its_own_size():
    official = np.array([[1.0, 1.0], [1e-3, 1e-3]])
    ours = official + np.array([[0.0, 0.0], [1e-6, 0.0]])
    assert rel(ours, official) == pytest.approx(1e-3)


def test_tiny_rows_are_judged_by_the_largest():
    assert rel([1.0, 1e-9], [1.0, 0.0]) == pytest.approx(1e-3)


def test_what_is_missing_or_not_finite_is_infinitely_far():
    assert rel(None, [1.0]) == math.inf
    assert rel([1.0], [1.0, 2.0]) == math.inf
    assert rel([np.nan], [1.0]) == math.inf
    assert rel([np.inf], [np.inf]) == 0.0
    assert rel([np.inf], [-np.inf]) == math.inf
