"""Curves as one number."""
import numpy as np
import pytest

from physics.tuning.reductions import REDUCTIONS, reduced

NAN = float("nan")


@pytest.mark.parametrize("how,values,wanted", [
    ("min", [3, 1, 2], 1), ("max", [3, NAN, 2], 3), ("mean", [0, 2, 2], 1.75), ("last", [1, 2, 5], 5), ("last", [1, 2, NAN], NAN), ("integral", [0, 2, 2], 7),
    ("integral", [0, 2, NAN], 1),
    ("integral", [NAN, NAN, NAN], NAN), ("mean", [NAN] * 3, NAN), ("holds", [0, 0, 1], 1), ("holds", [1, 1, 0], 0), ("holds", [1, 1, NAN], 0), ("min", [-np.inf, NAN, 2], 2),
])
def test_each(how, values, wanted):
    assert reduced(how, np.array([0.0, 1.0, 4.0]), np.array(values, float)) == pytest.approx(wanted, nan_ok=True)


def test_another_word():
    with pytest.raises(ValueError, match="no reduction 'sum'; there are: min, max"):
        reduced("sum", np.zeros(1), np.zeros(1))
    assert set(REDUCTIONS) == {"min", "max", "mean", "last", "integral", "holds"}
