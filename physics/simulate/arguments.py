"""Numbers that users hand over, checked: arrays of one size and of one type."""
from __future__ import annotations

import numpy as np


def vector(values, n: int, what: str) -> np.ndarray:
    """values as n doubles (a new or the same array). Raises ValueError naming `what` where size or type do not fit."""
    try:
        array = np.ascontiguousarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: needs {n} numbers ({error})") from None
    if array.shape != (n,):
        raise ValueError(f"{what}: needs {n} numbers, got an array of shape {array.shape}")
    return array


def matrix(values, rows: int, columns: int, what: str) -> np.ndarray:
    """values as rows times columns doubles; raises ValueError as `vector`."""
    try:
        array = np.ascontiguousarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: needs {rows} x {columns} numbers ({error})") from None
    if array.shape != (rows, columns):
        raise ValueError(f"{what}: needs {rows} x {columns} numbers, got an array of shape {array.shape}")
    return array
