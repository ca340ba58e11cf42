"""How far two arrays are apart: one definition for every field (docs/agreement.md, 'rel')."""
import math

import numpy as np


def rel(ours, official) -> float:
    """Largest relative difference over rows.

    max over rows r of max|a_r - b_r| / max(max|b_r|, 1e-6 max|b|), a ours and b official. 0 where both are all zero or empty; infinite
    where the shapes differ or where a number is not finite on one side only. Positions not finite on both sides must be equal.
    """
    if ours is None:
        return math.inf
    a, b = np.asarray(ours, float), np.asarray(official, float)
    if a.size != b.size:
        return math.inf
    if b.size == 0:
        return 0.0
    rows = b.shape[0] if b.ndim > 1 else b.size
    a, b = a.reshape(rows, -1), b.reshape(rows, -1)
    odd = ~(np.isfinite(a) & np.isfinite(b))
    if odd.any():
        if not np.array_equal(a[odd], b[odd], equal_nan=True):
            return math.inf
        a, b = np.where(odd, 0.0, a), np.where(odd, 0.0, b)
    difference = np.abs(a - b).max(axis=1)
    if not difference.any():
        return 0.0
    scale = np.maximum(np.abs(b).max(axis=1), 1e-6 * np.abs(b).max())
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(difference > 0, difference / scale, 0.0)
    return float(ratio.max())
