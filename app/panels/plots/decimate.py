"""What of a curve with many points is drawn: of neighbours the smallest and the largest value, so that no peak is lost. No Qt."""
from __future__ import annotations

import numpy as np


def decimated(x: np.ndarray, y: np.ndarray, first: float, last: float, pixels: int) -> tuple[np.ndarray, np.ndarray]:
    """(places, values) of a curve from place `first` to `last`, and one point beyond on either side; where there are more than two a pixel, neighbours within two
    pixels or less are replaced by the smallest and the largest of them.

    x (n,) ascending, for curves of companions but for jumps between `first` and `last`; y (n,), NaN where there is no value. Which points are neighbours does not change as the view moves on.
    """
    start, end = max(0, int(np.searchsorted(x, first)) - 1), min(len(x), int(np.searchsorted(x, last, "right")) + 1)
    x, y = x[start:end], y[start:end]
    if len(x) <= 2 * pixels or len(x) < 2:
        return x, y
    group = 1 << int(np.log2(2 * len(x) / pixels))     # a power of two: zooming in halves it
    cells = np.floor_divide(x, group * (x.max() - x.min() or 1) / (len(x) - 1))
    begins = np.flatnonzero(np.diff(cells, prepend=cells[0] - 1))
    low, high = np.fmin.reduceat(y, begins), np.fmax.reduceat(y, begins)
    return np.repeat(x[begins], 2), np.column_stack((low, high)).ravel()
