"""What commands bring along, checked: whatever does not fit is refused with a reason."""
from __future__ import annotations

import numpy as np


class Refused(Exception):
    """The command does not fit the present model or state; the text says why."""


def index_in(index: int, n: int, what: str) -> int:
    """The index of one of n things. Raises Refused."""
    if not 0 <= index < n:
        raise Refused(f"there is no {what} {index}, the model has {n}")
    return index


def finite(value) -> float:
    """A finite number. Raises Refused."""
    value = float(value)
    if not np.isfinite(value):
        raise Refused(f"{value} is not a finite number")
    return value


def finite_numbers(values, n: int) -> np.ndarray:
    """n finite numbers. Raises Refused."""
    values = np.asarray(values, float).ravel()
    if values.size != n or not np.isfinite(values).all():
        raise Refused(f"{values} is not {n} finite numbers")
    return values
